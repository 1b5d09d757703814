import { EnvironmentError } from '../config/environment.ts'
import { createHttpGuard } from '../guard/http.ts'
import { createGuards, type GuardMember } from '../guard/merge.ts'
import { createSecretsGuard } from '../guard/secrets.ts'
import { runtimeTimer } from '../service/deadline.ts'
import type { Guard } from '../service/ports.ts'
import type { GuardSettings, HttpGuardSettings } from '../service/settings.ts'

/**
 * The guards that the settings name, as one; undefined where they name none. Does no I/O.
 * @throws EnvironmentError for a variable that a header names and that is not set
 */
export function openGuard(
  { secrets, http }: GuardSettings,
  variables: Readonly<Record<string, unknown>>,
): Guard | undefined {
  const members: GuardMember[] = []
  if (secrets !== 'off') {
    members.push({ name: 'secrets', guard: createSecretsGuard(secrets), failMode: 'closed', timeoutMs: null })
  }
  if (http) {
    const { url, timeoutMs, failMode } = http
    const headers = readHeaders(http, variables)
    // A function of its own: a runtime's fetch, called as a method of other objects, refuses.
    const guard = createHttpGuard({ url, headers, timeoutMs, fetch: (input, init) => fetch(input, init) })
    members.push({ name: new URL(url).host, guard, failMode, timeoutMs })
  }
  return members.length > 0 ? createGuards(members, runtimeTimer) : undefined
}

function readHeaders(
  { headers }: HttpGuardSettings,
  variables: Readonly<Record<string, unknown>>,
): Record<string, string> {
  const faults: string[] = []
  const values: Record<string, string> = {}
  for (const [header, name] of Object.entries(headers)) {
    const value = variables[name]
    // The value is not shown: whatever is wrong with it, it is a secret.
    if (typeof value !== 'string' || value.trim() === '') {
      faults.push(`${name} is not set; guard.http.headers has it for the value of ${header}.`)
    } else if (!/^[\t\x20-\x7e]+$/.test(value.trim())) {
      faults.push(`${name} can't be the value of the header ${header}: it has other characters than printable ASCII.`)
    } else values[header] = value.trim()
  }
  if (faults.length > 0) throw new EnvironmentError(faults)
  return values
}
