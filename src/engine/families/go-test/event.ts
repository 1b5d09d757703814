/** One event of `go test -json` (cmd/test2json), as far as it is read here. */
export interface TestEvent {
  readonly action: string
  readonly pkg: string
  readonly test: string
  /** The output without its line end, and whether it has one; `''` and false where there is none. */
  readonly text: string
  readonly ended: boolean
}

/** @returns null for a line that is no test event */
export function readEvent(line: string): TestEvent | null {
  const reader = new EventReader()
  return reader.read(line) ? reader : null
}

/** What an event's Output says; the line itself where it is no event (cut off, or printed by another program). */
export function viewOfEvent(line: string): string {
  return readEvent(line)?.text ?? line
}

const TIME = '{"Time":"'
const SAYS = '","Action":"output","Package":"'
const ACTION = '","Action":"'
const PACKAGE = '","Package":"'
const TEST = '","Test":"'
const OUTPUT = '","Output":"'
const ELAPSED = '","Elapsed":'
const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN = 0x7b
const CLOSE = 0x7d
const LETTER_N = 0x6e
const POINT = 0x2e
const ZERO = 0x30
const NINE = 0x39

/** Reads a stream line by line, and is the event that was read last: most are of the same package and test as the next. */
export class EventReader implements TestEvent {
  action = ''
  pkg = ''
  test = ''
  text = ''
  ended = false
  // Of the event before, where it was read without JSON.parse.
  private likelyPkg = ''
  private likelyTest = ''

  /** Whether the line is an event. */
  read(line: string): boolean {
    if (line.charCodeAt(0) !== OPEN || line.charCodeAt(line.length - 1) !== CLOSE) return false
    return this.scan(line) || this.parse(line)
  }

  /**
   * Reads an event as `go test` writes it: members in this order, no spaces, no escapes but in the output. Of anything
   * else JSON.parse decides. Twice as fast as that, for streams of many megabytes.
   */
  private scan(line: string): boolean {
    if (!line.startsWith(TIME)) return false
    let at = line.indexOf('"', TIME.length)
    if (line.charCodeAt(at - 1) === BACKSLASH) return false
    let action: string | null = 'output'
    if (line.startsWith(SAYS, at)) at += SAYS.length
    else {
      if (!line.startsWith(ACTION, at)) return false
      at += ACTION.length
      action = plainAt(line, at, 'run')
      if (action === null || action === '' || !line.startsWith(PACKAGE, at + action.length)) return false
      at += action.length + PACKAGE.length
    }
    const pkg = plainAt(line, at, this.likelyPkg)
    if (pkg === null) return false
    at += pkg.length
    let test: string | null = ''
    if (line.startsWith(TEST, at)) {
      at += TEST.length
      test = plainAt(line, at, this.likelyTest)
      if (test === null) return false
      at += test.length
    }
    if (line.startsWith(OUTPUT, at)) {
      if (!this.scanOutput(line, at + OUTPUT.length)) return false
    } else {
      if (!endsAt(line, at)) return false
      this.text = ''
      this.ended = false
    }
    this.action = action
    this.pkg = this.likelyPkg = pkg
    this.test = this.likelyTest = test
    return true
  }

  /** Reads the string that stands at `from` and ends the event. */
  private scanOutput(line: string, from: number): boolean {
    const end = line.length - 2
    const escaped = line.indexOf('\\', from)
    // Nearly every output ends in its only escape, the line feed.
    const ended = escaped === end - 2 && line.charCodeAt(end - 1) === LETTER_N
    if ((escaped < 0 || ended) && line.indexOf('"', from) === end) {
      this.text = line.slice(from, ended ? escaped : end)
      this.ended = ended
      return true
    }
    const output = escaped < 0 ? null : parseString(line.slice(from - 1, end + 1))
    if (output !== null) this.say(output)
    return output !== null
  }

  private say(output: string): void {
    this.ended = output.endsWith('\n')
    this.text = this.ended ? output.slice(0, -1) : output
  }

  private parse(line: string): boolean {
    let value: unknown
    try {
      value = JSON.parse(line)
    } catch {
      return false
    }
    if (typeof value !== 'object' || value === null) return false
    const text = (key: string): string => {
      const member: unknown = Reflect.get(value, key)
      return typeof member === 'string' ? member : ''
    }
    const action = text('Action')
    if (action === '') return false
    this.action = action
    this.pkg = text('Package') || text('ImportPath')
    this.test = text('Test')
    this.say(text('Output'))
    return true
  }
}

/** The string that stands at `from`; null where it holds an escape. @param likely what it mostly is */
function plainAt(line: string, from: number, likely: string): string | null {
  if (likely !== '' && line.charCodeAt(from + likely.length) === QUOTE && line.startsWith(likely, from)) return likely
  const text = line.slice(from, line.indexOf('"', from))
  return text.includes('\\') ? null : text
}

/** Whether the event ends behind the quote at `from`, or behind the seconds that stand there. */
function endsAt(line: string, from: number): boolean {
  const end = line.length - 1
  if (from === end - 1) return true
  if (!line.startsWith(ELAPSED, from)) return false
  for (let at = from + ELAPSED.length; at < end; at += 1) {
    const unit = line.charCodeAt(at)
    if ((unit < ZERO || unit > NINE) && unit !== POINT) return false
  }
  return true
}

/** @returns null for what is no JSON string */
function parseString(json: string): string | null {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'string' ? value : null
  } catch {
    return null
  }
}
