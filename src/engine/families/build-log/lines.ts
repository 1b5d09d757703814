/** What make, ninja and cmake write around the output of the commands that they run. */

/** A command that make echoes: compilers, archivers and what prepares a build. */
const COMPILER =
  /^(?:: && )?(?:[A-Z_]{2,20}=\S{1,200} )?(?:\S{0,300}\/)?(?:[a-z0-9_]{1,20}-){0,5}(?:gcc|g\+\+|cc|c\+\+|clang|clang\+\+|ld|lld|ar|ranlib|nvcc|objcopy|windres|libtool|ccache|sccache|distcc|mkdir|rm|cp|mv|ln|moc|uic|rcc|protoc|bison)(?:-\d{1,3}(?:\.\d{1,3})?)? \S|^\/bin\/(?:ba|da)?sh \S{0,300}libtool /
/** Commands that are words of English too: only with an option, a path or an assignment behind them. */
const WORD = /^(?:\S{0,300}\/)?(?:g?make|install|strip|touch|flex) (?:-\S|\S{1,300}[/=]\S)/
/** `  CC      foo.o`: how the kernel, automake and others write their commands when they are quiet. */
const QUIET_COMMAND =
  /^ {1,4}(?:CC|CXX|CPP|LD|AR|AS|GEN|UPD|CHK|CALL|LINK|CCLD|CXXLD|CCAS|HOSTCC|HOSTCXX|HOSTLD|HOSTAR|OBJCOPY|STRIP|MKDIR|INSTALL|DESCEND|SYNC|WRAP|COPY|LDS|SYSHDR|SHIPPED|DTC|MODPOST|RANLIB|RUSTC)(?: ?\[M\])? {1,12}\S{1,400}$/
const NINJA_STEP = /^\[\d{1,7}\/\d{1,7}\] /
const CMAKE_STEP =
  /^\[ {0,2}\d{1,3}%\] (?:Building|Generating|Linking|Creating|Copying|Automatic|Running|Performing|Completed|No |Built target )/
const CMAKE_CHORE = /^(?:Consolidate compiler generated dependencies|Scanning dependencies) of target /
/** A check of cmake's configure step that found what it looked for, or is about to look. */
const CHECK =
  /^-- (?:Detecting \S.*|Check(?:ing)? .*|Looking for .*|Performing Test .*|The \S{1,20} compiler identification is .*|Found \S.*)$/
const UNMET = /not found|[Ff]ailed|NOTFOUND|Could NOT|\b[Nn]o$|broken|NO$/

export const ENTERING = /^\S{0,300}make(?:\[\d{1,3}\])?: Entering directory |^ninja: Entering directory /
const LEAVING = /^\S{0,300}make(?:\[\d{1,3}\])?: Leaving directory /
/** make's own word that something failed, for a recipe with the status it ended with. */
const MAKE_FAILED = /^\S{0,300}make(?:\[\d{1,3}\])?: \*\*\* /
const RECIPE_FAILED = /^\S{0,300}make(?:\[\d{1,3}\])?: \*\*\* \[.{1,4000}\] (?:Error \d|\w)/
export const NINJA_FAILED = /^FAILED: /
const VERDICT = /^ninja: |^CMake Error|^-- Configuring /

export type BuildLine =
  | 'command'
  | 'step'
  | 'chore'
  | 'check'
  | 'entering'
  | 'leaving'
  | 'recipe-failed'
  | 'failed'
  | 'ninja-failed'
  | 'verdict'
  | 'other'

/** What kind of line it is; what no build tool wrote is `other`. */
export function kindOf(line: string): BuildLine {
  if (NINJA_STEP.test(line) || CMAKE_STEP.test(line)) return 'step'
  if (ENTERING.test(line)) return 'entering'
  if (LEAVING.test(line)) return 'leaving'
  if (RECIPE_FAILED.test(line)) return 'recipe-failed'
  if (MAKE_FAILED.test(line)) return 'failed'
  if (NINJA_FAILED.test(line)) return 'ninja-failed'
  if (VERDICT.test(line) || (line.endsWith('Stop.') && line.includes(' *** '))) return 'verdict'
  if (CMAKE_CHORE.test(line)) return 'chore'
  if (CHECK.test(line)) return UNMET.test(line) ? 'other' : 'check'
  return COMPILER.test(line) || WORD.test(line) || QUIET_COMMAND.test(line) ? 'command' : 'other'
}

const OBJECT = /\.(?:o|obj|lo)$/
/** Object files in a row beyond this many are folded into their number. */
const MANY_OBJECTS = 4

/** A command with long runs of object files folded: `ar qc libparts.a [41 object files]`. */
export function foldObjects(line: string): string {
  const words: string[] = []
  let run: string[] = []
  const flush = (): void => {
    if (run.length > MANY_OBJECTS) words.push(`[${run.length} object files]`)
    else words.push(...run)
    run = []
  }
  for (const word of line.split(' ')) {
    if (OBJECT.test(word)) run.push(word)
    else {
      flush()
      words.push(word)
    }
  }
  flush()
  return words.join(' ')
}
