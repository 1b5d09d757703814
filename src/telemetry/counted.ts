import type { TelemetryEvent, TelemetrySink } from '../service/ports.ts'

/** Sums since the process began, for a monitoring system to fetch. */
export interface Counted extends TelemetrySink {
  /** Counts an answer, refusals among them. @param route a row of the route table, never a path as it was asked for */
  answered(route: string, status: number): void
  /** The sums in Prometheus' text format (version 0.0.4). */
  text(): string
}

/** Most combinations of labels that are told apart; later ones count as `other`, so that memory is bounded. */
const MAX_SERIES = 500

const SUMS = [
  ['tokens_before', 'Estimated tokens that came in.', 'tokensBefore'],
  ['tokens_after', 'Estimated tokens that went out.', 'tokensAfter'],
  ['tokens_saved', 'Estimated tokens that went out less than came in.', 'tokensSaved'],
  ['input_bytes', 'Bytes that came in.', 'bytes'],
  ['masked', 'Tool results masked for the first time.', 'maskedNow'],
  ['spills', 'Outputs written to the store.', 'spills'],
] as const

interface Series {
  operations: number
  readonly sums: number[]
}

/** Counts events by operation, outcome and family. Tenants and routes are no labels: their number has no bound. */
export function createCountedSink(): Counted {
  const series = new Map<string, Series>()
  const answers = new Map<string, number>()

  function seriesOf({ operation, outcome, family }: TelemetryEvent): Series {
    const labels = labelsOf(operation, outcome, family)
    const known = series.get(labels)
    if (known) return known
    const name = series.size < MAX_SERIES ? labels : labelsOf(operation, 'other', 'other')
    const fresh = series.get(name) ?? { operations: 0, sums: SUMS.map(() => 0) }
    series.set(name, fresh)
    return fresh
  }

  return {
    record(event) {
      const into = seriesOf(event)
      into.operations += 1
      for (const [index, [, , field]] of SUMS.entries()) {
        // A counter never goes down and is always a finite number.
        const sum = (into.sums[index] ?? 0) + Math.max(0, event[field])
        if (Number.isFinite(sum)) into.sums[index] = sum
      }
    },
    answered(route, status) {
      const labels = `route="${quoted(route)}",status="${status}"`
      answers.set(labels, (answers.get(labels) ?? 0) + 1)
    },
    text() {
      const rows = [...series]
      return [
        ...counter('http_answers', 'Answers, by row of the route table.', [...answers]),
        ...counter(
          'operations',
          'Operations.',
          rows.map(([labels, { operations }]) => [labels, operations]),
        ),
        ...SUMS.flatMap(([name, help], i) =>
          counter(
            name,
            help,
            rows.map(([labels, { sums }]) => [labels, sums[i] ?? 0]),
          ),
        ),
        '',
      ].join('\n')
    },
  }
}

function counter(name: string, help: string, rows: readonly [labels: string, value: number][]): string[] {
  const full = `spillway_${name}_total`
  return [
    `# HELP ${full} ${help}`,
    `# TYPE ${full} counter`,
    ...rows.map(([labels, value]) => `${full}{${labels}} ${value}`),
  ]
}

function labelsOf(operation: string, outcome: string, family: string): string {
  return `operation="${quoted(operation)}",outcome="${quoted(outcome)}",family="${quoted(family)}"`
}

/** Label values as the format asks: backslash, quote and LF escaped; other control characters have no place in it. */
function quoted(value: string): string {
  const line = value
    .slice(0, 100)
    .toWellFormed()
    .replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029]/g, ' ')
  return line.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}
