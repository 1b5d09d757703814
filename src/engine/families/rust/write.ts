import type { Dropped, RustBlock } from './block.ts'

/** A diagnostic's text as it is to be read, and the lines that it stands for. */
export interface Written {
  readonly text: string
  readonly lines: readonly number[]
  readonly dropped: readonly Dropped[]
}

/**
 * Errors first, each with its marked excerpt; then warnings, those with one message together: the head once, every
 * place, the helps, no excerpts. Lints made errors (they have no code) that occur more than once are grouped likewise.
 */
export function writeBlocks(blocks: readonly RustBlock[], lines: readonly string[]): Written[] {
  const groups = new Map<string, RustBlock[]>()
  for (const block of blocks) {
    const key = [block.head, ...block.notes].join('\n')
    const group = groups.get(key)
    if (group) group.push(block)
    else groups.set(key, [block])
  }
  const errors: Written[] = []
  const warnings: Written[] = []
  for (const group of groups.values()) {
    const first = group[0]
    if (!first) continue
    if (first.level === 'warning') warnings.push(together(group))
    else if (group.length > 1 && first.head.startsWith('error: ')) errors.push(together(group))
    else for (const block of group) errors.push(whole(block, lines))
  }
  return [...errors, ...warnings]
}

function whole(block: RustBlock, lines: readonly string[]): Written {
  return {
    text: block.shown.map((i) => (i === block.from ? withLint(block.head, block.lint) : (lines[i] ?? ''))).join('\n'),
    lines: [...block.shown, ...block.drawn],
    dropped: block.dropped,
  }
}

function together(group: readonly RustBlock[]): Written {
  const places = new Map<string, string[]>()
  let lint = ''
  const restated: number[] = []
  const dropped: Dropped[] = []
  for (const block of group) {
    if (lint === '') lint = block.lint
    if (block.path !== '') {
      const known = places.get(block.path)
      if (!known) places.set(block.path, [block.place])
      else if (!known.includes(block.place)) known.push(block.place)
    }
    const own = new Map(block.dropped.map((entry) => [entry.line, entry.what]))
    const drawn = new Set(block.drawn)
    for (let i = block.from; i < block.to; i += 1) {
      // The head and the place behind the arrow stand in the group's words.
      if (i < block.from + 2 || drawn.has(i)) restated.push(i)
      else dropped.push({ line: i, what: own.get(i) ?? 'source excerpts' })
    }
  }
  const first = group[0]
  const head = withLint(first?.head ?? '', lint)
  const arrows = [...places].map(([path, at]) => ` --> ${path}:${at.join(', ')}`)
  const notes = (first?.notes ?? []).map((note) => `  ${withCode(note, first?.suggested ?? '')}`)
  return {
    text: [head, ...arrows, ...notes].join('\n'),
    lines: restated,
    dropped,
  }
}

const withLint = (head: string, lint: string): string => (lint === '' ? head : `${head} (${lint})`)

/** A help that says nothing without its code (`change this to`) has the first line of it. */
function withCode(note: string, code: string): string {
  return note.startsWith('help: ') && !note.includes('`') && code !== '' && code.length <= 100
    ? `${note}: \`${code.trim()}\``
    : note
}
