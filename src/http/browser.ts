import type { Hono } from 'hono'
import { cors } from 'hono/cors'
import { secureHeaders } from 'hono/secure-headers'
import type { Route } from './route.ts'

/** Headers that a page may send beside those that any may. */
const ALLOWED = ['authorization', 'content-type', 'content-encoding', 'range', 'if-none-match', 'if-range']
const TRACING = ['request-id', 'traceparent']
/** Headers of answers, beside those of the route table, that a page may read. */
const ANSWERED = ['ratelimit', 'ratelimit-policy', 'retry-after', 'www-authenticate', 'accept-ranges']

/**
 * What browsers are told. Stored outputs are anybody's text: none of it may run, be framed, or be loaded into another
 * site's page; and no address leaves as a referrer. Other sites' scripts are answered where the operator names them.
 * @param origins exact origins, as `https://app.example.com`
 */
export function protectBrowsers(app: Hono, routes: readonly Route[], origins: readonly string[]): void {
  app.use(
    secureHeaders({
      contentSecurityPolicy: { defaultSrc: ["'none'"], frameAncestors: ["'none'"], sandbox: [] },
      crossOriginOpenerPolicy: false,
      originAgentCluster: false,
      // Whoever terminates TLS sets this one, for all that is under the name.
      strictTransportSecurity: false,
      xDnsPrefetchControl: false,
      xDownloadOptions: false,
      xFrameOptions: false,
      xPermittedCrossDomainPolicies: false,
      xXssProtection: false,
    }),
  )
  if (origins.length === 0) return
  const documented = routes.flatMap((route) =>
    Object.values(route.answers).flatMap((answer) => Object.keys(answer.headers ?? {})),
  )
  app.use(
    cors({
      origin: [...origins],
      allowMethods: ['GET', 'HEAD', 'POST', 'DELETE'],
      allowHeaders: [...ALLOWED, ...TRACING],
      exposeHeaders: [...new Set([...documented, ...ANSWERED, ...TRACING])],
      maxAge: 600,
    }),
  )
}
