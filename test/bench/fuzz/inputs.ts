import { type FilterContext, planFilter, renderFilter } from '../../../src/engine/filter.ts'
import { PLACEHOLDER_ID } from '../../../src/engine/marker.ts'
import { contextOf, type Fixture } from '../../support/fixtures.ts'
import type { Random } from './random.ts'

export interface FuzzInput {
  readonly text: string
  readonly context: FilterContext
  /** Which recordings it is made of, and how. */
  readonly made: string
}

/** So many lines of a recording are taken: what is at stake shows in few. */
const MOST_LINES = 2500

type Mutation = (lines: string[], random: Random) => string[]

const ODD_LINES = [
  '',
  '\r',
  'progress 10%\rprogress 55%\rdone',
  '\u001b[31mred\u001b[0m text\u001b[K',
  '\u001b[2K\u001b[1Gredrawn',
  '\u001b]8;;file:///a\u0007link\u001b]8;;\u0007',
  '[filtered: 12 lines elided: passing tests]',
  '3 places, each with its {}: TS7006: Parameter {} is wrong',
  ' a.ts 1:2 x; 3:4 y',
  '名前が見つかりません 🚀👩‍👩‍👧',
  '\u0000\u0007\ufeff\u2028',
  'Error: no such thing',
  'src/store.ts:12:3: error: expected 3, got 4',
  'panic: runtime error: index out of range',
  '{"Action":"fail","Package":"a/b","Test":"TestX"}',
  '{"level":"error","msg":"no"}',
  '}',
  '[',
  'FAIL',
  'ok',
  '0 failed',
  'token ok',
  '5 passed',
] as const

const mutations: Readonly<Record<string, Mutation>> = {
  cut: (lines, random) => lines.slice(0, random.int(lines.length + 1)),
  tail: (lines, random) => lines.slice(random.int(lines.length + 1)),
  'cut in a line': (lines, random) => {
    const text = lines.join('\n')
    return text.slice(0, random.int(text.length + 1)).split('\n')
  },
  'begin in a line': (lines, random) => {
    const text = lines.join('\n')
    return text.slice(random.int(text.length + 1)).split('\n')
  },
  duplicate: (lines, random) => {
    const from = random.int(lines.length + 1)
    const part = lines.slice(from, from + 1 + random.int(40))
    return [...lines.slice(0, from), ...repeated(part, 1 + random.int(30)), ...lines.slice(from)]
  },
  shuffle: (lines, random) => {
    const from = random.int(lines.length + 1)
    const to = from + random.int(100)
    const part = lines.slice(from, to)
    for (let i = part.length - 1; i > 0; i -= 1) {
      const j = random.int(i + 1)
      ;[part[i], part[j]] = [part[j] ?? '', part[i] ?? '']
    }
    return [...lines.slice(0, from), ...part, ...lines.slice(to)]
  },
  drop: (lines, random) => lines.filter(() => !random.oneIn(8)),
  'odd lines': (lines, random) => lines.flatMap((line) => (random.oneIn(12) ? [random.pick(ODD_LINES), line] : [line])),
  controls: (lines, random) =>
    lines.map((line) => {
      if (!random.oneIn(6)) return line
      const at = random.int(line.length + 1)
      return `${line.slice(0, at)}${random.pick(['\u001b[1;32m', '\u001b[K', '\b', '\r', '\t', '\u009b2K'])}${line.slice(at)}`
    }),
  crlf: (lines) => lines.map((line) => `${line}\r`),
  indent: (lines, random) => {
    const by = random.pick([' ', '    ', '\t', '| ', '2026-01-02T03:04:05.678Z ', '#12 3.4 '])
    return lines.map((line) => by + line)
  },
  'very long line': (lines, random) => {
    const at = random.int(lines.length + 1)
    const part = random.pick(['a', 'x ', '🚀', '"', '(', '{"a":', 'Error: ', lines[at] ?? 'b']) || 'c'
    return [...lines.slice(0, at), part.repeat(1 + random.int(6000 / part.length + 1)), ...lines.slice(at)]
  },
  'lone surrogate': (lines, random) => {
    const at = random.int(lines.length + 1)
    return [...lines.slice(0, at), `x${random.pick(['\ud83d', '\ude80'])}y`, ...lines.slice(at)]
  },
  digits: (lines, random) =>
    lines.map((line) => (random.oneIn(4) ? line.replace(/\d/g, () => `${random.int(10)}`) : line)),
}

const repeated = (part: readonly string[], times: number): string[] => Array.from({ length: times }, () => part).flat()

/** A mutated output; some are spliced from two recordings, or from one and its own filtered form. */
export function makeInput(fixtures: readonly [Fixture, ...Fixture[]], random: Random): FuzzInput {
  const first = random.pick(fixtures)
  const made = [`${first.family}/${first.name}`]
  let lines = linesOf(first, random)
  if (random.oneIn(3)) {
    const second = random.pick(fixtures)
    const at = random.int(lines.length + 1)
    made.push(`with ${second.family}/${second.name}`)
    lines = [...lines.slice(0, at), ...linesOf(second, random), ...(random.oneIn(2) ? lines.slice(at) : [])]
  }
  if (random.oneIn(12)) {
    const plan = planFilter(first.text, contextOf(first))
    made.push('with its filtered form')
    if (plan.changed) lines = [...lines, ...renderFilter(plan, PLACEHOLDER_ID).split('\n')]
  }
  const names = Object.keys(mutations)
  for (let n = random.int(4); n > 0; n -= 1) {
    const name = random.pick(names) ?? ''
    // A lone surrogate ends all that is to be tried: rarely.
    if (name === 'lone surrogate' && !random.oneIn(10)) continue
    made.push(name)
    lines = mutations[name]?.(lines, random) ?? lines
  }
  const text = `${lines.slice(0, 3 * MOST_LINES).join('\n')}${random.oneIn(2) ? '\n' : ''}`
  return { text, context: contextFor(first, random.pick(fixtures), random), made: made.join(', ') }
}

function linesOf(fixture: Fixture, random: Random): string[] {
  const lines = fixture.text.split('\n')
  if (lines.length <= MOST_LINES) return lines
  const from = random.int(lines.length - MOST_LINES)
  return lines.slice(from, from + MOST_LINES)
}

function contextFor(own: Fixture, other: Fixture, random: Random): FilterContext {
  const command = random.pick([
    own.command,
    own.command,
    own.command,
    `${own.command} 2>&1 | tail -50`,
    `${own.command} || true`,
    other.command,
    undefined,
  ])
  const exitCode = random.pick([own.exitCode ?? undefined, own.exitCode ?? undefined, 0, 1, undefined])
  return {
    ...(command !== undefined && { command }),
    ...(exitCode !== undefined && { exitCode }),
    ...(random.oneIn(4) && { maxTokens: 2 ** (5 + random.int(8)) + random.int(30) }),
    ...(random.oneIn(8) && { hint: 'see {id}] for more' }),
  }
}
