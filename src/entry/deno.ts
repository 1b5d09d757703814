import { openLocal, startFailure } from './local.ts'

try {
  const { app, environment, greeting } = await openLocal('deno', Deno.env.toObject())
  const server = Deno.serve(
    { port: environment.port, hostname: environment.host, onListen: ({ port }) => console.log(greeting(port)) },
    (request) => app.fetch(request),
  )
  // Takes no more connections, lets requests finish, and leaves.
  const drain = () => void server.shutdown().then(() => Deno.exit(0))
  for (const signal of ['SIGTERM', 'SIGINT'] as const) Deno.addSignalListener(signal, drain)
} catch (error) {
  console.error(startFailure(error))
  Deno.exit(1)
}
