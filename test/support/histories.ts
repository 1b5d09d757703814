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
  /** PNG images that came with it, each as base64; shown in the formats whose results are lists of blocks. */
  readonly images?: readonly string[]
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

/** Images too small for a stub to stand in their place, and larger ones. */
const image = fc
  .tuple(fc.constantFrom(1, 40, 900, 5000), fc.constantFrom('AAAANSUhEUg', 'x2Fz', 'k'))
  .map(([times, word]) => `iVBORw0KGgo${word.repeat(times)}=`)

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
  images: fc.oneof(
    { arbitrary: fc.constant([]), weight: 3 },
    { arbitrary: fc.array(image, { maxLength: 2 }), weight: 1 },
  ),
})

/** A call that comes again and again, mostly with the same outcome. */
const again: fc.Arbitrary<CallScript> = fc.record({
  tool: fc.constant('read'),
  input: fc.constantFrom<Readonly<Record<string, unknown>>>(
    { path: 'src/c.ts', from: 1 },
    { from: 1, path: 'src/c.ts' },
  ),
  output: fc.constantFrom(
    ['one of the lines of this file\n'.repeat(60)],
    ['one of the lines of this file\n'.repeat(60)],
    ['this file was edited\n'.repeat(70)],
    ['two parts\n'.repeat(90), 'small'],
  ),
  isError: fc.constantFrom(false, false, false, true),
})

const step: fc.Arbitrary<StepScript> = fc.record({
  say: fc.constantFrom('', 'Let me look.', 'Now the tests.'),
  thinking: fc.boolean(),
  calls: fc.array(fc.oneof({ arbitrary: call, weight: 3 }, { arbitrary: again, weight: 1 }), {
    minLength: 0,
    maxLength: 3,
  }),
})

const turn: fc.Arbitrary<Turn> = fc.record({
  human: fc.constantFrom('Fix it.', 'Go on.', 'Subagent worker (task 12, go) finished.'),
  steps: fc.array(step, { minLength: 0, maxLength: 5 }),
})

export const script: fc.Arbitrary<Script> = fc.record({ turns: fc.array(turn, { minLength: 1, maxLength: 6 }) })

/** Calls with ids that are unique in the history. */
export function* numbered(script: Script) {
  let next = 0
  for (const turn of script.turns) {
    yield { kind: 'human' as const, text: turn.human }
    for (const { say, thinking, calls } of turn.steps)
      yield {
        kind: 'step' as const,
        say: say || '.',
        thinking,
        calls: calls.map((call) => {
          next += 1
          return { ...call, id: `call_${next}` }
        }),
      }
  }
}

/** A result as an object: a text, and further text inside a list and an object. */
export function asObject(output: readonly string[]): Record<string, unknown> {
  const [text, ...rest] = output
  return {
    'out/put': text,
    exact: 1.5,
    ...(rest.length > 0 && { rows: rest.map((row) => ({ lines: row.split('\n') })) }),
  }
}
