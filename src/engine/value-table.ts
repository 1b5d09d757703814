/**
 * Findings whose messages differ in some values alone, written as the message once and the values behind each place:
 *
 *     3 places in src/, each with its {}: exported type {} should have a comment (revive)
 *      api/api.go 4:6 Request; 6:6 User
 *      cart/cart.go 9:6 Item
 *
 * The folder that all files are in stands in the heading. Several values are numbered and separated by commas: `each with its {1}, {2}: …`. A message that takes several lines
 * stands with its other lines indented by two spaces. Written and read here, so that each finding can be read back.
 */

/** Findings of one file with the same values. */
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
const PLACE_LINE = /^ (\S+) (.*)$/
const PLACES =
  /^(?:\(\d{1,9},\d{1,9}\)(?: \(\d{1,9},\d{1,9}\))*|\d{1,9}:\d{1,9}(?: \d{1,9}:\d{1,9})*|\d{1,9}(?:, \d{1,9})*)(?: |$)/
const SLOT = /\{\d{0,2}\}/g
const BARE = /^\d+$/

/** Whether a message can be the message of a table: what looks like a value's place in it would be read as one. */
export const mayBeTabled = (message: string): boolean => !/\{\d{0,2}\}/.test(message)

/** Writes a table as lines. Items of a file should stand together, and in it those with the same values. */
export function writeTable({ message, width, items }: ValueTable): string {
  const slots = width === 1 ? '{}' : Array.from({ length: width }, (_, i) => `{${i + 1}}`).join(', ')
  const [first = '', ...more] = message.split('\n')
  const folder = commonFolder(items)
  const where = folder === '' ? '' : ` in ${folder}`
  const lines = [`${items.length} places${where}${width === 0 ? '' : `, each with its ${slots}`}: ${first}`]
  for (const line of more) lines.push(`  ${line}`)
  let open = ''
  let last: TableItem | null = null
  for (const item of items) {
    const values = item.values.join(', ')
    const sameFile = last?.path === item.path && open.length < LINE_WIDTH
    if (last && sameFile && last.values.join(', ') === values) {
      // The places of one value stand together, the value behind the last of them.
      const tail = values === '' ? '' : ` ${values}`
      open = `${open.slice(0, open.length - tail.length)}${BARE.test(item.place) ? ', ' : ' '}${item.place}${tail}`
    } else {
      if (!sameFile && open !== '') lines.push(open)
      const lead: string = sameFile ? `${open};` : ` ${item.path.slice(folder.length)}`
      open = `${lead} ${item.place}${values === '' ? '' : ` ${values}`}`
    }
    last = item
  }
  if (open !== '') lines.push(open)
  return lines.join('\n')
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
    const line = PLACE_LINE.exec(lines[i] ?? '')
    const read = line && readItems(folder + (line[1] ?? ''), line[2] ?? '', width)
    if (!read) return null
    for (const item of read) items.push(item)
  }
  return items.length === count ? { table: { message: message.join('\n'), width, items }, end: i } : null
}

function readItems(path: string, text: string, width: number): TableItem[] | null {
  const items: TableItem[] = []
  for (const part of text.split('; ')) {
    const places = PLACES.exec(part)
    if (!places) return null
    const rest = part.slice(places[0].length)
    const values = width === 0 ? [] : width === 1 ? [rest] : rest.split(', ')
    if (values.length !== width || (width === 0 && rest !== '')) return null
    for (const place of places[0].trim().split(/,? /)) items.push({ path, place, values })
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
    const read = MAY_BE_HEADING.test(lines[i] ?? '') ? readTable(lines, i) : null
    if (read && texts === null) {
      texts = lines.slice(0, i)
      owner = texts.map((_, line) => line)
    }
    if (!read) {
      texts?.push(lines[i] ?? '')
      owner.push(i)
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

const MAY_BE_HEADING = /^\d{1,9} places(?:[,:]| in )/
