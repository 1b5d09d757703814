/** What a caller, or the text of a result, may do on purpose: each test is named by what is right. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ownName } from '../../../src/engine/history/call.ts'
import { DEFAULT_POLICY, type MaskPolicy, readPolicy } from '../../../src/engine/policy.ts'
import { preview } from '../../../src/engine/preview.ts'
import { mask, plan, shownBy, TIGHT } from '../../support/masking.ts'

const EAGER: MaskPolicy = { ...TIGHT, toolProtectionThreshold: 0, minPrunableTokensThreshold: 1 }
const rows = 'some words in the middle of it all\n'.repeat(300)

function history(content: string, name = 'bash', args = '{"command":"cat notes.md"}'): unknown[] {
  return [
    { role: 'user', content: 'hi' },
    { role: 'assistant', tool_calls: [{ id: 'c1', type: 'function', function: { name, arguments: args } }] },
    { role: 'tool', tool_call_id: 'c1', content },
    { role: 'assistant', content: 'ok' },
    { role: 'user', content: 'go' },
  ]
}

const masked = (list: unknown[], policy = EAGER) => mask('openai-chat', 'messages', JSON.stringify(list), policy)

test('no line of a preview ends in half of a surrogate pair, wherever it is cut', () => {
  const line = fc
    .array(fc.constantFrom(' ', 'a', '😀', 'words '), { minLength: 150, maxLength: 170 })
    .map((units) => units.join(''))
  fc.assert(
    fc.property(line, line, fc.constantFrom(null, 'cat notes.md'), (first, last, command) => {
      const made = preview(`${first}\n${rows}${last}\n`, { tool: 'bash', command, exitCode: null, isError: false })
      expect(made.isWellFormed()).toBe(true)
    }),
    { numRuns: 300 },
  )
  const prose = ' of all the members of this team'.repeat(8).slice(0, 160)
  const stub = shownBy(masked(history(`first line\n${rows}${prose}😀 and so on, with more words behind it\n`)).edits[0])
  expect(stub).toContain('of all the members')
  expect(stub.isWellFormed()).toBe(true)
})

test.each(['read it: {id} \ud800', `${'x'.repeat(299)}😀`])(
  'a hint with half a surrogate pair, %j, leaves none',
  (hint) => {
    const made = plan({ format: 'auto', key: 'messages', list: history(rows), policy: EAGER, hint })
    const { edits } = made.render({ ids: [`o_a${'b'.repeat(31)}`], events: made.events.length })
    expect(shownBy(edits[0])).toContain('tool_output_masked')
    expect(shownBy(edits[0]).isWellFormed()).toBe(true)
  },
)

test.each([
  'mem_search',
  'mcp__engram__mem_search',
  'engram.mem_search',
  'engram/mem_search',
  'engram:mem_search',
  'Skill',
  'Memory',
  'mcp__todo_server__todo_write',
])('%s is protected', (name) => {
  expect(masked(history(rows, name)).edits).toEqual([])
})

test.each(['mem_search_web', 'mcp__engram__search', 'mem_search.web', 'xmem_search'])('%s is not', (name) => {
  expect(masked(history(rows, name)).edits).toHaveLength(1)
})

test('a name without a server before it is its own', () => {
  for (const name of ['read', 'read_file', '_', '']) expect(ownName(name)).toBe(name)
  expect(ownName('a__b__c')).toBe('c')
})

test('a policy with more globs than are cheap is refused, names are not counted', () => {
  const globs = Array.from({ length: 101 }, (_, i) => `*a${i}`)
  for (const key of ['protectedTools', 'maskableTools', 'syntheticUserMessages']) {
    expect(readPolicy({ [key]: globs })).toMatchObject({ ok: false, pointer: `/${key}` })
    expect(readPolicy({ [key]: globs.slice(1) })).toMatchObject({ ok: true })
    expect(readPolicy({ [key]: globs.map((glob) => glob.slice(1)) })).toMatchObject({ ok: true })
  }
  expect(readPolicy({ pinned: globs })).toMatchObject({ ok: true })
  expect(readPolicy({ protectedTools: ['a', `*${'a?'.repeat(17)}*`] })).toMatchObject({ pointer: '/protectedTools/1' })
  expect(readPolicy({ protectedTools: [`${'a?'.repeat(17)}*`, `*${'a'.repeat(40)}*`] })).toMatchObject({ ok: true })
})

test('a hundred globs over a long message take no longer than reading it', () => {
  const globs = Array.from({ length: 50 }, (_, i) => [`*${'a'.repeat(190)}b${i}`, `*${'a?'.repeat(14)}b${i}*`]).flat()
  const policy = { ...EAGER, recentTurnsToKeep: 1, syntheticUserMessages: globs }
  const list = [{ role: 'user', content: 'a'.repeat(2_000_000) }, ...history(rows).slice(1)]
  expect(masked(list, policy).report).toMatchObject({ format: 'openai-chat' })
})

test('arguments that nest deeper than calls can are read as any other', () => {
  const args = `${'{"action":'.repeat(50_000)}1${'}'.repeat(50_000)}`
  const { report } = masked(history(rows, 'x', args), { ...EAGER, dedupeCalls: true, keepLatestRead: true })
  expect(report).toMatchObject({ reason: 'masked', masked: 1 })
})

test('the defaults hold no more globs than a request may', () => {
  const { protectedTools, syntheticUserMessages } = DEFAULT_POLICY
  expect(readPolicy({ protectedTools, syntheticUserMessages })).toMatchObject({ ok: true })
})
