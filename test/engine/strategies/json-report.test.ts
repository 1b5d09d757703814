import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findJson, readJson } from '../../../src/engine/strategies/json-report.ts'

const json = fc.oneof(
  fc.array(fc.jsonValue(), { maxLength: 6 }),
  fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 6 }),
)

test('reads a whole value as JSON.parse does, whatever stands behind it', () => {
  fc.assert(
    fc.property(json, fc.constantFrom('', '\n', '\nFound 3 errors.'), (value, behind) => {
      const text = JSON.stringify(value)
      expect(readJson(`${text}${behind}`)).toEqual({ value: JSON.parse(text), end: text.length, complete: true })
    }),
    { numRuns: 200 },
  )
})

test('reads what is there of a value that is cut off, and never calls it complete', () => {
  fc.assert(
    fc.property(json, fc.double({ min: 0, max: 0.99, noNaN: true }), (value, share) => {
      const text = JSON.stringify(value)
      const read = readJson(text.slice(0, Math.floor(text.length * share)))
      expect(read === null || !read.complete).toBe(true)
    }),
    { numRuns: 200 },
  )
})

test('keeps the members that are complete', () => {
  expect(readJson('[{"a":1,"b":[1,2]},{"a":2,"b":[3,')?.value).toEqual([
    { a: 1, b: [1, 2] },
    { a: 2, b: [3] },
  ])
  expect(readJson('{"a":"x","b":"unfin')?.value).toEqual({ a: 'x' })
})

test('refuses what is no JSON', () => {
  for (const text of ['[1,2}', '{"a" 1}', '', 'x', '[a]']) expect(readJson(text)).toBeNull()
})

test('finds a value over several lines and says where it ends', () => {
  const lines = ['warning: old config', '[', '  {"a": 1}', ']', 'done']
  expect(findJson(lines, (line) => line === '[')).toEqual({ value: [{ a: 1 }], from: 1, to: 4, complete: true })
  expect(findJson(['[1] done'], (line) => line.startsWith('['))).toBeNull()
})
