import type { Draft } from '../../draft.ts'
import { partAcrossFiles, pathAndPlace } from '../../strategies/across-files.ts'
import type { Diagnostic } from '../../strategies/diagnostics.ts'
import { cutLong } from './cut.ts'
import type { Hit } from './hits.ts'

/** Places before one text take about this many at most, so that it is still read as theirs. */
const PLACES = 40
const SEPARATOR = '--'

/** A hit with the input line that it stands on. */
interface At {
  readonly hit: Hit
  readonly line: number
}

/**
 * Writes hits grouped by file, the path once and `12:text` below it, in their order. Where there is no context, lines
 * with one text share it: of one file `12,40:text`, of many `a.go:12, b.go:4: text`. Every other line stays in its place.
 * @param words what was looked for, in lower case: overlong lines are cut around it
 */
export function writeHits(lines: readonly string[], hits: readonly (Hit | null)[], words: string, draft: Draft): void {
  const matching = hits.filter((hit) => hit?.sign === ':')
  const files = new Set(matching.map((hit) => hit?.path ?? ''))
  if (matching.length > 1 && !files.has(''))
    draft.restate(`${matching.length} matching lines in ${files.size} ${files.size === 1 ? 'file' : 'files'}`, [])
  const plain = hits.every((hit) => hit?.sign !== '-' && hit?.place !== '')
  const shared = plain ? writeShared(hits, words, draft) : new Set<number>()

  for (let i = 0; i < lines.length; ) {
    const hit = hits[i]
    if (shared.has(i)) i += 1
    else if (!hit) {
      keepCut(i)
      i += 1
    } else {
      const end = endOfFile(i, hit.path)
      writeFile(i, end)
      i = end
    }
  }

  function keepCut(line: number): void {
    const short = cutLong(lines[line] ?? '', words)
    if (short === null) draft.keep(line)
    else draft.restate(short, [line])
  }
  /** A file's lines go on behind a separator, and over lines that stand elsewhere. */
  function endOfFile(from: number, path: string): number {
    let end = from + 1
    for (let i = end; i < lines.length; i += 1) {
      const hit = hits[i]
      if (hit ? hit.path !== path : lines[i] !== SEPARATOR) break
      if (hit) end = i + 1
    }
    return end
  }
  function writeFile(from: number, to: number): void {
    const own: At[] = []
    let separators = 0
    for (let i = from; i < to; i += 1) {
      const hit = hits[i]
      if (!hit) separators += 1
      else if (!shared.has(i)) own.push({ hit, line: i })
    }
    const [first] = own
    if (!first) return
    if (own.length === 1 && separators === 0) {
      const short = cutLong(first.hit.text, words)
      const lead = lines[first.line]?.slice(0, -first.hit.text.length) ?? ''
      if (short === null) draft.keep(first.line)
      else draft.restate(lead + short, [first.line])
      return
    }
    if (first.hit.path !== '') draft.restate(first.hit.path, [])
    if (plain) for (const group of byText(own)) writeLine(group)
    else
      for (let i = from; i < to; i += 1) {
        const hit = hits[i]
        if (hit) writeLine([{ hit, line: i }])
        else draft.keep(i)
      }
  }
  function writeLine(group: readonly At[]): void {
    for (let k = 0; k < group.length; k += PLACES) {
      const part = group.slice(k, k + PLACES)
      const [first] = part
      if (!first) continue
      const { place, sign, text } = first.hit
      const lead = place === '' ? ' ' : `${part.map(({ hit }) => hit.place).join(',')}${sign}`
      draft.restate(
        lead + (cutLong(text, words) ?? text),
        part.map(({ line }) => line),
      )
    }
  }
}

function byText(own: readonly At[]): Iterable<At[]> {
  const groups = new Map<string, At[]>()
  for (const at of own) {
    const group = groups.get(at.hit.text)
    if (group) group.push(at)
    else groups.set(at.hit.text, [at])
  }
  return groups.values()
}

/** Writes the texts that many files share, each once behind all of its places; @returns the lines that stand there */
function writeShared(hits: readonly (Hit | null)[], words: string, draft: Draft): Set<number> {
  const findings = hits.flatMap((hit, i): Diagnostic[] =>
    hit === null || hit.path === '' ? [] : [{ path: hit.path, place: hit.place, text: hit.text, lines: [i] }],
  )
  const taken = new Set<number>()
  for (const { text, findings: group } of partAcrossFiles(findings).shared) {
    for (let k = 0; k < group.length; k += PLACES) {
      const part = group.slice(k, k + PLACES)
      const of = part.flatMap((finding) => finding.lines)
      draft.restate(`${part.map(pathAndPlace).join(', ')}: ${cutLong(text, words) ?? text}`, of)
      for (const line of of) taken.add(line)
    }
  }
  return taken
}
