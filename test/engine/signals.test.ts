import { expect, test } from 'vitest'
import { factsOf } from '../../src/engine/signals.ts'

const keys = (text: string): string[] => [...factsOf(text.split('\n')).keys()]

test('an arrow below an error may list several places, and several arrows may follow each other', () => {
  expect(keys('error: unused variable: `b` (unused_variables)\n --> src/a.rs:7:21, 13:2\n --> src/b.rs:1:1')).toEqual(
    expect.arrayContaining(['error unused variable: `b`', 'place src/a.rs:7', 'place src/a.rs:13', 'place src/b.rs:1']),
  )
  expect(keys('warning: unused\n --> src/a.rs:7:21, 13:2')).toEqual([])
})

test('the lint that ends a message is no part of it, with or without a tool before it', () => {
  expect(keys('error: redundant closure (clippy::redundant_closure)')).toEqual(keys('error: redundant closure'))
})

test('steps of an instantiation are no errors', () => {
  expect(keys('src/a.cpp:3:4:   required from ‘void std::sort(int) [with T = int]’')).toEqual([])
  expect(keys('src/a.cpp:3:4: error: required field')).toContain('place src/a.cpp:3')
})

test("what Maven says below an error for the reader's help is none", () => {
  expect(
    keys('[ERROR] \n[ERROR] Re-run Maven using the -X switch to enable full debug logging.\n[ERROR] -> [Help 1]'),
  ).toEqual([])
  expect(keys('[ERROR] Failed to execute goal a:b:c -> [Help 1]')).toHaveLength(1)
})

test("a failed test of cargo has cargo's name for it", () => {
  expect(keys('test a::tests::b ... FAILED')).toEqual(['failed-test a::tests::b'])
  expect(keys('---- a::tests::b stdout ----')).toEqual(['failed-test a::tests::b'])
})

test('what the system refused a program is an error, also without a word for it', () => {
  for (const line of [
    'grep: ./secret: Permission denied',
    "rm: cannot remove '/mnt/scratch/db': Device or resource busy",
    'umount: /mnt/scratch: target is busy.',
    './build.sh: line 3: cmake: command not found',
    'tar: dist.tar: Cannot write: No space left on device',
    'ssh: connect to host example.com port 22: Connection refused',
    'curl: (28) Operation timed out after 30001 milliseconds',
    'E: Unable to locate package libfoo-dev',
  ])
    expect(keys(line)).toEqual([`error ${line}`])
})

test('what only mentions such words is none', () => {
  for (const line of [
    'Permission denied is shown for closed folders',
    'note: retry when the device is busy',
    'not found',
  ])
    expect(keys(line)).toEqual([])
})

test('the banners by which pytest ends early are its verdict', () => {
  const ruled = (title: string): string => `${'!'.repeat(20)} ${title} ${'!'.repeat(20)}`
  for (const title of ['KeyboardInterrupt', 'Interrupted: 3 errors during collection', 'stopping after 1 failures'])
    expect(keys(ruled(title))).toEqual([`verdict ${ruled(title)}`])
  expect(keys('KeyboardInterrupt')).toEqual(['panic KeyboardInterrupt'])
})

test.each([
  ['panic', "terminate called after throwing an instance of 'std::bad_alloc'"],
  ['panic', "app: a.c:12: main: Assertion `x == 3' failed."],
  ['panic', 'Aborted'],
  ['panic', 'Terminated'],
  ['panic', 'zsh: killed     ./x'],
  ['panic', 'Speicherzugriffsfehler'],
  ['verdict', '1 example, 1 failure'],
  ['verdict', 'Failed!  - Failed:     1, Passed:     5, Skipped:     0, Total: 6'],
  ['verdict', 'FAILURES!'],
  ['verdict', 'NOT OK'],
  ['verdict', '3 of 12 checks failed.'],
  ['exit', 'Exit Code: 3'],
  ['error', "/usr/bin/ld: a.o: undefined reference to `foo'"],
  ['error', 'E0001 00:00:00.000001       1 x.go:1] boom'],
  ['error', '! Undefined control sequence.'],
  ['error', 'bash: foo: Kommando nicht gefunden.'],
  ['error', 'bash: Zeile 3: foo: Kommando nicht gefunden.'],
  ['error', 'gyp ERR! build error'],
])('is a fact of kind %s: %s', (kind, line) => {
  expect(keys(line).map((key) => key.split(' ', 1)[0])).toEqual([kind])
})

test('prose and notes that look a little like them are none', () => {
  for (const line of [
    'The old job was terminated by its owner',
    'Aborted runs are listed below',
    '! Note that this is a hint',
    'E2024 is a code for it',
    'bash: no job control in this shell',
    'bash: cannot set terminal process group (-1): Inappropriate ioctl for device',
    'bash: warning: setlocale: LC_ALL: cannot change locale',
    'I0001 00:00:00.000001       1 x.go:1] all is well',
    'an undefined reference is no pointer',
    'not ok with me',
    'a segment of the road',
    'Assertion helpers are in assert.ts',
  ])
    expect(keys(line)).toEqual([])
})
