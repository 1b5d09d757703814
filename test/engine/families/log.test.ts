import { describe, expect, test } from 'vitest'
import { log } from '../../../src/engine/families/log.ts'
import { condensed, recorded, strategyOf } from './condensed.ts'

const stamp = (i: number): string =>
  `2026-03-02T10:${String(Math.floor(i / 60)).padStart(2, '0')}:${String(i % 60).padStart(2, '0')}Z`
const quiet = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, i) => `${stamp(from + i)} INFO  request path=/orders/${from + i} status=200`)

test.each([
  ['service-log', 'nginx-access'],
  ['service-log', 'nginx-error'],
  ['service-log', 'postgres'],
  ['service-log', 'python-web-app'],
  ['docker', 'logs'],
])('%s/%s is condensed as a log', (family, name) => {
  const { text, command } = recorded(family, name)
  expect(strategyOf(text, command)).toBe('log')
})

describe('faults of other filters', () => {
  test('two errors that differ in their values are told apart', () => {
    const lines = [
      ...quiet(0, 100),
      `${stamp(101)} ERROR disk sda1 full for order 4711`,
      ...quiet(102, 180),
      `${stamp(181)} ERROR disk sdb7 full for order 4712`,
    ]
    const shown = condensed(lines.join('\n'))
    expect(shown).toContain('disk sda1 full for order 4711')
    expect(shown).toContain('disk sdb7 full for order 4712')
  })

  test('many errors of one template list every set of values', () => {
    const errors = Array.from(
      { length: 30 },
      (_, i) => `${stamp(200 + i)} ERROR order ${500 + i} failed on node ${i % 4}`,
    )
    const shown = condensed([...quiet(0, 150), ...errors].join('\n'))
    for (let i = 0; i < 30; i += 1) expect(shown).toContain(`${500 + i} ${i % 4}`)
  })

  test('statuses are no values: a rare 503 is not lost among the 200', () => {
    const lines = [...quiet(0, 100), `${stamp(101)} INFO  request path=/orders/7 status=503`, ...quiet(102, 180)]
    expect(condensed(lines.join('\n'))).toContain('path=/orders/7 status=503')
  })

  test('an abrupt end and its reason stay', () => {
    const lines = [
      ...quiet(0, 150),
      `${stamp(151)} kernel: oom_score_adj=900 Out of memory: Killed process 4711 (node)`,
      'Killed',
    ]
    const shown = condensed(lines.join('\n'))
    expect(shown).toContain('oom_score_adj=900 Out of memory: Killed process 4711 (node)')
    expect(shown).toMatch(/^Killed$/m)
  })

  test('user frames stay, library frames go, each thrown message is told', () => {
    const trace = (i: number): string[] => [
      `${stamp(i)} ERROR request failed`,
      `java.lang.IllegalStateException: no stock for item ${i}`,
      '\tat com.example.shop.Cart.add(Cart.java:41)',
      ...Array.from({ length: 20 }, (_, k) => `\tat org.springframework.web.Filter.doFilter(Filter.java:${k})`),
    ]
    const shown = condensed([...quiet(0, 60), ...trace(61), ...trace(62), ...trace(63), ...quiet(64, 100)].join('\n'))
    expect(shown).toContain('at com.example.shop.Cart.add(Cart.java:41)')
    expect(shown).not.toContain('Filter.java:7')
    for (const i of [61, 62, 63]) expect(shown).toContain(`no stock for item ${i}`)
    expect(shown.match(/Cart\.java:41/g)).toHaveLength(1)
  })
})

test('first and last time and the levels are said', () => {
  const shown = condensed([...quiet(0, 100), `${stamp(150)} WARN  slow`].join('\n'))
  expect(shown).toContain(`101 entries, from ${stamp(0)} to ${stamp(150)}; INFO 100, WARN 1`)
})

test('JSON lines read as text; a cut one is said', () => {
  const lines = Array.from({ length: 80 }, (_, i) =>
    JSON.stringify({
      level: i === 40 ? 50 : 30,
      time: 1772445600000 + i,
      pid: 7,
      hostname: 'a',
      reqId: i,
      msg: i === 40 ? 'db gone' : 'request served',
    }),
  )
  const whole = lines.join('\n')
  expect(strategyOf(whole)).toBe('log-json')
  expect(condensed(whole)).toContain('1772445600040 ERROR db gone reqId=40')
  expect(condensed(whole.slice(0, -10))).toContain('incomplete: the last JSON line is cut off')
})

test("a build tool's levels without times are no log", () => {
  const { text } = recorded('maven', 'failing')
  expect(log.detect(text.split('\n'))).toBe(false)
  expect(log.detect(['ERROR: a', 'WARN: b'])).toBe(false)
})

test('an error too long for any budget is shown by its beginning', () => {
  const lines = [...quiet(0, 100), `${stamp(101)} ERROR query failed: ${'select x, '.repeat(4000)}`, ...quiet(102, 140)]
  const shown = condensed(lines.join('\n'))
  expect(shown).toContain(`${stamp(101)} ERROR query failed: select x, `)
  expect(shown.length).toBeLessThan(4000)
})
