import fc from 'fast-check'
import { expect, test } from 'vitest'
import { writeTrailer } from '../../src/engine/marker.ts'
import { createSpillway } from '../../src/service/index.ts'
import type { OutputStore } from '../../src/service/ports.ts'
import { defaultSettings } from '../../src/service/settings.ts'
import { outputKey } from '../../src/store/key.ts'
import { createMemoryBlobs } from '../../src/store/memory.ts'
import { createOutputStore } from '../../src/store/output-store.ts'
import { createSigner } from '../../src/store/sign.ts'
import { shownBy } from '../support/masking.ts'
import { bulky, chatHistory } from './histories.ts'

const HOUR = 3_600_000
const TTL = 7 * 24 * HOUR
const caller = { tenant: 'acme', route: '/v1/mask' }
const policy = { ...defaultSettings.mask.policy, toolProtectionThreshold: 1500, minPrunableTokensThreshold: 900 }
const settings = { ...defaultSettings, mask: { ...defaultSettings.mask, policy } }
const secret = new TextEncoder().encode('a secret that is no secret')

/** What happens to a session over its days. */
const step = fc.record({
  hours: fc.constantFrom(0, 1, 20, 40, 70, 80, 100, 170),
  /** Results that are new at this call. */
  more: fc.integer({ min: 0, max: 4 }),
  receipt: fc.constantFrom('last', 'first', 'none'),
  down: fc.constantFrom(false, false, false, true),
})

test('over days, outages and receipts: at each call every stub leads to its full output, which the store has', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 3, maxLength: 9 }),
      fc.boolean(),
      fc.boolean(),
      async (steps, claims, known) => {
        const state = { now: 1_800_000_000_000, down: false }
        const now = () => state.now
        const real = createOutputStore(createMemoryBlobs(), { now, ttlMs: TTL })
        const failing = () => Promise.reject(new Error('down'))
        const store: OutputStore = {
          ...real,
          put: (...all) => (state.down ? failing() : real.put(...all)),
          get: (...all) => (state.down ? failing() : real.get(...all)),
          head: (...all) => (state.down ? failing() : real.head(...all)),
        }
        const signer = createSigner(secret, 'receipt')
        const spillway = createSpillway({ settings, store, keyOf: (...all) => outputKey(secret, ...all), signer, now })

        async function keep(text: string): Promise<string> {
          const content = new TextEncoder().encode(text)
          const key = await outputKey(secret, 'acme', content, { kind: 'text' })
          return (await real.put('acme', key, content, { kind: 'text' })).id
        }
        // Stored by another session: what is fresh enough is not written again, and is older than the marker.
        if (known) for (let i = 0; i < 30; i += 1) await keep(bulky(i))

        /** The results so far, and what each one's stub may lead to. */
        const results: string[] = []
        const leads: string[][] = []
        async function grow(): Promise<void> {
          const i = results.length
          const raw = bulky(i)
          if (!claims || i % 3 !== 0) {
            results.push(raw)
            leads.push([raw])
            return
          }
          const id = await keep(raw)
          const body = bulky(1000 + i)
          const trailer = { elided: 9, lines: 40, by: 'x', chars: 2000, tokens: 600, id }
          const filtered = `${body}\n${writeTrailer(trailer, 'full output: {id}', body)}`
          results.push(filtered)
          leads.push([raw, filtered])
        }

        const receipts: string[] = []
        for (const { hours, more, receipt, down } of steps) {
          state.now += hours * HOUR
          for (let i = 0; i < more; i += 1) await grow()
          state.down = down
          const list = chatHistory(results)
          const given = receipt === 'none' ? undefined : receipt === 'first' ? receipts[0] : receipts.at(-1)
          const reply = await spillway.mask(
            {
              format: 'openai-chat',
              key: 'messages',
              list,
              json: JSON.stringify(list),
              ...(given && { receipt: given }),
            },
            caller,
          )
          state.down = false
          if (typeof reply.report.receipt === 'string') receipts.push(reply.report.receipt)
          for (const edit of reply.edits) {
            const id = /^<tool_output_masked id="(\w+)"/.exec(shownBy(edit))?.[1] ?? ''
            const found = await real.get('acme', id)
            const text = 'missing' in found ? 'missing' : new TextDecoder().decode(found.content)
            expect(leads[(Number(edit.pointer.split('/')[1]) - 2) / 2]).toContain(text)
          }
        }
      },
    ),
    { numRuns: 80 },
  )
})
