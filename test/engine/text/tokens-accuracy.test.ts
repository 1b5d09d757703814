import { describe, expect, test } from 'vitest'
import { estimateTokens } from '../../../src/engine/text/tokens.ts'
import { languages } from '../../bench/estimator/languages.ts'
import { countTokens } from '../../bench/estimator/reference.ts'

function error(text: string): number {
  const tokens = countTokens(text)
  return Math.abs(estimateTokens(text) - tokens) / tokens
}

/** Deterministic stand-in for random digits. */
function digits(count: number, base: number): string {
  let state = 12345
  let text = ''
  while (text.length < count) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0
    text += (state >>> 16).toString(base).padStart(base === 16 ? 4 : 0, '0')
  }
  return text.slice(0, count)
}

describe('against o200k_base', () => {
  test.each([
    [
      'prose',
      'The test failed because the file was not found, so nothing was written to the report. Try again later. ',
    ],
    [
      'Go test output',
      '--- FAIL: TestParse (0.02s)\n    parse_test.go:41: got 3 tokens, want 4\nFAIL\texample.com/parse\t0.113s\n',
    ],
    [
      'stack trace',
      '    at Object.toBe (/app/src/cart.test.ts:14:23)\n    at processTicksAndRejections (node:internal/process:105:5)\n',
    ],
    ['JSON', '{"Time":"2026-01-05T10:00:00.123Z","Action":"pass","Package":"example.com/store","Elapsed":0.01}\n'],
    ['indented JSON', '  {\n    "name": "left",\n    "values": [\n      1,\n      20,\n      300\n    ]\n  },\n'],
    [
      'listing',
      '-rw-r--r--  1 dev dev   4096 Jan  5 10:00 package-lock.json\ndrwxr-xr-x 12 dev dev   4096 Jan  5 10:01 src\n',
    ],
    ['code', 'export function firstOf(list: readonly string[]): string | null {\n  return list[0] ?? null\n}\n\n'],
    ['snake and camel', 'max_retained_chars minPrunableTokens HTTPServerError user_id parseURL isReady TOTAL_COUNT\n'],
    [
      'diff',
      '@@ -12,7 +12,7 @@ func main() {\n-\tlog.Println("starting")\n+\tlog.Printf("starting %s", version)\n \trun()\n',
    ],
    ['colours', '\x1b[31m✗\x1b[39m \x1b[1mcart\x1b[22m \x1b[2m(3 ms)\x1b[22m\n'],
    ['rules', `${'='.repeat(80)}\n${'-'.repeat(60)}\n${'.'.repeat(72)} [ 45%]\n`],
    ['hex digits', `sha256:${digits(64, 16)}\n`],
    ['decimal digits', `${digits(60, 10)}\n`],
  ])('%s', (_, text) => {
    expect(error(text.repeat(20))).toBeLessThan(0.25)
  })

  test.each(languages)('$name', ({ text }) => {
    expect(error(text)).toBeLessThan(0.4)
  })

  test('a very long text', () => {
    const line = 'ok  \texample.com/store/internal/cache\t0.412s\tcoverage: 81.3% of statements\n'
    expect(error(line.repeat(5000))).toBeLessThan(0.15)
  })
})
