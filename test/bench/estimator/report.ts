/** How far the estimator is from o200k_base, and how fast, beside other estimators. */
import { estimateTokenCount } from 'tokenx'
import { estimateTokens } from '../../../src/engine/text/tokens.ts'
import { countTokens } from './reference.ts'
import { cutPieces, FOLDERS, isHeldOut, readSamples, type Sample } from './samples.ts'

export interface Estimator {
  readonly name: string
  estimate(text: string): number
}

export const ours: Estimator = { name: 'spillway', estimate: estimateTokens }

/** The rule in wide use: four ASCII characters a token, 1.3 tokens for each other one. */
export const asciiByFour: Estimator = {
  name: 'ASCII / 4',
  estimate(text) {
    let quarters = 0
    for (let i = 0; i < text.length; i += 1) quarters += text.charCodeAt(i) < 128 ? 1 : 5.2
    return quarters / 4
  },
}

/** A library that weighs words and scripts by patterns. */
const tokenx: Estimator = { name: 'tokenx', estimate: (text) => estimateTokenCount(text) }

/** The table's row of one estimator: relative error per 2 KB piece, at the median, the 95th percentile and the worst. */
export function accuracy(name: string, samples: readonly Sample[], estimate: (text: string) => number): string {
  const errors = samples
    .flatMap(cutPieces)
    .filter((piece) => piece.length >= 256)
    .map((piece) => {
      const tokens = countTokens(piece)
      return Math.abs(estimate(piece) - tokens) / tokens
    })
    .sort((a, b) => a - b)
  if (errors.length === 0) return `${name}: nothing to measure, no recorded output is held out`
  const [median, late, worst] = [0.5, 0.95, 1].map((share) => {
    const error = errors[Math.floor(share * (errors.length - 1))] ?? 0
    return `${(100 * error).toFixed(1)} %`
  })
  return `${name}: median ${median}, p95 ${late}, worst ${worst} of ${errors.length} pieces`
}

/** Speed is measured on this many whole outputs of 4 to 64 KB: a run is over before another process takes the core. */
const SPEED_OUTPUTS = 8

/** Millions of characters a second, the best of many short runs: other processes only ever make a run slower. */
export function speed(texts: readonly string[], { estimate }: Estimator): number {
  const chars = texts.reduce((sum, text) => sum + text.length, 0)
  let best = 0
  const until = performance.now() + 1500
  while (performance.now() < until) {
    const start = performance.now()
    for (const text of texts) estimate(text)
    best = Math.max(best, chars / 1000 / (performance.now() - start))
  }
  return best
}

/** Prints both tables for the recorded outputs that the fit did not see. Speeds are ratios, since machines differ. */
export function reportEstimator(folders: readonly string[] = FOLDERS): void {
  console.log('## Token estimates of 2 KB pieces that no weight was fitted on, against o200k_base\n')
  const held = readSamples(folders).filter(isHeldOut)
  const outputs = held.map(({ text }) => text).filter((text) => text.length > 4096 && text.length < 65536)
  const texts = outputs.filter((_, n) => n % Math.ceil(outputs.length / SPEED_OUTPUTS) === 0)
  const own = speed(texts, ours)
  for (const estimator of [ours, asciiByFour, tokenx]) {
    const rate = estimator === ours ? own : speed(texts, estimator)
    console.log(accuracy(estimator.name, held, (text) => estimator.estimate(text)))
    console.log(`  ${rate.toFixed(1)} MB/s; spillway is ${(own / rate).toFixed(1)} times as fast`)
  }
}
