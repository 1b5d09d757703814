import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { runRuleTests } from '../config/check.ts'
import { describeRule, describeSettings } from '../config/describe.ts'
import { parseConfig } from '../config/settings.ts'

/** npm runs scripts in the package's folder, and tells of the one it was called in. */
const calledIn = process.env.INIT_CWD ?? process.cwd()

/** `npm run check-config FILE`: loads a configuration, prints what is in force, runs its rules' tests. Exits with 1 for any fault. */
async function main(file: string | undefined): Promise<number> {
  if (file === undefined) {
    console.error('Name the file: npm run check-config FILE')
    return 2
  }
  const path = resolve(calledIn, file)
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    console.error(`${path} can't be read: ${error instanceof Error ? error.message : String(error)}`)
    return 1
  }
  try {
    const config = await parseConfig(text, path)
    for (const line of describeSettings(config.settings)) console.log(line)
    if (config.rules.length === 0) console.log('no rules')
    for (const [index, rule] of config.ruleTexts.entries()) console.log(describeRule(rule, index + 1))
    const { ran, failures } = runRuleTests(config)
    for (const { name, difference } of failures) console.error(`${name}: ${difference}`)
    console.log(`${ran} rule tests, ${failures.length} failed`)
    return failures.length > 0 ? 1 : 0
  } catch (error) {
    if (!(error instanceof Error && error.name === 'ConfigError')) throw error
    console.error(error.message)
    return 1
  }
}

process.exitCode = await main(process.argv[2])
