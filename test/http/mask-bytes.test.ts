import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createApp } from '../../src/http/app.ts'
import { createSpillway } from '../../src/service/index.ts'
import { defaultSettings } from '../../src/service/settings.ts'
import { createStore, keyOf } from '../doubles/store.ts'
import { type Script, script } from '../support/histories.ts'
import { applyOperations, type Operation } from '../support/json-patch.ts'
import { styles, writeJson } from '../support/json-text.ts'
import { writers } from '../support/writers.ts'

const spillway = createSpillway({ settings: defaultSettings, store: createStore().store, keyOf, now: () => 0 })
const app = createApp(spillway, { version: '0.0.0', keys: [], maxBody: 20_000_000 })

async function ask(path: string, body: string): Promise<string> {
  const response = await app.request(path, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
  const text = await response.text()
  if (response.status !== 200) throw new Error(text)
  return text
}

/** Small thresholds, so that short histories are masked; results filtered as they come in and stripped thinking too. */
const policies = fc.record({
  toolProtectionThreshold: fc.constantFrom(0, 300),
  minPrunableTokensThreshold: fc.constantFrom(0, 200),
  filterAtBirth: fc.constantFrom(false, false, 300),
  thinking: fc.constantFrom('auto', 'keep', 'strip'),
})

interface Edits {
  readonly edits: readonly Operation[]
  readonly report: { readonly masked: number }
}

describe.each(writers.map((writer) => [writer.format, writer] as const))('POST /v1/mask with %s', (format, writer) => {
  const { key } = writer
  const histories = script.map((one: Script) => writer.write(one)).filter((list) => list.length > 0)

  it('gives back the byte that came in wherever nothing was replaced, and edits that give the same list', async () => {
    const seen = { replace: 0, remove: 0 }
    await fc.assert(
      fc.asyncProperty(histories, policies, styles, async (list, policy, style) => {
        const text = writeJson(list, style)
        const body = `{ "format" : "${format}",\n\t"${key}": ${text} , "policy":${JSON.stringify(policy)}}`
        const { edits, report }: Edits = JSON.parse(await ask('/v1/mask?return=edits', body))
        for (const { op } of edits) seen[op] += 1

        const inList = edits.map((edit) => ({ ...edit, path: edit.path.slice(key.length + 1) }))
        const expected = writeJson(list, style, inList)
        const answer = await ask('/v1/mask', body)
        expect(answer).toBe(`{"${key}":${expected},"report":${JSON.stringify(report)},"warnings":[]}`)

        const given: unknown = JSON.parse(body)
        expect(applyOperations(given, edits)).toEqual({ ...Object(given), [key]: JSON.parse(answer)[key] })
      }),
      { numRuns: 25 },
    )
    expect(seen.replace).toBeGreaterThan(20)
    if (format === 'anthropic') expect(seen.remove).toBeGreaterThan(0)
  })
})
