/** Faults in keeping and counting that users of such filters report: each test is named by what is right. */
import { expect, test } from 'vitest'
import { estimateTokens } from '../../src/engine/text/tokens.ts'
import { createSecretsGuard } from '../../src/guard/secrets.ts'
import { createSpillway } from '../../src/service/index.ts'
import { defaultSettings } from '../../src/service/settings.ts'
import { createStore, keyOf } from '../doubles/store.ts'
import { keysOf } from '../guard/keys.ts'

const caller = { tenant: 'acme', route: '/v1/filter' }
const build = Array.from({ length: 2000 }, (_, i) => `step ${i} of the build has been done`)

function service() {
  const memory = createStore()
  const guard = createSecretsGuard('redact')
  return { ...memory, spillway: createSpillway({ settings: defaultSettings, store: memory.store, keyOf, guard }) }
}

test('a secret of any known form is neither kept in the spill nor shown', async () => {
  for (const [name, shown, secret] of keysOf(3)) {
    const { spillway, textOf } = service()
    const output = [...build.slice(0, 150), shown, ...build.slice(150)].join('\n')
    const raw = new TextEncoder().encode(output)
    const reply = await spillway.filter({ streams: { output }, raw, command: './build' }, caller)
    expect(reply.filtered, name).toBe(true)
    const kept = textOf('acme', reply.spill?.id ?? '') ?? secret
    expect(kept).not.toContain(secret)
    expect(kept).toContain(`[redacted: ${name}]`)
    expect(JSON.stringify(reply.streams)).not.toContain(secret)
  }
})

test('what is said to be saved is what the model is spared, markers counted', async () => {
  const { spillway } = service()
  const output = build.join('\n')
  const { streams, tokens } = await spillway.filter({ streams: { output }, command: './build' }, caller)
  const shown = 'output' in streams ? streams.output : ''
  expect(tokens).toEqual({
    before: estimateTokens(output),
    after: estimateTokens(shown),
    saved: estimateTokens(output) - estimateTokens(shown),
  })
  const again = await spillway.filter({ streams: { output: shown }, command: './build' }, caller)
  expect(again).toMatchObject({ filtered: false, streams: { output: shown }, tokens: { saved: 0 } })
})

test('bytes that are no UTF-8 end nothing, and are what recall gives back', async () => {
  const { spillway, held } = service()
  const start = new TextEncoder().encode(`${build.slice(0, 150).join('\n')}\n`)
  const end = new TextEncoder().encode(`\n${build.slice(150).join('\n')}\nError: the last line\n`)
  const raw = new Uint8Array([...start, 0xff, 0xc3, 0x28, ...end])
  const reply = await spillway.filter(
    { streams: { output: new TextDecoder().decode(raw) }, raw, command: './b' },
    caller,
  )
  expect(JSON.stringify(reply.streams)).toContain('Error: the last line')
  expect(held.get(`acme/${reply.spill?.id}`)?.content).toEqual(raw)
})
