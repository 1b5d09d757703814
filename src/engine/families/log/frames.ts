const PYTHON = /^\s+File "([^"]{1,500})", line \d+/
const PYTHON_LIBRARY = /\/(?:site-packages|dist-packages|lib\/python\d(?:\.\d+)?)\/|^<frozen /
const LIBRARY =
  /^\s+at (?:async )?(?:(?:java|javax|jakarta|jdk|sun|com\.sun|kotlin|kotlinx|scala|org\.springframework|org\.apache|org\.hibernate|org\.eclipse\.jetty|io\.netty|reactor\.|ch\.qos|akka\.)[.\w$]|.{0,300}(?:\(node:|\/node_modules\/|\(internal\/|node:internal))/

/** For each line of a trace whether it belongs to a library's frame; none where every frame is a library's. */
export function libraryFrames(lines: readonly string[]): boolean[] {
  let library = false
  let user = 0
  const marks = lines.map((line) => {
    const python = PYTHON.exec(line)
    if (python?.[1] !== undefined) {
      library = PYTHON_LIBRARY.test(python[1])
      if (!library) user += 1
    } else if (/^\s+at /.test(line)) {
      library = LIBRARY.test(line)
      if (!library) user += 1
      const mark = library
      library = false
      return mark
    } else if (!/^\s{4}/.test(line)) library = false
    return library
  })
  return user === 0 ? lines.map(() => false) : marks
}
