import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSpillway } from '../../src/service/index.ts'
import type { Guard } from '../../src/service/ports.ts'
import { defaultSettings } from '../../src/service/settings.ts'
import { textsOf } from '../../src/service/streams.ts'
import type { Streams } from '../../src/service/types.ts'
import { shortEngine } from '../doubles/engine.ts'
import { createStore, keyOf } from '../doubles/store.ts'
import { createSink } from '../doubles/telemetry.ts'
import { createTimer } from '../doubles/timer.ts'

const caller = { tenant: 'acme', route: '/v1/filter' }
const SECRET = 'sk-live-0451'

/** How a port behaves at one call: after some turns of the event loop it does its work, fails, or hangs. */
const behaviour = fc.record({
  turns: fc.integer({ min: 0, max: 6 }),
  way: fc.oneof(
    { weight: 4, arbitrary: fc.constant('works') },
    { weight: 1, arbitrary: fc.constantFrom('fails', 'hangs') },
  ),
})
const behaviours = fc.array(behaviour, { minLength: 1, maxLength: 12 })
const text = fc
  .array(fc.oneof(fc.string({ maxLength: 20 }), fc.constantFrom(SECRET, '', 'ü漢😀')), { maxLength: 40 })
  .map((rows) => rows.join('\n').toWellFormed())
const streams: fc.Arbitrary<Streams> = fc.oneof(
  text.map((output) => ({ output })),
  fc.record({ stdout: text, stderr: text }),
)

/** Makes each call of a port behave as the next of `plan` says, over and over. */
function acting(plan: readonly { turns: number; way: string }[], hang: () => Promise<never>) {
  let next = 0
  return async () => {
    const { turns, way } = plan[next++ % plan.length] ?? { turns: 0, way: 'works' }
    for (let i = 0; i < turns; i += 1) await undefined
    if (way === 'hangs') await hang()
    if (way === 'fails') throw new Error('broken')
  }
}

test('whatever the store does: nothing shortened without its full content in the store, never a rejection, one event', async () => {
  await fc.assert(
    fc.asyncProperty(streams, behaviours, async (given, plan) => {
      const { timer, hang, running } = createTimer()
      const { store, textOf } = createStore(acting(plan, hang))
      const telemetry = createSink()
      const ports = { settings: defaultSettings, store, keyOf, timer, telemetry, engine: shortEngine }
      const reply = await createSpillway(ports).filter({ streams: given }, caller)
      if (reply.spill) expect(textOf('acme', reply.spill.id)).toBe(textsOf(given).join(''))
      else expect(reply.streams).toEqual(given)
      expect(reply.filtered).toBe(reply.spill !== null)
      expect(telemetry.events.map(({ outcome }) => outcome)).toEqual([reply.reason ?? 'ok'])
      expect(running()).toBe(0)
    }),
    { numRuns: 200 },
  )
})

test('whatever the order and the failures: what the guard keeps back is neither returned nor stored', async () => {
  const judging = fc.constantFrom<'block' | 'redact'>('block', 'redact')
  await fc.assert(
    fc.asyncProperty(streams, behaviours, behaviours, judging, async (given, guardPlan, storePlan, action) => {
      const { timer, hang } = createTimer()
      const { store, held } = createStore(acting(storePlan, hang))
      const act = acting(guardPlan, hang)
      const guard: Guard = {
        async judge(seen) {
          await act()
          if (!seen.includes(SECRET)) return { action: 'allow' }
          return action === 'block'
            ? { action, reason: 'key' }
            : { action, reason: 'key', text: seen.replaceAll(SECRET, '[key]') }
        },
      }
      const ports = { settings: defaultSettings, store, keyOf, timer, guard, engine: shortEngine }
      const reply = await createSpillway(ports).filter({ streams: given }, caller)
      expect(textsOf(reply.streams).join('\n')).not.toContain(SECRET)
      for (const { content } of held.values()) expect(new TextDecoder().decode(content)).not.toContain(SECRET)
      if (action === 'block' && textsOf(given).some((each) => each.includes(SECRET))) {
        expect(['blocked', 'guard-failed']).toContain(reply.reason)
        expect(held.size).toBe(0)
      }
    }),
    { numRuns: 200 },
  )
})
