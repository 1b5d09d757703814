/** A member of a JSON object: its key, and where its value stands in the text (`end` exclusive). */
export interface Member {
  readonly key: string
  readonly start: number
  readonly end: number
}

/** The members of the object that `json`, a valid JSON text, is; in one pass. */
export function members(json: string): Member[] {
  const found: Member[] = []
  let depth = 0
  let key: string | null = null
  let start = -1
  let end = 0
  for (let i = 0; i < json.length; i += 1) {
    const unit = json.charCodeAt(i)
    if (unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09) continue
    if (depth === 1 && key === null && unit === 0x22) {
      const close = stringEnd(json, i)
      key = String(JSON.parse(json.slice(i, close + 1)))
      i = json.indexOf(':', close)
      start = -1
      continue
    }
    if (depth === 1 && (unit === 0x2c || unit === 0x7d)) {
      if (key !== null) found.push({ key, start, end })
      key = null
    } else if (depth === 1 && start === -1) start = i
    if (unit === 0x22) i = stringEnd(json, i)
    else if (unit === 0x7b || unit === 0x5b) depth += 1
    else if (unit === 0x7d || unit === 0x5d) depth -= 1
    end = i + 1
  }
  return found
}

/** Index of the quote that ends the string that starts at `start`; the text's end where none does. */
export function stringEnd(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end - 1
    while (text.charCodeAt(before) === 0x5c) before -= 1
    if ((end - before) % 2 === 1) return end
  }
  return text.length
}
