import fc from 'fast-check'
import { loadFixtures } from './fixtures.ts'

const fixtures = loadFixtures()

/** Lines with what outputs are full of: controls, markers, diagnostics, odd characters. */
const oddLine = fc.oneof(
  { weight: 3, arbitrary: fc.string({ maxLength: 60 }) },
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.constantFrom(
    '',
    '   ',
    '\r',
    'progress 10%\rprogress 55%\rdone',
    '\u001b[31mred\u001b[0m text',
    '\u001b[2K\u001b[1Gredrawn',
    '[filtered: 12 lines elided: passing tests]',
    '[filtered: 3 of 9 lines elided by window; 100 chars, 30 tokens; full output: o_faaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; sum aaaaaaaa]',
    'src/store.ts:12:3: error: expected 3, got 4',
    '{"Action":"fail","Package":"a/b","Test":"TestX"}',
    '{"Action":"output","Package":"a/b","Test":"TestX","Output":"--- FAIL: TestX (0.00s)\\n"}',
    '=== RUN   TestX',
    '--- FAIL: TestX (0.00s)',
    '--- PASS: TestX (0.00s)',
    'On branch main',
    'Changes not staged for commit:',
    '\tmodified:   a.txt',
    '2026-01-02T03:04:05.123Z ERROR connection refused',
    '名前が見つかりません 🚀',
    '\u0000\u0007\ufeff',
  ),
)

/** A few lines of a recorded output. */
const recorded = fixtures.length
  ? fc.record({ at: fc.nat(), from: fc.nat(), count: fc.integer({ min: 1, max: 120 }) }).map(({ at, from, count }) => {
      const lines = fixtures[at % fixtures.length]?.text.split('\n') ?? ['']
      return lines.slice(from % lines.length, (from % lines.length) + count)
    })
  : fc.constant([''])

const repeated = fc
  .tuple(oddLine, fc.integer({ min: 2, max: 200 }))
  .map(([line, times]) => new Array<string>(times).fill(line))

/** Tool outputs: generated, recorded, spliced and repeated lines, with and without a final LF; no lone surrogates. */
export const toolOutput = fc
  .tuple(
    fc.array(
      fc.oneof(
        { weight: 2, arbitrary: fc.array(oddLine, { maxLength: 12 }) },
        { weight: 3, arbitrary: recorded },
        repeated,
      ),
      { maxLength: 12 },
    ),
    fc.boolean(),
  )
  .map(([parts, lf]) => `${parts.flat().join('\n')}${lf ? '\n' : ''}`.toWellFormed())

/** Command lines that fit some families, none, or several. */
export const someCommand = fc.constantFrom(
  undefined,
  'go test ./...',
  'go test -json ./... 2>&1 | tail -500',
  'git status',
  'make test; true',
  'cat build.log',
  '((',
)
