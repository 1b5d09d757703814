import { createHash } from 'node:crypto'
import { parseEnvironment } from '../../src/config/environment.ts'
import { parseConfig } from '../../src/config/settings.ts'
import { wire } from '../../src/entry/wire.ts'
import { createMemoryBlobs } from '../../src/store/memory.ts'
import { createCountedSink } from '../../src/telemetry/counted.ts'
import { createSink } from '../doubles/telemetry.ts'

export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** The whole service as an entry wires it, on storage in memory. @param config the operator's configuration */
export async function wired(variables: Record<string, string> = {}, config = '', blobs = createMemoryBlobs()) {
  const telemetry = createSink()
  const app = wire({
    environment: parseEnvironment(variables),
    variables,
    settings: config === '' ? undefined : (await parseConfig(config, 'test')).settings,
    secret: variables.SPILLWAY_SECRET ?? 'a secret for these tests, long enough',
    tiers: [{ blobs }],
    telemetry,
    counted: createCountedSink(),
    maxBody: 4_000_000,
  })
  const ask = async (path: string, init: RequestInit = {}) => app.request(path, init)
  const filter = (text: BodyInit, headers: Record<string, string> = {}, query = '?command=go%20test%20-v') =>
    ask(`/v1/filter${query}`, { method: 'POST', body: text, headers: { 'content-type': 'text/plain', ...headers } })
  return { app, ask, filter, telemetry, blobs }
}
