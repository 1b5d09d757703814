import { Miniflare } from 'miniflare'

/** A module worker that is there only because Miniflare wants one. */
const IDLE_SCRIPT = 'export default { fetch() { return new Response("idle") } }'

type WorkerOptions = ConstructorParameters<typeof Miniflare>[0]['workers'][number]
/** Bindings by name, as in `{ OUTPUTS: { type: 'r2' } }`. */
export type MiniflareBindings = NonNullable<NonNullable<WorkerOptions['config']>['env']>

export interface MiniflareOptions {
  readonly bindings: MiniflareBindings
  /** One ES module: a bundled worker. */
  readonly script?: string
}

/**
 * Starts a worker in workerd with real local bindings and nothing of `nodejs_compat`. Dispose it when the tests are done.
 * `Env` names the bindings' types, as a worker's own Env does.
 * Its socket gzips answers and drops Content-Length: ask with `accept-encoding: identity`.
 */
export async function startMiniflare<Env = Record<string, unknown>>({
  bindings,
  script = IDLE_SCRIPT,
}: MiniflareOptions) {
  const miniflare = new Miniflare({
    workers: [
      {
        config: {
          name: 'spillway-test',
          compatibilityDate: '2026-08-03',
          env: bindings,
          manifest: { mainModule: 'worker.js', modules: { 'worker.js': { type: 'esm', contents: script } } },
        },
      },
    ],
  })
  await miniflare.ready
  return {
    /** The worker's bindings, usable from here. */
    bindings: await miniflare.getBindings<Env>(),
    /** Sends a request to the worker. */
    fetch: miniflare.dispatchFetch,
    dispose: () => miniflare.dispose(),
  }
}
