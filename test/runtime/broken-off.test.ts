import { readdir, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { DENO_COMMAND, KEY, NODE_COMMAND, spawnServer, VARIABLES } from './servers.ts'

/** Noise that does not pack, with a needle: more than what the connection holds by itself. */
const LARGE = Array.from({ length: 300_000 }, (_, i) => `PASS ${(i * 2_654_435_761) % 4_294_967_291} ok\n`).join('')

it.each([
  ['node', NODE_COMMAND],
  ['deno', DENO_COMMAND],
] as const)(
  'on %s a large answer whose output is lost meanwhile breaks off, and the server goes on',
  async (_, [command, args]) => {
    const { SPILLWAY_MAX_BODY: _small, ...variables } = VARIABLES
    const server = await spawnServer(command, args, variables)
    try {
      const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'text/plain' }
      const filtered = await server.fetch('/v1/filter?command=make', { method: 'POST', body: LARGE, headers })
      const id = filtered.headers.get('spillway-output-id')
      const answer = await fetch(`${server.url}/v1/outputs/${id}`, { headers: { ...headers, 'request-id': 'lost-1' } })
      expect([answer.status, answer.headers.get('content-length')]).toEqual([200, String(LARGE.length)])
      const reader = answer.body?.getReader()
      await reader?.read()
      const files = await readdir(server.data, { recursive: true })
      for (const file of files.filter((name) => name.endsWith(`/${id}`))) await truncate(join(server.data, file), 10)
      async function readOn(): Promise<void> {
        while (reader !== undefined && !(await reader.read()).done);
      }
      await expect(readOn()).rejects.toThrow()
      expect((await server.fetch('/healthz', {})).status).toBe(200)
      await expect.poll(server.printed).toContain('request lost-1: file store: ')
    } finally {
      await server.stop()
    }
  },
)
