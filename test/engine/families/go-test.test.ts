import { describe, expect, test } from 'vitest'
import { condense } from '../../support/condense.ts'

const passing = Array.from({ length: 40 }, (_, i) => `=== RUN   TestOk${i}\n--- PASS: TestOk${i} (0.00s)\n`).join('')
const event = (action: string, name: string, output?: string): string =>
  `${JSON.stringify({ Action: action, Package: 'example.com/shop', ...(name && { Test: name }), ...(output && { Output: output }) })}\n`

describe('go test', () => {
  test('a test that failed once has failed, though it passed when it ran again', () => {
    const text = `${passing}=== RUN   TestFlaky\n    shop_test.go:41: got 3 items, want 4\n--- FAIL: TestFlaky (0.01s)\n=== RUN   TestFlaky\n--- PASS: TestFlaky (0.01s)\nFAIL\nFAIL\texample.com/shop\t0.2s\nFAIL\n`
    expect(condense(text, { command: 'go test -v -count=2 ./...', exitCode: 1 }).text).toContain('got 3 items, want 4')
    const stream = `${Array.from({ length: 20 }, (_, i) => event('run', `TestOk${i}`) + event('pass', `TestOk${i}`)).join('')}${event('run', 'TestFlaky')}${event('output', 'TestFlaky', '    shop_test.go:41: got 3, want 4\n')}${event('fail', 'TestFlaky')}${event('run', 'TestFlaky')}${event('pass', 'TestFlaky')}${event('fail', '')}`
    const { text: shown } = condense(stream, { command: 'go test -json -count=2 ./...', exitCode: 1 })
    expect(shown).toContain('got 3, want 4')
    expect(shown).toContain('20 passed, 1 failed')
  })

  test('a run without its package verdict is said to be incomplete', () => {
    for (const given of [{ exitCode: 137 }, {}]) {
      const { text } = condense(passing, { command: 'go test -v ./...', ...given })
      expect(text).toContain('incomplete: the output ends before a package verdict')
    }
    expect(condense(passing, { command: 'go test -v ./...', exitCode: 137 }).text).toContain('exit code 137')
  })

  test('an action that is a property of every object ends no test', () => {
    const stream = `${Array.from({ length: 30 }, (_, i) => event('run', `TestOk${i}`) + event('pass', `TestOk${i}`)).join('')}${event('run', 'TestX')}${event('valueOf', 'TestX')}`
    expect(condense(stream, { command: 'go test -json ./...' }).text).toContain('never ended: TestX')
  })
})
