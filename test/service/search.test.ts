import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPace, type Pace } from '../../src/service/pace.ts'
import { loadPatterns } from '../../src/service/pattern.ts'
import { CostlyPattern, type SearchOptions, searchLines } from '../../src/service/search.ts'

const compile = await loadPatterns()
const utf8 = (text: string) => new TextEncoder().encode(text)

function testOf(pattern: string): (line: string) => boolean {
  const made = compile(pattern)
  if (typeof made === 'function') return made
  throw new Error(made.fault)
}

async function* cut(bytes: Uint8Array, size: number, walked: number[] = []) {
  for (let from = 0; from < bytes.length; from += size) {
    walked.push(from)
    yield bytes.subarray(from, from + size)
  }
}

const linesOf = (text: string) => (text === '' ? [] : text.replace(/\n$/, '').split('\n'))

function search(text: string, pattern: string, options: Partial<SearchOptions> = {}, size = 7) {
  const all = { context: 0, max: 100, firstLine: 1, lastLine: linesOf(text).length, ...options }
  return searchLines(cut(utf8(text), size), { matches: testOf(pattern), ...all })
}

/** What `grep -n -C context -m max` means, said as plainly as possible. */
function plainSearch(lines: readonly string[], word: string, context: number, max: number): string {
  const found = lines.flatMap((line, i) => (line.includes(word) ? [i] : []))
  const shown = found.slice(0, max)
  const rows: string[] = []
  let before = -2
  for (const [i, line] of lines.entries()) {
    const next = found[max]
    if (next !== undefined && i >= next) break
    if (!shown.some((at) => Math.abs(at - i) <= context)) continue
    if (context > 0 && rows.length > 0 && i > before + 1) rows.push('--')
    rows.push(`${i + 1}${shown.includes(i) ? ':' : '-'}${line}`)
    before = i
  }
  return rows.map((row) => `${row}\n`).join('')
}

describe('searchLines', () => {
  it('numbers what it finds, with context as grep shows it', async () => {
    const text = 'a\nb1\nc\nd\ne\nb2\nf\nb3\ng\nh\n'
    expect(await search(text, '^b', { context: 1 })).toEqual({
      text: '1-a\n2:b1\n3-c\n--\n5-e\n6:b2\n7-f\n8:b3\n9-g\n',
      matches: 3,
      cut: 0,
      searchedTo: 10,
      truncated: false,
    })
  })

  it('finds what a plain reading finds, however the bytes come in', async () => {
    const words = fc.array(fc.constantFrom('x', 'xy', '', 'ü', 'other', '名'), { maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(
        words,
        fc.integer({ min: 1, max: 9 }),
        fc.nat({ max: 3 }),
        fc.integer({ min: 1, max: 6 }),
        fc.boolean(),
        async (lines, size, context, max, endsInLf) => {
          const text = `${lines.join('\n')}${endsInLf && lines.length > 0 ? '\n' : ''}`
          const rows = linesOf(text)
          const result = await search(text, 'x', { context, max }, size)
          expect(result.text).toBe(plainSearch(rows, 'x', context, max))
          const all = rows.filter((line) => line.includes('x')).length
          expect(result.matches).toBe(Math.min(all, max))
          if (all > max) expect(result.truncated).toBe(true)
          if (!result.truncated) expect(result.searchedTo).toBe(rows.length)
        },
      ),
    )
  })

  it('goes on where it ended, with nothing twice and nothing left out', async () => {
    const text = Array.from({ length: 50 }, (_, i) => `${i % 3 === 0 ? 'hit' : 'miss'} ${i}\n`).join('')
    const lines = linesOf(text)
    const seen: string[] = []
    let firstLine = 1
    for (;;) {
      const rest = lines.slice(firstLine - 1).map((line) => `${line}\n`)
      const result = await search(rest.join(''), 'hit', { max: 4, firstLine, lastLine: 50 })
      seen.push(...linesOf(result.text))
      if (!result.truncated) break
      firstLine = result.searchedTo + 1
    }
    expect(seen).toEqual(lines.flatMap((line, i) => (line.startsWith('hit') ? [`${i + 1}:${line}`] : [])))
  })

  it('reads no further than the last match that it shows, and says so', async () => {
    const text = `${'nothing\n'.repeat(100)}hit\n${'nothing\n'.repeat(10_000)}`
    const walked: number[] = []
    const options = { matches: testOf('hit'), context: 1, max: 1, firstLine: 1, lastLine: 10_101 }
    const result = await searchLines(cut(utf8(text), 1000, walked), options)
    expect(result).toMatchObject({ text: '100-nothing\n101:hit\n102-nothing\n', truncated: true, searchedTo: 102 })
    expect(walked).toHaveLength(1)
  })

  it('sees lines as a terminal shows them, and as they are', async () => {
    const text = '\u001b[31merror\u001b[0m: red\r\nplain\n50%\r100%\n'
    expect((await search(text, '^error: red$')).text).toBe('1:error: red\n')
    expect((await search(text, '^100%$')).text).toBe('3:100%\n')
    // What was overwritten is still there to be found.
    expect((await search(text, '50')).text).toBe('3:50%\r100%\n')
  })

  it('cuts a long line to the part that matches, and counts what it leaves out', async () => {
    const line = `${'a'.repeat(5000)}NEEDLE${'b'.repeat(5000)}`
    const result = await search(`${line}\n${'c'.repeat(3000)}\n`, 'NEEDLE', { context: 1 }, 999)
    const [hit = '', after = ''] = result.text.split('\n')
    expect(hit).toMatch(/^1:\[(\d+) characters cut\]a*NEEDLEb*\[(\d+) characters cut\]$/)
    const shown = /\](\w+)\[/.exec(hit)?.[1]?.length ?? 0
    const cuts = [...hit.matchAll(/\[(\d+) characters/g)].map(([, count]) => Number(count))
    expect(shown + (cuts[0] ?? 0) + (cuts[1] ?? 0)).toBe(line.length)
    expect(after).toMatch(/^2-c{2000}\[1000 characters cut\]$/)
    expect(result.cut).toBe(2)
  })

  it('never cuts a character in two', async () => {
    for (let shift = 0; shift < 4; shift += 1) {
      const { text } = await search(`${'x'.repeat(shift)}${'😀'.repeat(4000)}z`, 'z', {}, 4096)
      expect(text.isWellFormed()).toBe(true)
      expect(text).not.toContain('\ufffd')
    }
  })

  it('finds matches everywhere in a line that is too long to be held', async () => {
    const size = 3_500_000
    for (const at of [0, 1_048_570, 1_048_576, 2_000_000, size - 6]) {
      const line = `${'a'.repeat(at)}NEEDLE${'b'.repeat(size - at - 6)}`
      const { text, matches, searchedTo } = await search(`first\n${line}\nlast\n`, 'NEEDLE', { context: 1 }, 262_144)
      const rows = text.split('\n')
      expect([matches, searchedTo, rows.length]).toEqual([1, 3, 4])
      expect(rows[0]).toBe('1-first')
      expect(rows[1]).toMatch(/^2:.*NEEDLE.*cut\]$|^2:.*cut\].*NEEDLE$/)
      expect(rows[1]?.length).toBeLessThan(2200)
      expect(rows[2]).toBe('3-last')
    }
  })

  it('shows a long line that is context once', async () => {
    const { text } = await search(`hit\n${'a'.repeat(2_500_000)}\nend\n`, 'hit', { context: 2 }, 262_144)
    const rows = text.split('\n')
    expect(rows.map((row) => row.slice(0, 3))).toEqual(['1:h', '2-a', '3-e', ''])
    expect(rows[1]).toMatch(/^2-a{2000}\[\d{7} characters or more cut\]$/)
  })

  it('ends a result that would grow without bound', async () => {
    const text = `${'x'.repeat(1900)}\n`.repeat(1000)
    const result = await search(text, 'x', { max: 9999 }, 262_144)
    expect(result.truncated).toBe(true)
    expect(result.text.length).toBeLessThan(1024 * 1024 + 2000)
    expect(result.matches).toBe(result.searchedTo)
  })

  /** A clock that every test of a line moves by a millisecond. */
  function timed(pattern: string, ms: number) {
    let time = 0
    const test = testOf(pattern)
    const matches = (line: string) => {
      time += 1
      return test(line)
    }
    const pace = createPace(() => time, 1, ms)
    const rested: number[] = []
    const watched: Pace = { ...pace, rest: () => pace.rest().then(() => void rested.push(time)) }
    return { matches, pace: watched, rested }
  }

  it('pauses now and then, so that everything else goes on', async () => {
    const { rested, ...options } = timed('hit', 1e9)
    await search('miss\n'.repeat(1000), 'hit', options)
    expect(rested.length).toBeGreaterThan(30)
  })

  it('ends behind a line when its time is over, and goes on from there', async () => {
    const lines = Array.from({ length: 100 }, (_, i) => `${i % 2 === 0 ? 'hit' : 'miss'} ${i}`)
    const seen: string[] = []
    let firstLine = 1
    for (let asked = 0; ; asked += 1) {
      const rest = lines.slice(firstLine - 1).map((line) => `${line}\n`)
      const result = await search(rest.join(''), 'hit', { ...timed('hit', 30), firstLine, lastLine: 100 })
      seen.push(...linesOf(result.text))
      if (!result.truncated) break
      expect(asked).toBeLessThan(10)
      firstLine = result.searchedTo + 1
    }
    expect(seen).toEqual(lines.flatMap((line, i) => (line.startsWith('hit') ? [`${i + 1}:${line}`] : [])))
  })

  it('takes a long line in small pieces where the pattern is large, and finds the same', async () => {
    const pattern = 'NE(x|E){1,900}DLE'
    for (const at of [0, 8190, 8192, 20_000, 99_994]) {
      const line = `${'\u00fc'.repeat(at)}NEEDLE${'b'.repeat(100_000 - at)}`
      let longest = 0
      const test = testOf(pattern)
      const matches = (text: string) => {
        longest = Math.max(longest, text.length)
        return test(text)
      }
      const result = await search(`${line}\nlast\n`, pattern, { matches, pace: createPace(() => 0, 2000, 1e9) }, 65_536)
      expect([result.matches, result.searchedTo, result.text.isWellFormed()]).toEqual([1, 2, true])
      expect(result.text).toContain('NEEDLE')
      expect(result.text).not.toContain('\ufffd')
      expect(longest).toBeLessThan(9000)
    }
  })

  it('gives up on a line that takes all its time', async () => {
    const { rested: _, matches, pace } = timed('x', 5)
    const line = `${'a'.repeat(200_000)}\n`
    const searched = search(line, 'x', { matches, pace: { ...pace, cost: 2000 } }, 65_536)
    await expect(searched).rejects.toBeInstanceOf(CostlyPattern)
  })

  it('ends before a later line that takes all the time left', async () => {
    const { rested: _, matches, pace } = timed('x', 5)
    const text = `x first\n${'a'.repeat(200_000)}\nx last\n`
    const result = await search(text, 'x', { matches, pace: { ...pace, cost: 2000 }, lastLine: 3 }, 65_536)
    expect(result).toMatchObject({ matches: 1, searchedTo: 1, truncated: true })
  })
})
