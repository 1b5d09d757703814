import type { Program } from '../command.ts'
import type { Draft } from '../draft.ts'
import type { Family } from '../family.ts'
import { elideKnown, type KnownLine } from '../strategies/known-lines.ts'
import { condenseEvents, isEventStream, viewOfEvent } from './terraform/events.ts'
import { type Step, unendedLines } from './terraform/unended.ts'

const KNOWN: readonly KnownLine[] = [
  [/^\S.{0,400}: (?:Refreshing state\.\.\.|Preparing import\.\.\.|Provisioning with )/, 'unchanged resources'],
  [
    /^(?:(?:Terraform|OpenTofu) used the selected providers to generate the following execution|plan\. Resource actions are indicated with the following symbols:|(?:Terraform|OpenTofu) will perform the following actions:)/,
    'explanations',
  ],
  [
    /^ {2}[+~-] (?:create|destroy|update in-place)$|^-\/\+ destroy and then create replacement|^\+\/- create replacement and then destroy|^ <= read \(data resources\)/,
    'explanations',
  ],
  [
    /^─{10,}$|^Note: You didn't use the -out option|^guarantee to take exactly these actions if you run "|^can't guarantee|^actions if you run/,
    'explanations',
  ],
  [/^$/, 'blank lines'],
]
/** `aws_instance.a: Creating...`, `… Still creating... [10s elapsed]`, `… Creation complete after 2s`. */
const STEP = new RegExp(
  [
    '^(\\S.{0,400}): (?:',
    '(?<start>Creating|Destroying|Modifying|Reading)\\.\\.\\.(?: \\[id=.{0,400}\\])?$|',
    'Still (?<still>creating|destroying|modifying|reading)\\.\\.\\. \\[|',
    '(?<end>Creation|Destruction|Modifications|Read) complete after )',
  ].join(''),
)
/** Letters that tell the kinds of operations apart. */
const KIND = 4
const VERDICT =
  /^(?:Plan: \d|No changes\.|Changes to Outputs:|You can apply this plan |This is a refresh-only plan|(?:Apply|Destroy) (?:complete!|cancelled\.))/
const APPLIED = /^(?:No changes\.|(?:Apply|Destroy) (?:complete!|cancelled\.))/
const ERROR = /^(?:│ )?Error: /

const BLOCK = /^ {2}# \S.{0,400}$/
/** `  + resource "aws_instance" "web" {`, `-/+ resource …`, ` <= data …`. */
const RESOURCE = /^ {0,2}([-+~<=/]{0,3}) (?:resource|data|action) "[^"]{1,200}"(?: "[^"]{1,200}")? \{$/
const UNKNOWN = /^ {6}\+ ([\w.-]{1,100}) += \(known after apply\)$/

/**
 * One resource of a plan, from its heading at `from`: the line that opens it says nothing that the heading does not,
 * and attributes that only an apply will tell share a line.
 * @returns the line after the block; `from` where it is none
 */
function writeBlock(lines: readonly string[], from: number, draft: Draft): number {
  let at = from + 1
  while (/^ {2}# \(/.test(lines[at] ?? '')) at += 1
  const symbol = RESOURCE.exec(lines[at] ?? '')?.[1]
  if (symbol === undefined) return from
  const head = lines.slice(from, at)
  const unknown: string[] = []
  const body: string[] = []
  at += 1
  // What is indented less does not belong to the block: the output was cut in it.
  while (at < lines.length && /^(?: {6}|$)/.test(lines[at] ?? '')) {
    const line = lines[at] ?? ''
    const name = UNKNOWN.exec(line)?.[1]
    if (name !== undefined) unknown.push(name)
    else if (line !== '') body.push(line.slice(4))
    at += 1
  }
  const closed = lines[at] === '    }'
  if (symbol.length > 1) head[0] = `${symbol} ${(head[0] ?? '').trim()}`
  if (unknown.length > 0) body.unshift(`  + ${unknown.join(', ')} = (known after apply)`)
  let end = closed ? at + 1 : at
  while (end < lines.length && lines[end] === '') end += 1
  draft.restate(
    [...head.map((line) => line.trim()), ...body].join('\n'),
    Array.from({ length: end - from }, (_, k) => from + k),
  )
  return end
}

/** The human form. A start goes where its end is said; one that never ended stays, with how long it has gone on. */
function condenseText(lines: readonly string[], program: Program | null, draft: Draft): void {
  const steps = lines.map(readStep)
  const unended = unendedLines(steps)
  const cut = whatIsCut(lines, steps, program)
  if (cut !== null) draft.restate(`incomplete: the output ends before the ${cut} does`, [])
  for (let i = 0; i < lines.length; ) {
    const after = BLOCK.test(lines[i] ?? '') ? writeBlock(lines, i, draft) : i
    if (after > i) {
      i = after
      continue
    }
    const step = steps[i]
    if (unended.has(i)) draft.keep(i)
    else if (step && READS.test(step.key)) draft.elide('unchanged resources', [i])
    else if (step && step.kind !== 'end') draft.elide('progress', [i])
    else elideKnown(lines, i, i + 1, KNOWN, draft)
    i += 1
  }
}

const READS = /^read /

function readStep(line: string): Step | null {
  const match = STEP.exec(line)
  const { start, still, end } = match?.groups ?? {}
  const word = start ?? still ?? end
  if (match === null || word === undefined) return null
  const kind = start !== undefined ? 'start' : still !== undefined ? 'still' : 'end'
  return { key: `${word.slice(0, KIND).toLowerCase()} ${match[1]}`, kind }
}

/** Which operation an output leaves without a verdict; null for none. */
function whatIsCut(
  lines: readonly string[],
  steps: readonly (Step | null)[],
  program: Program | null,
): 'plan' | 'apply' | null {
  const words = new Set(program?.args)
  if (words.has('show') || words.has('refresh') || lines.some((line) => ERROR.test(line))) return null
  const applies =
    words.has('apply') || words.has('destroy') || steps.some((step) => step !== null && !READS.test(step.key))
  if (lines.some((line) => (applies ? APPLIED : VERDICT).test(line))) return null
  return applies ? 'apply' : 'plan'
}

/** `terraform` and `tofu`: each resource action with what changes, errors whole, the plan's own summary. */
export const terraform: Family = {
  name: 'terraform',
  commands: ['terraform', 'tofu'].flatMap((program) =>
    ['plan', 'apply', 'destroy', 'refresh', 'show'].map((word) => `${program} ${word}`),
  ),
  decides: true,
  detect: (lines) =>
    isEventStream(lines) ||
    lines.slice(0, 400).some((line) => /^(?:Terraform|OpenTofu) will perform the following actions:$/.test(line)),
  condense({ lines, program }, draft) {
    if (isEventStream(lines)) {
      condenseEvents(lines, draft)
      return 'terraform-json'
    }
    condenseText(lines, program, draft)
    return 'terraform'
  },
  view: (line) => (line.startsWith('{"@level"') ? viewOfEvent(line) : line),
}
