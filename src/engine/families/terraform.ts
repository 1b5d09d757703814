import type { Draft } from '../draft.ts'
import type { Family } from '../family.ts'
import { elideKnown, type KnownLine } from '../strategies/known-lines.ts'
import { condenseEvents, isEventStream, viewOfEvent } from './terraform/events.ts'

const KNOWN: readonly KnownLine[] = [
  [
    /^\S.{0,400}: (?:Refreshing state\.\.\.|Reading\.\.\.|Read complete after |Preparing import\.\.\.|Provisioning with )/,
    'unchanged resources',
  ],
  [/^\S.{0,400}: Still (?:creating|destroying|modifying|reading)\.\.\. \[/, 'progress'],
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
const STARTED = /^(\S.{0,400}): (?:Creating|Destroying|Modifying)\.\.\.(?: \[id=.{0,400}\])?$/
const ENDED = /^(\S.{0,400}): (?:Creation|Destruction|Modifications) complete after /

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
  while (at < lines.length && lines[at] !== '    }') {
    const line = lines[at] ?? ''
    const name = UNKNOWN.exec(line)?.[1]
    if (name !== undefined) unknown.push(name)
    else if (line !== '') body.push(line.slice(4))
    at += 1
  }
  const closed = at < lines.length
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

/** The human form. A start goes where its end is said; one that never ended stays. */
function condenseText(lines: readonly string[], draft: Draft): void {
  const ended = new Set<string>()
  for (const line of lines) {
    const end = ENDED.exec(line)
    if (end?.[1] !== undefined) ended.add(end[1])
  }
  for (let i = 0; i < lines.length; ) {
    const line = lines[i] ?? ''
    const after = BLOCK.test(line) ? writeBlock(lines, i, draft) : i
    if (after > i) {
      i = after
      continue
    }
    const start = STARTED.exec(line)
    if (start?.[1] !== undefined && ended.has(start[1])) draft.elide('progress', [i])
    else elideKnown(lines, i, i + 1, KNOWN, draft)
    i += 1
  }
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
  condense({ lines }, draft) {
    if (isEventStream(lines)) {
      condenseEvents(lines, draft)
      return 'terraform-json'
    }
    condenseText(lines, draft)
    return 'terraform'
  },
  view: (line) => (line.startsWith('{"@level"') ? viewOfEvent(line) : line),
}
