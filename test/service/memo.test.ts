import fc from 'fast-check'
import { expect, test } from 'vitest'
import { planFilter } from '../../src/engine/filter.ts'
import { createMemo } from '../../src/service/memo.ts'

test('what is asked for again stays, what is not is forgotten, within the bound', () => {
  const memoOf = createMemo(4000)
  const text = (i: number) => `${i}`.padStart(190, '-')
  memoOf('acme').previews.set(text(0), '', 'first')
  for (let i = 1; i < 50; i += 1) {
    memoOf('acme').previews.set(text(i), '', `preview ${i}`)
    expect(memoOf('acme').previews.get(text(0), '')).toBe('first')
  }
  const known = Array.from({ length: 50 }, (_, i) => memoOf('acme').previews.get(text(i), '')).filter(
    (each) => each !== undefined,
  )
  expect(known.length).toBeGreaterThan(1)
  expect(known.length * 190).toBeLessThan(4000)
})

test('many values of one text are held within the bound, too', () => {
  const memoOf = createMemo(4000)
  const about = (i: number) => `${i}`.padStart(190, '-')
  for (let i = 0; i < 50; i += 1) memoOf('acme').previews.set('text', about(i), 'preview')
  const known = Array.from({ length: 50 }, (_, i) => memoOf('acme').previews.get('text', about(i))).filter(
    (each) => each !== undefined,
  )
  expect(known.length * 190).toBeLessThan(4000)
})

test('a preview that is too large is not held, and nothing is where nothing may be', () => {
  const large = createMemo(300)
  large('acme').previews.set('text', '', 'x'.repeat(60))
  expect(large('acme').previews.get('text', '')).toBeUndefined()
  large('acme').previews.set('text', '', 'x')
  expect(large('acme').previews.get('text', '')).toBe('x')
  const none = createMemo(0)
  none('acme').previews.set('', '', '')
  expect(none('acme').previews.get('', '')).toBeUndefined()
})

test('within a call all is remembered, whatever is held between calls', () => {
  const memo = createMemo(0)('acme')
  memo.previews.set('text', 'about', 'preview')
  expect(memo.previews.get('text', 'about')).toBe('preview')
})

test('condensed forms are held in the same bound, and a form that is none is known to be none', () => {
  const memoOf = createMemo(4000)
  const plan = planFilter(`${'--- PASS: TestA (0.00s)\n'.repeat(500)}PASS\nok  \texample.com/b\t0.1s\n`, {
    command: 'go test -v ./...',
  })
  if (!plan.changed) throw new Error('not condensed')
  memoOf('acme').births.set('text', '', plan)
  memoOf('acme').births.set('none', '', null)
  expect(memoOf('acme').births.get('text', '')).toBe(plan)
  expect(memoOf('acme').births.get('none', '')).toBeNull()
  expect(memoOf('acme').births.get('unknown', '')).toBeUndefined()
  // One text, two kinds of things.
  expect(memoOf('acme').previews.get('text', '')).toBeUndefined()
  for (let i = 0; i < 20; i += 1) memoOf('acme').births.set(`other ${i}`, '', plan)
  expect(memoOf('acme').births.get('text', '')).toBeUndefined()
})

test('tenants do not see what others had made', () => {
  const memoOf = createMemo(1000)
  memoOf('a').previews.set('text', 'about', 'preview')
  expect(memoOf('a').previews.get('text', 'about')).toBe('preview')
  expect(memoOf('b').previews.get('text', 'about')).toBeUndefined()
  expect(memoOf('a').previews.get('text', 'about it')).toBeUndefined()
})

test('whatever is set and asked for, in any order: what is given is what was set last', () => {
  const few = (names: readonly string[]) => fc.constantFrom(...names)
  const step = fc.record({
    tenant: few(['a', 'b']),
    text: fc.tuple(few(['x', 'y', 'z']), fc.nat(120)).map(([unit, length]) => unit.repeat(length)),
    about: few(['', 'c', 'd'].map((name) => name.repeat(20))),
    value: fc.option(fc.string({ maxLength: 30 }), { nil: null }),
  })
  fc.assert(
    fc.property(fc.nat(2000), fc.array(step, { maxLength: 200 }), (maxChars, steps) => {
      const memoOf = createMemo(maxChars)
      const said = new Map<string, string>()
      for (const { tenant, text, about, value } of steps) {
        const key = JSON.stringify([tenant, text, about])
        if (value === null) expect([undefined, said.get(key)]).toContain(memoOf(tenant).previews.get(text, about))
        else {
          memoOf(tenant).previews.set(text, about, value)
          said.set(key, value)
        }
      }
    }),
  )
})
