import type { Fates } from '../../strategies/fates.ts'

const FRAME = /^\s{1,20}at (?:[\w.@-]{1,200}\/{1,2}){0,2}([\w$.<>]{1,1000})\(.*\)(?: ~?\[.{1,300}\])?$/
const MORE = /^\s{1,20}\.\.\. \d{1,6} (?:more|common frames omitted)$/
/** Packages of the platform, of test libraries and of build tools: their frames seldom tell where to look. */
const LIBRARY =
  /^(?:java|javax|jakarta|jdk|sun|com\.sun|kotlin|kotlinx|scala|groovy|org\.(?:junit|opentest4j|hamcrest|mockito|assertj|testng|apache\.maven|gradle|codehaus|spockframework|springframework|jetbrains|scalatest|hibernate)|worker\.org\.gradle|net\.bytebuddy|io\.(?:netty|micrometer)|reactor|rx|com\.google\.common)\./
/** The user's frames of one exception beyond this many go too: the first ones tell where it came from. */
const MOST = 8

/** Stack traces: the user's own frames stay, those of libraries go; a trace of libraries alone keeps its first frame. */
export function foldJavaFrames(lines: readonly string[], fates: Fates): void {
  for (let i = 0; i < lines.length; ) {
    if (!isTrace(lines[i] ?? '')) {
      i += 1
      continue
    }
    const from = i
    let user = 0
    for (; i < lines.length && isTrace(lines[i] ?? ''); i += 1) {
      const name = FRAME.exec(lines[i] ?? '')?.[1]
      if (name !== undefined && !LIBRARY.test(name)) {
        user += 1
        if (user > MOST) fates.drop(i, 'further frames')
      } else fates.drop(i, 'library frames')
    }
    if (user === 0 && FRAME.test(lines[from] ?? '')) fates.keep(from)
    fates.group(from, i)
  }
}

const isTrace = (line: string): boolean => FRAME.test(line) || MORE.test(line)
