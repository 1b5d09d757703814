import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { codecs } from '../../../src/engine/history/all.ts'
import { measureHistory } from '../../../src/engine/history/measure.ts'
import { spliceJson, valueAt } from '../../../src/engine/json.ts'
import { readStub } from '../../../src/engine/marker.ts'
import type { MaskPolicy } from '../../../src/engine/policy.ts'
import { type Script, script } from '../../support/histories.ts'
import { mask, shownBy, TIGHT } from '../../support/masking.ts'
import { grown, writers } from '../../support/writers.ts'

/** Policies under which the contract must hold; thresholds are small, so that events happen. */
const policy: fc.Arbitrary<MaskPolicy> = fc
  .record({
    toolProtectionThreshold: fc.constantFrom(0, 300, 1500),
    minPrunableTokensThreshold: fc.constantFrom(0, 200, 1500),
    protectLatestTurn: fc.boolean(),
    recentTurnsToKeep: fc.constantFrom(0, 0, 1, 2),
    maxRetainedChars: fc.constantFrom(0, 0, 900),
    keepLatestRead: fc.boolean(),
    maskMedia: fc.boolean(),
    dedupeCalls: fc.boolean(),
    maxPayback: fc.constantFrom(null, null, 0.5, 3),
    scale: fc.constantFrom(null, 1, 1.7),
    filterAtBirth: fc.constantFrom(null, null, 300),
    thinking: fc.constantFrom<MaskPolicy['thinking']>('auto', 'keep', 'strip', 'wait'),
  })
  .map((settings) => ({ ...TIGHT, ...settings }))

const RUNS = 20

/** The data of the generated media: no text looks like it. */
const MEDIA = /"(?:data:image\/png;base64,)?(iVBORw0KGgo[A-Za-z0-9+/=]*)"/g

const STUB = /^<tool_output_masked /
const POINTER = /^<tool_output_masked [^>]* same="/

test('every format is tried', () => {
  expect(writers.map((writer) => writer.format).sort()).toEqual(codecs.map((codec) => codec.format).sort())
})

describe.each(writers.map((writer) => [writer.format, writer] as const))('%s', (format, writer) => {
  const { key } = writer

  function check(property: (list: unknown[], policy: MaskPolicy) => void, runs = RUNS): void {
    const histories = script.map((one: Script) => writer.write(one)).filter((list) => list.length > 0)
    fc.assert(fc.property(histories, policy, property), { numRuns: runs })
  }

  test('the generator makes histories that are masked, and recognised by their shape', () => {
    const samples = fc.sample(fc.tuple(script, policy), { numRuns: 60, seed: 7 })
    const done = samples.map(([one, p]) => mask('auto', key, JSON.stringify(writer.write(one)), p))
    const masked = done.filter(({ edits }) => edits.length > 0)
    expect(masked.length).toBeGreaterThan(10)
    expect([...new Set(masked.map(({ plan }) => plan.format))]).toEqual([format])
    const media = done.flatMap(({ edits }) => edits.filter((edit) => 'value' in edit && typeof edit.value !== 'string'))
    // Gemini's responses hold media beside their object, where no text may stand; in AI SDK UI a result is any JSON.
    expect(media.length > 0).toBe(!['gemini', 'ai-sdk-ui'].includes(format))
  })

  test('is never larger, and every figure of the report is right', () => {
    check((list, p) => {
      const json = JSON.stringify(list)
      for (const stored of [true, false]) {
        const done = mask(format, key, json, p, stored)
        expect(done.json.length).toBeLessThanOrEqual(json.length)
        expect(done.report.tokensBefore).toBe(measureHistory(list))
        expect(done.report.tokensAfter).toBe(measureHistory(done.list))
        expect(done.report.tokensAfter).toBeLessThanOrEqual(done.report.tokensBefore)
        expect(done.report.maskedNow).toBeLessThanOrEqual(done.report.masked)
      }
    })
  })

  test('only values of results change, every other byte stays, and what went is in the store', () => {
    check((list, p) => {
      const json = JSON.stringify(list, null, 1)
      const done = mask(format, key, json, p)
      const before: unknown = JSON.parse(json)
      const gone = done.edits.filter((edit) => 'remove' in edit)
      for (const { pointer } of gone)
        expect(JSON.stringify(valueAt(before, pointer))).toMatch(/"signature":"c2ln"|thinking/)
      const restored = done.edits.flatMap((edit) => {
        if ('remove' in edit) return []
        const value = shownBy(edit)
        const spill = done.store.get(/\bo_[a-z][a-p]{31}\b/.exec(value)?.[0] ?? '')
        const content = spill?.content ?? ''
        const full = spill?.kind === 'json' ? JSON.parse(content) : content
        expect(full).toEqual(valueAt(before, edit.pointer))
        if (spill?.kind === 'json') expect(json).toContain(content)
        expect(value.length).toBeLessThan(content.length)
        expect(value.isWellFormed()).toBe(true)
        return [{ pointer: edit.pointer, value: content }]
      })
      expect(spliceJson(json, done.edits)).toBe(done.json)
      const values = done.edits.map(({ pointer }) => ({ pointer, value: '' }))
      expect(spliceJson(spliceJson(json, restored), gone)).toBe(
        spliceJson(spliceJson(json, values), [...restored, ...gone]),
      )
    })
  })

  test('is idempotent, and equal on every run', () => {
    check((list, p) => {
      const json = JSON.stringify(list)
      const done = mask(format, key, json, p)
      expect(mask(format, key, json, p).json).toBe(done.json)
      expect(mask(format, key, done.json, p).json).toBe(done.json)
      expect(mask(format, key, done.json, p).report.masked).toBe(done.report.masked)
    })
  })

  test('keeps what it did at every later call, and changes older bytes only by an event', () => {
    check((list, p) => {
      let previous: { json: string[]; pointers: Map<string, unknown> } | null = null
      for (const history of writer.calls(list)) {
        const done = mask(format, key, JSON.stringify(history), p)
        const now = done.list.map((message) => JSON.stringify(message))
        const pointers = new Map(done.edits.map((edit) => [edit.pointer, 'value' in edit ? shownBy(edit) : null]))
        if (previous) {
          // What is filtered from the first may be masked by an event; nothing else changes again.
          for (const [pointer, value] of previous.pointers)
            if (pointers.get(pointer) !== value) {
              expect(value).toMatch(/\[filtered: [^\]]*\]\n?$/)
              expect(pointers.get(pointer)).toMatch(STUB)
              expect(done.report.maskedNow).toBeGreaterThan(0)
            }
          const first = previous.json.findIndex((message, i) => !now[i]?.startsWith(message.replace(/\]\}$/, '')))
          if (first >= 0) expect(done.report.maskedNow).toBeGreaterThan(0)
          if (first >= 0) expect(done.report.firstChange).toBe(first)
        }
        previous = { json: now, pointers }
      }
    })
  })

  test('gives a client that keeps the masked history the bytes of one that keeps the original', () => {
    check((list, p) => {
      let kept: unknown[] = []
      let before: readonly unknown[] = []
      for (const history of writer.calls(list)) {
        const stateless = mask(format, key, JSON.stringify(history), p)
        const stateful = mask(format, key, JSON.stringify(grown(kept, before, history)), p)
        expect(stateful.json).toBe(stateless.json)
        expect(stateful.report.maskedNow).toBe(stateless.report.maskedNow)
        expect(stateful.report.tokensAfterFirstChange).toBe(stateless.report.tokensAfterFirstChange)
        kept = stateful.list
        before = history
      }
    })
  })

  test('lets no signed thinking stand after something that changed since it was written', () => {
    check((list, p) => {
      if (p.thinking === 'keep') return
      const sent = new Map<number, string>()
      for (const history of writer.calls(list)) {
        const done = mask(format, key, JSON.stringify(history), p)
        for (const [index, message] of done.list.entries()) {
          if (!writer.isAssistant(message)) continue
          const text = JSON.stringify(message)
          expect(text).not.toMatch(/"content":\[\]/)
          if (/"(?:s|thinkingS)ignature":/.test(text))
            expect(JSON.stringify(done.list.slice(0, index))).toBe(sent.get(index))
        }
        sent.set(history.length, done.json)
      }
    })
  })

  test('masks nothing that is protected or that the model has not read yet', () => {
    check((list, p) => {
      const done = mask(format, key, JSON.stringify(list), p)
      const lastAssistant = list.findLastIndex((message) => writer.isAssistant(message))
      for (const edit of done.edits) {
        if ('value' in edit && (!STUB.test(shownBy(edit)) || POINTER.test(shownBy(edit)))) continue
        expect(Number(edit.pointer.split('/')[1])).toBeLessThanOrEqual(lastAssistant)
        expect(shownBy(edit)).not.toMatch(/tool="(?:ask_user_question|mem_save)"/)
      }
    })
  })

  test('media go only where they may: old, by the setting, and never the newest', () => {
    check((list, p) => {
      const done = mask(format, key, JSON.stringify(list), p)
      const gone = done.edits.filter((edit) => 'value' in edit && typeof edit.value !== 'string')
      if (!p.maskMedia) expect(gone).toEqual([])
      const data = [...JSON.stringify(list).matchAll(MEDIA)].map(([, text]) => text)
      const left = [...done.json.matchAll(MEDIA)].map(([, text]) => text)
      expect(left.length + gone.length).toBe(data.length)
      expect(left.at(-1)).toBe(data.at(-1))
      for (const edit of gone) {
        const spill = done.store.get(readStub(shownBy(edit), '')?.id ?? /\bo_[a-p]{32}/.exec(shownBy(edit))?.[0] ?? '')
        expect(spill?.kind).toBe('json')
        expect(spill?.content).toBe(JSON.stringify(valueAt(list, edit.pointer)))
      }
    })
  })

  test('a stub is recognised for its own call alone', () => {
    check((list, p) => {
      const done = mask(format, key, JSON.stringify(list), p)
      for (const edit of done.edits) if ('value' in edit) expect(readStub(shownBy(edit), 'another call')).toBeNull()
    }, 10)
  })
})
