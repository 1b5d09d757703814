import type { Family } from '../family.ts'
import { ciLog } from './ci-log.ts'
import { docker } from './docker.ts'
import { gitStatus } from './git-status.ts'
import { goTest } from './go-test.ts'
import { json } from './json.ts'
import { kubectl } from './kubectl.ts'
import { log } from './log.ts'
import { npm } from './npm.ts'
import { terraform } from './terraform.ts'

/** Every family, in the order in which they are asked whether a text is theirs. */
export const families: readonly Family[] = [ciLog, goTest, gitStatus, docker, kubectl, terraform, npm, log, json]
