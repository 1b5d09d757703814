import type { MaskPolicy, ModelScale, PolicyBounds } from './policy.ts'

/** Tools that carry state or decisions: their results stay at any age and size. */
export const PROTECTED_TOOLS: readonly string[] = [
  'skill',
  'Skill',
  'activate_skill',
  'memory',
  'Memory',
  'save_memory',
  'ask_user',
  'ask_user_question',
  'ask_user_choice',
  'AskUserQuestion',
  'todo',
  'TodoWrite',
  'todowrite',
  'todoread',
  'TodoRead',
  'todo_write',
  'todo_read',
  'write_todos',
  'update_plan',
  'enter_plan_mode',
  'EnterPlanMode',
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

/**
 * The estimator counts as o200k_base does. Claude's tokenizer makes more of the same text: 16 % more of English, 21 % of
 * mathematics, 30 % of Python (Claude 3.5 Sonnet against GPT-4o, "Hidden costs in AI deployment", VentureBeat, May 2025).
 * In two recorded sessions (Opus 4.5, Sonnet 4.5) the usage billed for tool results of over 500 tokens is 1.17 times the
 * estimate. Later Claude models are said to make up to 1.35 times as many tokens again: set `scales` for those.
 */
export const DEFAULT_SCALES: readonly ModelScale[] = [{ model: '*claude*', scale: 1.2 }]

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
  dedupeCalls: false,
  maxPayback: null,
  maskMedia: false,
  keepLatestRead: false,
  scale: null,
  scales: DEFAULT_SCALES,
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

/** What a preset decides. Each sets all of it, so that one named by a request leaves nothing of the operator's behind. */
type Preset = Pick<
  MaskPolicy,
  | 'toolProtectionThreshold'
  | 'minPrunableTokensThreshold'
  | 'recentTurnsToKeep'
  | 'maxRetainedChars'
  | 'dedupeCalls'
  | 'maxPayback'
> &
  Partial<Pick<MaskPolicy, 'maskableTools'>>

const BUDGET: Preset = {
  toolProtectionThreshold: DEFAULT_POLICY.toolProtectionThreshold,
  minPrunableTokensThreshold: DEFAULT_POLICY.minPrunableTokensThreshold,
  recentTurnsToKeep: DEFAULT_POLICY.recentTurnsToKeep,
  maxRetainedChars: DEFAULT_POLICY.maxRetainedChars,
  dedupeCalls: DEFAULT_POLICY.dedupeCalls,
  maxPayback: DEFAULT_POLICY.maxPayback,
}

/** Named settings; a request's own settings beside `preset` go over them. */
export const PRESETS: ReadonlyMap<string, Preset> = new Map<string, Preset>([
  ['budget', BUDGET],
  [
    'rolling-window',
    {
      ...BUDGET,
      toolProtectionThreshold: 0,
      minPrunableTokensThreshold: 0,
      recentTurnsToKeep: 2,
      maxRetainedChars: 4000,
      maskableTools: [TERMINAL_TOOLS],
    },
  ],
  // Measured cheapest on recorded sessions under a prompt cache: few events, each of a size that pays for the rewriting.
  [
    'cache-aware',
    {
      ...BUDGET,
      toolProtectionThreshold: 24_000,
      minPrunableTokensThreshold: 24_000,
      dedupeCalls: true,
      maxPayback: 0.25,
    },
  ],
])
