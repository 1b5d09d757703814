import { describe, expect, it } from 'vitest'
import { describeRule, describeSettings } from '../../src/config/describe.ts'
import { ConfigError } from '../../src/config/fault.ts'
import { parseConfig } from '../../src/config/settings.ts'
import { planFilter } from '../../src/engine/filter.ts'
import { DEFAULT_POLICY, PRESETS, PROTECTED_TOOLS } from '../../src/engine/policy.ts'
import { createSpillway } from '../../src/service/index.ts'
import { defaultSettings } from '../../src/service/settings.ts'

const SOURCE = '/etc/spillway/settings.yaml'

/** The messages of what is wrong, without the source's name; none for a configuration that is right. */
async function faultsOf(text: string): Promise<string[]> {
  try {
    await parseConfig(text, SOURCE)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.message.split('\n').map((line) => {
      expect(line.startsWith(`${SOURCE}:`)).toBe(true)
      return line.slice(SOURCE.length + 1)
    })
  }
  return []
}

const EXAMPLE = String.raw`
filters:
  enabled: true
  fail_mode: open            # or closed
  max_content_bytes: 10485760
  rules:
    - match: "^go test"
      strategy: go-test-json
    - match: "^golangci-lint"
      strategy: golangci-json
    - match: "^git status"
      strategy: git-status-stats
    - match: "^make\\b"
      strip_lines: ["^make\\[", "^\\s*$"]
      max_lines: 40
`

const EVERYTHING = `
hint: "read it with read_output {id}"
filters:
  enabled: false
  fail_mode: closed
  max_content_bytes: 1000
  closed_chars: 10
  small_output: 1
  small_known_output: 2
  generic_budget: 3
  signal_budget: 4
mask:
  enabled: false
  max_spills: 5
  memo_chars: 6
  dry_run: true
  tool_protection_threshold: 70
  min_prunable_tokens_threshold: 8
  protect_latest_turn: false
  recent_turns_to_keep: 9
  max_retained_chars: 10
  protected_tools: [deploy, "mcp__*"]
  maskable_tools: [bash]
  pinned: [call_1]
  synthetic_user_messages: ["<cron>*"]
  thinking: strip
  cache_write_price: 2
  cache_read_price: 0.5
  filter_at_birth: 4000
  keep_latest_read: true
  mask_media: true
  dedupe_calls: true
  max_payback: 0.5
  scale: 1.5
  scales: { "claude-next*": 1.6, kimi*: 0.9 }
  bounds:
    tool_protection_threshold: { min: 60, max: 80 }
    recent_turns_to_keep: { max: 20 }
store:
  timeout_ms: 100
  ttl_days: 30
  tenants:
    ci: { ttl_days: 1 }
    other: {}
  cache_bytes: 0
  max_bytes: 10000000
limits:
  max_messages: 7
  body_timeout_ms: 300
  rate: { requests: 11, per_seconds: 12 }
guard:
  fail_mode: open
  timeout_ms: 200
  secrets: block
  http:
    url: https://guard.internal/judge
    timeout_ms: 150
    fail_mode: closed
    headers: { authorization: GUARD_AUTHORIZATION }
`

describe('a configuration', () => {
  it('may be empty: then everything has its default', async () => {
    for (const text of ['', '# nothing yet\n', '{}']) {
      const { settings } = await parseConfig(text, SOURCE)
      expect(settings).toEqual({
        ...defaultSettings,
        filters: { ...defaultSettings.filters, options: { ...defaultSettings.filters.options, rules: [] } },
      })
    }
  })

  it('has the rules of the documented example', async () => {
    const { settings, ruleTexts } = await parseConfig(EXAMPLE, SOURCE)
    const { rules = [] } = settings.filters.options
    expect(rules.map((rule) => [rule.number, rule.action.kind])).toEqual([
      [1, 'strategy'],
      [2, 'strategy'],
      [3, 'strategy'],
      [4, 'lines'],
    ])
    const make = Array.from({ length: 300 }, (_, i) => `make[1]: Entering directory '/src/${i}'`).join('\n')
    expect(planFilter(make, { command: 'make -j8' }, settings.filters.options)).toMatchObject({
      strategy: 'rule-4',
      lines: { in: 300, kept: 0, elided: 300 },
    })
    expect(ruleTexts.map((text, i) => describeRule(text, i + 1)).at(-1)).toBe(
      String.raw`rule 4: match "^make\\b": strip_lines ["^make\\[","^\\s*$"], max_lines 40`,
    )
  })

  it('sets every setting that there is', async () => {
    const { settings } = await parseConfig(EVERYTHING, SOURCE)
    expect(settings.hint).toBe('read it with read_output {id}')
    expect(settings.filters).toEqual({
      enabled: false,
      failMode: 'closed',
      maxContentBytes: 1000,
      closedChars: 10,
      options: { smallOutput: 1, smallKnownOutput: 2, genericBudget: 3, signalBudget: 4, rules: [] },
    })
    expect(settings.mask).toMatchObject({ enabled: false, maxSpills: 5, memoChars: 6 })
    expect(settings.mask.policy).toMatchObject({
      dryRun: true,
      toolProtectionThreshold: 70,
      minPrunableTokensThreshold: 8,
      protectLatestTurn: false,
      recentTurnsToKeep: 9,
      maxRetainedChars: 10,
      protectedTools: [...PROTECTED_TOOLS, 'deploy', 'mcp__*'],
      maskableTools: [['bash']],
      pinned: ['call_1'],
      filterAtBirth: 4000,
      keepLatestRead: true,
      maskMedia: true,
      thinking: 'strip',
      cacheWritePrice: 2,
      cacheReadPrice: 0.5,
      scale: 1.5,
      scales: [{ model: 'claude-next*', scale: 1.6 }, { model: 'kimi*', scale: 0.9 }, ...DEFAULT_POLICY.scales],
    })
    expect(settings.mask.bounds).toMatchObject({
      toolProtectionThreshold: [60, 80],
      recentTurnsToKeep: [0, 20],
      maxRetainedChars: [0, Number.MAX_SAFE_INTEGER],
    })
    expect(settings.limits).toEqual({
      maxMessages: 7,
      bodyTimeoutMs: 300,
      rate: { requests: 11, perSeconds: 12 },
    })
    expect(settings.store).toEqual({
      timeoutMs: 100,
      ttlMs: 30 * 86_400_000,
      ttlMsByTenant: new Map([['ci', 86_400_000]]),
      cacheBytes: 0,
      maxBytes: 10_000_000,
    })
    expect(settings.guard).toEqual({
      failMode: 'open',
      timeoutMs: 200,
      secrets: 'block',
      http: {
        url: 'https://guard.internal/judge',
        timeoutMs: 150,
        failMode: 'closed',
        headers: { authorization: 'GUARD_AUTHORIZATION' },
      },
    })
    // Whatever is added to the settings later is to be set here too: nothing above may be at its default.
    const atDefault = describeSettings(settings).filter((line) => !line.includes('(default '))
    expect(atDefault.map((line) => line.split(':')[0])).toEqual([
      'mask.bounds.min_prunable_tokens_threshold',
      'mask.bounds.max_retained_chars',
    ])
  })

  it('takes a preset of the policy, and the settings beside it over that', async () => {
    const { settings } = await parseConfig('mask: { preset: rolling-window, recent_turns_to_keep: 5 }', SOURCE)
    const preset = PRESETS.get('rolling-window')
    expect(settings.mask.policy).toEqual({ ...DEFAULT_POLICY, ...preset, recentTurnsToKeep: 5 })
  })

  it('has a guard behind HTTP fail and wait as guards do, in half their time, where nothing else is said', async () => {
    const { settings } = await parseConfig('guard: { timeout_ms: 300, http: { url: "https://a" } }', SOURCE)
    expect(settings.guard).toEqual({
      failMode: 'closed',
      timeoutMs: 300,
      secrets: 'off',
      http: { url: 'https://a', timeoutMs: 150, failMode: 'closed', headers: {} },
    })
  })

  it('may be JSON', async () => {
    const text = JSON.stringify({ filters: { fail_mode: 'closed', rules: [{ match: 'a:b', dedup: true }] } })
    expect((await parseConfig(`\uFEFF${text}`, SOURCE)).settings.filters).toMatchObject({ failMode: 'closed' })
  })
})

describe('a configuration in force', () => {
  const caller = { tenant: 'a', route: 'test' }
  const output = Array.from({ length: 3000 }, (_, i) => `row ${i} of an output`).join('\n')
  const filterBy = async (config: string) =>
    createSpillway({ settings: (await parseConfig(config, SOURCE)).settings }).filter(
      { streams: { output }, command: 'rows' },
      caller,
    )

  it('bounds what is filtered, and fails open or closed as it says', async () => {
    expect(await filterBy('filters: { max_content_bytes: 1000 }')).toMatchObject({
      streams: { output },
      filtered: false,
      reason: 'too-large',
    })
    const closed = await filterBy('filters: { max_content_bytes: 1000, fail_mode: closed, closed_chars: 100 }')
    expect(closed).toMatchObject({ filtered: true, reason: 'too-large', strategy: 'bounded' })
    expect(closed.tokens.after).toBeLessThan(300)
  })

  it('filters by its rules, and says why one was passed over', async () => {
    expect(await filterBy('filters: { rules: [{ match: rows, tail_lines: 5 }] }')).toMatchObject({
      strategy: 'rule-1',
      lines: { in: 3000, kept: 5, elided: 2995 },
    })
    expect((await filterBy('filters: { rules: [{ match: rows, strategy: group }] }')).warnings).toEqual([
      'rule 1 does not fit this output',
    ])
  })

  it('can be switched off', async () => {
    expect(await filterBy('filters: { enabled: false }')).toMatchObject({ filtered: false, reason: 'disabled' })
  })
})

const rules = (...lines: string[]) => `filters:\n  rules:\n${lines.map((line) => `    ${line}\n`).join('')}`

describe('what is wrong with a configuration', () => {
  it.each<[string, string, string]>([
    [
      'an unknown key',
      'filters:\n  enable: true',
      '2:3: filters.enable: unknown key; known here are enabled, fail_mode,',
    ],
    ['an unknown section', 'filter: {}', '1:1: filter: unknown key; known here are hint, filters, mask, store, limits'],
    ['half a rate', 'limits: { rate: { requests: 5 } }', '1:17: limits.rate.per_seconds: is missing'],
    [
      'a rate of nothing',
      'limits: { rate: { requests: 0, per_seconds: 1 } }',
      '1:29: limits.rate.requests: has to be at',
    ],
    ["a prototype's key", 'mask: { __proto__: { enabled: false } }', '1:9: mask.__proto__: unknown key'],
    [
      "a prototype's key in JSON",
      '{"mask":{"bounds":{"__proto__":{"min":1}}}}',
      '1:20: mask.bounds.__proto__: unknown key',
    ],
    ["a prototype's key beside others", 'store: { __proto__: 1, ttl_days: 2 }', '1:10: store.__proto__: unknown key'],
    [
      "a prototype's key in a list",
      rules('- { match: a, dedup: true, __proto__: {} }'),
      '3:32: filters.rules[0].__proto__: unk',
    ],
    ['a constructor', 'mask: { constructor: {} }', '1:9: mask.constructor: unknown key; known here are'],
    [
      'an unknown key of a rule',
      rules('- match: a', '  max_line: 3', '  dedup: true'),
      '4:7: filters.rules[0].max_line: unknown key; known here are match,',
    ],
    [
      'an unknown key of the policy',
      'mask:\n  preset: budget\n  toolProtectionThreshold: 5',
      '3:3: mask.toolProtectionThreshold: unknown key; known here are enabled, max_spills,',
    ],
    ['a wrong type', 'filters:\n  enabled: "yes"', '2:12: filters.enabled: has to be true or false'],
    [
      'a word that YAML 1.2 takes for text',
      'filters:\n  enabled: yes',
      '2:12: filters.enabled: has to be true or false',
    ],
    ['a value of no choice', 'filters:\n  fail_mode: shut', '2:14: filters.fail_mode: has to be one of open, closed'],
    ['a number out of range', 'store:\n  ttl_days: 0', '2:13: store.ttl_days: has to be at least 1'],
    ['a bad name of a tenant', 'store:\n  tenants:\n    "a b": {}', '3:5: store.tenants.a b: is no name of a tenant'],
    ['a limit that holds nothing', 'store:\n  max_bytes: 9', '2:14: store.max_bytes: has to be at least 1048576'],
    ['a fraction', 'store:\n  ttl_days: 1.5', '2:13: store.ttl_days: has to be a whole number'],
    ['an empty section', 'filters:', '1:9: filters: has to be a group of keys; leave the key out for the default'],
    ['a list in place of keys', '- match: a', '1:1: has to be a group of keys'],
    ['a missing pattern', rules('- dedup: true'), '3:7: filters.rules[0].match: is missing; it has to be a text'],
    [
      'a bad pattern',
      rules('- match: "^((go"', '  dedup: true'),
      '3:14: filters.rules[0].match: not a pattern in RE2 syntax: missing closing )',
    ],
    [
      'a bad pattern in a list',
      rules('- match: a', '  strip_lines: ["a", "(?=b)"]'),
      '4:26: filters.rules[0].strip_lines[1]: not a pattern in RE2 syntax',
    ],
    [
      'a pattern that would be huge',
      rules('- match: "(?:a{500}){20}"', '  dedup: true'),
      '3:14: filters.rules[0].match: ',
    ],
    [
      'an unknown strategy',
      rules('- match: a', '  strategy: best'),
      '4:17: filters.rules[0].strategy: unknown strategy; known are go-test-json,',
    ],
    [
      'counts in place of tests',
      rules('- match: "^go test"', '  strategy: stats'),
      '4:17: filters.rules[0].strategy: stats puts counts in the place of items, and the rule matches "go test"',
    ],
    [
      'counts in place of changes',
      rules('- match: "git (diff|log)"', '  strategy: structure-only'),
      '4:17: filters.rules[0].strategy: structure-only puts counts in the place of items, and the rule matches "git diff"',
    ],
    [
      'counts in place of failed tests',
      rules('- match: "^pytest -q"', '  strategy: stats'),
      '4:17: filters.rules[0].strategy: stats puts counts in the place of items, and the rule matches "pytest"',
    ],
    [
      'counts in place of everything',
      rules('- match: ".*"', '  strategy: stats'),
      '4:17: filters.rules[0].strategy: stats puts counts',
    ],
    [
      'a rule without effect',
      rules('- match: a'),
      '3:7: filters.rules[0]: the rule does nothing: give it a strategy, or one of strip_lines,',
    ],
    [
      'a strategy beside keys for lines',
      rules('- match: a', '  strategy: dedup', '  max_lines: 3'),
      '5:7: filters.rules[0].max_lines: a rule has a strategy or keys for lines',
    ],
    [
      'both ways to choose lines',
      rules('- match: a', '  strip_lines: [a]', '  keep_lines: [b]'),
      '5:7: filters.rules[0].keep_lines: a rule has strip_lines or keep_lines',
    ],
    [
      'a bad value of the policy',
      'mask:\n  protected_tools: [a, 3]',
      '2:24: mask.protected_tools[1]: must be a string',
    ],
    [
      'a threshold outside its own bounds',
      'mask:\n  recent_turns_to_keep: 1\n  bounds: { recent_turns_to_keep: { min: 2 } }',
      '2:25: mask.recent_turns_to_keep: recent_turns_to_keep is 1, outside its own bounds',
    ],
    [
      'unknown bounds',
      'mask:\n  bounds:\n    max_spills: { max: 3 }',
      '3:5: mask.bounds.max_spills: unknown key; known here are tool_protection_threshold,',
    ],
    [
      'bounds that cross',
      'mask:\n  bounds:\n    max_retained_chars: { min: 3, max: 2 }',
      '3:25: mask.bounds.max_retained_chars: min has to be at most max',
    ],
    ['a guard of no choice', 'guard: { secrets: on }', '1:19: guard.secrets: has to be one of off, redact, block'],
    ['a guard at no address', 'guard: { http: { url: guard } }', '1:23: guard.http.url: has to be an address'],
    ['a password in an address', 'guard: { http: { url: "https://a:b@c" } }', '1:23: guard.http.url: holds a user or'],
    [
      "a header's value in the place of a name",
      'guard: { http: { url: "https://a", headers: { x: "Bearer abc" } } }',
      '1:50: guard.http.headers.x: has to be the name of an environment variable, which holds the value',
    ],
    [
      'a guard that may take longer than all guards',
      'guard: { timeout_ms: 50, http: { url: "https://a", timeout_ms: 50 } }',
      '1:64: guard.http.timeout_ms: has to be under guard.timeout_ms, which is 50',
    ],
    ['a key given twice', 'hint: a\nhint: b', '2:1: not valid YAML: Map keys must be unique'],
    ['a key given twice in JSON', '{"hint": "a:b",\n "hint": "b"}', '2:2: not valid YAML: Map keys must be unique'],
    ['a key from nowhere', '{"__proto__": {}}', '1:2: __proto__: unknown key'],
    ['a fault in JSON', '{"filters": {"enabled": 3}}', '1:25: filters.enabled: has to be true or false'],
    ['what is no YAML', 'hint: "a', '1:9: not valid YAML: '],
    ['a tab', 'filters:\n\tenabled: true', '2:1: not valid YAML: Tabs are not allowed'],
    ['a tag', 'hint: !secret x', '1:7: not valid YAML: Unresolved tag: !secret'],
    ['a second document', 'hint: a\n---\nhint: b', '2:1: a second document starts here'],
    ['an alias of nothing', 'hint: *here', '1:7: no anchor &here stands before this alias'],
  ])('is told for %s', async (_, text, message) => {
    const [first, ...more] = await faultsOf(text)
    expect(first?.slice(0, message.length)).toBe(message)
    expect(more).toEqual([])
  })

  it('is told all at once, in the order of the text', async () => {
    expect(
      (await faultsOf('hint: 3\nstore:\n  x: 1\n  timeout_ms: fast\nguard: 5')).map((line) => line.split(': ')[1]),
    ).toEqual(['hint', 'store.x', 'store.timeout_ms', 'guard'])
  })

  it('is told for aliases that would grow without end', async () => {
    const lines = ['a: &a [x, x, x, x, x, x, x, x, x, x]']
    for (let i = 1; i < 10; i += 1) {
      const before = String.fromCharCode(96 + i)
      lines.push(
        `${String.fromCharCode(97 + i)}: &${String.fromCharCode(97 + i)} [${Array(10).fill(`*${before}`).join(', ')}]`,
      )
    }
    expect(await faultsOf(lines.join('\n'))).toEqual([expect.stringContaining('not readable: ')])
  })
})
