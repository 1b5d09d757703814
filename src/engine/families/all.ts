import type { Family } from '../family.ts'
import { biome } from './biome.ts'
import { ciLog } from './ci-log.ts'
import { eslint } from './eslint.ts'
import { flake8 } from './flake8.ts'
import { gitStatus } from './git-status.ts'
import { goBuild, goVet } from './go-compile.ts'
import { goTest } from './go-test.ts'
import { golangciLint } from './golangci-lint.ts'
import { mypy } from './mypy.ts'
import { prettier } from './prettier.ts'
import { pylint } from './pylint.ts'
import { ruff } from './ruff.ts'
import { tsc } from './tsc.ts'

/** Every family, in the order in which they are asked whether a text is theirs. */
export const families: readonly Family[] = [
  ciLog,
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
]
