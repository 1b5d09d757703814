import { describe, expect, test } from 'vitest'
import { planFilter } from '../../../src/engine/filter.ts'
import { PREVIEW_TOKENS, preview } from '../../../src/engine/preview.ts'
import { factsOf } from '../../../src/engine/signals.ts'
import { estimateTokens } from '../../../src/engine/text/tokens.ts'
import { contextOf, loadFixtures } from '../../support/fixtures.ts'

const previewOf = (text: string, command: string | null, exitCode: number | null = null) =>
  preview(text, { tool: 'bash', command, exitCode, isError: exitCode !== null && exitCode !== 0 })

const passing = Array.from({ length: 40 }, (_, i) => `=== RUN   Test${i}\n--- PASS: Test${i} (0.00s)`).join('\n')
const failing = `${passing}
=== RUN   TestTake
    store_test.go:26: taking 4 of 3
--- FAIL: TestTake (0.00s)
FAIL
FAIL\texample.com/shop/store\t0.004s
`

const RED = ['verdict', 'failed-test', 'error', 'panic'] as const

describe('a preview', () => {
  test("is in the words of the command's family, its signals first", () => {
    expect(previewOf(failing, 'cd shop && go test ./...')).toBe(`Output: go test: 40 passed, 1 failed, 1 packages failed
…
store_test.go:26: taking 4 of 3
--- FAIL: TestTake (0.00s)
FAIL
FAIL\texample.com/shop/store\t0.004s`)
  })

  test('of a command that no family knows is its first and last lines, with the gap between them counted', () => {
    const lines = Array.from({ length: 200 }, (_, i) => `step ${i} of the deployment`)
    expect(previewOf(lines.join('\n'), './deploy.sh')).toMatch(
      /^Output: step 0 of the deployment\n(?:step \d+ .*\n)*\[… \d+ lines\]\n(?:step \d+ .*\n)*step 199 of the deployment$/,
    )
  })

  const known = loadFixtures().flatMap((fixture) => {
    const plan = planFilter(fixture.text, contextOf(fixture))
    return plan.changed && plan.family !== 'generic' ? [{ fixture, plan }] : []
  })

  test('of every recording is bounded and not empty; where a test failed, it says so', () => {
    expect(known.length).toBeGreaterThan(300)
    for (const { fixture, plan } of known) {
      const made = previewOf(fixture.text, fixture.command, fixture.exitCode)
      const name = `${fixture.family}/${fixture.name}`
      expect(estimateTokens(made), name).toBeLessThanOrEqual(PREVIEW_TOKENS + 20)
      expect(made.replace(/^(?:Output|Exit Code): .{0,3}$/gm, ''), name).not.toBe('')
      const kinds = (text: string) => new Set([...factsOf(text.split('\n')).values()].map(({ kind }) => kind))
      // What is under 500 tokens has too small a preview for more than its verdict.
      if (plan.tokensBefore < 500 || !kinds(plan.body).has('failed-test')) continue
      const said = kinds(made.replace('Output: ', ''))
      const red = RED.some((kind) => said.has(kind)) || /\b[1-9]\d* failed/.test(made)
      expect(red, `${name}\n${made}`).toBe(true)
    }
  })
})
