import type * as z from 'zod'
import { type Fault, Problem } from './problem.ts'

/**
 * The query of a request, checked. A parameter that is unknown or given twice is an error that names it: a misspelt
 * `maxToken=` would otherwise be ignored in silence.
 * @param apart parameters that somebody else reads
 * @throws Problem 400
 */
export function readQuery<Query extends z.ZodType>(
  schema: Query,
  request: Request,
  apart: readonly string[] = [],
): z.output<Query> {
  const given: Record<string, string> = {}
  const faults: Fault[] = []
  for (const [name, value] of new URL(request.url).searchParams) {
    if (Object.hasOwn(given, name)) faults.push({ parameter: name, detail: 'is given twice' })
    else Object.defineProperty(given, name, { value, enumerable: true, configurable: true })
  }
  for (const name of apart) delete given[name]
  const result = schema.safeParse(given)
  for (const issue of result.error?.issues ?? []) {
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) faults.push({ parameter: key, detail: 'is no known parameter' })
    } else faults.push({ parameter: String(issue.path[0] ?? ''), detail: issue.message })
  }
  if (faults.length === 0 && result.success) return result.data
  const words = faults.map((fault) => `${'parameter' in fault ? fault.parameter : ''}: ${fault.detail}`).join('; ')
  throw new Problem('invalid-request', `The query is not valid: ${words}.`.slice(0, 600), { faults })
}
