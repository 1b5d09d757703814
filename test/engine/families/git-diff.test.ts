import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { gitDiff } from '../../../src/engine/families/git-diff.ts'
import { condenseAs } from '../../support/condense-as.ts'
import { condensed, recorded } from './condensed.ts'

const context = (count: number, word = 'unchanged'): string[] =>
  Array.from({ length: count }, (_, i) => ` ${word} line ${i} of the file`)
const header = (path: string, ...extended: string[]): string[] => [`diff --git a/${path} b/${path}`, ...extended]
const names = (path: string): string[] => [`--- a/${path}`, `+++ b/${path}`]
const hunk = (lines: readonly string[]): string[] => {
  const count = (marks: string): number => lines.filter((line) => marks.includes(line[0] ?? ' ')).length
  return [`@@ -1,${count(' -')} +1,${count(' +')} @@`, ...lines]
}
const diff = (...lines: readonly string[]): string => condensed(`${lines.join('\n')}\n`, 'git diff')
const large = [...header('large.txt', 'index 1..2 100644'), ...names('large.txt'), ...hunk([...context(60), '+x'])]

/** Lines that look like parts of a diff, or like errors, when a mark stands before them. */
const content = fc.oneof(
  { weight: 3, arbitrary: fc.string({ maxLength: 30 }).map((text) => text.replace(/[\n\r\0-\x08\x0b-\x1f\x7f]/g, '')) },
  fc.constantFrom(
    '',
    '-- a comment',
    '++i;',
    '++ b/odd.sql',
    '-- a/odd.sql',
    '@@ -1 +1 @@',
    'diff --git a/x b/x',
    'index 1..2',
    'error: it broke',
    'FAILED tests/a.py::test_b',
    '(12)',
    '[filtered: 3 lines elided: unchanged lines]',
  ),
)
const change = fc.record({ sign: fc.constantFrom(' ', ' ', ' ', '-', '+'), text: content })

describe('a hand-written file', () => {
  test('keeps every changed line, in order, at the number that it has in the new file', () => {
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 60 }), (changes) => {
        const lines = changes.map(({ sign, text }) => sign + text)
        const text = [...header('a.txt', 'index 1..2 100644'), ...names('a.txt'), ...hunk(lines)].join('\n')
        const body = condenseAs(gitDiff, text).body.split('\n')
        expect(numbered(body.slice(body.findIndex((line) => line.startsWith('@@ ')) + 1))).toEqual(numbered(lines))
      }),
      { numRuns: 300 },
    )
  })

  test('keeps what reads like a header, as recorded', () => {
    const { text, command } = recorded('git-diff', 'tricky-content')
    const body = condensed(text, command).split('\n')
    for (const line of ['--- a comment', '--- old filter', '+++ b/odd.sql', '++++i;', '----n;'.slice(1)])
      if (text.split('\n').includes(line)) expect(body).toContain(line)
    expect(body).toEqual(
      expect.arrayContaining(text.split('\n').filter((line) => /^[-+](?![-+]{2} [ab]\/)/.test(line))),
    )
  })
})

/** The changed lines of a hunk with the number in the new file at which each stands; `(12)` says the next one's. */
function numbered(lines: readonly string[]): string[] {
  const found: string[] = []
  let at = 1
  for (const line of lines) {
    const said = /^\((\d+)\)$/.exec(line)
    if (said) at = Number(said[1])
    else if (line.startsWith('-')) found.push(`${at} ${line}`)
    else if (line.startsWith('+')) {
      found.push(`${at} ${line}`)
      at += 1
    } else if (line.startsWith(' ')) at += 1
  }
  return found
}

describe('what is no text', () => {
  test.each([
    ['a binary file', [...header('a.png', 'index 1..2 100644'), 'Binary files a/a.png and b/a.png differ']],
    ['a mode', header('run.sh', 'old mode 100644', 'new mode 100755')],
    ['a pure rename', header('b.txt', 'similarity index 100%', 'rename from a.txt', 'rename to b.txt')],
    ['a copy', header('b.txt', 'similarity index 97%', 'copy from a.txt', 'copy to b.txt')],
    [
      'no newline at the end',
      [...header('a.txt', 'index 1..2'), ...names('a.txt'), ...hunk(['-a', '+b']), '\\ No newline at end of file'],
    ],
    [
      'a submodule',
      [
        ...header('dep', 'index 1..2 160000'),
        ...names('dep'),
        ...hunk(['-Subproject commit 1a', '+Subproject commit 2b']),
      ],
    ],
  ])('%s stays', (_, lines) => {
    const body = diff(...large, ...lines, ...large).split('\n')
    expect(body).toEqual(expect.arrayContaining(lines.filter((line) => !/^(?:index|---|\+\+\+) /.test(line))))
  })

  test('the data of a binary patch goes, counted', () => {
    const data = Array.from({ length: 50 }, (_, i) => `zcmV+b0RR910O$Yy000310RaF4000${i % 10}${i % 7}`)
    const body = diff(...header('a.png', 'index 1..2'), 'GIT binary patch', 'literal 999', ...data, '', ...large)
    expect(body).toMatch(/\[filtered: \d+ lines elided: data of a binary patch/)
    expect(body).toContain('diff --git a/a.png b/a.png')
  })
})

describe('a file written by a machine', () => {
  const entry = (i: number): string[] => [`-    "version": "1.0.${i}",`, `+    "version": "1.1.${i}",`, ' }', ' {']
  const lock = [
    ...header('web/package-lock.json', 'index 1..2 100644'),
    ...names('web/package-lock.json'),
    ...hunk(Array.from({ length: 40 }, (_, i) => entry(i)).flat()),
  ]

  test('is named, with exact counts', () => {
    const body = diff(...lock)
    expect(body).toContain('diff --git a/web/package-lock.json b/web/package-lock.json')
    expect(body).toContain('lock file, 40 added, 40 removed in 1 hunk')
    expect(body).not.toContain('1.1.7')
  })

  test('a message anywhere among its lines stays, and they are still counted', () => {
    const message = 'error: unable to read the object: Permission denied'
    const twoHunks = [...lock, ...hunk(Array.from({ length: 9 }, (_, i) => entry(i)).flat())]
    for (let at = 0; at <= twoHunks.length; at += 1) {
      const body = diff(...twoHunks.slice(0, at), message, ...twoHunks.slice(at)).split('\n')
      expect(body).toContain(message)
      expect(body.join('\n')).toContain('lock file, 49 added, 49 removed in 2 hunks')
    }
  })

  test('a failed test between two of its hunks is no removed line', () => {
    const failed = '--- FAIL: TestStore (0.00s)'
    const body = diff(...lock, failed, ...hunk(entry(1))).split('\n')
    expect(body).toContain(failed)
    expect(body.join('\n')).toContain('lock file, 41 added, 41 removed in 2 hunks')
  })

  test('what a file written by hand says of errors is nothing that happened', () => {
    const odd = [...context(30, 'error: it broke, says the'), '-panic: old', '+panic: new']
    const body = diff(...header('a.txt', 'index 1..2'), ...names('a.txt'), ...hunk(odd)).split('\n')
    expect(body).toEqual(expect.arrayContaining(['-panic: old', '+panic: new']))
    expect(body.filter((line) => line.includes('it broke'))).toEqual([])
  })
})

test('a hunk that the output ends in is told', () => {
  const lines = [...header('a.txt', 'index 1..2'), ...names('a.txt'), ...hunk([...context(40), '-a', '+b'])].slice(
    0,
    -1,
  )
  expect(diff(...lines)).toContain('incomplete: the output ends inside this hunk')
})

test('conflict markers in a lock file stay', () => {
  const markers = ['+<<<<<<< HEAD', '+=======', '+>>>>>>> branch']
  const added = [markers[0] ?? '', '+one', markers[1] ?? '', '+two', markers[2] ?? '']
  const shown = diff(
    ...header('package-lock.json', 'index 1..2 100644'),
    ...names('package-lock.json'),
    ...hunk([...context(40), ...added]),
  )
  for (const marker of markers) expect(shown.split('\n')).toContain(marker)
  expect(shown).toContain('lock file, 5 added, 0 removed in 1 hunk')
})

test('a change of line ends alone is named; one that is more, or a missing last one, is not', () => {
  const named = 'differ in their line ends alone'
  const changed = (...changes: string[]): string =>
    diff(...header('x.txt', 'index 1..2 100644'), ...names('x.txt'), ...hunk([...context(40), ...changes]))
  expect(changed('-foo', '-bar', '+foo\r', '+bar\r')).toContain(
    `(2 removed and added here ${named})\n-foo\n-bar\n+foo\n+bar`,
  )
  expect(changed('-foo', '+bar')).not.toContain(named)
  expect(changed('-foo', '+foo', '\\ No newline at end of file')).not.toContain(named)
  expect(changed('-foo', '\\ No newline at end of file', '+foo')).not.toContain(named)
})
