import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { redrawn, showLine } from '../../../src/engine/text/terminal.ts'

const ESC = '\x1b'

describe('showLine', () => {
  test.each([
    ['plain text is the same', 'ok\tpkg 0.1s é 漢 😀', 'ok\tpkg 0.1s é 漢 😀'],
    ['empty', '', ''],
    ['CRLF', 'ok\r', 'ok'],
    ['CR alone', '\r', ''],
    ['doubled CR before LF', 'ok\r\r', 'ok'],
    ['colours', `${ESC}[31mFAIL${ESC}[0m ${ESC}[1;38;5;196mx${ESC}[m`, 'FAIL x'],
    ['colon parameters', `${ESC}[38:2::1:2:3mred${ESC}[0m`, 'red'],
    ['private mode', `${ESC}[?25lwait${ESC}[?25h`, 'wait'],
    ['title ended by BEL', `${ESC}]0;npm test\x07ok`, 'ok'],
    ['title ended by ST', `${ESC}]0;npm test${ESC}\\ok`, 'ok'],
    ['title that never ends hides nothing', `ok${ESC}]0;npm error`, 'ok0;npm error'],
    ['title broken off by a colour', `${ESC}]0;npm${ESC}[1mok`, '0;npmok'],
    ['title broken off by a link', `${ESC}]0;npm${ESC}]8;;x\x07ok`, '0;npmok'],
    ['title cancelled', `${ESC}]0;npm\x18ok`, 'ok'],
    ['image', `${ESC}]1337;File=:${'QUJD'.repeat(9000)}\x07ok`, 'ok'],
    ['device control string that never ends', `${ESC}Pfatal: it broke`, 'fatal: it broke'],
    ['unended title whose end would be far', `${ESC}]0;${'word '.repeat(2000)}\x07`, `0;${'word '.repeat(2000)}`],
    ['link', `${ESC}]8;;https://example.org${ESC}\\text${ESC}]8;;${ESC}\\`, 'text'],
    ['device control string', `a${ESC}P1$r0m${ESC}\\b`, 'ab'],
    ['character set', `${ESC}(Bok${ESC}7${ESC}=${ESC}>`, 'ok'],
    ['sequence cut off at the end', `ok${ESC}[1;3`, 'ok'],
    ['ESC alone', `ok${ESC}`, 'ok'],
    ['unit that ends a malformed sequence', `${ESC}[1é`, 'é'],
    ['redraw of equal length', '10%\r50%', '50%'],
    ['redraw by longer text', '9%\r100%', '100%'],
    ['redraw by shorter text leaves the rest', '100%\r99', '990%'],
    ['redraw with erasing', `100%\r${ESC}[K99`, '99'],
    ['erase behind the text', `ok${ESC}[K`, 'ok'],
    ['erase with parameter 0', `abcdef\rab${ESC}[0K`, 'ab'],
    ['erase to the cursor is no erasing of what follows', `abc${ESC}[1Kd`, 'abcd'],
    ['erase the line', `Resolving 5${ESC}[2KDone`, 'Done'],
    ['erase the line, then column 1', `- waiting${ESC}[2K${ESC}[1Gdone`, 'done'],
    ['column 1', `abc${ESC}[1Gx`, 'xbc'],
    ['other columns', `abc${ESC}[40Gx`, 'abcx'],
    ['cursor up', `${ESC}[1A${ESC}[2Kdone`, 'done'],
    ['backspace', 'ab\b\bcd', 'cd'],
    ['backspace at the begin', '\b\bab', 'ab'],
    ['overstruck letters', 'N\bNA\bAME', 'NAME'],
    ['spinner', '|\b/\b-\b\\\bdone', 'done'],
    ['bell and NUL', 'a\x07b\0c\x7f', 'abc'],
    ['overwritten first half of a pair', '😀b\rx', 'xb'],
    ['overwritten second half of a pair', '😀\bx', 'x'],
    ['erased second half of a pair', `😀\b${ESC}[K`, ''],
    ['pair over pair', '😀\r😁', '😁'],
  ])('%s', (_, raw, shown) => {
    expect(showLine(raw)).toBe(shown)
  })

  test('agrees with a plain model of a terminal, is idempotent and leaves no controls', () => {
    const step = fc.constantFrom('a', 'bc', ' ', '\r', '\b', `${ESC}[K`, `${ESC}[2K`, `${ESC}[1G`, `${ESC}[1m`, '\x07')
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const raw = steps.join('')
        const shown = showLine(raw)
        expect(shown).toBe(model(steps))
        expect(showLine(shown)).toBe(shown)
      }),
    )
  })

  test('any string: no control is left, a well-formed line stays well-formed, plain lines are the same', () => {
    const unit = fc.constantFrom('a', ' ', '\t', '\r', '\b', ESC, '[', ']', '2', 'K', ';', '\x07', '\\', '😀', 'é', '(')
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 60 }), (raw) => {
        const shown = showLine(raw)
        expect(shown).not.toMatch(/[\0-\x08\x0a-\x1f\x7f]/)
        expect(shown.isWellFormed()).toBe(true)
        expect(shown.length).toBeLessThanOrEqual(raw.length)
        if (shown === raw) expect(redrawn(raw)).toBe(false)
      }),
      { numRuns: 300 },
    )
  })

  test('long lines of every kind end', () => {
    const redraws = Array.from({ length: 300_000 }, (_, i) => `\r${i} of 300000`).join('')
    expect(showLine(redraws)).toBe('299999 of 300000')
    const wide = 'x'.repeat(1_000_000)
    expect(showLine(`${wide}${'\ry'.repeat(1_000_000)}`)).toBe(`y${wide.slice(1)}`)
    expect(showLine(`${wide}${`${ESC}[2Kz`.repeat(500_000)}`)).toBe('z')
    expect(showLine(`${ESC}]`.repeat(1_000_000))).toBe('')
    expect(showLine(`${ESC}[`.repeat(1_000_000))).toBe('')
    expect(showLine(`${wide}${'\b'.repeat(1_000_000)}${ESC}[K`)).toBe('')
  })
})

describe('redrawn', () => {
  test.each([
    ['10%\r50%', true],
    [`Resolving 5${ESC}[2KDone`, true],
    [`wait\r${ESC}[K`, true],
    ['|\b/\b-\bdone', true],
    ['ok\r', false],
    ['ok\r\r', false],
    [`${ESC}[31mFAIL${ESC}[0m`, false],
    [`ok${ESC}[K`, false],
    [`${ESC}[2K\rok`, false],
    ['ok\rok', false],
    ['   \rok', false],
    ['N\bNA\bAME', false],
    ['_\bx', false],
    ['plain', false],
    ['', false],
  ])('%j: %s', (raw, expected) => {
    expect(redrawn(raw)).toBe(expected)
  })
})

/** Cells in an array, erased by cutting it: slow, and plainly right. */
function model(steps: readonly string[]): string {
  let cells: string[] = []
  let column = 0
  for (const step of steps) {
    if (step === '\r' || step === `${ESC}[1G`) column = 0
    else if (step === '\b') column = Math.max(0, column - 1)
    else if (step === `${ESC}[K`) cells = cells.slice(0, column)
    else if (step === `${ESC}[2K`) {
      cells = []
      column = 0
    } else if (!step.startsWith(ESC) && step !== '\x07')
      for (const unit of step) {
        cells[column] = unit
        column += 1
      }
  }
  return cells.join('')
}

test('a line of colours alone is shown as it is drawn', () => {
  const unit = fc.constantFrom(
    'a',
    ' ',
    '\t',
    '\r',
    '\b',
    ESC,
    '[',
    '1',
    ';',
    'm',
    'K',
    `${ESC}[1m`,
    '😀',
    '\ud83d',
    '\ude00',
  )
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 12 }), (units) => {
      const raw = units.join('')
      // A control without effect: such a line is always drawn.
      const drawn = `\u0001${raw}`
      expect(showLine(`${ESC}[1m${raw}`)).toBe(showLine(drawn))
      expect(redrawn(`${ESC}[1m${raw}`)).toBe(redrawn(drawn))
    }),
    { numRuns: 3000 },
  )
})
