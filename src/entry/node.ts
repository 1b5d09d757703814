import { Server } from 'node:http'
import { serve } from '@hono/node-server'
import { DRAIN_MS, openLocal, startFailure } from './local.ts'

try {
  const { app, environment, greeting } = await openLocal('node', process.env)
  const server = serve(
    {
      fetch: app.fetch,
      port: environment.port,
      hostname: environment.host,
      // Other code in the process keeps the Request and Response that it knows.
      overrideGlobalObjects: false,
    },
    (info) => console.log(greeting(info.port)),
  )
  server.on('error', fail)
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => drain(server))
} catch (error) {
  fail(error)
}

function fail(error: unknown): void {
  console.error(startFailure(error))
  process.exitCode = 1
}

/** Takes no more connections, lets requests finish, and leaves; a second signal ends the process at once. */
function drain(server: ReturnType<typeof serve>): void {
  server.close(() => process.exit(0))
  if (!(server instanceof Server)) return
  // A kept-alive connection turns idle only when its request is done: without this, its client holds the process.
  setInterval(() => server.closeIdleConnections(), 50).unref()
  setTimeout(() => server.closeAllConnections(), DRAIN_MS).unref()
}
