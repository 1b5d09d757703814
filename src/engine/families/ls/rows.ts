/** A line of `ls -l`. */
export interface Row {
  readonly mode: string
  readonly links: string
  /** Owner and group. */
  readonly owner: string
  readonly size: string
  readonly date: string
  readonly name: string
}

const ROW =
  /^([bcdlps-][rwxsStT-]{9}[.+@]?) +(\d{1,9}) (\S+) +(\S+) +(\d[\d.,]{0,20}[KMGTPE]?) ([A-Z][a-z]{2} [ \d]\d [ \d]\d[:\d]\d\d|\d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d\.\d{1,9} [+-]\d{4})?) (\S.*)$/

export function readRow(line: string): Row | null {
  const match = ROW.exec(line)
  if (!match) return null
  const [, mode = '', links = '', owner = '', group = '', size = '', date = '', name = ''] = match
  return { mode, links, owner: `${owner} ${group}`, size, date: date.replace(/ +/g, ' '), name }
}

/** What the rows of one kind mostly say, by column; empty where none is shared by half of them. */
export type Usual = Pick<Row, 'mode' | 'owner' | 'date' | 'size'>

export function usualOf(rows: readonly Row[], withSize: boolean): Usual {
  const most = (column: 'mode' | 'owner' | 'date' | 'size'): string => {
    const counts = new Map<string, number>()
    for (const row of rows) counts.set(row[column], (counts.get(row[column]) ?? 0) + 1)
    let best = ''
    for (const [value, count] of counts) if (count > (counts.get(best) ?? 0)) best = value
    return (counts.get(best) ?? 0) * 2 >= rows.length && rows.length > 1 ? best : ''
  }
  return { mode: most('mode'), owner: most('owner'), date: most('date'), size: withSize ? most('size') : '' }
}

export const isFolder = (row: Row): boolean => row.mode.startsWith('d')

/** Names that could be taken for a column, or hold spaces, stand on a line as it came. */
const PLAIN_NAME = /^[A-Za-z._][^\s]*(?: -> .*)?$/

/** A row without what is usual; a folder's name ends in a slash. Null where it is better left as it is. */
export function writeRow(row: Row, usual: Usual): string | null {
  if (!PLAIN_NAME.test(row.name) || (!isFolder(row) && row.links !== '1')) return null
  const isLink = row.mode === 'lrwxrwxrwx' && row.name.includes(' -> ')
  return [
    ...(row.size === usual.size ? [] : [row.size]),
    ...(row.mode === usual.mode || isLink ? [] : [row.mode]),
    ...(row.owner === usual.owner ? [] : [row.owner]),
    ...(row.date === usual.date ? [] : [row.date]),
    `${row.name}${isFolder(row) && !row.name.endsWith('/') ? '/' : ''}`,
  ].join(' ')
}

/** `-rw-r--r-- root root Nov 30 04:32`: the usual columns in the order of a row. */
export function describeUsual(usual: Usual): string {
  return [usual.mode, usual.owner, usual.size, usual.date].filter((part) => part !== '').join(' ')
}
