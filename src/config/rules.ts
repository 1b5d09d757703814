import { countsOnly, decisiveCommandOf, type Rule, strategyNames } from '../engine/rules.ts'
import type { LineRules, LineTest } from '../engine/strategies/line-rules.ts'
import type { CompilePattern } from '../service/pattern.ts'
import type { PathFault } from './issues.ts'
import { LINE_KEYS, type RuleText } from './schema.ts'

/**
 * Makes the engine's rules of their text: compiles the patterns, and refuses what can't be meant.
 * @param faults what is wrong is added here, by path
 */
export function buildRules(texts: readonly RuleText[], compilePattern: CompilePattern, faults: PathFault[]): Rule[] {
  return texts.map((text, index) => buildRule(text, index, compilePattern, faults))
}

function buildRule(text: RuleText, index: number, compilePattern: CompilePattern, faults: PathFault[]): Rule {
  const at = ['filters', 'rules', index]
  const compile = (pattern: string, ...path: readonly PropertyKey[]): LineTest => {
    const made = compilePattern(pattern)
    if (typeof made === 'function') return made
    faults.push({ path: [...at, ...path], message: made.fault })
    return () => false
  }
  const match = compile(text.match, 'match')
  const lineKeys = LINE_KEYS.filter((key) => text[key] !== undefined)
  const number = index + 1
  const when = text.when ?? null

  const { strategy } = text
  if (strategy !== undefined) {
    if (lineKeys.length > 0) {
      faults.push({
        path: [...at, lineKeys[0] ?? ''],
        message: 'a rule has a strategy or keys for lines, not both: leave one out, or make it two rules',
        onKey: true,
      })
    }
    if (!strategyNames.includes(strategy)) {
      faults.push({ path: [...at, 'strategy'], message: `unknown strategy; known are ${strategyNames.join(', ')}` })
    }
    const decisive = countsOnly(strategy) ? decisiveCommandOf(match, text.match) : null
    if (decisive !== null) {
      faults.push({
        path: [...at, 'strategy'],
        message: `${strategy} puts counts in the place of items, and the rule matches "${decisive}", whose items decide what comes next: use dedup, or a narrower pattern`,
      })
    }
    return { number, match, when, action: { kind: 'strategy', name: strategy } }
  }

  if (lineKeys.length === 0) {
    faults.push({ path: at, message: `the rule does nothing: give it a strategy, or one of ${LINE_KEYS.join(', ')}` })
  }
  if (text.strip_lines && text.keep_lines) {
    faults.push({
      path: [...at, 'keep_lines'],
      message: 'a rule has strip_lines or keep_lines, not both: leave one out',
      onKey: true,
    })
  }
  const patterns = (key: 'strip_lines' | 'keep_lines'): LineTest[] | undefined =>
    text[key]?.map((pattern, entry) => compile(pattern, key, entry))
  const stripLines = patterns('strip_lines')
  const keepLines = patterns('keep_lines')
  const rules: LineRules = {
    ...(stripLines && { stripLines }),
    ...(keepLines && { keepLines }),
    ...(text.dedup !== undefined && { dedup: text.dedup }),
    ...(text.truncate_lines_at !== undefined && { truncateLinesAt: text.truncate_lines_at }),
    ...(text.head_lines !== undefined && { headLines: text.head_lines }),
    ...(text.tail_lines !== undefined && { tailLines: text.tail_lines }),
    ...(text.max_lines !== undefined && { maxLines: text.max_lines }),
    ...(text.on_empty !== undefined && { onEmpty: text.on_empty }),
  }
  return { number, match, when, action: { kind: 'lines', rules } }
}
