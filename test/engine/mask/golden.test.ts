import { expect, test } from 'vitest'
import type { ListKey } from '../../../src/engine/history/codec.ts'
import { readTrailer } from '../../../src/engine/marker.ts'
import type { MaskPolicy } from '../../../src/engine/policy.ts'
import { mask, TIGHT } from '../../support/masking.ts'
import { writers } from '../../support/writers.ts'

/**
 * The exact bytes of what stands in a result's place: a prompt cache holds for as long as they are the same. A change here
 * is a change of every client's history, and a release that makes one says so.
 */
const POLICY: MaskPolicy = {
  ...TIGHT,
  toolProtectionThreshold: 0,
  minPrunableTokensThreshold: 1,
  dedupeCalls: true,
  scale: 1,
}

const tests = `${Array.from({ length: 40 }, (_, i) => `=== RUN   Test${i}\n--- PASS: Test${i} (0.00s)`).join('\n')}
=== RUN   TestTake
    store_test.go:26: taking 4 of 3
--- FAIL: TestTake (0.00s)
FAIL
FAIL\texample.com/shop/store\t0.004s
`
const file = Array.from({ length: 60 }, (_, i) => `export const value${i} = ${i}\n`).join('')

const script = {
  turns: [
    {
      human: 'Fix it.',
      steps: [
        {
          say: 'Now the tests.',
          thinking: false,
          calls: [
            { tool: 'bash', input: { command: 'go test ./...' }, output: [tests], isError: true },
            { tool: 'read', input: { path: 'src/a.ts' }, output: [file], isError: false },
          ],
        },
        {
          say: 'Again.',
          thinking: false,
          calls: [{ tool: 'read', input: { path: 'src/a.ts' }, output: [file], isError: false }],
        },
        { say: 'Done.', thinking: false, calls: [] },
      ],
    },
  ],
}

const first = (format: string, key: ListKey, policy: MaskPolicy, list: unknown[], stored = true) =>
  mask(format, key, JSON.stringify(list), policy, stored).edits.map((edit) => 'value' in edit && edit.value)

test.each(writers.map((writer) => [writer.format, writer] as const))('stubs in %s', (format, { key, write }) => {
  expect(first(format, key, POLICY, write(script))).toMatchSnapshot()
})

test('stubs without a store, with the words of a hint, of one long line', () => {
  const [anthropic] = writers
  if (!anthropic) throw new Error('no writer')
  expect(first('anthropic', 'messages', POLICY, anthropic.write(script), false)).toMatchSnapshot()
  const line = { tool: 'fetch', input: { query: 'x' }, output: ['word '.repeat(400)], isError: false }
  const steps = [
    { say: 'Look.', thinking: false, calls: [line] },
    { say: 'Done.', thinking: false, calls: [] },
  ]
  expect(
    first('anthropic', 'messages', POLICY, anthropic.write({ turns: [{ human: 'Go.', steps }] })),
  ).toMatchSnapshot()
})

test('pointers, and the trailer of what is filtered from the first', () => {
  const [anthropic] = writers
  if (!anthropic) throw new Error('no writer')
  const wide = { ...POLICY, toolProtectionThreshold: 100_000, filterAtBirth: 300 }
  const values = first('anthropic', 'messages', wide, anthropic.write(script))
  expect(values).toHaveLength(2)
  expect(readTrailer(String(values[0]))).not.toBeNull()
  expect(values[1]).toContain('same="call_2"')
  expect(values).toMatchSnapshot()
})
