import { describe, expect, test } from 'vitest'
import { planFilter } from '../../src/engine/filter.ts'

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
