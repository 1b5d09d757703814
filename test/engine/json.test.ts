import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { locate, members, pointerKey, slices, spliceJson, valueAt } from '../../src/engine/json.ts'

/** Serialises with white space of several kinds, so that spans have to be exact. */
function loose(value: unknown): string {
  return JSON.stringify(value, null, ' \n\t'.slice(0, 2))
}

/** Pointers of every value inside. */
function pointersOf(value: unknown, at = ''): string[] {
  if (typeof value !== 'object' || value === null) return [at]
  const inner = Object.entries(value).flatMap(([key, item]) => pointersOf(item, `${at}/${pointerKey(key)}`))
  return [at, ...inner]
}

describe('spans', () => {
  test('every value of any JSON is found where it stands', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.boolean(), (value, pretty) => {
        const json = pretty ? loose(value) : JSON.stringify(value)
        const parsed: unknown = JSON.parse(json)
        const pointers = pointersOf(parsed)
        const texts = slices(json, pointers)
        pointers.forEach((pointer, i) => {
          expect(JSON.parse(texts[i] ?? 'null')).toEqual(valueAt(parsed, pointer))
          expect(texts[i]).not.toBeNull()
        })
      }),
      { numRuns: 150 },
    )
  })

  test('members are the direct members, with keys unescaped', () => {
    const json = ' { "a\\u0062" : [1, {"x": "}"}] , "c":{}, "" : "\\"]" } '
    const found = members(json).map(({ key, start, end }) => [key, json.slice(start, end)])
    expect(found).toEqual([
      ['ab', '[1, {"x": "}"}]'],
      ['c', '{}'],
      ['', '"\\"]"'],
    ])
    expect(members('[1 ,"a,b", [] ]').map(({ key }) => key)).toEqual(['0', '1', '2'])
    expect(members('"text"')).toEqual([])
    expect(members('[]')).toEqual([])
  })

  test('of duplicate keys the last one counts, at every level', () => {
    const json = '{"a":{"b":1,"c":2},"a":{"b":3},"b":1}'
    expect(slices(json, ['/a/b', '/a/c', '/a'])).toEqual(['3', null, '{"b":3}'])
    expect(slices('{"a":{"b":1},"a":[]}', ['/a/b'])).toEqual([null])
    expect(slices('[[1],[2]]', ['/1/0', '/0/0'])).toEqual(['2', '1'])
  })

  test('a pointer that leads nowhere has no span', () => {
    expect(locate('{"a":[1]}', ['/a/1', '/b', '/a/0/x'])).toEqual([null, null, null])
    expect(slices('7', [''])).toEqual(['7'])
  })

  test('nesting deeper than the call stack is no limit', () => {
    const deep = 200_000
    const json = `{"a":${'['.repeat(deep)}${']'.repeat(deep)},"b":"x"}`
    expect(spliceJson(json, [{ pointer: '/b', value: 'y' }])).toBe(json.replace('"x"', '"y"'))
    expect(slices(`${'{"a":'.repeat(deep)}1${'}'.repeat(deep)}`, ['/a'.repeat(deep)])).toEqual(['1'])
  })
})

describe('splicing', () => {
  test('replaces what the pointers name and keeps every other byte', () => {
    const json = '{ "n": 12345678901234567890, "f": 1.0, "list" : [ {"t":"a\\u00e9"} , "b"], "\\u0061": "last" }'
    expect(
      spliceJson(json, [
        { pointer: '/a', value: 'x"\n\ud800' },
        { pointer: '/list/0/t', value: '' },
        { pointer: '/missing', value: 'no' },
      ]),
    ).toBe('{ "n": 12345678901234567890, "f": 1.0, "list" : [ {"t":""} , "b"], "\\u0061": "x\\"\\n\\ud800" }')
  })

  test('any replacement equals one on the parsed value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), fc.nat(), (value, text, pick) => {
        const json = loose(value)
        const parsed: unknown = JSON.parse(json)
        const pointers = pointersOf(parsed)
        const pointer = pointers[pick % pointers.length] ?? ''
        const result: unknown = JSON.parse(spliceJson(json, [{ pointer, value: text }]))
        expect(valueAt(result, pointer)).toBe(text)
        const back = spliceJson(JSON.stringify(result), [])
        expect(pointersOf(JSON.parse(back)).length).toBeLessThanOrEqual(pointers.length)
      }),
      { numRuns: 150 },
    )
  })

  test('takes out any set of array elements', () => {
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue(), { maxLength: 6 }),
        fc.array(fc.nat(5)),
        fc.boolean(),
        (list, gone, pretty) => {
          const json = pretty ? loose({ list }) : JSON.stringify({ list })
          const edits = [...new Set(gone)].map((index) => ({ pointer: `/list/${index}`, remove: true as const }))
          const parsed: { list: unknown[] } = JSON.parse(json)
          expect(JSON.parse(spliceJson(json, edits))).toEqual({ list: parsed.list.filter((_, i) => !gone.includes(i)) })
        },
      ),
      { numRuns: 200 },
    )
  })

  test('a removal beside a replacement', () => {
    const json = '[1, {"a":"x"}, 3]'
    const edits = [
      { pointer: '/0', remove: true as const },
      { pointer: '/1/a', value: 'y' },
      { pointer: '/2', remove: true as const },
    ]
    expect(spliceJson(json, edits)).toBe('[{"a":"y"}]')
  })
})
