import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createCachedBlobs } from '../../src/store/cached.ts'
import { outputKey } from '../../src/store/key.ts'
import { createMemoryBlobs } from '../../src/store/memory.ts'
import { createOutputStore } from '../../src/store/output-store.ts'

const SECRET = new TextEncoder().encode('a secret that is no secret')
const TTL = 1000
const CONTENTS = ['one', 'two', 'three'].map((text) => new TextEncoder().encode(text))

const content = fc.nat({ max: CONTENTS.length - 1 })
const session = fc.constantFrom('a', 'b', 'c')
type Step =
  | { readonly do: 'put'; readonly content: number; readonly session: string | null }
  | { readonly do: 'end'; readonly session: string }
  | { readonly do: 'delete' | 'renew'; readonly content: number; readonly labelled: boolean }
  | { readonly do: 'wait'; readonly ms: number }
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('put' as const), content, session: fc.option(session) }),
  fc.record({ do: fc.constant('put' as const), content, session: fc.option(session) }),
  fc.record({ do: fc.constant('end' as const), session }),
  fc.record({ do: fc.constantFrom('delete' as const, 'renew' as const), content, labelled: fc.boolean() }),
  fc.record({ do: fc.constant('wait' as const), ms: fc.nat({ max: 700 }) }),
)

/**
 * What may be said of sessions whatever comes when: who has stored an output less than a life ago, and neither deleted it
 * nor ended its session since, finds it; what a session alone has stored is gone when it has ended.
 */
test('no order of puts, renewals, deletions and waiting loses what somebody holds, or keeps what nobody does', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      let now = 0
      const blobs = createCachedBlobs(createMemoryBlobs({ now: () => now }), { maxBytes: 1e6, now: () => now })
      const store = createOutputStore(blobs, { now: () => now, ttlMs: TTL })
      /** When each holder last stored an output, by `content/holder`; the holder without a session is `-`. */
      const holds = new Map<string, number>()
      const place = async (index: number, label: string | null) => {
        const bytes = CONTENTS[index] ?? new Uint8Array()
        const meta = { kind: 'text' as const, ...(label !== null && { session: label }) }
        const key = await outputKey(SECRET, 't', bytes, meta)
        return { bytes, meta, key, id: store.idOf(key, bytes.length) }
      }
      const release = (matches: (key: string) => boolean) => {
        for (const key of [...holds.keys()]) if (matches(key)) holds.delete(key)
      }

      for (const each of steps) {
        if (each.do === 'wait') now += each.ms
        else if (each.do === 'end') {
          expect((await store.deleteSession('t', each.session, null)).cursor).toBe(null)
          release((key) => key.endsWith(`/${each.session}`))
        } else if (each.do === 'put') {
          const { bytes, meta, key } = await place(each.content, each.session)
          await store.put('t', key, bytes, meta)
          holds.set(`${each.content}/${each.session ?? '-'}`, now)
        } else {
          const { id } = await place(each.content, each.labelled ? 'any' : null)
          if (each.do === 'renew') await store.renew('t', id)
          else {
            await store.delete('t', id)
            release((key) => key.startsWith(`${each.content}/`) && key.endsWith('/-') !== each.labelled)
          }
        }
        for (const labelled of [false, true]) {
          for (const index of CONTENTS.keys()) {
            const { id } = await place(index, labelled ? 'any' : null)
            const found = !('missing' in (await store.head('t', id)))
            const held = [...holds].filter(([key]) => key.startsWith(`${index}/`) && key.endsWith('/-') !== labelled)
            // A put need not renew what has more than half its life left.
            if (held.some(([, at]) => now - at < TTL / 2)) expect([each, index, found]).toEqual([each, index, true])
            if (held.length === 0) expect([each, index, found]).toEqual([each, index, false])
          }
        }
      }
    }),
    { numRuns: 150 },
  )
})
