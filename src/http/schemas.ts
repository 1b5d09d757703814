import * as z from 'zod'

const hint = z
  .string()
  .max(300)
  .describe('Your words for how to get the full output, with {id}: "read it with read_output {id}"')
const command = z.string().describe('The command line that ran, as data: it chooses a strategy and is never run')
const tool = z.string().max(200).describe('Name of the tool that ran')
const session = z.string().max(200).describe('Your name for the session; accepted, and no part of any decision')
const integer = (pattern: RegExp, words: string) => z.string().regex(pattern, words).transform(Number)

/** Body of `POST /v1/filter`: one output, or its two streams. */
export const filterBody = z
  .strictObject({
    output: z.string().optional().describe('The tool output'),
    stdout: z.string().optional().describe('Standard output, where it is known apart'),
    stderr: z.string().optional().describe('Standard error, where it is known apart'),
    command: command.optional(),
    tool: tool.optional(),
    exitCode: z.int().optional().describe('Exit code of the command line'),
    maxTokens: z
      .int()
      .min(100)
      .optional()
      .describe(
        'Upper bound (100 or more: the trailer alone takes some 70) for the estimated tokens of the result, markers included',
      ),
    hint: hint.optional(),
    session: session.optional(),
  })
  .refine((body) => (body.output === undefined) !== (body.stdout === undefined && body.stderr === undefined), {
    error: 'give either output, or stdout and stderr',
    path: ['output'],
  })

/** Query of `POST /v1/filter` with a text/plain body. */
export const filterQuery = z.strictObject({
  command: command.optional(),
  tool: tool.optional(),
  exitCode: integer(/^-?\d{1,10}$/, 'has to be a whole number')
    .optional()
    .describe('Exit code of the command line'),
  maxTokens: integer(/^[1-9]\d{2,11}$/, 'has to be a whole number of 100 or more')
    .optional()
    .describe('Upper bound for the estimated tokens of the result, markers included'),
  hint: hint.optional(),
})

const list = (words: string) => z.array(z.unknown()).optional().describe(words)

/** The three places where a message list stands, one of which a body has. */
export const LIST_KEYS = ['messages', 'contents', 'input'] as const

const histories = {
  messages: list('The history, in formats that call it messages'),
  contents: list('The history, in formats that call it contents'),
  input: list('The history, in formats that call it input'),
}

/** Body of `POST /v1/mask`. */
export const maskBody = z
  .strictObject({
    format: z.string().default('auto').describe('Name of the message format, or "auto"'),
    ...histories,
    policy: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('Masking settings, within the bounds of the operator'),
    hint: hint.optional(),
    model: z
      .string()
      .max(200)
      .optional()
      .describe('The model that is going to read the history: its tokens are counted'),
    receipt: z.string().max(65_536).optional().describe('The receipt of an earlier reply; accepted, and not needed'),
    session: session.optional(),
  })
  .refine((body) => LIST_KEYS.filter((key) => body[key] !== undefined).length === 1, {
    error: 'give exactly one of messages, contents and input',
    path: ['messages'],
  })

export const maskQuery = z.strictObject({
  return: z
    .enum(['history', 'edits'])
    .default('history')
    .describe('"edits" answers RFC 6902 operations in place of the history'),
})

/** Body of `POST /v1/tokens`: a text, or a history. */
export const tokensBody = z
  .strictObject({ text: z.string().optional().describe('The text to estimate'), ...histories })
  .refine(
    (body) => [body.text, body.messages, body.contents, body.input].filter((each) => each !== undefined).length === 1,
    {
      error: 'give exactly one of text, messages, contents and input',
      path: ['text'],
    },
  )

const count = (words: string) => z.int().min(0).describe(words)

export const filterAnswer = z.object({
  output: z
    .string()
    .optional()
    .describe('The output for the model; stdout and stderr stand in its place where they came apart'),
  stdout: z.string().optional(),
  stderr: z.string().optional(),
  filtered: z.boolean(),
  reason: z.string().nullable().describe('Why the output is unchanged; null where it was filtered'),
  family: z.string().nullable(),
  strategy: z.string().nullable(),
  lines: z.object({
    in: count('Lines in'),
    kept: count('As they are'),
    restated: count('In other words'),
    elided: count('Gone'),
  }),
  tokens: z.object({ before: count('Estimated'), after: count('Estimated'), saved: count('Estimated') }),
  spill: z
    .object({
      id: z.string(),
      url: z.string().describe('Where the full output is, relative to this server'),
      bytes: count('Size'),
    })
    .nullable(),
  warnings: z.array(z.string()),
})

export const maskAnswer = z.object({
  messages: z
    .array(z.unknown())
    .optional()
    .describe('The history under the key it came with; every byte outside a masked value as it came'),
  contents: z.array(z.unknown()).optional(),
  input: z.array(z.unknown()).optional(),
  edits: z
    .array(z.object({ op: z.enum(['replace', 'remove']), path: z.string(), value: z.string().optional() }))
    .optional()
    .describe('With ?return=edits: RFC 6902 operations on the body you sent'),
  report: z.record(z.string(), z.unknown()),
  warnings: z.array(z.string()),
})

export const tokensAnswer = z.object({ tokens: count('Estimated tokens') })

const rows = integer(/^[1-9]\d{0,9}$/, 'has to be a whole number above 0')

/** Query of `GET /v1/outputs/{id}`: at most one of the three. */
export const outputQuery = z
  .strictObject({
    lines: z
      .string()
      .regex(/^[1-9]\d{0,9}(-([1-9]\d{0,9})?)?$/, 'has to be like 100-200, 100- or 100')
      .optional()
      .describe('Lines, counted from 1, both ends included: 100-200, 100-, 100'),
    head: rows.optional().describe('The first lines, so many'),
    tail: rows.optional().describe('The last lines, so many'),
  })
  .refine((query) => Object.values(query).filter((each) => each !== undefined).length <= 1, {
    error: 'give at most one of lines, head and tail',
    path: ['lines'],
  })

export const problemAnswer = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  errors: z
    .array(z.object({ pointer: z.string().optional(), parameter: z.string().optional(), detail: z.string() }))
    .optional(),
})

export const statusAnswer = z.object({ status: z.string(), detail: z.string().optional() })
