import fc from 'fast-check'

/** A history in no format's shape; `histories.ts` turns it into each format. */
export interface Script {
  readonly turns: readonly Turn[]
}

export interface Turn {
  readonly human: string
  readonly steps: readonly StepScript[]
}

/** One assistant message with parallel calls, and their results. */
export interface StepScript {
  readonly say: string
  readonly thinking: boolean
  readonly calls: readonly CallScript[]
}

export interface CallScript {
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
  readonly output: readonly string[]
  readonly isError: boolean
}

const WORDS = ['alpha', 'beta', 'gamma', 'delta', 'FAIL', 'ok', 'error:', '漢字', '😀', 'src/a.ts:12', '0x1f', '']

const line = fc.array(fc.constantFrom(...WORDS), { minLength: 0, maxLength: 6 }).map((words) => words.join(' '))

/** Outputs of very different sizes: most small, some of several thousand tokens; a few with a lone surrogate. */
export const output: fc.Arbitrary<string> = fc
  .tuple(
    fc.array(line, { minLength: 1, maxLength: 6 }),
    fc.constantFrom(1, 1, 3, 20, 120),
    fc.constantFrom('', '', '', '\ud83d'),
  )
  .map(([lines, times, end]) => `${lines.join('\n')}\n`.repeat(times) + end)

const call: fc.Arbitrary<CallScript> = fc.record({
  tool: fc.constantFrom('bash', 'bash', 'read', 'grep', 'ask_user_question', 'mem_save'),
  input: fc.constantFrom<Readonly<Record<string, unknown>>>(
    { command: 'go test ./...' },
    { command: ['bash', '-lc', 'ls'] },
    { path: 'src/a.ts' },
    { path: 'src/b.ts', 'a/b~c': 1 },
    {},
  ),
  output: fc.array(output, { minLength: 1, maxLength: 2 }),
  isError: fc.boolean(),
})

const step: fc.Arbitrary<StepScript> = fc.record({
  say: fc.constantFrom('', 'Let me look.', 'Now the tests.'),
  thinking: fc.boolean(),
  calls: fc.array(call, { minLength: 0, maxLength: 3 }),
})

const turn: fc.Arbitrary<Turn> = fc.record({
  human: fc.constantFrom('Fix it.', 'Go on.', 'Subagent worker (task 12, go) finished.'),
  steps: fc.array(step, { minLength: 0, maxLength: 5 }),
})

export const script: fc.Arbitrary<Script> = fc.record({ turns: fc.array(turn, { minLength: 1, maxLength: 6 }) })

/** A format's own writing of a script. Every message is an element of the list. */
export interface Writer {
  readonly format: string
  readonly key: 'messages' | 'contents' | 'input'
  write(script: Script): unknown[]
  /** Whether the list element is what the model wrote. */
  isAssistant(message: unknown): boolean
}

function roleOf(message: unknown): unknown {
  return typeof message === 'object' && message !== null && 'role' in message ? message.role : undefined
}

/** Calls with ids that are unique in the history. */
function* numbered(script: Script) {
  let next = 0
  for (const turn of script.turns) {
    yield { kind: 'human' as const, text: turn.human }
    for (const { say, thinking, calls } of turn.steps)
      yield {
        kind: 'step' as const,
        say,
        thinking,
        calls: calls.map((call) => {
          next += 1
          return { ...call, id: `call_${next}` }
        }),
      }
  }
}

const anthropicWriter: Writer = {
  format: 'anthropic',
  key: 'messages',
  isAssistant: (message) => roleOf(message) === 'assistant',
  write(script) {
    const list: unknown[] = []
    for (const item of numbered(script)) {
      if (item.kind === 'human') {
        list.push({ role: 'user', content: item.text })
        continue
      }
      const content: unknown[] = []
      if (item.thinking) content.push({ type: 'thinking', thinking: 'Hm.', signature: 'c2ln' })
      content.push({ type: 'text', text: item.say || '.' })
      for (const call of item.calls) content.push({ type: 'tool_use', id: call.id, name: call.tool, input: call.input })
      list.push({ role: 'assistant', content })
      if (item.calls.length === 0) continue
      // Answered out of order: results pair by id.
      const results = [...item.calls].reverse().map((call, i) => ({
        type: 'tool_result',
        tool_use_id: call.id,
        content:
          call.output.length === 1 ? call.output[0] : call.output.map((text) => ({ type: 'text', text, extra: 1 })),
        ...(call.isError && { is_error: true }),
        ...(i === 0 && { cache_control: { type: 'ephemeral' } }),
      }))
      list.push({ role: 'user', content: results })
    }
    return list
  },
}

const openaiChatWriter: Writer = {
  format: 'openai-chat',
  key: 'messages',
  isAssistant: (message) => roleOf(message) === 'assistant',
  write(script) {
    const list: unknown[] = [{ role: 'system', content: 'Be brief.' }]
    for (const item of numbered(script)) {
      if (item.kind === 'human') {
        list.push({ role: 'user', content: [{ type: 'text', text: item.text }] })
        continue
      }
      const tool_calls = item.calls.map((call) => ({
        id: call.id,
        type: 'function',
        function: { name: call.tool, arguments: JSON.stringify(call.input) },
      }))
      list.push({ role: 'assistant', content: item.say, ...(tool_calls.length > 0 && { tool_calls }) })
      for (const call of [...item.calls].reverse())
        list.push({
          role: 'tool',
          tool_call_id: call.id,
          content: call.output.length === 1 ? call.output[0] : call.output.map((text) => ({ type: 'text', text })),
        })
    }
    return list
  },
}

const piWriter: Writer = {
  format: 'pi',
  key: 'messages',
  isAssistant: (message) => roleOf(message) === 'assistant',
  write(script) {
    const list: unknown[] = []
    for (const item of numbered(script)) {
      if (item.kind === 'human') {
        list.push({ role: 'user', content: [{ type: 'text', text: item.text }], timestamp: 1 })
        continue
      }
      const content: unknown[] = [{ type: 'text', text: item.say }]
      if (item.thinking) content.push({ type: 'thinking', thinking: 'Hm.', thinkingSignature: 'c2ln' })
      for (const call of item.calls)
        content.push({ type: 'toolCall', id: call.id, name: call.tool, arguments: call.input })
      list.push({ role: 'assistant', content, api: 'anthropic-messages', stopReason: 'toolUse', timestamp: 2 })
      for (const call of item.calls)
        list.push({
          role: 'toolResult',
          toolCallId: call.id,
          toolName: call.tool,
          content: call.output.map((text) => ({ type: 'text', text })),
          isError: call.isError,
          details: { rest: 1.5 },
          timestamp: 3,
        })
    }
    return list
  },
}

export const writers: readonly Writer[] = [anthropicWriter, openaiChatWriter, piWriter]
