/** Reading Go's goroutine dumps: which lines are frames of the runtime or the standard library. */

const GOROUTINE = /^goroutine \d+ (?:gp=\S+ m=\S+ (?:mp=\S+ )?)?\[/
/** `\t/usr/local/go/src/testing/testing.go:1690 +0x1b` or, without GOROOT in the binary, `\tsrc/runtime/…`. */
const LIBRARY_PLACE =
  /^\s+(?:\S*\/go(?:-?[\d.]+)?\/src\/|\S*\/toolchain@[^/]*\/src\/|\S*\/libexec\/src\/|(?:runtime|testing|reflect|internal|sync|net|syscall|os)\/)\S*:\d+(?: \+0x[0-9a-f]+)?$|^\s+_testmain\.go:\d+/
const PLACE = /^\s+\S+\.(?:go|s|c):\d+(?: \+0x[0-9a-f]+)?$/

/**
 * Marks the lines of a dump that may go: frames (call line and place line) in the runtime or the standard library.
 * User frames, goroutine headings and everything else stay.
 * @returns for each line whether it is such a frame
 */
export function libraryFrames(lines: readonly string[]): readonly boolean[] {
  const library = new Array<boolean>(lines.length).fill(false)
  let inDump = false
  for (let i = 0; i < lines.length; i += 1) {
    const line = lines[i] ?? ''
    if (GOROUTINE.test(line.trimStart())) inDump = true
    else if (inDump && PLACE.test(line)) {
      if (!LIBRARY_PLACE.test(line)) continue
      library[i] = true
      const call = lines[i - 1] ?? ''
      if (
        i > 0 &&
        !PLACE.test(call) &&
        !GOROUTINE.test(call.trimStart()) &&
        /[\w)]\(|^\s*created by |^\s*panic\(/.test(call)
      )
        library[i - 1] = true
    } else if (line.trim() !== '' && !mayBeFrame(line)) inDump = false
  }
  return library
}

/** `pkg.Func(args)`, `created by …`: the first line of a frame. */
function mayBeFrame(line: string): boolean {
  const open = line.indexOf('(')
  if (open >= 0 && line.lastIndexOf(')') > open) return true
  const text = line.trimStart()
  return text.startsWith('created by ') || text.startsWith('...additional frames')
}
