import { MAX_GLOB_LENGTH } from './glob.ts'
import { isArray, isObject } from './history/value.ts'

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
  /** The newest read of each path stays whole. */
  readonly keepLatestRead: boolean
  readonly thinking: 'auto' | 'keep' | 'strip' | 'wait'
  /** Prices as shares of the base input price, for the report alone. */
  readonly cacheWritePrice: number
  readonly cacheReadPrice: number
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

/** Tools that carry state or decisions: their results stay at any age and size. */
export const PROTECTED_TOOLS: readonly string[] = [
  'skill',
  'activate_skill',
  'memory',
  'save_memory',
  'ask_user',
  'ask_user_question',
  'ask_user_choice',
  'AskUserQuestion',
  'todo',
  'TodoWrite',
  'todowrite',
  'todoread',
  'enter_plan_mode',
  'exit_plan_mode',
  'ExitPlanMode',
  'mem_save',
  'mem_get_observation',
  'mem_search',
  'mem_context',
  'mem_timeline',
  'subagent_run',
  'subagent_result',
  'subagent_status',
  'subagent_list_tasks',
  'subagent_continue',
  'gentle_review',
  'gentle_review_capture',
  'gentle_review_capture_group',
  'gentle_review_scope',
]

/** Tools whose results are a terminal's output. */
export const TERMINAL_TOOLS: readonly string[] = [
  'bash',
  'Bash',
  'BashOutput',
  'shell',
  'local_shell',
  'container.exec',
  'exec',
  'exec_command',
  'execute_command',
  'run_command',
  'run_shell_command',
  'run_in_terminal',
  'run_terminal_cmd',
  'terminal',
]

/** Messages of the user role that a harness writes, not a human. */
export const SYNTHETIC_USER_MESSAGES: readonly string[] = [
  'Subagent * (task *) finished.*',
  '<system-reminder>*</system-reminder>',
  '<task-notification>*</task-notification>',
]

export const DEFAULT_POLICY: MaskPolicy = {
  enabled: true,
  dryRun: false,
  toolProtectionThreshold: 50_000,
  minPrunableTokensThreshold: 30_000,
  protectLatestTurn: true,
  recentTurnsToKeep: 0,
  maxRetainedChars: 0,
  protectedTools: PROTECTED_TOOLS,
  maskableTools: [],
  pinned: [],
  syntheticUserMessages: SYNTHETIC_USER_MESSAGES,
  filterAtBirth: null,
  keepLatestRead: false,
  thinking: 'auto',
  cacheWritePrice: 1.25,
  cacheReadPrice: 0.1,
}

export const DEFAULT_BOUNDS: PolicyBounds = {
  toolProtectionThreshold: [0, Number.MAX_SAFE_INTEGER],
  minPrunableTokensThreshold: [0, Number.MAX_SAFE_INTEGER],
  recentTurnsToKeep: [0, Number.MAX_SAFE_INTEGER],
  maxRetainedChars: [0, Number.MAX_SAFE_INTEGER],
}

/** Named settings; a request's own settings beside `preset` go over them. */
export const PRESETS: ReadonlyMap<string, Partial<MaskPolicy>> = new Map<string, Partial<MaskPolicy>>([
  ['budget', {}],
  [
    'rolling-window',
    {
      toolProtectionThreshold: 0,
      minPrunableTokensThreshold: 0,
      recentTurnsToKeep: 2,
      maxRetainedChars: 4000,
      maskableTools: [TERMINAL_TOOLS],
    },
  ],
  // Measured cheapest on recorded sessions under a prompt cache: few events, each of a size that pays for the rewriting.
  ['cache-aware', { toolProtectionThreshold: 20_000, minPrunableTokensThreshold: 20_000 }],
])

const MAX_LIST = 1000
const THINKING = ['auto', 'keep', 'strip', 'wait'] as const

type Checked<T> = { readonly ok: true; readonly value: T } | PolicyFault

/**
 * The policy for one request: the operator's, or a preset the request names, with the request's settings over it.
 * Strict: an unknown setting or a value of the wrong kind is a fault with its pointer. Thresholds are held within the
 * operator's bounds without a fault; lists that protect only grow.
 */
export function readPolicy(
  request: unknown,
  operator: MaskPolicy = DEFAULT_POLICY,
  bounds: PolicyBounds = DEFAULT_BOUNDS,
): Checked<MaskPolicy> {
  if (request === undefined || request === null) return { ok: true, value: operator }
  if (!isObject(request)) return fault('', 'a policy is an object of settings')
  const settings: Draft = {}
  for (const [key, value] of Object.entries(request)) {
    const read = READERS.get(key)
    if (!read) return fault(`/${key}`, `unknown setting; known are ${[...READERS.keys()].join(', ')}`)
    const problem = read(value, settings)
    if (problem) return fault(`/${key}${problem.at}`, problem.message)
  }
  const { preset, ...rest } = settings
  const fromPreset = preset === undefined ? {} : (PRESETS.get(preset) ?? {})
  const merged = { ...operator, ...fromPreset, ...rest }
  return {
    ok: true,
    value: {
      ...merged,
      enabled: operator.enabled && merged.enabled,
      toolProtectionThreshold: within(merged.toolProtectionThreshold, bounds.toolProtectionThreshold),
      minPrunableTokensThreshold: within(merged.minPrunableTokensThreshold, bounds.minPrunableTokensThreshold),
      recentTurnsToKeep: within(merged.recentTurnsToKeep, bounds.recentTurnsToKeep),
      maxRetainedChars: within(merged.maxRetainedChars, bounds.maxRetainedChars),
      maskableTools: [...operator.maskableTools, ...(rest.maskableTools ?? fromPreset.maskableTools ?? [])],
      protectedTools: union(operator.protectedTools, rest.protectedTools),
      pinned: union(operator.pinned, rest.pinned),
      syntheticUserMessages: union(operator.syntheticUserMessages, rest.syntheticUserMessages),
    },
  }
}

type Draft = { -readonly [K in keyof MaskPolicy]?: MaskPolicy[K] } & { preset?: string }
type Problem = { readonly at: string; readonly message: string }
type Reader = (value: unknown, into: Draft) => Problem | null

function flag(key: 'enabled' | 'dryRun' | 'protectLatestTurn' | 'keepLatestRead'): [string, Reader] {
  return [
    key,
    (value, into) => {
      if (typeof value !== 'boolean') return here('must be true or false')
      into[key] = value
      return null
    },
  ]
}

function count(
  key: 'toolProtectionThreshold' | 'minPrunableTokensThreshold' | 'recentTurnsToKeep' | 'maxRetainedChars',
): [string, Reader] {
  return [
    key,
    (value, into) => {
      if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
        return here('must be a whole number, 0 or more')
      into[key] = value
      return null
    },
  ]
}

function price(key: 'cacheWritePrice' | 'cacheReadPrice'): [string, Reader] {
  return [
    key,
    (value, into) => {
      if (typeof value !== 'number' || !(value > 0) || value > 1000)
        return here('must be a number over 0, at most 1000')
      into[key] = value
      return null
    },
  ]
}

function list(key: 'protectedTools' | 'maskableTools' | 'pinned' | 'syntheticUserMessages'): [string, Reader] {
  return [
    key,
    (value, into) => {
      if (!isArray(value) || value.length > MAX_LIST) return here(`must be a list of at most ${MAX_LIST} strings`)
      const items: string[] = []
      for (const [index, item] of value.entries()) {
        if (typeof item !== 'string' || item === '' || item.length > MAX_GLOB_LENGTH)
          return { at: `/${index}`, message: `must be a string of 1 to ${MAX_GLOB_LENGTH} characters` }
        items.push(item)
      }
      if (key === 'maskableTools') into[key] = [items]
      else into[key] = items
      return null
    },
  ]
}

function choice<T extends string>(
  key: string,
  options: readonly T[],
  set: (into: Draft, value: T) => void,
): [string, Reader] {
  return [
    key,
    (value, into) => {
      const option = options.find((one) => one === value)
      if (option === undefined) return here(`must be one of ${options.join(', ')}`)
      set(into, option)
      return null
    },
  ]
}

const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  choice('preset', [...PRESETS.keys()], (into, value) => {
    into.preset = value
  }),
  flag('enabled'),
  flag('dryRun'),
  count('toolProtectionThreshold'),
  count('minPrunableTokensThreshold'),
  flag('protectLatestTurn'),
  count('recentTurnsToKeep'),
  count('maxRetainedChars'),
  list('protectedTools'),
  list('maskableTools'),
  list('pinned'),
  list('syntheticUserMessages'),
  [
    'filterAtBirth',
    (value, into) => {
      if (value === false || value === null) into.filterAtBirth = null
      else if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) into.filterAtBirth = value
      else return here('must be false, or a whole number of tokens over 0')
      return null
    },
  ],
  flag('keepLatestRead'),
  choice('thinking', THINKING, (into, value) => {
    into.thinking = value
  }),
  price('cacheWritePrice'),
  price('cacheReadPrice'),
])

function here(message: string): Problem {
  return { at: '', message }
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
