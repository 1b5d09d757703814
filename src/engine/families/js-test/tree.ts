/** Reading the trees in which runners list tests: a line a test, indented under its suites. */

export type Mark = 'pass' | 'fail' | 'skip' | 'suite'

export interface TreeLine {
  readonly mark: Mark
  readonly indent: number
  readonly sign: string
  /** The name without its time. */
  readonly name: string
}

const LINE = /^(\s{0,60})([✓✔√✕✗×✖✘↓□○✎❯▶﹣-]) {1,4}(\S.*)$/
const MARKS: Readonly<Record<string, Mark | undefined>> = {
  '✓': 'pass',
  '✔': 'pass',
  '√': 'pass',
  '✕': 'fail',
  '✗': 'fail',
  '×': 'fail',
  '✖': 'fail',
  '✘': 'fail',
  '↓': 'skip',
  '□': 'skip',
  '○': 'skip',
  '✎': 'skip',
  '﹣': 'skip',
  '❯': 'suite',
  '▶': 'suite',
}
/** ` 8ms`, ` (10 ms)`, ` 1.2s`. */
const TIME = / {1,4}\(?\d{1,9}(?:\.\d{1,9})? ?m?s\)?$/
const COUNTS = / {1,4}\(\d{1,7}(?: tests?)?(?: \| .{1,100})?\)$/

export function readTreeLine(line: string): TreeLine | null {
  const match = LINE.exec(line)
  const sign = match?.[2] ?? ''
  const mark = MARKS[sign]
  if (!match || mark === undefined) return null
  return { mark, indent: (match[1] ?? '').length, sign, name: (match[3] ?? '').replace(TIME, '') }
}

/** Keeps the names of the suites that a tree's lines stand under. */
export function createPath(): { enter(indent: number, name: string): void; of(indent: number): string[] } {
  const open: { indent: number; name: string }[] = []
  const leave = (indent: number): void => {
    while ((open.at(-1)?.indent ?? -1) >= indent) open.pop()
  }
  return {
    enter(indent, name) {
      leave(indent)
      open.push({ indent, name: name.replace(COUNTS, '') })
    },
    of(indent) {
      leave(indent)
      return open.map((suite) => suite.name)
    },
  }
}
