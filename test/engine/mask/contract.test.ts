import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { measureHistory } from '../../../src/engine/history/measure.ts'
import { spliceJson, valueAt } from '../../../src/engine/json.ts'
import { readStub } from '../../../src/engine/marker.ts'
import type { MaskPolicy } from '../../../src/engine/policy.ts'
import { type Script, script, writers } from '../../support/histories.ts'
import { mask, TIGHT } from '../../support/masking.ts'

/** Policies under which the contract must hold; thresholds are small, so that events happen. */
const policy: fc.Arbitrary<MaskPolicy> = fc
  .record({
    toolProtectionThreshold: fc.constantFrom(0, 300, 1500),
    minPrunableTokensThreshold: fc.constantFrom(0, 200, 1500),
    protectLatestTurn: fc.boolean(),
    recentTurnsToKeep: fc.constantFrom(0, 0, 1, 2),
    maxRetainedChars: fc.constantFrom(0, 0, 900),
    thinking: fc.constantFrom<MaskPolicy['thinking']>('auto', 'keep', 'strip', 'wait'),
  })
  .map((settings) => ({ ...TIGHT, ...settings }))

/** Histories at the moments at which a client calls: before each assistant message, and at the end. */
function calls(list: readonly unknown[], isAssistant: (message: unknown) => boolean): number[] {
  return [...list.keys()].filter((index) => index > 0 && isAssistant(list[index])).concat(list.length)
}

describe.each(writers.map((writer) => [writer.format, writer] as const))('%s', (format, writer) => {
  function check(runs: number, property: (script: Script, policy: MaskPolicy) => void): void {
    fc.assert(fc.property(script, policy, property), { numRuns: runs })
  }

  test('the generator makes histories that are masked', () => {
    const samples = fc.sample(fc.tuple(script, policy), { numRuns: 60, seed: 7 })
    const masked = samples.filter(
      ([one, p]) => mask(format, writer.key, JSON.stringify(writer.write(one)), p).edits.length > 0,
    )
    expect(masked.length).toBeGreaterThan(15)
  })

  test('is never larger, and every figure of the report is right', () => {
    check(30, (one, p) => {
      const json = JSON.stringify(writer.write(one))
      for (const stored of [true, false]) {
        const done = mask(format, writer.key, json, p, stored)
        expect(done.json.length).toBeLessThanOrEqual(json.length)
        expect(done.report.tokensBefore).toBe(measureHistory(JSON.parse(json)))
        expect(done.report.tokensAfter).toBe(measureHistory(done.list))
        expect(done.report.tokensAfter).toBeLessThanOrEqual(done.report.tokensBefore)
        expect(done.report.maskedNow).toBeLessThanOrEqual(done.report.masked)
      }
    })
  })

  test('only values of results change, every other byte stays, and what went is in the store', () => {
    check(30, (one, p) => {
      const json = JSON.stringify(writer.write(one), null, 1)
      const done = mask(format, writer.key, json, p)
      const before: unknown = JSON.parse(json)
      const gone = done.edits.filter((edit) => 'remove' in edit)
      for (const { pointer } of gone) expect(valueAt(before, pointer)).toMatchObject({ type: 'thinking' })
      const restored = done.edits.flatMap((edit) => {
        if ('remove' in edit) return []
        const { value } = edit
        const id = /id="(o_[a-p]+)"/.exec(value)?.[1] ?? ''
        const content = done.store.get(id)?.content
        expect(content).toBe(valueAt(before, edit.pointer))
        expect(value.length).toBeLessThan(content?.length ?? 0)
        expect(value.isWellFormed()).toBe(true)
        return [{ pointer: edit.pointer, value: content ?? '' }]
      })
      expect(spliceJson(done.json, restored)).toBe(spliceJson(json, [...restored, ...gone]))
      expect(spliceJson(json, done.edits)).toBe(done.json)
    })
  })

  test('is idempotent, and equal on every run', () => {
    check(30, (one, p) => {
      const json = JSON.stringify(writer.write(one))
      const done = mask(format, writer.key, json, p)
      expect(mask(format, writer.key, json, p).json).toBe(done.json)
      expect(mask(format, writer.key, done.json, p).json).toBe(done.json)
      expect(mask(format, writer.key, done.json, p).report.masked).toBe(done.report.masked)
    })
  })

  test('keeps what it did at every later call, and changes older bytes only by an event', () => {
    check(25, (one, p) => {
      const list = writer.write(one)
      let previous: { json: string[]; pointers: Map<string, unknown> } | null = null
      for (const end of calls(list, writer.isAssistant)) {
        const done = mask(format, writer.key, JSON.stringify(list.slice(0, end)), p)
        const now = done.list.map((message) => JSON.stringify(message))
        const pointers = new Map(done.edits.map((edit) => [edit.pointer, 'value' in edit ? edit.value : null]))
        if (previous) {
          for (const [pointer, value] of previous.pointers) expect(pointers.get(pointer)).toBe(value)
          const first = previous.json.findIndex((message, i) => message !== now[i])
          if (first >= 0) expect(done.report.maskedNow).toBeGreaterThan(0)
          if (first >= 0) expect(done.report.firstChange).toBe(first)
        }
        previous = { json: now, pointers }
      }
    })
  })

  test('gives a client that keeps the masked history the bytes of one that keeps the original', () => {
    check(30, (one, p) => {
      const list = writer.write(one)
      let kept: unknown[] = []
      let from = 0
      for (const end of calls(list, writer.isAssistant)) {
        const stateless = mask(format, writer.key, JSON.stringify(list.slice(0, end)), p)
        const stateful = mask(format, writer.key, JSON.stringify([...kept, ...list.slice(from, end)]), p)
        expect(stateful.json).toBe(stateless.json)
        expect(stateful.report.maskedNow).toBe(stateless.report.maskedNow)
        expect(stateful.report.tokensAfterFirstChange).toBe(stateless.report.tokensAfterFirstChange)
        kept = stateful.list
        from = end
      }
    })
  })

  test('lets no signed thinking stand after something that changed since it was written', () => {
    check(30, (one, p) => {
      if (p.thinking === 'keep') return
      const list = writer.write(one)
      const sent = new Map<number, string>()
      for (const end of calls(list, writer.isAssistant)) {
        const done = mask(format, writer.key, JSON.stringify(list.slice(0, end)), p)
        for (const [index, message] of done.list.entries()) {
          if (!writer.isAssistant(message)) continue
          expect(JSON.stringify(message)).not.toMatch(/"content":\[\]/)
          if (/[sS]ignature/.test(JSON.stringify(message)))
            expect(JSON.stringify(done.list.slice(0, index))).toBe(sent.get(index))
        }
        sent.set(end, done.json)
      }
    })
  })

  test('masks nothing that is protected, pending, unread by the model or in a kept turn', () => {
    check(25, (one, p) => {
      const list = writer.write(one)
      const done = mask(format, writer.key, JSON.stringify(list), p)
      const lastAssistant = list.findLastIndex((message) => writer.isAssistant(message))
      for (const edit of done.edits) {
        expect(Number(edit.pointer.split('/')[1])).toBeLessThanOrEqual(lastAssistant)
        const value = 'value' in edit ? edit.value : ''
        expect(value).not.toMatch(/tool="(?:ask_user_question|mem_save)"/)
      }
    })
  })

  test('a stub is recognised for its own call alone', () => {
    check(15, (one, p) => {
      const done = mask(format, writer.key, JSON.stringify(writer.write(one)), p)
      for (const edit of done.edits) if ('value' in edit) expect(readStub(edit.value, 'another call')).toBeNull()
    })
  })
})
