import { Problem, problemResponse } from '../http/problem.ts'
import { DRAIN_MS, openLocal, startFailure } from './local.ts'

try {
  const { app, environment, greeting } = await openLocal('deno', Deno.env.toObject())
  let open = 0
  let leaving = false

  async function answer(request: Request): Promise<Response> {
    if (leaving) {
      return problemResponse(
        new Problem('not-ready', 'The server is stopping.', { headers: { 'retry-after': '5', connection: 'close' } }),
      )
    }
    open += 1
    try {
      return await app.fetch(request)
    } finally {
      open -= 1
      if (leaving && open === 0) shutDown()
    }
  }

  const server = Deno.serve(
    { port: environment.port, hostname: environment.host, onListen: ({ port }) => console.log(greeting(port)) },
    answer,
  )
  const shutDown = () => void server.shutdown().then(() => Deno.exit(0))
  // The server's own shutdown cuts bodies that are still arriving: so it waits until no request is open.
  function drain(): void {
    leaving = true
    setTimeout(() => Deno.exit(0), DRAIN_MS)
    if (open === 0) shutDown()
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) Deno.addSignalListener(signal, drain)
} catch (error) {
  console.error(startFailure(error))
  Deno.exit(1)
}
