import { isObject } from './history/value.ts'
import { DEFAULT_BOUNDS, DEFAULT_POLICY, PRESETS } from './policy-defaults.ts'
import { type Draft, READERS } from './policy-readers.ts'

export {
  DEFAULT_BOUNDS,
  DEFAULT_POLICY,
  PRESETS,
  PROTECTED_TOOLS,
  SYNTHETIC_USER_MESSAGES,
  TERMINAL_TOOLS,
} from './policy-defaults.ts'

/** The least and the most that one estimated token may count for. */
export const MIN_SCALE = 0.25
export const MAX_SCALE = 4

/** How masking decides; every size is in estimated tokens unless it says otherwise. */
export interface MaskPolicy {
  readonly enabled: boolean
  /** Decide and report, change nothing. */
  readonly dryRun: boolean
  /** Budget of the newest tool outputs that stay whole. */
  readonly toolProtectionThreshold: number
  /** What an event has to free, net of the stubs. */
  readonly minPrunableTokensThreshold: number
  /** Results after the last assistant message are whole and count towards no budget. */
  readonly protectLatestTurn: boolean
  /** Human turns that stay whole. */
  readonly recentTurnsToKeep: number
  /** An output of up to this many characters is never masked. */
  readonly maxRetainedChars: number
  /** Names or globs of tools whose results are never masked. */
  readonly protectedTools: readonly string[]
  /** Lists of names or globs: a tool's results may be masked where every list names it. No list: all tools. */
  readonly maskableTools: readonly (readonly string[])[]
  /** Ids of calls whose results stay whole. */
  readonly pinned: readonly string[]
  /** Globs of user messages that start no human turn. */
  readonly syntheticUserMessages: readonly string[]
  /** Results over this many tokens are filtered wherever they stand; null for none. */
  readonly filterAtBirth: number | null
  /** A repeated call whose result is byte for byte that of before points to it, from the first. */
  readonly dedupeCalls: boolean
  /**
   * An event takes place only where the rewritten cache is paid back, at the prices below, within this many times the
   * calls made so far: a session is taken to go on for about as long as it has lasted. Null: not asked.
   */
  readonly maxPayback: number | null
  /** Old images and documents are masked, too; the newest result that holds any stays whole. */
  readonly maskMedia: boolean
  /** The newest read of each path stays whole. */
  readonly keepLatestRead: boolean
  /** Tokens of the model for one estimated token, whatever the model; null: by the model, from `scales`. */
  readonly scale: number | null
  /** The same by model: the first entry whose glob matches the model's name counts; none matches: 1. The operator's alone. */
  readonly scales: readonly ModelScale[]
  readonly thinking: 'auto' | 'keep' | 'strip' | 'wait'
  /** Prices as shares of the base input price, for the report and for `maxPayback`. */
  readonly cacheWritePrice: number
  readonly cacheReadPrice: number
}

/** How many tokens of a model's own one estimated token is. */
export interface ModelScale {
  /** Glob of the model's name. */
  readonly model: string
  readonly scale: number
}

/** Bounds that the operator sets for what a request may ask. */
export interface PolicyBounds {
  readonly toolProtectionThreshold: Bounds
  readonly minPrunableTokensThreshold: Bounds
  readonly recentTurnsToKeep: Bounds
  readonly maxRetainedChars: Bounds
}

type Bounds = readonly [min: number, max: number]

export interface PolicyFault {
  readonly ok: false
  /** RFC 6901, into the policy. */
  readonly pointer: string
  readonly message: string
}

type Checked<T> = { readonly ok: true; readonly value: T } | PolicyFault

/**
 * The policy for one request: the operator's, or a preset the request names, with the request's settings over it.
 * Strict: an unknown setting or a value of the wrong kind is a fault with its pointer. Thresholds are held within the
 * operator's bounds without a fault; protections are only added: lists that protect grow, and what the operator protects
 * (the latest turn, the latest reads, everything where masking is off or a dry run) stays so, whatever the request says.
 */
export function readPolicy(
  request: unknown,
  operator: MaskPolicy = DEFAULT_POLICY,
  bounds: PolicyBounds = DEFAULT_BOUNDS,
): Checked<MaskPolicy> {
  if (request === undefined || request === null) return { ok: true, value: operator }
  const read = readOperatorPolicy(request, operator)
  if (!read.ok) return read
  const { value } = read
  return {
    ok: true,
    value: {
      ...value,
      enabled: operator.enabled && value.enabled,
      protectLatestTurn: operator.protectLatestTurn || value.protectLatestTurn,
      keepLatestRead: operator.keepLatestRead || value.keepLatestRead,
      dryRun: operator.dryRun || value.dryRun,
      toolProtectionThreshold: within(value.toolProtectionThreshold, bounds.toolProtectionThreshold),
      minPrunableTokensThreshold: within(value.minPrunableTokensThreshold, bounds.minPrunableTokensThreshold),
      recentTurnsToKeep: within(value.recentTurnsToKeep, bounds.recentTurnsToKeep),
      maxRetainedChars: within(value.maxRetainedChars, bounds.maxRetainedChars),
    },
  }
}

/** The operator's own policy: as a request's, without bounds, and what is protected by default may be switched off. */
export function readOperatorPolicy(from: unknown, defaults: MaskPolicy = DEFAULT_POLICY): Checked<MaskPolicy> {
  if (!isObject(from)) return fault('', 'a policy is an object of settings')
  const settings: Draft = {}
  for (const [key, value] of Object.entries(from)) {
    const read = READERS.get(key)
    if (!read) return fault(`/${key}`, `unknown setting; known are ${[...READERS.keys()].join(', ')}`)
    const problem = read(value, settings)
    if (problem) return fault(`/${key}${problem.at}`, problem.message)
  }
  const { preset, ...rest } = settings
  const fromPreset: Partial<MaskPolicy> = preset === undefined ? {} : (PRESETS.get(preset) ?? {})
  return {
    ok: true,
    value: {
      ...defaults,
      ...fromPreset,
      ...rest,
      maskableTools: [...defaults.maskableTools, ...(rest.maskableTools ?? fromPreset.maskableTools ?? [])],
      protectedTools: union(defaults.protectedTools, rest.protectedTools),
      pinned: union(defaults.pinned, rest.pinned),
      syntheticUserMessages: union(defaults.syntheticUserMessages, rest.syntheticUserMessages),
    },
  }
}

function fault(pointer: string, message: string): PolicyFault {
  return { ok: false, pointer, message }
}

function within(value: number, [min, max]: readonly [number, number]): number {
  return Math.min(Math.max(value, min), max)
}

function union(own: readonly string[], added: readonly string[] | undefined): readonly string[] {
  return added === undefined ? own : [...new Set([...own, ...added])]
}
