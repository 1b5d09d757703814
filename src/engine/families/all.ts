import type { Family } from '../family.ts'
import { ciLog } from './ci-log.ts'
import { gitStatus } from './git-status.ts'
import { goTest } from './go-test.ts'
import { jest } from './jest.ts'
import { mocha } from './mocha.ts'
import { nodeTest } from './node-test.ts'
import { playwright } from './playwright.ts'
import { pytest } from './pytest.ts'
import { unittest } from './unittest.ts'
import { vitest } from './vitest.ts'

/** Every family, in the order in which they are asked whether a text is theirs. */
export const families: readonly Family[] = [
  ciLog,
  goTest,
  gitStatus,
  pytest,
  vitest,
  jest,
  playwright,
  mocha,
  unittest,
  nodeTest,
]
