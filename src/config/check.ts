import { tryRule } from '../engine/rule-trial.ts'
import type { Config } from './settings.ts'

/** A test of a rule that came out otherwise than it says. */
export interface RuleTestFailure {
  /** `rule 3, test 1`, both counted from 1. */
  readonly name: string
  readonly difference: string
}

/** Runs the tests that a configuration's rules bring. */
export function runRuleTests({ rules, ruleTexts, settings }: Config): { ran: number; failures: RuleTestFailure[] } {
  const failures: RuleTestFailure[] = []
  let ran = 0
  for (const rule of rules) {
    for (const [index, test] of (ruleTexts[rule.number - 1]?.tests ?? []).entries()) {
      ran += 1
      const name = `rule ${rule.number}, test ${index + 1}`
      const example = { input: test.input, command: test.command, exitCode: test.exit_code }
      const { chosen, text, refused } = tryRule(rule, rules, example, settings.filters.options)
      if (test.command !== undefined && chosen !== rule.number) {
        const holds = chosen === null ? 'no rule holds' : `rule ${chosen} holds first`
        failures.push({ name, difference: `${holds} for ${JSON.stringify(test.command)}` })
      } else if (text === null) failures.push({ name, difference: refused ?? '' })
      else {
        const difference = differenceOf(test.expect, text)
        if (difference !== null) failures.push({ name, difference })
      }
    }
  }
  return { ran, failures }
}

/** The lines around the first that differs; null for texts that agree, a last line feed apart. */
function differenceOf(expected: string, actual: string): string | null {
  const wanted = linesOf(expected)
  const got = linesOf(actual)
  const length = Math.max(wanted.length, got.length)
  for (let i = 0; i < length; i += 1) {
    if (wanted[i] !== got[i]) return `line ${i + 1}\n  expected: ${shown(wanted[i])}\n  got:      ${shown(got[i])}`
  }
  return null
}

function linesOf(text: string): string[] {
  const bare = text.replace(/\n$/, '')
  return bare === '' ? [] : bare.split('\n')
}

function shown(line: string | undefined): string {
  return line === undefined ? '(no line)' : JSON.stringify(line)
}
