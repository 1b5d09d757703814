import * as z from 'zod'
import { configSchema } from './schema.ts'

/** A fault by its path in the configuration; `onKey` where the key itself is what is wrong. */
export interface PathFault {
  readonly path: readonly PropertyKey[]
  readonly message: string
  readonly onKey?: true
}

/** What is wrong and what to do, in words of the configuration; an issue with several keys is several faults. */
export function faultsOf(issue: z.core.$ZodIssue): PathFault[] {
  const { path } = issue
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => unknownKey(path, key, keysAt(path)))
    case 'invalid_type': {
      const wanted = `has to be ${TYPES[issue.expected] ?? `of type ${issue.expected}`}`
      if (issue.input === undefined) return [{ path, message: `is missing; it ${wanted}` }]
      // An empty key reads as null, which is easily meant as "the default".
      return [{ path, message: issue.input === null ? `${wanted}; leave the key out for the default` : wanted }]
    }
    case 'invalid_key':
      return [{ path, message: issue.issues[0]?.message ?? issue.message, onKey: true }]
    case 'invalid_value':
      return [{ path, message: `has to be one of ${issue.values.map(String).join(', ')}` }]
    case 'too_small':
      return [{ path, message: `has to be at least ${issue.minimum}${UNITS[issue.origin] ?? ''}` }]
    case 'too_big':
      return [{ path, message: `has to be at most ${issue.maximum}${UNITS[issue.origin] ?? ''}` }]
    default:
      return [{ path, message: issue.message }]
  }
}

export function unknownKey(path: readonly PropertyKey[], key: string, known: readonly string[]): PathFault {
  return { path: [...path, key], message: `unknown key; known here are ${known.join(', ')}`, onKey: true }
}

const TYPES: Readonly<Record<string, string>> = {
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
  string: 'a text (in quotes where it looks like a number)',
  array: 'a list',
  object: 'a group of keys',
  record: 'a group of keys',
}
const UNITS: Readonly<Record<string, string>> = { string: ' characters long', array: ' entries long' }

/** The keys that the schema has at a path. */
export function keysAt(path: readonly PropertyKey[]): string[] {
  let schema: unknown = configSchema
  for (const key of path) {
    const at = unwrapped(schema)
    if (at instanceof z.ZodObject) schema = at.shape[String(key)]
    else if (at instanceof z.ZodArray) schema = at.element
    else if (at instanceof z.ZodRecord) schema = at.valueType
  }
  const at = unwrapped(schema)
  return at instanceof z.ZodObject ? Object.keys(at.shape) : []
}

function unwrapped(schema: unknown): unknown {
  return schema instanceof z.ZodOptional ? schema.unwrap() : schema
}
