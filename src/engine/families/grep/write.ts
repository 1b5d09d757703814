import type { Draft } from '../../draft.ts'
import { partAcrossFiles } from '../../strategies/across-files.ts'
import type { Diagnostic } from '../../strategies/diagnostics.ts'
import { estimateTokens } from '../../text/tokens.ts'
import { cutLong } from './cut.ts'
import { type Hit, OWN_MESSAGE } from './hits.ts'

/** Places before one text take about this many at most, so that it is still read as theirs. */
const PLACES = 40
const SEPARATOR = '--'
/** Where the texts of all hits cost more tokens than this, a file shows the first of these numbers that fits. */
const MOST_TEXT = 4000
const TEXTS_A_FILE = [20, 10, 5, 3, 2, 1]

/** A hit with the input line that it stands on. */
interface At {
  readonly hit: Hit
  readonly line: number
}

/**
 * Writes hits grouped by file, the path once and `12:text` below it, in their order. Where there is no context, lines
 * with one text share it: of one file `12,40:text`, of many `a.go:12, b.go:4: text`. Every other line stays in its place.
 * Of very many hits each file shows the first texts, and the line numbers of all that have one; of much context the first stays.
 * @param words what was looked for, in lower case: overlong lines are cut around it
 */
export function writeHits(lines: readonly string[], hits: readonly (Hit | null)[], words: string, draft: Draft): void {
  const matching = hits.filter((hit) => hit?.sign === ':')
  const files = new Set(matching.map((hit) => hit?.path ?? ''))
  if (matching.length > 1 && !files.has('') && readsAll(lines, hits))
    draft.restate(`${matching.length} matching lines in ${files.size} ${files.size === 1 ? 'file' : 'files'}`, [])
  const numbered = hits.every((hit) => hit?.place !== '')
  const plain = hits.every((hit) => hit?.sign !== '-')
  const shared = plain && numbered ? writeShared(hits, words, draft) : new Set<number>()
  // Context costs as much as it is long; behind the first of it the hits alone stay.
  let spent = 0
  const texts = plain ? textsAFile(hits, shared, words) : Number.POSITIVE_INFINITY

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
    const text = lines[line] ?? ''
    const short = OWN_MESSAGE.test(text) ? null : cutLong(text, words)
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
    if (plain && separators === 0) {
      const groups = numbered ? [...byText(own)] : own.map((at) => [at])
      for (const group of groups.slice(0, texts)) writeLine(group)
      elideTexts(
        groups
          .slice(texts)
          .flat()
          .sort((a, b) => a.line - b.line),
      )
    } else
      for (let i = from; i < to; i += 1) {
        const hit = hits[i]
        if (hit?.sign !== ':' && spent > MOST_TEXT) draft.elide('lines of context', [i])
        else if (hit) writeLine([{ hit, line: i }])
        else draft.keep(i)
        spent += estimateTokens(hit?.text ?? '') + 3
      }
  }
  function elideTexts(hidden: readonly At[]): void {
    const places = hidden.map(({ hit }) => hit.place).join(',')
    draft.elide(
      numbered ? `texts of the hits in lines ${places}` : 'further hits of the file above',
      hidden.map(({ line }) => line),
    )
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

/** Whether every hit was read as one: without line numbers a file's only hit is told from no other text. */
function readsAll(lines: readonly string[], hits: readonly (Hit | null)[]): boolean {
  if (!hits.some((hit) => hit?.place === '')) return true
  return hits.every((hit, i) => hit !== null || OWN_MESSAGE.test(lines[i] ?? ''))
}

/** How many texts each file may show, so that all of them fit; at least one. */
function textsAFile(hits: readonly (Hit | null)[], shared: ReadonlySet<number>, words: string): number {
  const costs: { readonly rank: number; readonly cost: number }[] = []
  let path: string | null = null
  let seen = new Set<string>()
  hits.forEach((hit, i) => {
    if (hit === null || hit.path !== path) seen = new Set()
    path = hit?.path ?? null
    if (hit === null || shared.has(i) || seen.has(hit.text)) return
    seen.add(hit.text)
    costs.push({ rank: seen.size, cost: estimateTokens(cutLong(hit.text, words) ?? hit.text) + 3 })
  })
  const costOf = (most: number): number => costs.reduce((sum, { rank, cost }) => sum + (rank <= most ? cost : 0), 0)
  if (costOf(Number.POSITIVE_INFINITY) <= MOST_TEXT) return Number.POSITIVE_INFINITY
  return TEXTS_A_FILE.find((most) => costOf(most) <= MOST_TEXT) ?? 1
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

/** `a.go:3,7, b.go:4`: each path once for the lines that follow each other. */
function placesOf(findings: readonly Diagnostic[]): string {
  const places: string[] = []
  findings.forEach(({ path, place }, i) => {
    const last = places.length - 1
    if (i > 0 && findings[i - 1]?.path === path) places[last] = `${places[last]},${place}`
    else places.push(`${path}:${place}`)
  })
  return places.join(', ')
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
      draft.restate(`${placesOf(part)}: ${cutLong(text, words) ?? text}`, of)
      for (const line of of) taken.add(line)
    }
  }
  return taken
}
