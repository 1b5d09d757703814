import { describe, expect, test } from 'vitest'
import { createDraft } from '../../../src/engine/draft.ts'
import { condenseByLineRules, type LineRuleLimits, type LineRules } from '../../../src/engine/strategies/line-rules.ts'

const NO_LIMITS: LineRuleLimits = { exitCode: null, items: null, signals: null }
const has = (word: string) => (line: string) => line.includes(word)
const numbered = (count: number) => Array.from({ length: count }, (_, i) => `line ${i + 1}`)

/** What stands in the lines' place: kept and restated text, and of each gap `-n: what`. */
function shown(lines: readonly string[], rules: LineRules, limits: Partial<LineRuleLimits> = {}): string[] {
  const draft = createDraft(lines.length)
  condenseByLineRules(lines, rules, { ...NO_LIMITS, ...limits }, 'rule 3', draft)
  const { entries, fault } = draft.finish()
  expect(fault).toBe(null)
  return entries.map((entry) => {
    if (entry.kind === 'keep') return lines[entry.line] ?? ''
    return entry.kind === 'restate' ? entry.text : `-${entry.lines.length}: ${entry.what}`
  })
}

describe('line rules', () => {
  test('strip the lines in which a pattern is found', () => {
    expect(shown(['a 1', 'b 1', 'a 2'], { stripLines: [has('a'), has('x')] })).toEqual([
      '-1: lines stripped by rule 3',
      'b 1',
      '-1: lines stripped by rule 3',
    ])
  })

  test('keep the lines in which a pattern is found, and no others', () => {
    expect(shown(['a 1', 'b 1', 'c 1'], { keepLines: [has('b'), has('c')] })).toEqual([
      '-1: lines not kept by rule 3',
      'b 1',
      'c 1',
    ])
  })

  test('take repeats for what stands together once others are stripped', () => {
    expect(shown(['a', 'noise', 'a', 'noise', 'a', 'b'], { stripLines: [has('noise')], dedup: true })).toEqual([
      'a',
      '-1: lines stripped by rule 3',
      '-1: repeats of the line above (x3)',
      '-1: lines stripped by rule 3',
      '-1: repeats of the line above (x3)',
      'b',
    ])
    expect(shown(['a', 'a'], { dedup: false })).toEqual(['a', 'a'])
  })

  test('cut long lines, and say by how much', () => {
    const long = 'x'.repeat(500)
    expect(shown([long, 'short'], { truncateLinesAt: 20 })).toEqual([
      `${'x'.repeat(20)} [filtered: 480 characters cut by rule 3]`,
      'short',
    ])
  })

  test('cut no line that would not get shorter, and no character in two', () => {
    expect(shown(['y'.repeat(45)], { truncateLinesAt: 20 })).toEqual(['y'.repeat(45)])
    const [cut] = shown([`${'x'.repeat(19)}🚀${'x'.repeat(100)}`], { truncateLinesAt: 20 })
    expect(cut).toBe(`${'x'.repeat(19)} [filtered: 102 characters cut by rule 3]`)
  })

  test('cut no line whose fact would go', () => {
    const place = `${'/deep'.repeat(30)}/a.c:12:3: error: unknown type name`
    expect(shown([place], { truncateLinesAt: 20 })).toEqual([place])
    const message = `a.c:12:3: error: unknown type name ${'x'.repeat(2000)}`
    expect(shown([message], { truncateLinesAt: 1000 })[0]).toContain('characters cut')
  })

  test.each([
    [{ headLines: 2 }, ['line 1', 'line 2', '-8: lines outside head and tail of rule 3']],
    [{ tailLines: 2 }, ['-8: lines outside head and tail of rule 3', 'line 9', 'line 10']],
    [{ headLines: 1, tailLines: 1 }, ['line 1', '-8: lines outside head and tail of rule 3', 'line 10']],
    [{ headLines: 8, tailLines: 8 }, numbered(10)],
    [{ maxLines: 3 }, ['line 1', '-7: lines over max_lines of rule 3', 'line 9', 'line 10']],
    [{ maxLines: 0 }, ['-10: lines over max_lines of rule 3']],
    [{ maxLines: 10 }, numbered(10)],
    [
      { headLines: 6, maxLines: 1 },
      ['-5: lines over max_lines of rule 3', 'line 6', '-4: lines outside head and tail of rule 3'],
    ],
  ] satisfies [LineRules, string[]][])('limit ten lines by %o', (rules, result) => {
    expect(shown(numbered(10), rules)).toEqual(result)
  })

  test('keep signals before tail and head', () => {
    const lines = numbered(10)
    lines[4] = 'a.c:12:3: error: unknown type name'
    lines[6] = 'make: *** [all] Error 2'
    expect(shown(lines, { maxLines: 2 }).filter((line) => !line.startsWith('-'))).toEqual([lines[4], lines[6]])
    expect(shown(lines, { maxLines: 3 }).filter((line) => !line.startsWith('-'))).toEqual([
      lines[4],
      lines[6],
      'line 10',
    ])
  })

  test('have words for nothing only after a proven success without a signal', () => {
    const rules: LineRules = { stripLines: [has('')], onEmpty: 'make: done' }
    expect(shown(['a'], rules, { exitCode: 0 })[0]).toBe('make: done')
    expect(shown(['a'], rules, { exitCode: null })).toEqual(['-1: lines stripped by rule 3'])
    expect(shown(['a'], rules, { exitCode: 2 })[0]).toBe('exit code 2, and no line is left by rule 3')
    expect(shown(['ERROR: disk full'], rules, { exitCode: 0 })).not.toContain('make: done')
    expect(shown(['a', 'b'], { stripLines: [has('a')], onEmpty: 'done' }, { exitCode: 0 })).not.toContain('done')
  })

  test('take items only by name, and held signals not at all', () => {
    const items = Uint8Array.from([0, 1, 0, 0])
    const lines = ['a', 'b', 'c', 'd']
    expect(shown(lines, { maxLines: 1 }, { items })).toEqual([
      '-1: lines over max_lines of rule 3',
      'b',
      '-1: lines over max_lines of rule 3',
      'd',
    ])
    expect(shown(lines, { keepLines: [has('d')] }, { items }).filter((line) => !line.startsWith('-'))).toEqual([
      'b',
      'd',
    ])
    expect(shown(lines, { headLines: 0, tailLines: 0 }, { items }).filter((line) => !line.startsWith('-'))).toEqual([
      'b',
    ])
    expect(shown(lines, { stripLines: [has('b')] }, { items })).toContain('-1: lines stripped by rule 3')
    expect(shown(lines, { stripLines: [has('')] }, { signals: items }).filter((line) => !line.startsWith('-'))).toEqual(
      ['b'],
    )
  })
})
