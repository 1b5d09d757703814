import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import type { FilterContext } from '../../src/engine/filter.ts'
import { loadFixtures } from '../support/fixtures.ts'
import { checkInput } from './fuzz/checks.ts'
import { type FuzzInput, makeInput } from './fuzz/inputs.ts'
import { createRandom } from './fuzz/random.ts'

/** Findings of one kind are printed so often; the rest is counted. */
const MOST_PRINTED = 3
const SHRINKS = 400

/** Leaves out lines, ever smaller runs of them, as long as the finding stays. */
function shrink(text: string, context: FilterContext, kind: string): string {
  const holds = (lines: readonly string[]): boolean =>
    checkInput(lines.join('\n'), context).some((finding) => finding.kind === kind)
  let lines = text.split('\n')
  let tries = 0
  for (let run = Math.ceil(lines.length / 2); run >= 1 && tries < SHRINKS; run = Math.floor(run / 2)) {
    for (let from = 0; from < lines.length && tries < SHRINKS; tries += 1) {
      const less = [...lines.slice(0, from), ...lines.slice(from + run)]
      if (holds(less)) lines = less
      else from += run
    }
  }
  return holds(lines) ? lines.join('\n') : text
}

interface Slow {
  readonly perKb: number
  readonly told: string
}

/**
 * Tries mutated and spliced recordings on the engine, and prints each point of the contract that does not hold.
 * @param seed the same seed tries the same inputs
 */
export function runFuzz(minutes: number, seed: number): void {
  const [first, ...others] = loadFixtures()
  if (!first) throw new Error('no recorded outputs in fixtures/')
  const random = createRandom(seed)
  const counts = new Map<string, number>()
  let folder = ''
  let slowest: Slow = { perKb: 0, told: 'none' }
  let inputs = 0
  const end = performance.now() + minutes * 60_000
  console.log(`## Fuzz: seed ${seed}, ${minutes} minutes\n`)
  while (performance.now() < end) {
    const input = makeInput([first, ...others], random)
    const began = performance.now()
    const findings = checkInput(input.text, input.context)
    const took = performance.now() - began
    inputs += 1
    const perKb = took / Math.max(20, input.text.length / 1024)
    if (perKb > slowest.perKb) slowest = { perKb, told: `${input.made} (${Math.round(input.text.length / 1024)} KB)` }
    for (const { kind, detail } of findings) {
      const key = `${kind} by ${detail.split(':')[0]}`
      const count = (counts.get(key) ?? 0) + 1
      counts.set(key, count)
      if (count > MOST_PRINTED) continue
      if (folder === '') folder = mkdtempSync(join(tmpdir(), 'spillway-fuzz-'))
      print(input, kind, detail, join(folder, `${inputs}-${kind.replaceAll(' ', '-')}.txt`))
    }
  }
  console.log(`${inputs} inputs; slowest, all checks: ${slowest.perKb.toFixed(2)} ms/KB, ${slowest.told}`)
  for (const [key, count] of counts) console.log(`${count} x ${key}`)
  if (counts.size === 0) console.log('nothing found')
  else process.exitCode = 1
}

function print(input: FuzzInput, kind: string, detail: string, path: string): void {
  const small = shrink(input.text, input.context, kind)
  writeFileSync(path, small)
  const now = checkInput(small, input.context).find((finding) => finding.kind === kind)?.detail ?? detail
  console.log(`${kind}: ${now.slice(0, 600)}\n  ${JSON.stringify(input.context)}\n  ${input.made}\n  ${path}\n`)
}
