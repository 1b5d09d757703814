import type { Rule } from '../engine/rules.ts'
import { loadPatterns } from '../service/pattern.ts'
import { defaultSettings, type Settings } from '../service/settings.ts'
import { readDocument } from './document.ts'
import { ConfigError, writePath } from './fault.ts'
import { buildGuard } from './guard.ts'
import { faultsOf, keysAt, type PathFault, unknownKey } from './issues.ts'
import { buildLimits } from './limits.ts'
import { buildMask } from './mask.ts'
import { buildRules } from './rules.ts'
import { type ConfigText, configSchema, type RuleText } from './schema.ts'
import { buildStore } from './store.ts'

/** A configuration that was read. */
export interface Config {
  readonly settings: Settings
  readonly rules: readonly Rule[]
  /** The rules as they were written, with their tests; at each index the text of the rule there. */
  readonly ruleTexts: readonly RuleText[]
}

/**
 * Reads an operator's configuration, YAML or JSON, over the defaults. Strict: what is not known, or can't be meant, is a
 * fault. All faults of form are told at once; where there are none, all faults of meaning (patterns, rules, bounds).
 * @param source what to call the text in messages: its path, or the variable that holds it
 * @throws ConfigError
 */
export async function parseConfig(text: string, source: string): Promise<Config> {
  const document = await readDocument(text.startsWith('\uFEFF') ? text.slice(1) : text, source)
  const result = configSchema.safeParse(document.value ?? {}, { reportInput: true })
  const faults: PathFault[] = result.success ? [] : result.error.issues.flatMap(faultsOf)
  if (result.success) faults.push(...prototypeKeys(document.value, []))
  const config = result.success ? await build(result.data, faults) : null
  if (config !== null && faults.length === 0) return config
  const located = faults.map(async ({ path, message, onKey }) => ({
    position: await document.locate(path, onKey && 'key'),
    path: writePath(path),
    message,
  }))
  const told = await Promise.all(located)
  throw new ConfigError(
    source,
    told.sort((a, b) => a.position.line - b.position.line || a.position.column - b.position.column),
  )
}

/** Keys named `__proto__`, which schemas pass over in silence where other keys may stand. */
function prototypeKeys(value: unknown, path: readonly PropertyKey[]): PathFault[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => {
    const at = [...path, Array.isArray(value) ? Number(name) : name]
    return name === '__proto__' ? [unknownKey(path, name, keysAt(path))] : prototypeKeys(member, at)
  })
}

async function build(text: ConfigText, faults: PathFault[]): Promise<Config> {
  const { filters = {}, mask = {}, store = {}, guard = {}, limits = {} } = text
  const own = defaultSettings.filters
  const ruleTexts = filters.rules ?? []
  const rules = ruleTexts.length === 0 ? [] : buildRules(ruleTexts, await loadPatterns(), faults)
  const settings: Settings = {
    hint: text.hint ?? defaultSettings.hint,
    filters: {
      enabled: filters.enabled ?? own.enabled,
      failMode: filters.fail_mode ?? own.failMode,
      maxContentBytes: filters.max_content_bytes ?? own.maxContentBytes,
      closedChars: filters.closed_chars ?? own.closedChars,
      options: {
        ...own.options,
        smallOutput: filters.small_output ?? own.options.smallOutput,
        smallKnownOutput: filters.small_known_output ?? own.options.smallKnownOutput,
        genericBudget: filters.generic_budget ?? own.options.genericBudget,
        signalBudget: filters.signal_budget ?? own.options.signalBudget,
        rules,
      },
    },
    mask: buildMask(mask, defaultSettings.mask, faults),
    store: buildStore(store, defaultSettings.store),
    guard: buildGuard(guard, defaultSettings.guard, faults),
    limits: buildLimits(limits, defaultSettings.limits),
  }
  return { settings, rules, ruleTexts }
}
