/**
 * Fits the estimator's weights and prints the constants of src/engine/text/token-weights.ts:
 *
 *     node test/bench/estimator/fit.ts [folder...]
 *
 * The samples that are not held out are cut into the tokenizer's own pieces; each weight becomes what pieces of its kind
 * cost on average: least squares by coordinate descent, drawn towards the weight in use where pieces are rare, and towards
 * the neighbours in its table. Nothing goes below zero. Then it prints the report, by the new weights.
 */
import { buildAutomaton } from '../../../src/engine/text/token-automaton.ts'
import { binOf, WEIGHTS } from '../../../src/engine/text/token-bins.ts'
import { MARK_TABLE, SINGLES, TABLE, WORDS } from '../../../src/engine/text/token-weights.ts'
import { createScanner } from '../../../src/engine/text/tokens.ts'
import { countTokens, PIECES } from './reference.ts'
import { accuracy } from './report.ts'
import { FOLDERS, isHeldOut, readSamples, type Sample } from './samples.ts'

/** One equation: how often each weight is used in a piece, what the sum should be, and how often the piece occurs. */
interface Row {
  readonly uses: readonly { readonly bin: number; readonly times: number }[]
  readonly target: number
  readonly frequency: number
}

/** In pieces: the pull of the weight in use, and of the neighbours in a table. */
const PRIOR = 5
const SMOOTHNESS = 20
const ROUNDS = 100
const WORD_TABLES = (Object.keys(WORDS).length + 1) * TABLE

/**
 * Given, not fitted: digits by the tokenizer's pattern, drawn rules, and the slopes, with the last entries of the tables of
 * words that they start from: so that joining long runs changes little (JOIN_BOUND), and since words of that length are
 * rare, and ids or runs of one letter.
 */
const FIXED = new Map([
  [binOf('digits'), 1000],
  [binOf('lowerSlope'), 600],
  [binOf('upperSlope'), 450],
  [binOf('marksSlope'), 600],
  [binOf('markRepeatedMore'), 15],
])

/** How often each piece occurs; what one sample repeats counts little. */
function countPieces(samples: readonly Sample[]): Map<string, number> {
  const frequencies = new Map<string, number>()
  for (const { text } of samples) {
    const counts = new Map<string, number>()
    for (const [piece] of text.slice(0, 200_000).matchAll(PIECES)) counts.set(piece, (counts.get(piece) ?? 0) + 1)
    for (const [piece, count] of counts) frequencies.set(piece, (frequencies.get(piece) ?? 0) + Math.sqrt(count))
  }
  return frequencies
}

/** A piece's use of each weight, asked of the estimator itself: its sum is linear in the weights. */
const scanners = Array.from(WEIGHTS, (_, bin) => {
  const weights = new Float64Array(WEIGHTS.length)
  weights[bin] = 1
  return createScanner(buildAutomaton(weights), weights)
})
function rowOf(piece: string, frequency: number): Row {
  const uses = scanners.map((scan, bin) => ({ bin, times: scan(piece).cost }))
  return { uses: uses.filter(({ times }) => times > 0), target: 1000 * countTokens(piece), frequency }
}

function descend(rows: readonly Row[]): Float64Array {
  const weights = Float64Array.from(WEIGHTS, (weight, bin) => FIXED.get(bin) ?? weight)
  const users: { row: number; times: number; frequency: number }[][] = Array.from(WEIGHTS, () => [])
  const errors = rows.map((row, r) => {
    for (const { bin, times } of row.uses) users[bin]?.push({ row: r, times, frequency: row.frequency })
    return row.uses.reduce((sum, { bin, times }) => sum + times * (weights[bin] ?? 0), -row.target)
  })
  for (let round = 0; round < ROUNDS; round += 1)
    for (let bin = 0; bin < weights.length; bin += 1) {
      const place = bin % TABLE
      if (FIXED.has(bin) || (bin < WORD_TABLES && place === TABLE - 1)) continue
      const old = weights[bin] ?? 0
      let slope = PRIOR * (old - (WEIGHTS[bin] ?? 0))
      let curve = PRIOR
      if (bin < WORD_TABLES && place > 0 && place < TABLE - 2) {
        slope += SMOOTHNESS * (old - ((weights[bin - 1] ?? 0) + (weights[bin + 1] ?? 0)) / 2)
        curve += SMOOTHNESS
      }
      for (const { row, times, frequency } of users[bin] ?? []) {
        slope += frequency * times * (errors[row] ?? 0)
        curve += frequency * times * times
      }
      weights[bin] = Math.max(0, old - slope / curve)
      const change = (weights[bin] ?? 0) - old
      for (const { row, times } of users[bin] ?? []) errors[row] = (errors[row] ?? 0) + times * change
    }
  return weights.map(Math.round)
}

function constants(weights: Float64Array): string {
  let at = 0
  function table(name: string, size = TABLE): string {
    at += size
    return `${name} [${[...weights.slice(at - size, at)].join(', ')}]`
  }
  const words = Object.keys(WORDS).map((name) => table(`  ${name}:`))
  const others = [table('LOWER_TAIL ='), table('MARKS =', MARK_TABLE)]
  const singles = Object.keys(SINGLES).map((name, n) => `  ${name}: ${weights[at + n]}`)
  return [...words, ...others, ...singles].join('\n')
}

const folders = process.argv.slice(2)
const samples = readSamples(folders.length > 0 ? folders : FOLDERS)
const pieces = countPieces(samples.filter((sample) => !isHeldOut(sample)))
const weights = descend([...pieces].map(([piece, frequency]) => rowOf(piece, frequency)))
console.log(constants(weights))
const fitted = createScanner(buildAutomaton(weights), weights)
const inUse = createScanner(buildAutomaton(WEIGHTS), WEIGHTS)
const held = samples.filter(isHeldOut)
console.log(accuracy('held out, new weights', held, (text) => fitted(text).cost / 1000))
console.log(accuracy('held out, weights in use', held, (text) => inUse(text).cost / 1000))
