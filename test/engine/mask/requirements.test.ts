import { afterEach, describe, expect, test, vi } from 'vitest'
import { measureHistory } from '../../../src/engine/history/measure.ts'
import { readStub } from '../../../src/engine/marker.ts'
import { planMask } from '../../../src/engine/mask.ts'
import { DEFAULT_POLICY, type MaskPolicy, PROTECTED_TOOLS, readPolicy } from '../../../src/engine/policy.ts'
import { estimateTokens } from '../../../src/engine/text/tokens.ts'
import { mask, shownBy } from '../../support/masking.ts'

/** In the shape of OpenAI Chat, whose tokens are counted as they are estimated. */
const human = (content = 'Fix it.') => ({ role: 'user', content })
const done = { role: 'assistant', content: 'Done.' }
const call = (id: string, name = 'bash', input: object = { command: './run.sh' }) => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(input) } }],
})
const answer = (id: string, content: string) => ({ role: 'tool', tool_call_id: id, content })
const turn = (id: string, content: string, name = 'bash') => [human(), call(id, name), answer(id, content), done]

/** About `tokens` tokens of lines that differ. */
function text(tokens: number, word: string): string {
  const line = (i: number) => `${word} ${i} of what was printed\n`
  const each = estimateTokens(Array.from({ length: 50 }, (_, i) => line(i + 100)).join('')) / 50
  return Array.from({ length: Math.round(tokens / each) }, (_, i) => line(i + 100)).join('')
}

const EAGER: MaskPolicy = { ...DEFAULT_POLICY, toolProtectionThreshold: 0, minPrunableTokensThreshold: 1 }

function policyOf(request: object): MaskPolicy {
  const read = readPolicy(request)
  if (!read.ok) throw new Error(read.message)
  return read.value
}

function masked(list: readonly unknown[], policy: MaskPolicy) {
  const result = mask('openai-chat', 'messages', JSON.stringify(list), policy)
  return { ...result, places: result.edits.map((edit) => Number(edit.pointer.split('/')[1])) }
}

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('masking before a turn', () => {
  test('what an event frees is counted net of what stands in its place', () => {
    const list = [...turn('a', text(1000, 'a')), human()]
    const { report } = masked(list, EAGER)
    expect(report.masked).toBe(1)
    const atLeast = (minPrunableTokensThreshold: number) => masked(list, { ...EAGER, minPrunableTokensThreshold }).edits
    expect(report.tokensSaved).toBeLessThan(estimateTokens(text(1000, 'a')))
    expect(atLeast(report.tokensSaved)).toHaveLength(1)
    expect(atLeast(report.tokensSaved + 1)).toEqual([])
  })

  test.each(PROTECTED_TOOLS)('results of %s stay, at any age and size, whatever the policy asks', (name) => {
    const list = [
      ...turn('a', text(3000, 'a'), name),
      ...turn('b', text(3000, 'b')),
      ...turn('c', 'x'),
      ...turn('d', 'x'),
    ]
    expect(masked(list, EAGER).places).toEqual([6])
    expect(masked(list, policyOf({ preset: 'rolling-window', maskableTools: ['*'] })).places).toEqual([6])
  })

  test('a masked result carries a tag with its sizes, is skipped, and counts nothing towards the minimum', () => {
    const [first, second] = [text(1000, 'a'), text(1000, 'b')]
    const once = masked([...turn('a', first), human()], EAGER)
    const stub = shownBy(once.edits[0])
    expect(stub).toMatch(/^<tool_output_masked id="o_[a-p]{32}" tool="bash" lines="\d+" chars="\d+" tokens="\d+" sum="/)
    expect(readStub(stub, 'a')).toMatchObject({ chars: first.length, lines: first.split('\n').length - 1 })
    const two = [...once.list.slice(0, -1), ...turn('b', second), human()]
    // Either alone frees less than this, both together more.
    const policy = { ...EAGER, minPrunableTokensThreshold: 1200 }
    expect(masked(two, policy)).toMatchObject({ edits: [], report: { masked: 1, maskedNow: 0 } })
    expect(masked([...turn('a', first), ...turn('b', second), human()], policy).places).toEqual([2, 6])
  })

  test('the latest turn stays whole and counts towards no budget; without its protection it counts', () => {
    const list = [...turn('a', text(1000, 'a')), human(), call('b'), answer('b', text(2000, 'b'))]
    const policy = { ...EAGER, toolProtectionThreshold: 1500 }
    expect(masked(list, policy).places).toEqual([])
    expect(masked(list, { ...policy, protectLatestTurn: false }).places).toEqual([2])
    expect(masked(list, { ...policy, enabled: false, protectLatestTurn: false }).places).toEqual([])
  })

  test('a history is estimated part by part, in whatever parts it comes', () => {
    const parts = Array.from({ length: 50_000 }, (_, i) => ({ type: 'text', text: `part ${i}` }))
    const size = (content: readonly object[]) => measureHistory([{ role: 'tool', content }])
    const empty = size([])
    const sum = parts.reduce((tokens, part) => tokens + size([part]) - empty, empty)
    expect(size(parts)).toBe(sum)
  })

  test('a result has the tokens of its text, in whatever script, however long, and an empty one hardly any', () => {
    const cost = (content: string) => measureHistory([answer('a', content)]) - measureHistory([answer('a', '')])
    for (const content of [text(500, 'a'), '漢字かな交じり文'.repeat(200), 'x'.repeat(2_000_000), 'ascii'])
      expect(cost(content)).toBe(estimateTokens(content))
    expect(measureHistory([answer('a', '')])).toBeLessThan(15)
  })

  test('nothing is asked of a network, a clock or chance', () => {
    const fail = () => {
      throw new Error('asked')
    }
    for (const name of ['fetch', 'setTimeout', 'queueMicrotask']) vi.stubGlobal(name, fail)
    vi.stubGlobal('Date', { now: fail })
    vi.stubGlobal('crypto', { getRandomValues: fail, randomUUID: fail })
    const random = vi.spyOn(Math, 'random').mockImplementation(fail)
    const list = [...turn('a', text(1000, 'a')), human()]
    const plan = planMask({ format: 'auto', key: 'messages', list, policy: EAGER })
    random.mockRestore()
    expect(plan.ok && plan.render({ ids: [null], events: 1 }).report.masked).toBe(1)
  })
})

describe('the rolling window', () => {
  const window = policyOf({ preset: 'rolling-window' })

  test('keeps the newest two human turns as they are, byte for byte', () => {
    const turns = ['a', 'b', 'c', 'd'].map((id) => turn(id, text(2000, id)))
    const result = masked(turns.flat(), window)
    expect(result.places).toEqual([2, 6])
    expect(result.json.endsWith(JSON.stringify(turns.slice(2).flat()).slice(1))).toBe(true)
    expect(masked(turns.flat(), { ...window, recentTurnsToKeep: 3 }).places).toEqual([2])
  })

  test('takes terminal output of over 4000 characters alone, and says how many characters and lines went', () => {
    const lines = (chars: number) => 'a line of output\n'.repeat(chars / 17 + 1).slice(0, chars)
    const list = [
      ...turn('a', lines(4000)),
      ...turn('b', lines(4001)),
      ...turn('c', lines(9000), 'read_file'),
      ...turn('d', lines(9000), 'run_shell_command'),
      ...turn('e', 'x'),
      ...turn('f', 'x'),
    ]
    const result = masked(list, window)
    expect(result.places).toEqual([6, 14])
    expect(shownBy(result.edits[0])).toMatch(/ lines="236" chars="4001" [\s\S]*\[236 lines masked; /)
    for (const edit of result.edits) expect(shownBy(edit).length).toBeLessThan(1000)
  })

  test('does not count what a harness says in the human’s place', () => {
    const finished = human('Subagent reviewer (task 42, 3 files) finished.\nNothing found.')
    const turns = [turn('a', text(2000, 'a')), turn('b', text(2000, 'b')), turn('c', text(2000, 'c'))]
    const told = turns.map(([, ...rest], i) => [i === 2 ? finished : human(), ...rest])
    expect(masked(turns.flat(), window).places).toEqual([2])
    expect(masked(told.flat(), window).places).toEqual([])
  })
})

test('the history that was given is not touched', () => {
  const list = [...turn('a', text(1000, 'a')), human()]
  const before = JSON.stringify(list)
  const plan = planMask({ format: 'auto', key: 'messages', list: freeze(list), policy: EAGER })
  expect(plan.ok && plan.render({ ids: [null], events: 1 }).edits).toHaveLength(1)
  expect(JSON.stringify(list)).toBe(before)
})

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) freeze(inner)
  return Object.freeze(value)
}
