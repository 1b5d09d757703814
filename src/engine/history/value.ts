/** Type guards for parsed JSON, of which nothing is known. */

export type JsonObject = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isArray(value: unknown): value is readonly unknown[] {
  return Array.isArray(value)
}

/** The value where it is a string, else the empty string. */
export function asString(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** The elements that are objects, with their indexes. */
export function objectsIn(value: unknown): readonly (readonly [index: number, item: JsonObject])[] {
  if (!isArray(value)) return []
  const found: [number, JsonObject][] = []
  value.forEach((item, index) => {
    if (isObject(item)) found.push([index, item])
  })
  return found
}

/** JSON text parsed; the text itself where it is no JSON (a model may write broken arguments). */
export function parseArguments(value: unknown): unknown {
  if (typeof value !== 'string') return value ?? null
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}
