import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createGuards, type GuardMember, mergeOutcomes } from '../../src/guard/merge.ts'
import { createSecretsGuard } from '../../src/guard/secrets.ts'
import { createSpillway } from '../../src/service/index.ts'
import type { Guard, GuardVerdict } from '../../src/service/ports.ts'
import { defaultSettings } from '../../src/service/settings.ts'
import { textsOf } from '../../src/service/streams.ts'
import { createStore, keyOf } from '../doubles/store.ts'
import { createTimer } from '../doubles/timer.ts'
import { keysOf } from './keys.ts'

const caller = { tenant: 'acme', route: '/v1/filter' }
const context = { tool: null }

type Kind = 'allow' | 'hide one' | 'hide two' | 'block'
const KINDS: readonly Kind[] = ['allow', 'hide one', 'hide two', 'block']

/** A guard that answers after some turns of the event loop, always in the same way. */
function guardOf(kind: Kind, turns: number): Guard {
  return {
    async judge(text): Promise<GuardVerdict> {
      for (let i = 0; i < turns; i += 1) await undefined
      if (kind === 'allow') return { action: 'allow' }
      if (kind === 'block') return { action: 'block', reason: 'not this' }
      const secret = kind === 'hide one' ? 'SECRET-1' : 'SECRET-2'
      return text.includes(secret)
        ? { action: 'redact', text: text.replaceAll(secret, '[gone]'), reason: secret }
        : { action: 'allow' }
    },
  }
}

const member = (guard: Guard, changes: Partial<GuardMember> = {}): GuardMember => ({
  name: 'g',
  guard,
  failMode: 'closed',
  timeoutMs: 100,
  ...changes,
})

describe('several guards', () => {
  const orders = [
    [0, 7, 20],
    [0, 20, 7],
    [7, 0, 20],
    [7, 20, 0],
    [20, 0, 7],
    [20, 7, 0],
  ]
  const teams = KINDS.flatMap((a) => KINDS.flatMap((b) => KINDS.map((c) => [a, b, c] as const)))
  const text = 'one SECRET-1 two SECRET-2 SECRET-1'

  it.each(teams)('%s, %s, %s: one verdict, whoever answers first', async (...team) => {
    const hidden = new Set(team.filter((kind) => kind.startsWith('hide')))
    let expected = text
    if (hidden.has('hide one')) expected = expected.replaceAll('SECRET-1', '[gone]')
    if (hidden.has('hide two')) expected = expected.replaceAll('SECRET-2', '[gone]')
    const verdicts = orders.map((turns) => {
      const { timer } = createTimer()
      const guards = team.map((kind, i) => member(guardOf(kind, turns[i] ?? 0)))
      return createGuards(guards, timer).judge(text, 'raw', context)
    })
    for (const verdict of await Promise.all(verdicts)) {
      expect(verdict).toEqual(await verdicts[0])
      if (team.includes('block')) expect(verdict).toMatchObject({ action: 'block', reason: 'not this' })
      else if (hidden.size === 0) expect(verdict).toEqual({ action: 'allow' })
      else expect(verdict).toMatchObject({ action: 'redact', text: expected })
    }
  })

  it('of one that allows and one that hides, in any number: what one hides none brings back', async () => {
    const plan = fc.record({ kind: fc.constantFrom(...KINDS), turns: fc.nat(12) })
    await fc.assert(
      fc.asyncProperty(fc.array(plan, { maxLength: 6 }), async (plans) => {
        const { timer, running } = createTimer()
        const guards = plans.map(({ kind, turns }) => member(guardOf(kind, turns)))
        const verdict = await createGuards(guards, timer).judge(text, 'raw', context)
        const kinds = plans.map(({ kind }) => kind)
        if (kinds.includes('block')) expect(verdict.action).toBe('block')
        else {
          const left = verdict.action === 'redact' ? verdict.text : text
          expect(left.includes('SECRET-1')).toBe(!kinds.includes('hide one'))
          expect(left.includes('SECRET-2')).toBe(!kinds.includes('hide two'))
        }
        expect(running()).toBe(0)
      }),
      { numRuns: 200 },
    )
  })

  it('judge what the one before has left: a secret that a redaction joins is found', async () => {
    const joins: Guard = {
      judge: async (seen) =>
        seen.includes('<x>')
          ? { action: 'redact', text: seen.replaceAll('<x>', ''), reason: 'x' }
          : { action: 'allow' },
    }
    const { timer } = createTimer()
    for (const guards of [
      [joins, guardOf('hide one', 0)],
      [guardOf('hide one', 3), joins],
    ]) {
      const team = createGuards(
        guards.map((guard) => member(guard)),
        timer,
      )
      expect(await team.judge('SEC<x>RET-1', 'raw', context)).toEqual({
        action: 'redact',
        text: '[gone]',
        reason: 'x; SECRET-1',
      })
    }
  })

  it('that never agree on a text block it', async () => {
    const writes = (to: string): Guard => ({ judge: async () => ({ action: 'redact', text: to, reason: to }) })
    const { timer } = createTimer()
    expect(await createGuards([member(writes('a')), member(writes('b'))], timer).judge(text, 'raw', context)).toEqual({
      action: 'block',
      reason: 'the guards do not agree on a text',
    })
  })
})

it('a meant block is told before one for want of a verdict', () => {
  const failed: GuardVerdict = { action: 'block', reason: 'the guard failed: g', failed: true }
  const meant: GuardVerdict = { action: 'block', reason: 'no' }
  expect(mergeOutcomes([failed, meant, meant])).toEqual({ action: 'block', reason: 'no', failed: false })
  expect(mergeOutcomes([failed, { action: 'allow' }])).toMatchObject({ reason: 'the guard failed: g', failed: true })
  expect(mergeOutcomes([])).toEqual({ action: 'allow', warnings: [] })
})

const clock = createTimer()
let late = (_: GuardVerdict): void => {}
const faults: [name: string, guard: Guard][] = [
  ['hangs', { judge: clock.hang }],
  [
    'throws',
    {
      judge() {
        throw new Error('broken')
      },
    },
  ],
  ['rejects', { judge: () => Promise.reject(new Error('broken')) }],
  // @ts-expect-error a guard written without types may answer anything
  ['answers garbage', { judge: async () => 'fine' }],
  // @ts-expect-error the same
  ['answers nothing', { judge: async () => undefined }],
  [
    'answers late',
    {
      judge() {
        queueMicrotask(clock.fire)
        return new Promise((resolve) => {
          late = resolve
        })
      },
    },
  ],
]

describe.each(faults)('beside a guard that %s', (_, broken) => {
  const team = (failMode: 'open' | 'closed') =>
    createGuards(
      [member(broken, { name: 'b.example', failMode }), member(guardOf('hide one', 2), { timeoutMs: null })],
      clock.timer,
    )

  it('what another one hides stays hidden, where the broken one fails open, and a warning says so', async () => {
    expect(await team('open').judge('a SECRET-1', 'raw', context)).toEqual({
      action: 'redact',
      text: 'a [gone]',
      reason: 'SECRET-1',
      warnings: ['guard-failed: the result was not judged by b.example'],
    })
    late({ action: 'block', reason: 'too late' })
    expect(clock.running()).toBe(0)
  })

  it('the result is blocked where it fails closed, and neither returned nor stored', async () => {
    const { store, held } = createStore()
    const spillway = createSpillway({ settings: defaultSettings, store, keyOf, guard: team('closed') })
    const reply = await spillway.filter({ streams: { output: 'row\n'.repeat(3000) } }, caller)
    expect(reply).toMatchObject({
      streams: { output: '[blocked: the guard failed: b.example]' },
      reason: 'guard-failed',
      spill: null,
    })
    expect(held.size).toBe(0)
  })
})

describe('a whole service with guards', () => {
  const keys = keysOf(3).map(([, shown, secret]) => [shown, secret] as const)
  const row = fc.oneof(
    fc.string({ maxLength: 40 }).map((text) => text.toWellFormed()),
    fc.constantFrom('=== RUN   TestA', '--- PASS: TestA (0.00s)', 'a.go:1:2: error: no'),
    fc.constantFrom(...keys.map(([shown]) => shown)),
  )
  const output = fc
    .array(fc.tuple(row, fc.integer({ min: 1, max: 150 })), { maxLength: 20 })
    .map((rows) => rows.map(([text, times]) => `${text}\n`.repeat(times)).join(''))
  const plan = fc.record({ kind: fc.constantFrom(...KINDS, 'secrets' as const), turns: fc.nat(9) })

  it('shows and stores nothing that one of them hides, whatever the engine makes of the rest', async () => {
    let shortened = 0
    await fc.assert(
      fc.asyncProperty(output, fc.array(plan, { maxLength: 3 }), async (rows, plans) => {
        const { store, held } = createStore()
        const guards = [...plans, { kind: 'secrets' as const, turns: 0 }].map(({ kind, turns }) =>
          member(kind === 'secrets' ? createSecretsGuard('redact') : guardOf(kind, turns)),
        )
        const guard = createGuards(guards, createTimer().timer)
        const raw = new TextEncoder().encode(rows)
        const spillway = createSpillway({ settings: defaultSettings, store, keyOf, guard })
        const reply = await spillway.filter({ streams: { output: rows }, raw, command: 'go test ./...' }, caller)
        const seen = [...textsOf(reply.streams), ...Array.from(held.values(), ({ content }) => decode(content))]
        for (const [, secret] of keys) for (const text of seen) expect(text).not.toContain(secret)
        const blocked = plans.some(({ kind }) => kind === 'block')
        expect(reply.reason === 'blocked').toBe(blocked)
        if (blocked) expect(held.size).toBe(0)
        if (reply.filtered) shortened += 1
      }),
      { numRuns: 120 },
    )
    expect(shortened).toBeGreaterThan(10)
  })

  it('judges what the filter has made: a key that stands apart in the raw text and together in the filtered one', async () => {
    const [, key = ''] = keys.find(([, secret]) => secret.startsWith('ghp_')) ?? []
    const [head, tail] = [key.slice(0, 10), key.slice(10)]
    // A colour in the middle hides the key from a reader of raw text; the filter takes colours away.
    const rows = `error: bad credentials ${head}\u001b[0m${tail}\n${'row\n'.repeat(3000)}`
    const stages: string[] = []
    const secrets = createSecretsGuard('redact')
    const watched: Guard = {
      judge(text, stage, about) {
        stages.push(stage)
        return secrets.judge(text, stage, about)
      },
    }
    const guard = createGuards([member(watched)], createTimer().timer)
    const reply = await createSpillway({ settings: defaultSettings, guard }).filter(
      { streams: { output: rows } },
      caller,
    )
    expect(stages).toEqual(['raw', 'filtered'])
    expect(reply.filtered).toBe(true)
    expect(textsOf(reply.streams).join()).toContain('error: bad credentials [redacted: github-token]')
    expect(reply.warnings).toContain('redacted: github-token')
  })

  it.each<[string, (text: string) => string]>([
    ['nothing', () => ''],
    ['something longer', (text) => `[redacted for reasons that take a while to tell]\n${text}${text}`],
  ])('passes on and stores what a guard turns into %s, and the answer says so', async (_, turn) => {
    const { store, held } = createStore()
    const rows = 'row of an output\n'.repeat(2000)
    // As guards go that know their own work again: what they wrote they let pass.
    const guard: Guard = {
      judge: async (text) =>
        text.startsWith('row') ? { action: 'redact', text: turn(text), reason: 'policy' } : { action: 'allow' },
    }
    const ports = { settings: defaultSettings, store, keyOf, guard: createGuards([member(guard)], createTimer().timer) }
    const reply = await createSpillway(ports).filter({ streams: { output: rows } }, caller)
    expect(reply.warnings).toContain('redacted: policy')
    const stored = Array.from(held.values(), ({ content }) => decode(content))
    if (reply.filtered) expect(stored).toEqual([turn(rows)])
    else expect(reply.streams).toEqual({ output: turn(rows) })
  })
})

function decode(content: Uint8Array): string {
  return new TextDecoder().decode(content)
}
