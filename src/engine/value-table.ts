/**
 * Findings whose messages differ in some values alone, written as the message once and the values behind each place:
 *
 *     4 places in src/, each with its {}: exported type {} should have a comment (revive)
 *      api/api.go 4:6 Request; 6:6 User
 *      cart/cart.go shop/shop.go 9:6 Item
 *
 * The folder that all files are in stands in the heading. Several values are numbered and separated by commas: `each with its {1}, {2}: …`. A message that takes several lines
 * stands with its other lines indented by two spaces. Written and read here, so that each finding can be read back.
 */
import { groupBy } from './strategies/table.ts'

/** One finding of a table. */
export interface TableItem {
  readonly path: string
  /** As the tool writes it behind the path: `12:3`, `(12,3)`, `12`. */
  readonly place: string
  /** One for each numbered value of the message. */
  readonly values: readonly string[]
}

export interface ValueTable {
  /** The message, several lines joined by LF, with `{}`, or `{1}`, `{2}` … where its values stand. */
  readonly message: string
  /** How many values each place has. */
  readonly width: number
  readonly items: readonly TableItem[]
}

/** Places of one file on one line take about this many characters. */
const LINE_WIDTH = 1200

const HEADING =
  /^(\d{1,9}) places(?: in (\S{1,400}\/))?(?:, each with its (\{\}|(?:\{\d{1,2}\}, ){1,9}\{\d{1,2}\}))?: (\S.*)$/
const PLACES =
  /^(?:\(\d{1,9},\d{1,9}\)(?: \(\d{1,9},\d{1,9}\))*|\d{1,9}:\d{1,9}(?: \d{1,9}:\d{1,9})*|\d{1,9}(?:, \d{1,9})*)(?: |$)/
const PLACE_AT = /(?:\(\d{1,9},\d{1,9}\)|\d{1,9}(?::\d{1,9})?)(?=[ ,;]|$)/y
const SLOT = /\{\d{0,2}\}/g
const BARE = /^\d+$/

/** Whether a message can be the message of a table: what looks like a value's place in it would be read as one. */
export const mayBeTabled = (message: string): boolean => !/\{\d{0,2}\}/.test(message)

/** Writes a table as lines: by file, in it the places with the same values together; files with the same items share a line. */
export function writeTable({ message, width, items }: ValueTable): string {
  const slots = width === 1 ? '{}' : Array.from({ length: width }, (_, i) => `{${i + 1}}`).join(', ')
  const [first = '', ...more] = message.split('\n')
  const folder = commonFolder(items)
  const where = folder === '' ? '' : ` in ${folder}`
  const lines = [`${items.length} places${where}${width === 0 ? '' : `, each with its ${slots}`}: ${first}`]
  for (const line of more) lines.push(`  ${line}`)
  const filesByItems = new Map<string, string[]>()
  for (const [path, own] of groupBy(items, (item) => item.path)) {
    for (const text of linesOfItems(own)) {
      const files = filesByItems.get(text)
      if (files) files.push(path.slice(folder.length))
      else filesByItems.set(text, [path.slice(folder.length)])
    }
  }
  for (const [text, files] of filesByItems) {
    for (const names of wrapped(files, ' ')) lines.push(` ${names} ${text}`)
  }
  return lines.join('\n')
}

/** `4:6 9:1 Request; 12:1 User`, on more lines where they are many. */
function linesOfItems(items: readonly TableItem[]): string[] {
  const texts: string[] = []
  for (const [values, same] of groupBy(items, (item) => item.values.join(', '))) {
    const bare = same.every(({ place }) => BARE.test(place))
    const places = same.map(({ place }) => place)
    for (const part of wrapped(places, bare ? ', ' : ' ')) texts.push(values === '' ? part : `${part} ${values}`)
  }
  return wrapped(texts, '; ')
}

/** Joins texts to lines of about the line's width. */
function wrapped(texts: readonly string[], separator: string): string[] {
  const lines: string[] = []
  let open: string[] = []
  let width = 0
  for (const text of texts) {
    if (open.length > 0 && width + text.length > LINE_WIDTH) {
      lines.push(open.join(separator))
      open = []
      width = 0
    }
    open.push(text)
    width += text.length + separator.length
  }
  if (open.length > 0) lines.push(open.join(separator))
  return lines
}

/** The folder that all items are in, as long as it may be; empty where one file holds them all. */
function commonFolder(items: readonly TableItem[]): string {
  const first = items[0]?.path ?? ''
  if (items.every(({ path }) => path === first)) return ''
  let length = first.length
  for (const { path } of items) {
    let same = 0
    while (same < length && path[same] === first[same]) same += 1
    length = same
  }
  return first.slice(0, first.lastIndexOf('/', length - 1) + 1)
}

/** Reads the table whose heading is line `from`; `end` is the index behind it. null where none stands there, whole. */
export function readTable(lines: readonly string[], from: number): { table: ValueTable; end: number } | null {
  const heading = HEADING.exec(lines[from] ?? '')
  if (!heading) return null
  const count = Number(heading[1])
  const [, , folder = '', slots, first = ''] = heading
  const width = slots === undefined ? 0 : slots.split(', ').length
  const message = [first]
  let i = from + 1
  for (; lines[i]?.startsWith('  '); i += 1) message.push((lines[i] ?? '').slice(2))
  const items: TableItem[] = []
  for (; items.length < count; i += 1) {
    const read = readLine(lines[i] ?? '', folder, width)
    if (read === null) return null
    for (const item of read) items.push(item)
  }
  return items.length === count ? { table: { message: message.join('\n'), width, items }, end: i } : null
}

function readLine(line: string, folder: string, width: number): TableItem[] | null {
  if (!line.startsWith(' ')) return null
  const paths: string[] = []
  let at = 1
  for (; !startsPlaces(line, at); ) {
    const end = line.indexOf(' ', at)
    if (end <= at) return null
    paths.push(folder + line.slice(at, end))
    at = end + 1
  }
  const read = readItems(line.slice(at), width)
  return read && paths.flatMap((path) => read.map((item) => ({ ...item, path })))
}

function startsPlaces(text: string, at: number): boolean {
  PLACE_AT.lastIndex = at
  return PLACE_AT.test(text)
}

function readItems(text: string, width: number): Omit<TableItem, 'path'>[] | null {
  const items: Omit<TableItem, 'path'>[] = []
  for (const part of text.split('; ')) {
    const places = PLACES.exec(part)
    if (!places) return null
    const rest = part.slice(places[0].length)
    const values = width === 0 ? [] : width === 1 ? [rest] : rest.split(', ')
    if (values.length !== width || (width === 0 && rest !== '')) return null
    for (const place of places[0].trim().split(/,? /)) items.push({ place, values })
  }
  return items
}

/** The message of one item, whole. */
export function messageOf({ message, width }: ValueTable, { values }: TableItem): string {
  if (width === 0) return message
  return message.replace(SLOT, (slot) => values[slot === '{}' ? 0 : Number(slot.slice(1, -1)) - 1] ?? slot)
}

/** Lines with every table in them written out, a finding at a time under its file; null where there is no table. */
export function openTables(lines: readonly string[]): { texts: string[]; owner: number[] } | null {
  let texts: string[] | null = null
  let owner: number[] = []
  for (let i = 0; i < lines.length; ) {
    const line = lines[i] ?? ''
    const read = startsWithDigit(line) && MAY_BE_HEADING.test(line) ? readTable(lines, i) : null
    if (read && texts === null) {
      texts = lines.slice(0, i)
      owner = texts.map((_, at) => at)
    }
    if (!read) {
      if (texts !== null) {
        texts.push(line)
        owner.push(i)
      }
      i += 1
      continue
    }
    for (const item of read.table.items) {
      const [first = '', ...more] = messageOf(read.table, item).split('\n')
      for (const text of [item.path, ` ${item.place} ${first}`, ...more.map((line) => `  ${line}`)]) {
        texts?.push(text)
        owner.push(i)
      }
    }
    texts?.push('')
    owner.push(i)
    i = read.end
  }
  return texts === null ? null : { texts, owner }
}

function startsWithDigit(line: string): boolean {
  const unit = line.charCodeAt(0)
  return unit >= 0x30 && unit <= 0x39
}

const MAY_BE_HEADING = /^\d{1,9} places(?:[,:]| in )/
