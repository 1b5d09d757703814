import { splitLines } from '../../src/engine/text/lines.ts'
import { showLine } from '../../src/engine/text/terminal.ts'
import { type Fixture, missingFacts } from './fixtures.ts'

/**
 * The facts listed for a recording that it does not hold. As text its parts must stand in their order, as a terminal
 * shows them; in JSON, whose members have an order of their own, each part must be a value, a piece of one, or `12:3`
 * for an object's line and column.
 */
export function unrecordedFacts({ facts, text }: Fixture): Fixture['facts'] {
  const lines = splitLines(text).map(showLine)
  const missing = missingFacts(missingFacts(facts, lines.join('\n')), text)
  if (missing.length === 0) return []
  const values = [...lines, text].flatMap(valuesOf).join('\n')
  return missing.filter((fact) => (typeof fact === 'string' ? [fact] : fact).some((part) => !values.includes(part)))
}

/** The values in a text that is JSON as a whole; none for any other text. */
function valuesOf(text: string): string[] {
  if (!/^\s*[[{]/.test(text)) return []
  try {
    return leavesOf(JSON.parse(text))
  } catch {
    return []
  }
}

function leavesOf(value: unknown): string[] {
  if (value === null || typeof value !== 'object') return [String(value)]
  const members = Object.entries(value)
  const numberAt = (key: RegExp): unknown => members.find(([name]) => key.test(name))?.[1]
  const line = numberAt(/^line(?:_number)?$/i)
  const column = numberAt(/^col(?:umn)?$/i)
  const place = typeof line === 'number' && typeof column === 'number' ? [`${line}:${column}`] : []
  return [...place, ...members.flatMap(([, member]) => leavesOf(member))]
}
