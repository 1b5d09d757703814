import * as z from 'zod'
import { MAX_SCALE, MIN_SCALE } from '../engine/policy.ts'

const flag = z.boolean()
const whole = (min: number, max: number) => z.int().min(min).max(max)
const tokens = whole(0, 10_000_000)
const lines = whole(0, 1_000_000)
const failMode = z.enum(['open', 'closed'])
const milliseconds = whole(1, 600_000)
const days = whole(1, 365)
/** As in SPILLWAY_API_KEYS. */
const tenantName = z.string().regex(/^[A-Za-z0-9_.-]{1,64}$/, 'is no name of a tenant')
const pattern = z.string().min(1)
const patterns = z.array(pattern).min(1).max(200)

const headerName = z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/, 'is no name of a header')
/** Credentials stand in no configuration: it names the variable that holds them. */
const variableName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]{0,99}$/, 'has to be the name of an environment variable, which holds the value')

/** What a rule makes of an example: checked by `npm run check-config`. */
const ruleTest = z.strictObject({
  input: z.string(),
  /** The lines that stay, without the markers of gaps. */
  expect: z.string(),
  /** Where given, the rule also has to be the first that holds for it. */
  command: z.string().optional(),
  exit_code: z.int().optional(),
})

const rule = z.strictObject({
  match: pattern,
  when: z.enum(['success', 'failure']).optional(),
  strategy: z.string().optional(),
  strip_lines: patterns.optional(),
  keep_lines: patterns.optional(),
  dedup: flag.optional(),
  truncate_lines_at: whole(20, 1_000_000).optional(),
  head_lines: lines.optional(),
  tail_lines: lines.optional(),
  max_lines: lines.optional(),
  on_empty: z.string().min(1).max(200).optional(),
  tests: z.array(ruleTest).max(100).optional(),
})

export type RuleText = z.output<typeof rule>

/** The keys of a rule that say what becomes of lines, in the order in which they are applied. */
export const LINE_KEYS = [
  'strip_lines',
  'keep_lines',
  'dedup',
  'truncate_lines_at',
  'head_lines',
  'tail_lines',
  'max_lines',
  'on_empty',
] as const

/**
 * The operator's configuration. Every key may be left out; the defaults are those of service/settings.ts. Keys of `mask`
 * that are the policy's own are checked by the engine (`readPolicy`), so that they are named in one place.
 */
export const configSchema = z.strictObject({
  hint: z.string().min(1).max(300).optional(),
  filters: z
    .strictObject({
      enabled: flag.optional(),
      fail_mode: failMode.optional(),
      max_content_bytes: whole(1, 1_073_741_824).optional(),
      closed_chars: whole(0, 10_000_000).optional(),
      small_output: tokens.optional(),
      small_known_output: tokens.optional(),
      generic_budget: tokens.optional(),
      signal_budget: tokens.optional(),
      rules: z.array(rule).max(1000).optional(),
    })
    .optional(),
  mask: z
    .looseObject({
      enabled: flag.optional(),
      max_spills: whole(0, 100_000).optional(),
      memo_chars: whole(0, 1_073_741_824).optional(),
      scales: z.record(z.string().min(1).max(200), z.number().min(MIN_SCALE).max(MAX_SCALE)).optional(),
      bounds: z
        .record(
          z.string(),
          z.strictObject({
            min: whole(0, Number.MAX_SAFE_INTEGER).optional(),
            max: whole(0, Number.MAX_SAFE_INTEGER).optional(),
          }),
        )
        .optional(),
    })
    .optional(),
  store: z
    .strictObject({
      timeout_ms: milliseconds.optional(),
      ttl_days: days.optional(),
      tenants: z.record(tenantName, z.strictObject({ ttl_days: days.optional() })).optional(),
      cache_bytes: whole(0, 17_179_869_184).optional(),
      max_bytes: whole(1_048_576, Number.MAX_SAFE_INTEGER).optional(),
    })
    .optional(),
  limits: z
    .strictObject({
      max_messages: whole(1, 10_000_000).optional(),
      body_timeout_ms: milliseconds.optional(),
      rate: z.strictObject({ requests: whole(1, 1_000_000_000), per_seconds: whole(1, 86_400) }).optional(),
    })
    .optional(),
  guard: z
    .strictObject({
      fail_mode: failMode.optional(),
      timeout_ms: milliseconds.optional(),
      secrets: z.enum(['off', 'redact', 'block']).optional(),
      http: z
        .strictObject({
          url: z.string().min(1).max(2000),
          timeout_ms: milliseconds.optional(),
          fail_mode: failMode.optional(),
          headers: z.record(headerName, variableName).optional(),
        })
        .optional(),
    })
    .optional(),
})

export type ConfigText = z.output<typeof configSchema>
