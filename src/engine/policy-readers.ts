import { isCheapGlob, isGlob, MAX_GLOB_LENGTH, MAX_GLOBS, MAX_WILD_STRETCH } from './glob.ts'
import { isArray } from './history/value.ts'
import { MAX_SCALE, type MaskPolicy, MIN_SCALE } from './policy.ts'
import { PRESETS } from './policy-defaults.ts'

const MAX_LIST = 1000
const THINKING = ['auto', 'keep', 'strip', 'wait'] as const

/** The settings of a request as far as they are read. */
export type Draft = { -readonly [K in keyof MaskPolicy]?: MaskPolicy[K] } & { preset?: string }
/** What is wrong with a value, and where inside it. */
export type Problem = { readonly at: string; readonly message: string }
type Reader = (value: unknown, into: Draft) => Problem | null

function flag(
  key: 'enabled' | 'dryRun' | 'protectLatestTurn' | 'dedupeCalls' | 'maskMedia' | 'keepLatestRead',
): [string, Reader] {
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
        if (key !== 'pinned' && !isCheapGlob(item))
          return { at: `/${index}`, message: `may have at most ${MAX_WILD_STRETCH} characters with ? between two *` }
        items.push(item)
      }
      if (key !== 'pinned' && items.filter(isGlob).length > MAX_GLOBS)
        return here(`must hold at most ${MAX_GLOBS} entries with * or ?`)
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

/** Every setting that a request or a configuration may give, by name. */
export const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
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
  flag('dedupeCalls'),
  [
    'maxPayback',
    (value, into) => {
      if (value === false || value === null) into.maxPayback = null
      else if (typeof value === 'number' && value > 0 && value <= 1000) into.maxPayback = value
      else return here('must be false, or a number over 0, at most 1000')
      return null
    },
  ],
  flag('maskMedia'),
  flag('keepLatestRead'),
  [
    'scale',
    (value, into) => {
      if (value === null) into.scale = null
      else if (isScale(value)) into.scale = value
      else return here(`must be null, or a number from ${MIN_SCALE} to ${MAX_SCALE}`)
      return null
    },
  ],
  choice('thinking', THINKING, (into, value) => {
    into.thinking = value
  }),
  price('cacheWritePrice'),
  price('cacheReadPrice'),
])

function isScale(value: unknown): value is number {
  return typeof value === 'number' && value >= MIN_SCALE && value <= MAX_SCALE
}

function here(message: string): Problem {
  return { at: '', message }
}
