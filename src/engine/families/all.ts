import { matchesCommand, type Program } from '../command.ts'
import type { Family } from '../family.ts'
import { biome } from './biome.ts'
import { cargoBuild } from './cargo-build.ts'
import { cargoNextest } from './cargo-nextest.ts'
import { cargoTest } from './cargo-test.ts'
import { cmake } from './cmake.ts'
import { ctest } from './ctest.ts'
import { docker } from './docker.ts'
import { isDocument, printsWritten } from './document.ts'
import { eslint } from './eslint.ts'
import { find } from './find.ts'
import { flake8 } from './flake8.ts'
import { gcc } from './gcc.ts'
import { gitDiff } from './git-diff.ts'
import { gitLog } from './git-log.ts'
import { gitStatus } from './git-status.ts'
import { goBuild, goVet } from './go-compile.ts'
import { goTest } from './go-test.ts'
import { golangciLint } from './golangci-lint.ts'
import { gradle } from './gradle.ts'
import { grep } from './grep.ts'
import { jest } from './jest.ts'
import { json } from './json.ts'
import { kubectl } from './kubectl.ts'
import { log } from './log.ts'
import { ls } from './ls.ts'
import { make } from './make.ts'
import { maven } from './maven.ts'
import { mocha } from './mocha.ts'
import { mypy } from './mypy.ts'
import { ninja } from './ninja.ts'
import { nodeTest } from './node-test.ts'
import { npm } from './npm.ts'
import { playwright } from './playwright.ts'
import { prettier } from './prettier.ts'
import { pylint } from './pylint.ts'
import { pytest } from './pytest.ts'
import { ruff } from './ruff.ts'
import { terraform } from './terraform.ts'
import { tree } from './tree.ts'
import { tsc } from './tsc.ts'
import { unittest } from './unittest.ts'
import { vitest } from './vitest.ts'

/** Every family, in the order in which they are asked whether a text is theirs. */
export const families: readonly Family[] = [
  goTest,
  gitStatus,
  tsc,
  eslint,
  ruff,
  mypy,
  pylint,
  flake8,
  biome,
  prettier,
  golangciLint,
  goBuild,
  goVet,
  docker,
  kubectl,
  terraform,
  npm,
  pytest,
  vitest,
  jest,
  cargoNextest,
  cargoTest,
  cargoBuild,
  ctest,
  maven,
  gradle,
  ninja,
  make,
  cmake,
  gcc,
  mocha,
  nodeTest,
  playwright,
  unittest,
  gitDiff,
  gitLog,
  grep,
  find,
  ls,
  tree,
  log,
  json,
]

/** Of a huge text so many lines at each end tell whose it is: what opens a run, and its verdict. */
const TELLING = 5000

/** The family of one program's output: by the command where that names one, else by the text. */
export function familyOf(program: Program | null, lines: readonly string[]): Family | null {
  const named =
    program && families.find((family) => family.commands.some((command) => matchesCommand(program, command)))
  if (named) return named
  // What a document or source code quotes makes it no tool's output.
  if (printsWritten(program)) return null
  const telling = lines.length <= 4 * TELLING ? lines : lines.slice(0, TELLING).concat(lines.slice(-TELLING))
  const found = families.find((family) => family.detect(telling)) ?? null
  return found !== null && found !== json && isDocument(telling) ? null : found
}
