import { withoutStamp } from '../../text/normal.ts'

/** One entry of a log: its first line, and the lines of a stack trace or detail under it. */
export interface LogRecord {
  readonly from: number
  readonly to: number
  /** As the log writes it; empty where the line has none. */
  readonly stamp: string
  /** Upper case, in a common form (`WARN`, `ERROR`); empty where the line has none. */
  readonly level: string
  /** The first line without its stamp and process ids: what groups are made by. */
  readonly body: string
}

/** `10.0.0.1 - - [30/Nov/2026:04:12:11 +0000] "GET / HTTP/1.1" 200 …`: the common log form of web servers. */
const ACCESS =
  /^(\S{1,100} \S{1,100} \S{1,100}) \[(\d\d\/[A-Z][a-z]{2}\/\d{4}[: ]\d\d:\d\d:\d\d(?: [+-]\d{4})?)\] (?=")/
/** The request and its status; size, referrer and agent after them make no group of their own. */
const REQUEST = /^"[^"]{0,2000}" ([1-5])\d\d(?= )/
/** Kubernetes components: `E1130 04:04:28.870557   10309 memcache.go:265] …`. */
const KLOG = /^([EWIF])(\d{4} \d\d:\d\d:\d\d\.\d{6}) +\d{1,8} /
const SYSLOG = /^(?:<\d{1,3}>)?([A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d) \S{1,100} /
const BRACKETED = /^\[(?:\d{4}[-/]\d\d[-/]\d\d|\d\d\/[A-Z][a-z]{2}\/\d{4})[T: ]\d\d:\d\d:\d\d[^\]]{0,20}\] /
/** `[28829] `, `[error] 4247#4247: *426 `, `sshd[812]: `. */
const PROCESS =
  /^(?:\[\d{1,10}\] |(\[[a-z]{1,8}\] )\d{1,10}#\d{1,10}: (?:\*\d{1,12} )?|([\w./-]{1,60})\[\d{1,10}\](?=: ))/
const LEVEL =
  /(?:^|[\s[|<(])(TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|ERR|CRIT|CRITICAL|SEVERE|FATAL|PANIC|ALERT|EMERG|LOG|DETAIL|HINT|CONTEXT|QUERY|STATEMENT)(?=[\s\]|>):]|$)|\[(debug|info|notice|warn|error|crit|alert|emerg)\]|(?:^|\s)(?:level|lvl|severity)="?([A-Za-z]{3,8})\b/
const COMMON: ReadonlyMap<string, string> = new Map([
  ['WARNING', 'WARN'],
  ['ERR', 'ERROR'],
  ['CRITICAL', 'CRIT'],
  ['SEVERE', 'ERROR'],
])

export interface Head {
  readonly stamp: string
  readonly level: string
  readonly body: string
  /**
   * Where the body begins in the line, for a body that is the line's own text from there on, whatever values stand in it;
   * -1 for any other.
   */
  readonly at: number
  /** In a body: where the word that tells the level ends; -1 where none does. */
  readonly levelEnd: number
}

/** What may be a process id in another line. */
const LIKE_PROCESS = /^(?:\[\d|\[[a-z]{1,8}\] \d|[\w./-]{1,200}\[\d{1,200}\]: )/
/** The level stands in a body's first characters. */
export const LEVEL_WITHIN = 120

/** What begins a record: a stamp, or a level where the log has no stamps; null for any other line. */
export function readHead(line: string): Head | null {
  const access = ACCESS.exec(line)
  if (access?.[2] !== undefined) {
    const request = REQUEST.exec(line.slice(access[0].length))
    const level = request?.[1] === undefined ? '' : `${request[1]}XX`
    const body = `${access[1]} ${request?.[0] ?? line.slice(access[0].length)}`
    return { stamp: access[2], level, body, at: -1, levelEnd: -1 }
  }
  const klog = KLOG.exec(line)
  if (klog?.[1] !== undefined && klog[2] !== undefined) {
    const level = { E: 'ERROR', W: 'WARN', F: 'FATAL' }[klog[1]] ?? 'INFO'
    return { stamp: klog[2], level, body: line.slice(klog[0].length), at: -1, levelEnd: -1 }
  }
  const stamp =
    (SYSLOG.exec(line) ?? BRACKETED.exec(line))?.[0] ?? line.slice(0, line.length - withoutStamp(line).length)
  const body = line.slice(stamp.length)
  const found = LEVEL.exec(body.slice(0, LEVEL_WITHIN))
  const word = (found?.[1] ?? found?.[2] ?? found?.[3] ?? '').toUpperCase()
  if (stamp === '' && (word === '' || /^\s/.test(line))) return null
  return {
    stamp: SYSLOG.exec(stamp)?.[1] ?? stamp.trim().replace(/:$/, ''),
    level: COMMON.get(word) ?? word,
    body: body.replace(PROCESS, '$1$2'),
    at: LIKE_PROCESS.test(body) ? -1 : stamp.length,
    levelEnd: found === null ? -1 : found.index + found[0].length,
  }
}

const TRACE = /^Traceback \(|^\s+at |^\s+File "|^Caused by: |^The above exception|^During handling|^goroutine \d/
const MORE =
  /^(?:Traceback \(|The above exception|During handling|Caused by: |Suppressed: |goroutine \d|[\w.$]{0,200}(?:Error|Exception)\b)/
const LAST_WORD = /^[\w.$]{1,200}(?::|$)/

/** Whether a line without a head belongs to the record above it. @param trace whether that holds a trace already */
export const goesOn = (line: string, before: string, trace: boolean): boolean =>
  line === '' || /^\s/.test(line) || MORE.test(line) || (trace && /^\s/.test(before) && LAST_WORD.test(line))

export const opensTrace = (line: string): boolean => TRACE.test(line)

export const isTrouble = (level: string): boolean =>
  /^(?:WARN|ERROR|CRIT|FATAL|PANIC|ALERT|EMERG|DETAIL|HINT|CONTEXT|[45]XX)$/.test(level)
