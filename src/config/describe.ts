import type { ModelScale } from '../engine/policy.ts'
import { defaultSettings, type Settings } from '../service/settings.ts'
import { snakeCase } from './names.ts'
import { LINE_KEYS, type RuleText } from './schema.ts'

const DAY = 86_400_000

/** One line a setting, as the configuration may have it; what differs from its default says so. */
export function describeSettings(settings: Settings): string[] {
  const defaults = new Map(flat(defaultSettings))
  return flat(settings).map(([name, value]) => {
    const usual = defaults.get(name)
    return `${name}: ${value}${usual === value ? '' : `  (default ${usual ?? 'none'})`}`
  })
}

/** `rule 3: match "^make\\b": strip_lines (2), max_lines 40` */
export function describeRule(rule: RuleText, number: number): string {
  const when = rule.when === undefined ? '' : ` when ${rule.when}`
  const does =
    rule.strategy === undefined
      ? LINE_KEYS.flatMap((key) => (rule[key] === undefined ? [] : [`${key} ${JSON.stringify(rule[key])}`]))
      : [`strategy ${rule.strategy}`]
  return `rule ${number}: match ${JSON.stringify(rule.match)}${when}: ${does.join(', ')}`
}

/** Of several scales for one model the first counts. */
function isFirst({ model }: ModelScale, place: number, scales: readonly ModelScale[]): boolean {
  return scales.findIndex((each) => each.model === model) === place
}

function flat({ filters, mask, store, guard, limits, hint }: Settings): [string, string][] {
  const { options, ...filter } = filters
  const { rules: _, ...sizes } = options
  const { policy, bounds, ...masking } = mask
  const { enabled: __, scales, maskableTools, maxPayback, filterAtBirth, ...thresholds } = policy
  const { http, ...checks } = guard
  const { rate, ...single } = limits
  const sections = {
    filters: { ...filter, ...sizes },
    mask: {
      ...masking,
      ...thresholds,
      // What is off, or has no limit, is written as the file has it.
      maxPayback: maxPayback ?? false,
      filterAtBirth: filterAtBirth ?? false,
      maskableTools: maskableTools.length === 0 ? ['*'] : maskableTools.flat(),
      scales: Object.fromEntries(scales.filter(isFirst).map(({ model, scale }) => [model, scale])),
    },
    'mask.bounds': Object.fromEntries(Object.entries(bounds).map(([key, [min, max]]) => [key, { min, max }])),
    store: {
      timeoutMs: store.timeoutMs,
      ttlDays: store.ttlMs / DAY,
      tenants: Object.fromEntries(Array.from(store.ttlMsByTenant, ([name, ms]) => [name, { ttl_days: ms / DAY }])),
      cacheBytes: store.cacheBytes,
      maxBytes: store.maxBytes,
    },
    guard: checks,
    ...(http && { 'guard.http': http }),
    limits: single,
    ...(rate && { 'limits.rate': rate }),
  }
  const rows: [string, string][] = [['hint', JSON.stringify(hint)]]
  for (const [section, values] of Object.entries(sections)) {
    for (const [name, value] of Object.entries(values))
      rows.push([`${section}.${snakeCase(name)}`, JSON.stringify(value)])
  }
  return rows
}
