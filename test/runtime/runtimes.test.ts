import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Server, startDeno, startNode, startWorkerd, startWrangler } from './servers.ts'
import { CASES, record } from './suite.ts'

const RUNTIMES: readonly (readonly [string, () => Promise<Server>])[] = [
  ['node', startNode],
  ['deno', startDeno],
  ['workerd', startWorkerd],
  ['workerd by wrangler.toml', startWrangler],
]

const recorded = new Map<string, Map<string, string[]>>()

describe.each(RUNTIMES)('on %s', (name, start) => {
  let server: Server
  const answers = new Map<string, string[]>()
  recorded.set(name, answers)
  beforeAll(async () => {
    server = await start()
  })
  afterAll(() => server.stop())

  it.each(CASES)('$name', async (each) => {
    answers.set(each.name, await record(server, each))
  })
})

describe('every runtime', () => {
  it.each(CASES.map((each) => each.name))('answers byte for byte the same: %s', (name) => {
    const [[, first] = ['', new Map<string, string[]>()], ...others] = recorded
    expect(first.get(name)?.length).toBeGreaterThan(0)
    for (const [runtime, answers] of others) expect([runtime, answers.get(name)]).toEqual([runtime, first.get(name)])
  })
})
