import { expect, test } from 'vitest'
import { planFilter } from '../../src/engine/filter.ts'
import { createMemo } from '../../src/service/memo.ts'

test('what is asked for again stays, what is not is forgotten, within the bound', () => {
  const memo = createMemo(1000)('acme').previews
  const key = (i: number) => `${i}`.padStart(90, '-')
  memo.set(key(0), '', 'first')
  for (let i = 1; i < 50; i += 1) {
    memo.set(key(i), '', `preview ${i}`)
    expect(memo.get(key(0), '')).toBe('first')
  }
  const known = Array.from({ length: 50 }, (_, i) => memo.get(key(i), '')).filter((each) => each !== undefined)
  expect(known.length).toBeGreaterThan(1)
  expect(known.length * 90).toBeLessThan(1000)
})

test('a preview that is too large is not held, and nothing is where nothing may be', () => {
  const large = createMemo(100)('acme').previews
  large.set('key', '', 'x'.repeat(60))
  expect(large.get('key', '')).toBeUndefined()
  const none = createMemo(0)('acme').previews
  none.set('', '', '')
  expect(none.get('', '')).toBeUndefined()
})

test('condensed forms are held in the same bound, and a form that is none is known to be none', () => {
  const memo = createMemo(4000)('acme')
  const plan = planFilter(`${'--- PASS: TestA (0.00s)\n'.repeat(500)}PASS\nok  \texample.com/b\t0.1s\n`, {
    command: 'go test -v ./...',
  })
  if (!plan.changed) throw new Error('not condensed')
  memo.births.set('key', '', plan)
  memo.births.set('none', '', null)
  expect(memo.births.get('key', '')).toBe(plan)
  expect(memo.births.get('none', '')).toBeNull()
  expect(memo.births.get('unknown', '')).toBeUndefined()
  // One key, two kinds of things.
  expect(memo.previews.get('key', '')).toBeUndefined()
  for (let i = 0; i < 20; i += 1) memo.births.set(`other ${i}`, '', plan)
  expect(memo.births.get('key', '')).toBeUndefined()
})

test('tenants do not see what others had made', () => {
  const memo = createMemo(1000)
  memo('a').previews.set('text', 'about', 'preview')
  expect(memo('a').previews.get('text', 'about')).toBe('preview')
  expect(memo('b').previews.get('text', 'about')).toBeUndefined()
  expect(memo('a').previews.get('text', 'about it')).toBeUndefined()
})
