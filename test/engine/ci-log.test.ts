import { describe, expect, test } from 'vitest'
import { planFilter } from '../../src/engine/filter.ts'
import { loadFixtures, missingFacts } from '../support/fixtures.ts'

const stamped = (lines: readonly string[]): string =>
  lines.map((line) => `2026-03-02T10:14:05.1234567Z ${line}`).join('\n')

const noise = (count: number, word: string): string[] =>
  Array.from({ length: count }, (_, i) => `${word} ${i} ${'abcdefghij'.slice(i % 7)}`)

/** A job whose second step runs `command`, prints `output` and fails. */
const job = (command: string, output: readonly string[]): string =>
  stamped([
    ...noise(300, 'fetching'),
    `##[group]Run ${command}`,
    'shell: /usr/bin/bash -e {0}',
    '##[endgroup]',
    ...output,
    '##[error]Process completed with exit code 1.',
    'Post job cleanup.',
    ...noise(300, 'removing'),
  ])

const bodyOf = (text: string): string => {
  const plan = planFilter(text, { exitCode: 1 })
  if (!plan.changed) throw new Error(plan.reason)
  return plan.body
}

describe('a failing step that is too large to stand as its family condenses it', () => {
  const names = Array.from({ length: 60 }, (_, i) => `test_${'abcdef'[i % 6]}_case_${i}`)
  const message = `DeprecationWarning: the unit is deprecated ${'and will raise an error in the future '.repeat(8)}`
  const pytest = [
    '============================= test session starts ==============================',
    `collected ${names.length} items`,
    '',
    '=================================== FAILURES ===================================',
    ...names.flatMap((name, i) => [
      `${'_'.repeat(30)} ${name} ${'_'.repeat(30)}`,
      '',
      ...Array.from({ length: 12 }, (_, k) => `    line_${k} = compute(${i}, ${k})`),
      `>   assert check(${i})`,
      `E   ${message}`,
      '',
      `tests/test_many.py:${i + 10}: DeprecationWarning`,
    ]),
    '=========================== short test summary info ============================',
    ...names.map((name) => `FAILED tests/test_many.py::${name} - ${message}`),
    `======================== ${names.length} failed in 12.34s ========================`,
  ]

  test('names every failed test by its id, and keeps the verdict and the parts of the report', () => {
    const body = bodyOf(job('./ci/run-tests.sh', pytest))
    for (const name of names) expect(body).toContain(`tests/test_many.py::${name}`)
    expect(body).toContain(`${names.length} failed in 12.34s`)
    expect(body).toContain('= FAILURES =')
    expect(body).toContain(message.slice(0, 40))
  })
})

describe('what a tool printed before it failed in the middle of a job', () => {
  // Lists of names and rows are no failing steps; what is much larger than a job's budget can't stand whole.
  const apart = new Set(['github-actions', 'git-status', 'git-log', 'git-diff', 'grep', 'find', 'ls', 'tree', 'json'])
  const failing = loadFixtures().filter(
    ({ family, exitCode, command, text }) =>
      !apart.has(family) &&
      exitCode !== 0 &&
      exitCode !== null &&
      text.length < 12_000 &&
      planFilter(text, { command, exitCode }).changed,
  )
  const families = [...new Set(failing.map(({ family }) => family))]
  test.each(families)('%s: every fact survives, though the command hides the tool', (family) => {
    for (const { name, text, facts } of failing.filter((each) => each.family === family))
      expect(missingFacts(facts, bodyOf(job('./ci.sh', text.toWellFormed().split('\n')))), name).toEqual([])
  })
})

describe('what says in few words that something is wrong', () => {
  const body = (lines: readonly string[]): string =>
    bodyOf(job('./check.sh', [...noise(300, 'scanning'), ...lines, ...noise(300, 'reporting')]))

  test('the changes that a formatter wants, file by file', () => {
    const files = Array.from({ length: 25 }, (_, i) => `src/module_${i}.rs`)
    const changes = files.flatMap((file, i) => [
      `Diff in /home/runner/work/shop/shop/${file}:${i + 3}:`,
      ' fn main() {',
      `-    let value${i} = call(a,b);`,
      `+    let value${i} = call(a, b);`,
      ' }',
      '',
    ])
    const shown = body(changes)
    for (const line of changes.filter((line) => /^(?:Diff|[-+])/.test(line))) expect(shown).toContain(line)
    const listed = body(files.map((file) => `would reformat ${file}`))
    for (const file of files) expect(listed).toContain(`would reformat ${file}`)
  })

  test.each([
    'deployment web not ready after 300s, giving up',
    'umount: /mnt/scratch: target is busy.',
    "rm: cannot remove '/mnt/scratch/db': Device or resource busy",
    'The lock of the database is still held, 3 connections open: exceeded the deadline',
    'Please run gofmt',
  ])('%s', (line) => {
    expect(body([line])).toContain(line)
  })
})
