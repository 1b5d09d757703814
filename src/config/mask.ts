import {
  DEFAULT_BOUNDS,
  DEFAULT_POLICY,
  type MaskPolicy,
  type PolicyBounds,
  readOperatorPolicy,
} from '../engine/policy.ts'
import type { MaskSettings } from '../service/settings.ts'
import { type PathFault, unknownKey } from './issues.ts'
import { camelCase, snakeCase } from './names.ts'
import type { ConfigText } from './schema.ts'

type MaskText = NonNullable<ConfigText['mask']>

/** Keys of the policy that the reader takes from nobody, or that mean something else here. */
const OPERATORS = ['enabled', 'scales']
const POLICY_KEYS = ['preset', ...Object.keys(DEFAULT_POLICY)].filter((key) => !OPERATORS.includes(key)).map(snakeCase)
const OWN_KEYS = ['enabled', 'max_spills', 'memo_chars', 'scales', 'bounds']
const BOUNDED = [
  'toolProtectionThreshold',
  'minPrunableTokensThreshold',
  'recentTurnsToKeep',
  'maxRetainedChars',
] as const

/**
 * The settings of `mask`, over the defaults. The policy's keys are read as a request's are, so lists of protected tools and
 * synthetic messages add to the built-in ones.
 * @param faults what is wrong is added here, by path
 */
export function buildMask(text: MaskText, defaults: MaskSettings, faults: PathFault[]): MaskSettings {
  const { enabled, max_spills: maxSpills, memo_chars: memoChars, scales, bounds: boundsText, ...rest } = text
  const settings: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(rest)) {
    if (POLICY_KEYS.includes(key)) settings[camelCase(key)] = value
    else faults.push(unknownKey(['mask'], key, [...OWN_KEYS, ...POLICY_KEYS]))
  }
  const bounds = buildBounds(boundsText ?? {}, faults)
  // The operator's own come first, so that they go over the built-in ones.
  const own = Object.entries(scales ?? {}).map(([model, scale]) => ({ model, scale }))
  let policy: MaskPolicy = { ...defaults.policy, scales: [...own, ...defaults.policy.scales] }
  const read = readOperatorPolicy(settings, policy)
  if (read.ok) policy = read.value
  else {
    const [key = '', ...entry] = read.pointer.split('/').slice(1)
    faults.push({ path: ['mask', snakeCase(key), ...entry.map(Number)], message: read.message })
  }
  for (const key of BOUNDED) {
    const [min, max] = bounds[key]
    const value = policy[key]
    if (min > max || (value >= min && value <= max)) continue
    const name = snakeCase(key)
    faults.push({
      path: ['mask', name in rest ? name : 'bounds'],
      message: `${name} is ${value}, outside its own bounds ${min} to ${max}`,
    })
  }
  return {
    enabled: enabled ?? defaults.enabled,
    policy,
    bounds,
    maxSpills: maxSpills ?? defaults.maxSpills,
    memoChars: memoChars ?? defaults.memoChars,
  }
}

function buildBounds(text: NonNullable<MaskText['bounds']>, faults: PathFault[]): PolicyBounds {
  const known = BOUNDED.map(snakeCase)
  for (const [key, { min = 0, max = Number.MAX_SAFE_INTEGER }] of Object.entries(text)) {
    if (!known.includes(key)) faults.push(unknownKey(['mask', 'bounds'], key, known))
    else if (min > max) faults.push({ path: ['mask', 'bounds', key], message: 'min has to be at most max' })
  }
  const of = (key: keyof PolicyBounds): readonly [number, number] => {
    const set = text[snakeCase(key)]
    const [min, max] = DEFAULT_BOUNDS[key]
    return [set?.min ?? min, set?.max ?? max]
  }
  return {
    toolProtectionThreshold: of('toolProtectionThreshold'),
    minPrunableTokensThreshold: of('minPrunableTokensThreshold'),
    recentTurnsToKeep: of('recentTurnsToKeep'),
    maxRetainedChars: of('maxRetainedChars'),
  }
}
