import type { Family } from '../family.ts'
import { biome } from './biome.ts'
import { ciLog } from './ci-log.ts'
import { docker } from './docker.ts'
import { eslint } from './eslint.ts'
import { find } from './find.ts'
import { flake8 } from './flake8.ts'
import { gitDiff } from './git-diff.ts'
import { gitLog } from './git-log.ts'
import { gitStatus } from './git-status.ts'
import { goBuild, goVet } from './go-compile.ts'
import { goTest } from './go-test.ts'
import { golangciLint } from './golangci-lint.ts'
import { grep } from './grep.ts'
import { jest } from './jest.ts'
import { kubectl } from './kubectl.ts'
import { ls } from './ls.ts'
import { mypy } from './mypy.ts'
import { npm } from './npm.ts'
import { prettier } from './prettier.ts'
import { pylint } from './pylint.ts'
import { pytest } from './pytest.ts'
import { ruff } from './ruff.ts'
import { terraform } from './terraform.ts'
import { tree } from './tree.ts'
import { tsc } from './tsc.ts'
import { vitest } from './vitest.ts'

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
  docker,
  kubectl,
  terraform,
  npm,
  pytest,
  vitest,
  jest,
  gitDiff,
  gitLog,
  grep,
  find,
  ls,
  tree,
]
