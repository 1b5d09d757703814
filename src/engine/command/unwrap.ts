import type { Program } from '../command.ts'
import { SHELLS, WRAPPERS, type Wrapper } from './wrappers.ts'

/** What a simple command runs: a program, a command line of its own (`bash -c '…'`), or what can't be told. */
export type Runs =
  | { readonly kind: 'program'; readonly program: Program }
  | { readonly kind: 'line'; readonly text: string; readonly pipefail: boolean; readonly errexit: boolean }
  | { readonly kind: 'unknown' }

const UNKNOWN: Runs = { kind: 'unknown' }
const ASSIGNMENT = /^[A-Za-z_][A-Za-z0-9_]*=/
const PYTHON = /^(?:python|pypy)[0-9.]*$|^py$/
const PYTHON_VALUED = ['-X', '-W']
/** They run a program once for many inputs: several outputs in one. */
const MULTIPLIERS = new Set(['xargs', 'parallel'])

/** Takes wrappers off, one after another. @param words a simple command's name and arguments; at least one */
export function unwrap(words: readonly string[]): Runs {
  let at = 0
  let form: Form = 'program'
  for (;;) {
    const word = words[at]
    if (word === undefined) return UNKNOWN
    const name = programName(word, form)
    if (MULTIPLIERS.has(name)) return UNKNOWN
    if (SHELLS.has(name)) return shellLine(words, at) ?? program(name, words, at)
    if (name === 'eval') return { kind: 'line', text: words.slice(at + 1).join(' '), pipefail: false, errexit: false }
    const module = PYTHON.test(name) ? pythonModule(words, at) : name === 'coverage' ? coverageModule(words, at) : -1
    if (module >= 0) {
      // Modules are programs by another way: `python -m pytest`, `coverage run -m pytest`.
      if (words[module] !== 'coverage') return program(words[module] ?? '', words, module)
      at = module
      continue
    }
    if (name === 'npx' && (words[at + 1] === '-c' || words[at + 1] === '--call'))
      return { kind: 'line', text: words[at + 2] ?? '', pipefail: false, errexit: false }
    // `command -v go` looks a program up and runs none.
    if (name === 'command' && /^-[vV]+$/.test(words[at + 1] ?? '')) return program(name, words, at)
    const inner = innerWord(name, words, at)
    if (inner === null) return program(name, words, at)
    at = inner.at
    form = inner.form
  }
}

function program(name: string, words: readonly string[], at: number): Runs {
  return { kind: 'program', program: { name, args: words.slice(at + 1) } }
}

/** Where the wrapped program stands; null where `name` wraps none here. */
function innerWord(name: string, words: readonly string[], at: number): { at: number; form: Form } | null {
  for (const wrapper of WRAPPERS.get(name) ?? []) {
    let i = skipOptions(words, at + 1, wrapper)
    let fits = true
    for (const word of wrapper.words) {
      fits &&= words[i] === word
      i = skipOptions(words, i + 1, wrapper)
    }
    if (!fits) continue
    for (let operand = 0; operand < wrapper.operands; operand += 1) i += 1
    while (ASSIGNMENT.test(words[i] ?? '')) i += 1
    if (words[i] === '--') i += 1
    const word = words[i]
    if (word === undefined) continue
    if (wrapper.only !== null && !wrapper.only.has(programName(word, 'script'))) continue
    return { at: i, form: wrapper.only !== null ? 'script' : wrapper.packages ? 'package' : 'program' }
  }
  return null
}

function skipOptions(words: readonly string[], from: number, { valued }: Wrapper): number {
  let i = from
  for (;;) {
    const word = words[i]
    if (word === undefined || !word.startsWith('-') || word === '-') return i
    if (word === '--') return i + 1
    i += valued.includes(word) ? 2 : 1
  }
}

/** `bash -c 'line'`, `sh -lc`, `bash -eo pipefail -c`; null for a script or an interactive shell. */
function shellLine(words: readonly string[], at: number): Runs | null {
  let pipefail = false
  let errexit = false
  let command = false
  for (let i = at + 1; ; i += 1) {
    const word = words[i]
    if (word === undefined) return null
    if (word === '-o' || word === '+o') {
      i += 1
      pipefail ||= words[i] === 'pipefail'
    } else if (/^-[A-Za-z]+$/.test(word)) {
      command ||= word.includes('c')
      errexit ||= word.includes('e')
      if (word.endsWith('o')) {
        i += 1
        pipefail ||= words[i] === 'pipefail'
      }
    } else if (!word.startsWith('-')) return command ? { kind: 'line', text: word, pipefail, errexit } : null
  }
}

/** Index of the module's name in `python -u -m pytest`; -1 where no module is run. */
function pythonModule(words: readonly string[], at: number): number {
  for (let i = at + 1; ; i += 1) {
    const word = words[i]
    if (word === undefined || !word.startsWith('-') || word === '-c') return -1
    if (/^-[A-Za-z]*m$/.test(word)) return i + 1 < words.length ? i + 1 : -1
    if (PYTHON_VALUED.includes(word)) i += 1
  }
}

function coverageModule(words: readonly string[], at: number): number {
  if (words[at + 1] !== 'run') return -1
  for (let i = at + 2; words[i]?.startsWith('-'); i += 1)
    if (words[i] === '-m' || words[i] === '--module') return i + 1 < words.length ? i + 1 : -1
  return -1
}

/** How a program is named: by its executable, by a package that may have a version, or by a script of Node's. */
type Form = 'program' | 'package' | 'script'

/**
 * Base name of an executable, of POSIX or Windows, without the endings that Windows adds: `@biomejs/biome@2` is `biome`,
 * `node_modules/vitest/vitest.mjs` is `vitest`.
 */
function programName(word: string, form: Form): string {
  const base = word.slice(Math.max(word.lastIndexOf('/'), word.lastIndexOf('\\')) + 1)
  const name = base.replace(/\.(?:exe|cmd|bat|com)$/i, '')
  if (form === 'script') return name.replace(/\.[cm]?js$/, '')
  const version = form === 'package' ? name.indexOf('@', 1) : -1
  return version < 0 ? name : name.slice(0, version)
}
