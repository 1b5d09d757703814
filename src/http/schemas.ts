import * as z from 'zod'
import { codecs } from '../engine/history/all.ts'
import { ID_PATTERN } from '../engine/marker.ts'

/** A session's label: safe in a path, in a log and in a shell. */
export const SESSION_PATTERN = /^[A-Za-z0-9._:@-]{1,128}$/

const hint = z
  .string()
  .max(300)
  .describe('Your words for how to get the full output, with {id}: "read it with read_output {id}"')
const command = z.string().describe('The command line that ran, as data: it chooses a strategy and is never run')
const tool = z.string().max(200).describe('Name of the tool that ran')
const session = z
  .string()
  .regex(SESSION_PATTERN, 'has to be 1 to 128 of letters, digits and . _ : @ -')
  .describe('Your label for the session: what is stored can be deleted by it; no part of any decision')
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
        'Upper bound (100 or more: the trailer alone takes some 50) for the estimated tokens of the result, markers included. Output that is left alone for another reason than its size (narrowed by hand, read back) is not bounded',
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
  session: session.optional(),
})

const list = (words: string) => z.array(z.unknown()).optional().describe(words)

/** The three places where a message list stands, one of which a body has. */
export const LIST_KEYS = ['messages', 'contents', 'input'] as const

const histories = {
  messages: list('The history, in formats that call it messages'),
  contents: list('The history, in formats that call it contents'),
  input: list('The history, in formats that call it input'),
}

const FORMATS = ['auto', ...codecs.map(({ format }) => format)]

const formatName = z
  .enum(FORMATS, { error: `is no known format; known are ${FORMATS.join(', ')}` })
  .default('auto')
  .describe('The message format; "auto" tells it by the messages')

/** Body of `POST /v1/mask`. */
export const maskBody = z
  .strictObject({
    format: formatName,
    ...histories,
    policy: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('Masking settings, within the bounds of the operator'),
    hint: hint.optional(),
    receipt: z
      .string()
      .max(65_536)
      .optional()
      .describe(
        'report.receipt of an earlier reply: what it covers is not asked of the store again. One that is not good is ignored with a warning',
      ),
    model: z
      .string()
      .max(200)
      .optional()
      .describe('The model that is going to read the history: its tokens are counted'),
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
  .strictObject({ text: z.string().optional().describe('The text to estimate'), format: formatName, ...histories })
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
    .array(
      z.object({
        op: z.enum(['replace', 'remove']),
        path: z.string(),
        value: z.union([z.string(), z.record(z.string(), z.unknown())]).optional(),
      }),
    )
    .optional()
    .describe('With ?return=edits: RFC 6902 operations on the body you sent'),
  report: z.record(z.string(), z.unknown()),
  warnings: z.array(z.string()),
})

export const tokensAnswer = z.object({ tokens: count('Estimated tokens'), warnings: z.array(z.string()).optional() })

const rows = integer(/^[1-9]\d{0,9}$/, 'has to be a whole number above 0')

const flag = z.enum(['true', 'false']).transform((word) => word === 'true')
const WITH_GREP = ['context', 'ignoreCase', 'max'] as const

/** Query of `GET /v1/outputs/{id}`: a slice, a search, or neither; a search may keep to lines. */
export const outputQuery = z
  .strictObject({
    lines: z
      .string()
      .regex(/^[1-9]\d{0,9}(-([1-9]\d{0,9})?)?$/, 'has to be like 100-200, 100- or 100')
      .optional()
      .describe('Lines, counted from 1, both ends included: 100-200, 100-, 100'),
    head: rows.optional().describe('The first lines, so many'),
    tail: rows.optional().describe('The last lines, so many'),
    numbers: flag.optional().describe('true: "12:" before each line; lines that grep finds have it always'),
    grep: z
      .string()
      .min(1, 'has to be a pattern')
      .optional()
      .describe('Lines that match this pattern in RE2 syntax, as grep -n prints them; with lines, within these'),
    context: integer(/^\d{1,2}$/, 'has to be a whole number from 0 to 99')
      .optional()
      .describe('With grep: lines before and after each match'),
    ignoreCase: flag.optional().describe('With grep: true matches capitals as small letters'),
    max: integer(/^[1-9]\d{0,3}$/, 'has to be a whole number from 1 to 9999')
      .optional()
      .describe('With grep: matching lines after which the search ends; 100 unless set'),
  })
  .superRefine((query, context) => {
    const fault = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
    if ([query.lines, query.head, query.tail].filter((each) => each !== undefined).length > 1)
      fault('lines', 'give at most one of lines, head and tail')
    if (query.grep === undefined) {
      for (const name of WITH_GREP) if (query[name] !== undefined) fault(name, 'goes with grep alone')
      return
    }
    for (const name of ['head', 'tail'] as const)
      if (query[name] !== undefined) fault(name, 'does not go with grep: use max, or lines')
    if (query.numbers === false) fault('numbers', 'lines that grep finds are always numbered')
  })

/** Seconds that a link may last at most, and lasts unless asked otherwise. */
const LINK_SECONDS = { most: 604_800, usual: 3600 }

/** Body of `POST /v1/links`. */
export const linkBody = z
  .strictObject({
    id: z
      .string()
      .regex(ID_PATTERN, 'has to be an output id: o_ and 32 letters')
      .optional()
      .describe('The output it opens'),
    session: session.optional(),
    expiresIn: z
      .int()
      .min(1)
      .max(LINK_SECONDS.most)
      .default(LINK_SECONDS.usual)
      .describe('Seconds until it opens nothing any more'),
  })
  .refine((body) => (body.id === undefined) !== (body.session === undefined), {
    error: 'give either id, or session',
    path: ['id'],
  })

export const linkAnswer = z.object({
  url: z
    .string()
    .describe(
      'Relative to this server; of a session with {id} where an id goes. It may be read with GET and HEAD, with lines, head, tail and so on',
    ),
  expiresAt: z.string().describe('ISO 8601. Deleting the output ends the link at once'),
  warnings: z.array(z.string()),
})

/** Query of the routes that delete a page at a time. */
export const pageQuery = z.strictObject({
  cursor: z.string().min(1).max(3000).optional().describe('The cursor of the answer before'),
})

export const purgeAnswer = z.object({
  deleted: count('Outputs deleted'),
  cursor: z.string().nullable().describe('Ask again with ?cursor= until it is null: then all is deleted'),
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
