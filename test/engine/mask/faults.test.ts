import { describe, expect, test } from 'vitest'
import { spliceJson } from '../../../src/engine/json.ts'
import { planMask } from '../../../src/engine/mask.ts'
import { DEFAULT_POLICY, type MaskPolicy, PRESETS, readOperatorPolicy, readPolicy } from '../../../src/engine/policy.ts'
import { PREVIEW_TOKENS, preview } from '../../../src/engine/preview.ts'
import { estimateTokens } from '../../../src/engine/text/tokens.ts'
import { mask, plan, shownBy, TIGHT } from '../../support/masking.ts'

/** An assistant message that calls a shell, and the user message that answers it. */
function call(id: string, output: unknown, command = 'ls', tool = 'bash', extra: object = {}): unknown[] {
  return [
    { role: 'assistant', content: [{ type: 'tool_use', id, name: tool, input: { command } }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: output, ...extra }] },
  ]
}

const human = { role: 'user', content: 'Fix it.' }
const done = { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] }

/** About `tokens` tokens of lines that differ. */
function text(tokens: number, word = 'line'): string {
  let out = ''
  for (let i = 0; estimateTokens(out) < tokens; i += 20)
    out += Array.from({ length: 20 }, (_, k) => `${word} ${i + k} of the output\n`).join('')
  return out
}

const EAGER: MaskPolicy = { ...TIGHT, toolProtectionThreshold: 0, minPrunableTokensThreshold: 1 }

function masked(list: unknown[], policy = EAGER, format = 'anthropic') {
  return mask(format, 'messages', JSON.stringify(list), policy)
}

const replacement = (result: ReturnType<typeof masked>, index: number) => {
  return shownBy(result.edits[index])
}

describe('defaults', () => {
  test('are the documented ones', () => {
    expect(DEFAULT_POLICY).toMatchObject({
      enabled: true,
      toolProtectionThreshold: 50_000,
      minPrunableTokensThreshold: 30_000,
      protectLatestTurn: true,
      recentTurnsToKeep: 0,
      maxRetainedChars: 0,
    })
    expect(DEFAULT_POLICY.protectedTools).toEqual(
      expect.arrayContaining(['skill', 'memory', 'ask_user_question', 'subagent_result', 'gentle_review']),
    )
    expect(PRESETS.get('cache-aware')?.toolProtectionThreshold).toBeGreaterThanOrEqual(20_000)
  })

  test('what lies past the newest 50,000 tokens goes once it frees 30,000, and not before', () => {
    const grow = (count: number) => [
      human,
      ...Array.from({ length: count }, (_, i) => call(`c${i}`, text(10_000, `w${i}`))).flat(),
      done,
    ]
    const policy = { ...DEFAULT_POLICY, scale: 1 }
    expect(masked(grow(7), policy).report).toMatchObject({ masked: 0, reason: 'below-minimum' })
    // The newest four fit the budget. Four before them free 30,000 where three did not: an event of the call before.
    const nine = masked(grow(9), policy)
    expect(nine.report).toMatchObject({ masked: 4, maskedNow: 0, events: 1, firstChange: null, breakEvenCalls: null })
    expect(nine.report.tokensSaved).toBeGreaterThanOrEqual(30_000)
    expect(nine.edits.map((edit) => edit.pointer.split('/')[1])).toEqual(['2', '4', '6', '8'])
    const eight = masked(grow(8), policy).report
    expect(eight).toMatchObject({ masked: 4, maskedNow: 4, events: 1, firstChange: 2 })
    const { tokensSaved, tokensAfterFirstChange } = eight
    expect(eight.breakEvenCalls).toBe(Math.ceil((11.5 * tokensAfterFirstChange) / tokensSaved))
  })

  test('one result larger than the whole budget is not immune for ever', () => {
    const list = [human, ...call('a', text(90_000)), done]
    expect(masked(list, { ...DEFAULT_POLICY }).report.masked).toBe(1)
    expect(masked(list.slice(0, -1), { ...DEFAULT_POLICY }).report.masked).toBe(0)
  })
})

describe('what must not happen', () => {
  test('a result below its stub is never masked, at any thresholds', () => {
    const list = [human, ...call('a', 'ok'), ...call('b', 'x\n'.repeat(20)), done]
    expect(masked(list).edits).toEqual([])
    expect(masked(list).plan.spills).toEqual([])
  })

  test('after an event the next one waits until as much again comes free: nothing is masked down to the trigger', () => {
    const policy = { ...TIGHT, toolProtectionThreshold: 3000, minPrunableTokensThreshold: 2500, scale: 1 }
    const list: unknown[] = [human]
    const events: number[] = []
    for (let i = 0; i < 24; i += 1) {
      list.push(...call(`c${i}`, text(900, `w${i}`)))
      const { maskedNow } = masked([...list, { role: 'user', content: 'Go on.' }], policy).report
      events.push(maskedNow)
    }
    const at = events.flatMap((count, i) => (count > 0 ? [i] : []))
    expect(at.length).toBeGreaterThan(3)
    for (const count of events) expect([0, 3, 4]).toContain(count)
    for (const [i, now] of at.entries()) expect(now - (at[i - 1] ?? 0)).toBeGreaterThanOrEqual(3)
  })

  test('618 KB in the protected tail are not immune: what is filtered as it comes in is so at the first call', () => {
    const tests = Array.from({ length: 12_000 }, (_, i) => `=== RUN   Test${i}\n--- PASS: Test${i} (0.00s)\n`).join('')
    const list = [human, ...call('a', `${tests}--- FAIL: TestLast (0.00s)\nFAIL\n`, 'go test -v ./...')]
    expect(tests.length).toBeGreaterThan(500_000)
    expect(masked(list, DEFAULT_POLICY).edits).toEqual([])
    const result = masked(list, { ...DEFAULT_POLICY, filterAtBirth: 4000 })
    expect(result.report).toMatchObject({ filtered: 1, masked: 0 })
    expect(replacement(result, 0).length).toBeLessThan(2000)
    expect(replacement(result, 0)).toContain('--- FAIL: TestLast')
    expect([...result.store.values()][0]?.content).toContain('--- PASS: Test6000')
  })

  test('an output that quotes the masking tag, or a whole stub, is masked as any other', () => {
    const first = masked([human, ...call('a', text(2000)), done])
    const stub = replacement(first, 0)
    const quotes = `${stub}\n${text(1500, 'more')}`
    const forged = stub.replace('tool="bash"', 'tool="bask"') + text(1500, 'tail')
    const again = masked([human, ...call('b', quotes), ...call('c', forged), done])
    expect(again.report.masked).toBe(2)
    // The stub of one call, copied into another call's result, is ordinary text.
    const copied = masked([human, ...call('b', `${stub}`), done])
    expect(copied.plan.spills.map((spill) => spill.content)).toEqual([stub])
  })

  test('a line that starts "Error: " opens no unbounded section in a preview', () => {
    const output = `Output: x\n${'y\n'.repeat(50)}Error: ${'z'.repeat(100_000)}\n${text(5000)}`
    const made = preview(output, { tool: 'bash', command: 'make', exitCode: null, isError: true })
    expect(estimateTokens(made)).toBeLessThanOrEqual(PREVIEW_TOKENS + 40)
    expect(made).toMatch(/^Output: .*\nError: /s)
  })

  test.each([
    ['one long line', 'a'.repeat(1_000_000)],
    ['wide characters', '漢字かな'.repeat(20_000)],
    ['emoji at every cut', `${'x'.repeat(5)}${'😀'.repeat(50_000)}`],
    ['many blank lines', '\n'.repeat(100_000) + text(500)],
    ['carriage returns', 'progress 1\r'.repeat(50_000)],
    ['digits', '0123456789'.repeat(10_000)],
  ])('a preview of %s is bounded, not empty and well formed', (_, output) => {
    for (const command of ['go test ./...', null]) {
      const made = preview(output, { tool: 'bash', command, exitCode: 1, isError: true })
      expect(made).not.toBe('')
      expect(made.isWellFormed()).toBe(true)
      expect(estimateTokens(made)).toBeLessThanOrEqual(PREVIEW_TOKENS + 60)
    }
  })

  test('a shell result is shown by Output, Error and Exit Code', () => {
    const json = JSON.stringify({ stdout: text(300), stderr: 'make: *** [all] broke\n', exit_code: 2 })
    const made = preview(json, { tool: 'shell', command: 'make', exitCode: null, isError: true })
    expect(made).toMatch(/^Output: .+\nError: make: \*\*\* \[all\] broke\nExit Code: 2$/s)
    const claude = preview(`Exit code 3\n${text(300)}`, { tool: 'Bash', command: 'x', exitCode: null, isError: true })
    expect(claude).toMatch(/^Output: line 0.*\nExit Code: 3$/s)
  })

  test('parallel results answered out of order are paired by id', () => {
    const list = [
      human,
      {
        role: 'assistant',
        content: [
          { type: 'tool_use', id: 'a', name: 'ask_user_question', input: {} },
          { type: 'tool_use', id: 'b', name: 'bash', input: { command: 'ls' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'b', content: text(900, 'shell') },
          { type: 'tool_result', tool_use_id: 'a', content: text(900, 'asked') },
        ],
      },
      done,
    ]
    const result = masked(list)
    expect(result.edits.map((edit) => edit.pointer)).toEqual(['/2/content/0/content'])
    expect(replacement(result, 0)).toContain('tool="bash"')
  })

  test('error status, cache_control, images and server results stay; mixed text stays', () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } }
    const list = [
      human,
      ...call('a', [{ type: 'text', text: text(900) }, image], 'ls', 'bash', {
        is_error: true,
        cache_control: { type: 'ephemeral' },
      }),
      {
        role: 'assistant',
        content: [{ type: 'web_search_tool_result', tool_use_id: 's', content: [{ encrypted_content: text(900) }] }],
      },
      { role: 'user', content: [{ type: 'text', text: text(900) }] },
      done,
    ]
    const result = masked(list)
    expect(result.edits.map((edit) => edit.pointer)).toEqual(['/2/content/0/content/0/text'])
    expect(result.list[2]).toMatchObject({
      content: [{ is_error: true, cache_control: { type: 'ephemeral' }, content: [{ type: 'text' }, image] }],
    })
  })

  test('numbers beyond 2^53, 1.0, escapes and white space come back as they came', () => {
    const json = `[ {"role":"user","content":"x","n":12345678901234567890,"f":1.0,"e":"\\u0041"} ,\n${JSON.stringify([
      ...call('a', text(900)),
      done,
    ]).slice(1)}`
    const result = mask('anthropic', 'messages', json, EAGER)
    expect(result.report.masked).toBe(1)
    expect(result.json.startsWith(json.slice(0, 100))).toBe(true)
    expect(result.json.endsWith(json.slice(-60))).toBe(true)
  })

  test('a string with a lone surrogate stays whole', () => {
    expect(masked([human, ...call('a', `${text(900)}\ud83d`), done]).edits).toEqual([])
  })

  test('arguments of calls are never masked', () => {
    const list = [
      human,
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'write', input: { content: text(3000) } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'ok' }] },
      done,
    ]
    expect(masked(list).edits).toEqual([])
  })

  test('a very long single turn is masked: protection by human turns is off unless asked for', () => {
    const list = [human, ...Array.from({ length: 6 }, (_, i) => call(`c${i}`, text(900, `w${i}`))).flat(), done]
    expect(masked(list).report.masked).toBe(6)
    expect(masked(list, { ...EAGER, recentTurnsToKeep: 1 }).report.masked).toBe(0)
  })
})

describe('recovery', () => {
  test('own recall results are masked back to the output that they came from, where it is found', () => {
    const id = `o_a${'b'.repeat(31)}`
    const recall = (tool: string, input: object) => [
      human,
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: tool, input }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: text(2000) }] },
      done,
    ]
    for (const list of [
      recall('mcp__spillway__read_output', { id }),
      recall('search_output', { id, pattern: 'x' }),
      recall('web_fetch', { url: `https://example.com/v1/outputs/${id}?lines=1-200` }),
      recall('bash', { command: `curl -s https://example.com/v1/outputs/${id}` }),
    ]) {
      const result = masked(list)
      expect(result.plan.spills).toEqual([
        { kind: 'text', content: text(2000), tool: expect.any(String), claimedId: id, claimedChars: null },
      ])
      expect(replacement(result, 0)).toContain(`id="${id}"`)
      expect(replacement(result, 0)).toContain(`recall ${id} for the full output`)
    }
    // Another command in the same line may have printed something else.
    const mixed = masked(recall('bash', { command: `curl https://example.com/v1/outputs/${id}; make test` }))
    expect(mixed.plan.spills).toMatchObject([{ claimedId: null }])
  })

  test('without a store a stub says that the caller has the rest, and names no id', () => {
    const result = mask('anthropic', 'messages', JSON.stringify([human, ...call('a', text(900)), done]), EAGER, false)
    expect(replacement(result, 0)).toContain('preserved in your session history')
    expect(replacement(result, 0)).not.toMatch(/\bo_[a-p]/)
  })

  test("a caller's hint stands in the stub as one line, also where it tries not to", () => {
    const list = [human, ...call('a', text(900)), done]
    const made = plan({ format: 'anthropic', key: 'messages', list, policy: EAGER, hint: 'call get({id})\n]more' })
    const ids = [`o_a${'b'.repeat(31)}`]
    const { edits } = made.render({ ids, events: 1 })
    const [edit] = edits
    expect(edit && 'value' in edit && edit.value).toContain(`call get(${ids[0]})  more]\n</tool_output_masked>`)
    const again: unknown = JSON.parse(spliceJson(JSON.stringify(list), edits))
    expect(
      plan({ format: 'anthropic', key: 'messages', list: Array.isArray(again) ? again : [], policy: EAGER }).events,
    ).toEqual([])
  })

  test('only events whose outputs are stored take effect', () => {
    const steps = Array.from({ length: 6 }, (_, i) => call(`c${i}`, text(900, `w${i}`))).flat()
    const made = plan({ format: 'anthropic', key: 'messages', list: [human, ...steps, done], policy: EAGER })
    expect(made.events.length).toBeGreaterThan(2)
    const ids = made.spills.map(() => `o_a${'b'.repeat(31)}`)
    const some = made.render({ ids, events: 2 })
    expect(some.report).toMatchObject({ reason: 'not-stored', maskedNow: 0, events: 2 })
    expect(some.edits).toEqual(made.render({ ids, events: made.events.length }).edits.slice(0, 2))
    expect(made.render({ ids, events: 0 }).edits).toEqual([])
  })

  test('equal outputs are stored once', () => {
    const list = [human, ...call('a', text(900)), ...call('b', text(900)), done]
    const result = masked(list)
    expect(result.report.masked).toBe(2)
    expect(result.plan.spills).toHaveLength(1)
  })
})

describe('a policy in a request', () => {
  test.each([
    [{ toolProtectionTreshold: 1 }, '/toolProtectionTreshold'],
    [{ toolProtectionThreshold: -1 }, '/toolProtectionThreshold'],
    [{ toolProtectionThreshold: '5' }, '/toolProtectionThreshold'],
    [{ minPrunableTokensThreshold: 1.5 }, '/minPrunableTokensThreshold'],
    [{ enabled: 1 }, '/enabled'],
    [{ protectedTools: ['a', ''] }, '/protectedTools/1'],
    [{ pinned: 'a' }, '/pinned'],
    [{ thinking: 'maybe' }, '/thinking'],
    [{ preset: 'none' }, '/preset'],
    [{ filterAtBirth: true }, '/filterAtBirth'],
    ['budget', ''],
    [[], ''],
  ])('%j is refused with its place', (policy, pointer) => {
    const read = readPolicy(policy)
    expect(read.ok ? null : read.pointer).toBe(pointer)
  })

  test('stays within the bounds of the operator, and only adds protection', () => {
    const operator: MaskPolicy = { ...DEFAULT_POLICY, protectedTools: ['vault_*'], maskableTools: [['bash', 'read']] }
    const bounds = {
      toolProtectionThreshold: [10_000, 60_000],
      minPrunableTokensThreshold: [5_000, 60_000],
      recentTurnsToKeep: [1, 10],
      maxRetainedChars: [0, 10],
    } as const
    const read = readPolicy(
      {
        toolProtectionThreshold: 0,
        minPrunableTokensThreshold: 90_000,
        recentTurnsToKeep: 0,
        maxRetainedChars: 99,
        protectedTools: ['mine'],
        maskableTools: ['*'],
      },
      operator,
      bounds,
    )
    expect(read).toMatchObject({
      ok: true,
      value: {
        toolProtectionThreshold: 10_000,
        minPrunableTokensThreshold: 60_000,
        recentTurnsToKeep: 1,
        maxRetainedChars: 10,
        protectedTools: ['vault_*', 'mine'],
        maskableTools: [['bash', 'read'], ['*']],
      },
    })
    expect(readPolicy({ enabled: true }, { ...DEFAULT_POLICY, enabled: false })).toMatchObject({
      value: { enabled: false },
    })
  })

  test.each([
    ['protectLatestTurn', true],
    ['keepLatestRead', true],
    ['dryRun', true],
  ] as const)('does not switch off %s that the operator has on, and may switch it on', (key, on) => {
    const operator = (value: boolean): MaskPolicy => ({ ...DEFAULT_POLICY, [key]: value })
    const asked = (value: boolean, own: boolean) => {
      const read = readPolicy({ [key]: value }, operator(own))
      return read.ok && read.value[key]
    }
    expect([asked(false, on), asked(true, on), asked(true, false), asked(false, false)]).toEqual([on, on, true, false])
    // Nor does a preset, which decides the thresholds alone.
    for (const preset of PRESETS.keys()) {
      const read = readPolicy({ preset, [key]: false }, operator(on))
      expect(read.ok && read.value[key]).toBe(on)
    }
    expect(readOperatorPolicy({ [key]: false }, operator(on))).toMatchObject({ value: { [key]: false } })
  })

  test('globs, pins and maskable tools decide which results go', () => {
    const list = [
      human,
      ...call('a', text(900, 'a'), 'ls', 'bash'),
      ...call('b', text(900, 'b'), 'ls', 'mem_search2'),
      ...call('c', text(900, 'c'), 'ls', 'bash'),
      done,
    ]
    const places = (policy: object) => {
      const read = readPolicy(policy, EAGER)
      if (!read.ok) throw new Error(read.message)
      return masked(list, read.value).edits.map((edit) => Number(edit.pointer.split('/')[1]))
    }
    expect(places({})).toEqual([2, 4, 6])
    expect(places({ protectedTools: ['mem_*'] })).toEqual([2, 6])
    expect(places({ pinned: ['a'] })).toEqual([4, 6])
    expect(places({ maskableTools: ['ba?h'] })).toEqual([2, 6])
    expect(places({ enabled: false })).toEqual([])
    expect(places({ dryRun: true })).toEqual([])
  })

  test('a dry run reports and stores nothing', () => {
    const made = plan({
      format: 'anthropic',
      key: 'messages',
      list: [human, ...call('a', text(900)), done],
      policy: { ...EAGER, dryRun: true },
    })
    expect(made.spills).toEqual([])
    expect(made.events).toEqual([])
    const { edits, report } = made.render({ ids: [], events: 0 })
    expect(edits).toEqual([])
    expect(report).toMatchObject({ dryRun: true, maskedNow: 1, firstChange: 2 })
    expect(report.tokensSaved).toBeGreaterThan(500)
  })

  test('the rolling window keeps two human turns, and masks only large terminal outputs before them', () => {
    const read = readPolicy({ preset: 'rolling-window' })
    if (!read.ok) throw new Error(read.message)
    const turn = (id: string, output: string, tool = 'bash') => [human, ...call(id, output, 'ls', tool), done]
    const finished = { role: 'user', content: 'Subagent scout (task 7, done) finished.' }
    const list = [
      ...turn('a', text(2000)),
      ...turn('b', 'x'.repeat(4000)),
      ...turn('c', text(2000), 'grep_search'),
      finished,
      ...turn('d', text(2000)).slice(1),
      ...turn('e', text(2000)),
      human,
    ]
    const result = masked(list, read.value)
    expect(result.edits.map((edit) => edit.pointer.split('/')[1])).toEqual(['2', '14'])
  })

  test('the newest read of each path stays whole where it is asked for', () => {
    const read = (id: string, path: string, output: string) => [
      { role: 'assistant', content: [{ type: 'tool_use', id, name: 'Read', input: { file_path: path } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: output }] },
    ]
    const list = [
      human,
      ...read('a', 'x.ts', text(900, 'a')),
      ...read('b', 'y.ts', text(900, 'b')),
      ...read('c', 'x.ts', text(900, 'c')),
      done,
    ]
    const places = (policy: MaskPolicy) => masked(list, policy).edits.map((edit) => Number(edit.pointer.split('/')[1]))
    expect(places(EAGER)).toEqual([2, 4, 6])
    expect(places({ ...EAGER, keepLatestRead: true })).toEqual([2])
  })
})

describe('a request', () => {
  test('with a format that does not exist is refused', () => {
    const made = planMask({ format: 'telegram', key: 'messages', list: [], policy: EAGER })
    expect(made).toMatchObject({ ok: false, pointer: '/format' })
    expect(planMask({ format: 'gemini', key: 'messages', list: [], policy: EAGER }).ok).toBe(false)
  })

  test('without any result, and no telling shape, comes back unchanged', () => {
    const list = [human, { role: 'assistant', content: 'Hello.' }]
    const result = mask('auto', 'messages', JSON.stringify(list), EAGER)
    expect(result.edits).toEqual([])
    expect(result.report).toMatchObject({ format: null, reason: 'format-unknown', tokensSaved: 0 })
  })

  test.each([[[]], [[null, 1, 'x', [], {}]], [[{ role: 'user' }, { role: 'assistant', content: null }]]])(
    'with the list %j does no harm in any format',
    (list) => {
      for (const [format, key] of [
        ['anthropic', 'messages'],
        ['openai-chat', 'messages'],
        ['pi', 'messages'],
        ['bedrock', 'messages'],
        ['ai-sdk', 'messages'],
        ['ai-sdk-ui', 'messages'],
        ['mcp', 'messages'],
        ['gemini', 'contents'],
        ['openai-responses', 'input'],
      ] as const)
        expect(mask(format, key, JSON.stringify(list), EAGER).edits).toEqual([])
    },
  )
})
