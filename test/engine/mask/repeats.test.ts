import { describe, expect, test } from 'vitest'
import { readStub } from '../../../src/engine/marker.ts'
import type { MaskPolicy } from '../../../src/engine/policy.ts'
import { mask, shownBy, TIGHT } from '../../support/masking.ts'

const CONTENT = Array.from({ length: 120 }, (_, i) => `line ${i} of the file that is read again\n`).join('')
const OTHER = Array.from({ length: 120 }, (_, i) => `row ${i} of something else\n`).join('')

function read(id: string, input: object, content: unknown = CONTENT, tool = 'read', extra: object = {}): unknown[] {
  return [
    { role: 'assistant', content: [{ type: 'tool_use', id, name: tool, input }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content, ...extra }] },
  ]
}

const passing = Array.from({ length: 400 }, (_, i) => `=== RUN   Test${i}\n--- PASS: Test${i} (0.00s)\n`).join('')

const human = { role: 'user', content: 'Fix it.' }
const done = { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] }
const WIDE: MaskPolicy = { ...TIGHT, toolProtectionThreshold: 100_000, dedupeCalls: true, scale: 1 }

function masked(list: unknown[], policy = WIDE, stored = true) {
  const result = mask('anthropic', 'messages', JSON.stringify(list), policy, stored)
  const values = new Map(result.edits.map((edit) => [edit.pointer, shownBy(edit)]))
  return { ...result, values, places: [...values.keys()].map((pointer) => Number(pointer.split('/')[1])) }
}

describe('identical repeated calls', () => {
  const list = [human, ...read('a', { path: 'x', from: 1 }), ...read('b', { from: 1, path: 'x' })]

  test('the newer copy points to the older one as soon as it comes in', () => {
    const result = masked(list)
    expect(result.places).toEqual([4])
    const [pointer = ''] = result.values.values()
    expect(pointer).toMatch(
      /\n\[the same 120 lines as the result above of call a; recall o_a[a-p]{31} for the full output\]\n/,
    )
    expect(readStub(pointer, 'b')).toMatchObject({ same: 'a', lines: 120, chars: CONTENT.length })
    expect(result.report).toMatchObject({ repeated: 1, masked: 0, maskedNow: 0, firstChange: null, reason: 'masked' })
    // Kept like any other output, so that the pointer leads somewhere also when the older copy is masked later.
    expect([...result.store.values()].map((spill) => spill.content)).toEqual([CONTENT])
  })

  test('what comes in between two calls of the model is stored as one, pointers and filtered results alike', () => {
    const use = (id: string, name: string, input: object) => ({ type: 'tool_use', id, name, input })
    const answer = (id: string, content: string) => ({ type: 'tool_result', tool_use_id: id, content })
    const again = { path: 'x', from: 1 }
    const list = [
      human,
      ...read('a', again),
      {
        role: 'assistant',
        content: [use('b', 'read', again), use('c', 'read', again), use('d', 'bash', { command: 'go test ./...' })],
      },
      { role: 'user', content: [answer('b', CONTENT), answer('c', CONTENT), answer('d', passing)] },
    ]
    const policy = { ...WIDE, filterAtBirth: 1500 }
    const result = masked(list, policy)
    expect(result.report).toMatchObject({ repeated: 2, filtered: 1 })
    expect(result.plan.events).toEqual([[0, 1]])
    // What comes in later is stored on its own, and the first event is the same as before.
    const later = masked([...list, ...read('e', again)], policy)
    expect(later.plan.events).toEqual([[0, 1], [0]])
  })

  test('without a store the pointer says so, and names no id', () => {
    const [pointer = ''] = masked(list, WIDE, false).values.values()
    expect(pointer).toContain('of call a; preserved in your session history]')
  })

  test('off unless asked for', () => {
    expect(masked(list, { ...WIDE, dedupeCalls: false }).edits).toEqual([])
  })

  test.each([
    ['other arguments', read('b', { path: 'y', from: 1 })],
    ['another tool', read('b', { path: 'x', from: 1 }, CONTENT, 'cat')],
    ['one byte more', read('b', { path: 'x', from: 1 }, `${CONTENT}.`)],
    ['another outcome', read('b', { path: 'x', from: 1 }, CONTENT, 'read', { is_error: true })],
    ['a protected tool', read('b', { path: 'x', from: 1 }, CONTENT, 'mem_search')],
  ])('%s is no repeated call', (_, again) => {
    const first = read('a', { path: 'x', from: 1 })
    expect(masked([human, ...first, ...again]).edits).toEqual([])
  })

  test('a result no larger than a pointer stays', () => {
    const small = 'ok\n'.repeat(5)
    expect(masked([human, ...read('a', { path: 'x' }, small), ...read('b', { path: 'x' }, small)]).edits).toEqual([])
  })

  test('what changed in between is compared with the newest copy', () => {
    const changed = [...list, ...read('c', { path: 'x', from: 1 }, OTHER), ...read('d', { path: 'x', from: 1 })]
    expect(masked(changed).places).toEqual([4])
    expect(masked([...changed, ...read('e', { path: 'x', from: 1 })]).places).toEqual([4, 10])
  })

  test('a copy that is masked, or about to be, is not pointed to', () => {
    const policy = { ...WIDE, toolProtectionThreshold: 900, minPrunableTokensThreshold: 500 }
    const between = [...read('m', { path: 'y' }, OTHER), ...read('n', { path: 'z' }, OTHER)]
    const result = masked([human, ...read('a', { path: 'x' }), ...between, ...read('b', { path: 'x' })], policy)
    expect(result.report.repeated).toBe(0)
    expect(result.places).toContain(2)
    expect(result.places).not.toContain(8)
  })

  test('a copy is as new as its newest pointer, and the pointer stays when the copy goes', () => {
    const policy = { ...WIDE, toolProtectionThreshold: 2400, minPrunableTokensThreshold: 500 }
    const other = (id: string) => read(id, { path: id }, OTHER.replaceAll('row', id))
    const first = [human, ...read('a', { path: 'x' }), ...other('m'), ...read('b', { path: 'x' }), ...other('n'), done]
    // Without the pointer `a` would be the oldest; with it `m` is, and `a` goes after it.
    const one = masked(first, policy)
    expect([one.places, one.report.masked]).toEqual([[6, 4], 1])
    const two = masked([...first, ...other('p'), ...other('q'), done], policy)
    expect(two.report).toMatchObject({ repeated: 1 })
    expect(two.places).toEqual(expect.arrayContaining([2, 4, 6]))
    const pointer = two.values.get('/6/content/0/content') ?? ''
    expect(readStub(pointer, 'b')?.same).toBe('a')
    const id = readStub(pointer, 'b')?.id ?? ''
    expect(two.store.get(id)?.content).toBe(CONTENT)
    expect(readStub(two.values.get('/2/content/0/content') ?? '', 'a')?.id).toBe(id)
  })

  test('a client that keeps what it got back sends the model the same bytes', () => {
    const policy = { ...WIDE, toolProtectionThreshold: 1800, minPrunableTokensThreshold: 500 }
    const other = (id: string) => read(id, { path: id }, OTHER.replaceAll('row', id))
    const whole = [
      human,
      ...['a', 'm', 'b', 'n', 'c', 'p', 'q', 'd', 'r', 'e', 's', 't'].flatMap((id) =>
        'abcde'.includes(id) ? read(id, { path: 'x' }) : other(id),
      ),
      done,
    ]
    let kept: unknown[] = []
    let repeated = 0
    for (let end = 1; end <= whole.length; end += 2) {
      const stateless = masked(whole.slice(0, end), policy)
      const stateful = masked([...kept, ...whole.slice(kept.length, end)], policy)
      expect(stateful.json).toBe(stateless.json)
      expect(stateful.report.masked).toBe(stateless.report.masked)
      expect(stateful.report.repeated).toBe(stateless.report.repeated)
      kept = stateful.list
      repeated = Math.max(repeated, stateful.report.repeated)
    }
    expect(repeated).toBeGreaterThan(1)
  })
})
