import type { Draft } from '../../draft.ts'
import { estimateTokens } from '../../text/tokens.ts'
import { toColumns } from './columns.ts'
import { chooseRows, LEGEND, writeDocument } from './document.ts'
import { type JsonNode, readJson, skipSpace } from './tree.ts'

/** One document, and the input lines that it stands on. */
interface Document {
  readonly text: string
  readonly node: JsonNode
  readonly from: number
  readonly to: number
}

const OPENS = /^\s*[[{]/

/** Documents one after the other from line `from` on, each ending at the end of a line; null where they do not. */
function readDocuments(lines: readonly string[], from: number): Document[] | null {
  const text = lines.slice(from).join('\n')
  const documents: Document[] = []
  let line = from
  let lineEnd = lines[from]?.length ?? 0
  for (let at = skipSpace(text, 0); at < text.length; ) {
    const node: JsonNode | null = readJson(text, at, documents.at(-1)?.node)
    if (node === null || node.kind === 'scalar' || node.kind === 'partial')
      return documents.length > 0 ? documents : null
    const end = skipSpace(text, node.end)
    while (lineEnd < node.start) {
      line += 1
      lineEnd += (lines[line]?.length ?? 0) + 1
    }
    const first = line
    while (lineEnd < node.end) {
      line += 1
      lineEnd += (lines[line]?.length ?? 0) + 1
    }
    if (end < text.length && skipSpace(text, node.end) <= lineEnd) return documents.length > 0 ? documents : null
    documents.push({ text, node, from: first, to: line + 1 })
    at = end
    if (end < text.length && !/[[{]/.test(text[end] ?? '')) break
  }
  return documents
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, k) => from + k)

/**
 * Condenses JSON that begins on line `from`: one document, or many one after the other (NDJSON). Lines after it that
 * are no JSON stay as they are.
 * @param isFile whether it is a file as it stands, whose form matters to who edits it: it changes only where that saves much
 * @returns the strategy's name; null where there is no JSON
 */
export function condenseJsonFrom(lines: readonly string[], from: number, draft: Draft, isFile = false): string | null {
  if (!OPENS.test(lines[from] ?? '')) return null
  const documents = readDocuments(lines, from)
  if (documents === null || documents.length === 0) return null
  const last = documents.at(-1)
  const whole = last?.node.cut ? documents.slice(0, -1) : documents
  if (last?.node.cut) draft.restate('incomplete: the JSON is cut off at the end', [])

  const columns = whole.length >= 4 ? toColumns(whole, null) : null
  let strategy = 'json'
  let at = from
  const keepUpTo = (line: number): void => {
    for (; at < line; at += 1)
      if (lines[at] === '') draft.elide('blank lines', [at])
      else draft.keep(at)
  }
  if (columns !== null) {
    strategy = 'json-columns'
    draft.restate([`JSON lines as columns; ${LEGEND}`, `${whole.length} rows`, ...columns.head].join('\n'), [])
    const stays = chooseRows(columns)
    whole.forEach((document, i) => {
      keepUpTo(document.from)
      if (stays[i]) draft.restate(columns.row(i), range(document.from, document.to))
      else draft.elideRange('rows like those around', document.from, document.to)
      at = document.to
    })
    if (last?.node.cut) {
      keepUpTo(last.from)
      draft.keepRange(last.from, last.to)
      at = last.to
    }
  } else {
    for (const document of documents) {
      keepUpTo(document.from)
      const written = writeDocument(document.text, document.node)
      if (written.columns) strategy = 'json-columns'
      else if (isFile && document.to - document.from > 1) {
        if (!savesMuch(lines, document, written.lines)) {
          draft.keepRange(document.from, document.to)
          at = document.to
          continue
        }
        draft.restate('JSON without white space:', [])
      }
      draft.restate(written.lines.join('\n'), range(document.from, document.to))
      at = document.to
    }
  }
  keepUpTo(lines.length)
  return strategy
}

/** Whether the written form costs less than three quarters of what the file's own does. */
function savesMuch(lines: readonly string[], { from, to }: Document, written: readonly string[]): boolean {
  return estimateTokens(written.join('\n')) < estimateTokens(lines.slice(from, to).join('\n')) * 0.75
}

/** A line of pretty JSON, or a whole document; not `[ERROR] …` and not `{} …`. */
const JSON_LINE =
  /^\s*(?:[[\]{}]{1,8},?$|[[{]{1,8}"|"[^"\n]{0,200}"(?:: |,?$)|"(?:[^"\\]|\\.)*",?$|-?\d[\d.eE+-]*,?$|(?:true|false|null),?$)/

/** JSON is restated value by value, or its rows are chosen here: its lines hold no fact of their own for the check. */
export function viewOfJson(line: string): string {
  return JSON_LINE.test(line) ? '' : line
}
