import type { Draft } from '../../draft.ts'
import { estimateTokens } from '../../text/tokens.ts'
import { shortenPair } from './long-lines.ts'
import { machineOf } from './machine-written.ts'
import { type FilePiece, type Hunk, markOf, type Piece } from './parse.ts'

/** What goes from hand-written files. The numbers in brackets keep the hunk headers true. */
const LEFT_OUT = 'unchanged lines and index lines; (12) = number in the new file of the line below it'

/** Unchanged lines between two changes stay where they cost no more than the number that would stand for them. */
const NUMBER_COST = 5
/** What goes altogether has to be worth the marker that says so. */
const LEAST_SAVING = 40

/** What a merge that is not resolved leaves in a file. */
const CONFLICT = /^(?:<{7}|\|{7}|={7}|>{7})(?: |$)/

export interface DiffPlan {
  /** The lines that go from hand-written files, told in one marker before the first file. */
  readonly gone: readonly number[]
  writeFile(file: FilePiece, draft: Draft): void
}

/** Decides what of the files' diffs in an output goes, before anything is written. */
export function planDiff(lines: readonly string[], pieces: readonly Piece[]): DiffPlan {
  const gone: number[] = []
  const numbers = new Map<number, number>()
  const machines = new Map<FilePiece, string>()
  let saved = 0
  for (const piece of pieces) {
    if (piece.kind !== 'file') continue
    const machine = machineOf(lines, piece)
    if (machine !== null) machines.set(piece, machine)
    for (let i = piece.from; i < piece.body; i += 1) {
      if (!(lines[i] ?? '').startsWith('index ')) continue
      gone.push(i)
      saved += costOf(i, i + 1)
    }
    if (machine === null) for (const hunk of piece.hunks) if (hunk.intact) leaveOut(hunk)
  }
  if (saved < LEAST_SAVING) {
    gone.length = 0
    numbers.clear()
  }
  const isGone = new Set(gone)

  function costOf(from: number, to: number): number {
    let cost = 0
    for (let i = from; i < to; i += 1) cost += estimateTokens(lines[i] ?? '') + 1
    return cost
  }
  function leaveOut(hunk: Hunk): void {
    let number = hunk.start
    for (let i = hunk.header + 1; i < hunk.to; ) {
      const mark = markOf(lines[i] ?? '', hunk.marks)
      if (mark !== ' ') {
        if (mark === '+') number += 1
        i += 1
        continue
      }
      let end = i + 1
      while (end < hunk.to && markOf(lines[end] ?? '', hunk.marks) === ' ') end += 1
      number += end - i
      const cost = costOf(i, end)
      const last = end === hunk.to
      if (last || cost > NUMBER_COST) {
        for (let k = i; k < end; k += 1) gone.push(k)
        if (!last) numbers.set(end, number)
        saved += last ? cost : cost - NUMBER_COST
      }
      i = end
    }
  }

  /** The header; names that it repeats stand once. */
  function writeHeader(file: FilePiece, draft: Draft): void {
    const first = lines[file.from] ?? ''
    let held: number[] = [file.from]
    const flush = (): void => {
      if (held.length === 1) draft.keep(file.from)
      else if (held.length > 1) draft.restate(first, held)
      held = []
    }
    const rest: number[] = []
    for (let i = file.from + 1; i < file.body; i += 1) {
      if (isGone.has(i)) continue
      if (repeatsName(lines[i] ?? '', first)) held.push(i)
      else rest.push(i)
    }
    flush()
    for (const line of rest) draft.keep(line)
  }

  function writeHunk(hunk: Hunk, draft: Draft): void {
    const shortened = hunk.intact ? shortenLong(hunk) : null
    const ends = hunk.intact ? changedEnds(lines, hunk) : null
    for (let i = hunk.header; i < hunk.to; i += 1) {
      if (isGone.has(i)) continue
      const number = numbers.get(i)
      if (number !== undefined) draft.restate(`(${number})`, [])
      const same = ends?.get(i)
      if (same !== undefined) draft.restate(`(${same} removed and added here differ in their line ends alone)`, [])
      const short = shortened?.get(i)
      if (short !== undefined) draft.restate(short, [i])
      else draft.keep(i)
    }
    if (hunk.cutOff) draft.restate('incomplete: the output ends inside this hunk', [])
  }

  /** Overlong lines of a run of removed lines beside the added ones that stand at the same place in theirs. */
  function shortenLong(hunk: Hunk): Map<number, string> | null {
    let shortened: Map<number, string> | null = null
    if (hunk.marks !== 1) return null
    for (let i = hunk.header + 1; i < hunk.to; i += 1) {
      if (!(lines[i] ?? '').startsWith('-')) continue
      const from = i
      while ((lines[i] ?? '').startsWith('-') && i < hunk.to) i += 1
      const count = i - from
      for (let k = 0; k < count && i + k < hunk.to && (lines[i + k] ?? '').startsWith('+'); k += 1) {
        const pair = shortenPair(lines[from + k] ?? '', lines[i + k] ?? '')
        if (!pair) continue
        shortened ??= new Map()
        shortened.set(from + k, pair.removed)
        shortened.set(i + k, pair.added)
      }
      i -= 1
    }
    return shortened
  }

  return {
    gone,
    writeFile(file, draft) {
      writeHeader(file, draft)
      const machine = machines.get(file)
      if (file.hunks.length === 0) {
        draft.elideRange('data of a binary patch', file.body, file.to)
      } else if (machine !== undefined && file.hunks.every((hunk) => hunk.intact)) {
        const what = `${machine}, ${countsOf(lines, file)}`
        for (const hunk of file.hunks) {
          for (let i = hunk.header; i < hunk.to; i += 1) {
            const isLine = i === hunk.header || (i !== hunk.message && markOf(lines[i] ?? '', hunk.marks) !== null)
            if (!isLine || CONFLICT.test((lines[i] ?? '').slice(hunk.marks))) draft.keep(i)
            else draft.elide(what, [i])
          }
        }
      } else for (const hunk of file.hunks) writeHunk(hunk, draft)
    },
  }
}

/** Says what `plan` leaves out of hand-written files; to be written before the first of them. */
export function writeGone(plan: DiffPlan, draft: Draft): void {
  draft.elide(LEFT_OUT, plan.gone)
}

/**
 * Runs of removed lines with the same lines added behind them, by their first line, with their number. A diff has such
 * runs where the lines differ in what is not shown: the CR before an LF.
 */
function changedEnds(lines: readonly string[], hunk: Hunk): Map<number, number> | null {
  let runs: Map<number, number> | null = null
  if (hunk.marks !== 1) return null
  for (let i = hunk.header + 1; i < hunk.to; ) {
    let removed = i
    while (removed < hunk.to && markOf(lines[removed] ?? '', 1) === '-') removed += 1
    let added = removed
    while (added < hunk.to && markOf(lines[added] ?? '', 1) === '+') added += 1
    const count = removed - i
    let same = count > 0 && added - removed === count && !(lines[added] ?? '').startsWith('\\ ')
    for (let k = 0; same && k < count; k += 1) same = lines[i + k]?.slice(1) === lines[removed + k]?.slice(1)
    if (same) {
      runs ??= new Map()
      runs.set(i, count)
    }
    i = Math.max(added, i + 1)
  }
  return runs
}

/** `--- a/x` under `diff --git a/x b/x`, or `/dev/null` for a file that is new or gone. */
function repeatsName(line: string, first: string): boolean {
  const sign = line.slice(0, 4)
  if (sign !== '--- ' && sign !== '+++ ') return false
  const name = line.endsWith('\t') ? line.slice(4, -1) : line.slice(4)
  if (name === '/dev/null') return true
  if (/^diff --(?:cc|combined) /.test(first)) return first.endsWith(` ${name.slice(2)}`)
  return sign === '+++ ' ? first.endsWith(` ${name}`) : first.startsWith(`diff --git ${name} `)
}

/** `12 added, 3 removed in 2 hunks`, exact: added and removed lines as git marks them. */
function countsOf(lines: readonly string[], file: FilePiece): string {
  let added = 0
  let removed = 0
  for (const hunk of file.hunks) {
    for (let i = hunk.header + 1; i < hunk.to; i += 1) {
      const mark = i === hunk.message ? null : markOf(lines[i] ?? '', hunk.marks)
      if (mark === '+') added += 1
      else if (mark === '-') removed += 1
    }
  }
  const cutOff = file.hunks.some((hunk) => hunk.cutOff) ? ', and the output ends inside it' : ''
  return `${added} added, ${removed} removed in ${file.hunks.length} ${file.hunks.length === 1 ? 'hunk' : 'hunks'}${cutOff}`
}
