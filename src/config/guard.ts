import type { GuardSettings } from '../service/settings.ts'
import type { PathFault } from './issues.ts'
import type { ConfigText } from './schema.ts'

type GuardText = NonNullable<ConfigText['guard']>

/**
 * The settings of `guard`, over the defaults. A guard behind HTTP fails as guards fail, and waits half as long, unless
 * its own keys say otherwise.
 * @param faults what is wrong is added here, by path
 */
export function buildGuard(text: GuardText, defaults: GuardSettings, faults: PathFault[]): GuardSettings {
  const failMode = text.fail_mode ?? defaults.failMode
  const timeoutMs = text.timeout_ms ?? defaults.timeoutMs
  const secrets = text.secrets ?? defaults.secrets
  if (!text.http) return { failMode, timeoutMs, secrets, http: null }

  const http = {
    url: text.http.url,
    timeoutMs: text.http.timeout_ms ?? Math.max(1, Math.floor(timeoutMs / 2)),
    failMode: text.http.fail_mode ?? failMode,
    headers: text.http.headers ?? {},
  }
  if (http.timeoutMs >= timeoutMs) {
    // The limit for all guards together would be reached first, and its fail mode count in the place of this one's.
    faults.push({
      path: ['guard', 'http', ...(text.http.timeout_ms === undefined ? [] : ['timeout_ms'])],
      message: `has to be under guard.timeout_ms, which is ${timeoutMs}`,
    })
  }
  const wrong = urlFault(http.url)
  if (wrong !== null) faults.push({ path: ['guard', 'http', 'url'], message: wrong })
  return { failMode, timeoutMs, secrets, http }
}

function urlFault(text: string): string | null {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol))
    return 'has to be an address that starts with https:// or http://'
  if (url.username !== '' || url.password !== '') {
    return 'holds a user or a password: set a header under guard.http.headers instead, from an environment variable'
  }
  return url.hash === '' ? null : 'has a fragment (#), which is never sent: leave it out'
}
