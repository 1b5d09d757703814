import { isTrouble, type LogRecord, readRecords } from './record.ts'
import { readTemplate, type Template } from './template.ts'

/** Records that say the same, apart from values. */
export interface Group {
  readonly records: LogRecord[]
  readonly templates: Template[]
  /** A warning, an error, a trace, or a line without stamp that says that the program ended. */
  readonly trouble: boolean
  readonly traced: boolean
}

const ENDED =
  /\bKilled\b|\bOOM|[Oo]ut of memory|oom-kill|SIG(?:TERM|KILL|SEGV|ABRT)|core dumped|exit(?:ed)? (?:status|with|code)|panic:|fatal|terminated by|shut ?down|recover|Exception|Traceback|[Ff]ailed|refused|denied/

/** Groups the records by level, template and trace, in order of first occurrence. */
export function groupRecords(lines: readonly string[]): { groups: Group[]; records: LogRecord[] } {
  const records = readRecords(lines)
  const groups = new Map<string, Group>()
  for (const record of records) {
    const template = readTemplate(record.body)
    const traced = record.to - record.from > 1
    const under: string[] = []
    for (let i = record.from + 1; i < record.to; i += 1) under.push(readTemplate(lines[i] ?? '').key)
    const key = [record.level, template.key, ...under].join('\n')
    const group = groups.get(key)
    if (group) {
      group.records.push(record)
      group.templates.push(template)
    } else
      groups.set(key, {
        records: [record],
        templates: [template],
        trouble: isTrouble(record.level) || traced || ENDED.test(record.body),
        traced,
      })
  }
  return { groups: [...groups.values()], records }
}
