import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { CallToolResultSchema } from '@modelcontextprotocol/core'
import { modelMessageSchema, validateUIMessages } from 'ai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codecs } from '../../src/engine/history/all.ts'
import { DEFAULT_POLICY } from '../../src/engine/policy.ts'
import { ROOT } from '../runtime/bundle.ts'
import { applyOperations } from '../support/json-patch.ts'
import { mask } from '../support/masking.ts'
import { PNG, type Sample, samples } from './samples.ts'

/** All that may be masked is; results of the last step too, where a format has no message after them. */
const EAGER = {
  ...DEFAULT_POLICY,
  toolProtectionThreshold: 0,
  minPrunableTokensThreshold: 1,
  protectLatestTurn: false,
  thinking: 'keep',
} as const

function masked({ format, key, list }: Sample) {
  return mask(format, key, JSON.stringify(list), EAGER)
}

it('has a sample of every format that a provider publishes types of', () => {
  // Pi's messages are an agent's own: what they look like is tested with the other rules of histories.
  const formats = codecs.map(({ format }) => format).filter((format) => format !== 'pi')
  expect(samples.map(({ format }) => format).sort()).toEqual(formats.sort())
})

describe.each(samples.map((sample) => [sample.format, sample] as const))('%s', (_, sample) => {
  it('all results are masked, and nothing else is changed', () => {
    const done = masked(sample)
    expect(done.edits.map(({ pointer }) => pointer)).toEqual(sample.masked)
    // A stub in each place, put in by itself, gives the whole: so no other value is another one.
    const operations = done.edits.map((edit) => ({
      op: 'replace' as const,
      path: edit.pointer,
      value: 'value' in edit ? edit.value : '',
    }))
    expect(done.list).toEqual(applyOperations(sample.list, operations))
    for (const { value } of operations) expect(value).toMatch(/^<tool_output_masked [\s\S]+<\/tool_output_masked>$/)
  })

  it('is recognised by its shape, masked or not', () => {
    const done = masked(sample)
    expect(done.plan.format).toBe(sample.format)
    for (const list of [sample.list, done.list])
      expect(mask('auto', sample.key, JSON.stringify(list), EAGER).plan.format).toBe(sample.format)
  })
})

const maskedOf = (format: string) => samples.filter((sample) => sample.format === format).flatMap((s) => masked(s).list)

it("is what the AI SDK's and MCP's own schemas take", async () => {
  expect(maskedOf('ai-sdk').map((message) => modelMessageSchema.safeParse(message).error)).toEqual(
    maskedOf('ai-sdk').map(() => undefined),
  )
  expect(await validateUIMessages({ messages: maskedOf('ai-sdk-ui') })).toEqual(maskedOf('ai-sdk-ui'))
  for (const result of maskedOf('mcp')) expect(CallToolResultSchema.parse(result)).toEqual(result)
})

describe("the SDKs' types", () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'spillway-types-'))
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  /** What the compiler has against literals, one a file. */
  async function compile(files: Readonly<Record<string, string>>): Promise<string> {
    await writeFile(join(folder, 'package.json'), '{"type":"module"}')
    const options = '--noEmit --strict --skipLibCheck --target es2024 --lib es2024,dom --module nodenext --types node'
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
    const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
    const run = promisify(execFile)(process.execPath, [tsc, ...options.split(' '), ...Object.keys(files)], {
      cwd: folder,
    })
    return run.then(
      ({ stdout }) => stdout,
      (error: { stdout?: string }) => error.stdout ?? String(error),
    )
  }
  const literal = ({ types: [imports, type] }: Sample, list: readonly unknown[]) =>
    `${imports}\nexport const list = ${JSON.stringify(list)} satisfies ${type}\n`

  it('take every masked history as a literal', async () => {
    const files = samples.map((sample) => [`${sample.format}.ts`, literal(sample, masked(sample).list)])
    expect(await compile(Object.fromEntries(files))).toBe('')
  }, 120_000)

  it('take a text in the place of media where masking puts one', async () => {
    const put = samples.flatMap((sample) => {
      const large = JSON.parse(JSON.stringify([...sample.list, ...sample.list]).replaceAll(PNG, PNG.repeat(900)))
      const { edits, list } = mask(sample.format, sample.key, JSON.stringify(large), { ...EAGER, maskMedia: true })
      const blocks = edits.filter((edit) => 'value' in edit && typeof edit.value !== 'string')
      return blocks.length > 0 ? [{ sample, list }] : []
    })
    // The other samples hold no media, or only where no text may stand.
    expect(put.map(({ sample }) => sample.format)).toEqual(['anthropic', 'openai-responses', 'ai-sdk', 'mcp'])
    const files = put.map(({ sample, list }) => [`${sample.format}.ts`, literal(sample, list)])
    expect(await compile(Object.fromEntries(files))).toBe('')
  }, 120_000)

  it('would not take a result of another shape', async () => {
    const files = samples.map((sample) => {
      const wrong = JSON.parse(
        JSON.stringify(sample.list).replaceAll(
          /"(?:parts|output)"(?=:)|(?<="type":)"text"|(?<=:)"(?:tool|user)"/g,
          '"stub"',
        ),
      )
      return [`${sample.format}.ts`, literal(sample, wrong)]
    })
    const said = await compile(Object.fromEntries(files))
    for (const { format } of samples) expect(said).toContain(`${format}.ts(`)
  }, 120_000)
})
