import { expect, test } from 'vitest'
import { createMemo } from '../../src/service/memo.ts'

test('what is asked for again stays, what is not is forgotten, within the bound', () => {
  const memo = createMemo(1000)('acme').previews
  const key = (i: number) => `${i}`.padStart(90, '-')
  memo.set(key(0), 'first')
  for (let i = 1; i < 50; i += 1) {
    memo.set(key(i), `preview ${i}`)
    expect(memo.get(key(0))).toBe('first')
  }
  const known = Array.from({ length: 50 }, (_, i) => memo.get(key(i))).filter((each) => each !== undefined)
  expect(known.length).toBeGreaterThan(1)
  expect(known.length * 90).toBeLessThan(1000)
})

test('a preview that is too large is not held, and nothing is where nothing may be', () => {
  const large = createMemo(100)('acme').previews
  large.set('key', 'x'.repeat(60))
  expect(large.get('key')).toBeUndefined()
  const none = createMemo(0)('acme').previews
  none.set('', '')
  expect(none.get('')).toBeUndefined()
})

test('tenants do not see what others had made, whatever their names', () => {
  const memo = createMemo(1000)
  memo('a').previews.set('"b"', 'preview')
  expect(memo('a').previews.get('"b"')).toBe('preview')
  expect(memo('a"b').previews.get('"')).toBeUndefined()
  expect(memo('b').previews.get('"b"')).toBeUndefined()
})
