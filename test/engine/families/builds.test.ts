import { describe, expect, test } from 'vitest'
import { cmake } from '../../../src/engine/families/cmake.ts'
import { gcc } from '../../../src/engine/families/gcc.ts'
import { make } from '../../../src/engine/families/make.ts'
import { ninja } from '../../../src/engine/families/ninja.ts'
import { condense, condenseFixture, cuts, fixture } from '../../support/condense.ts'
import { condenseAs } from '../../support/condense-as.ts'

const compile = (i: number): string => `gcc -O2 -Wall -c src/part_${i}.c -o build/part_${i}.o`

describe('gcc and clang', () => {
  test('errors stand before warnings, with their chain of includes; places of one message are joined', () => {
    const warnings = [3, 9, 12].map(
      (line) =>
        `src/a.c: In function ‘f${line}’:\nsrc/a.c:${line}:5: warning: unused parameter ‘s’ [-Wunused-parameter]\n ${line} | int f(char *s);\n   |       ^\n`,
    )
    const text = `${warnings.join('')}In file included from include/config.h:3,
                 from src/a.c:2:
include/types.h:3:46: error: expected ‘;’ before ‘typedef’
    3 | typedef struct { int id; } item_t
      |                                  ^
`
    expect(condenseAs(gcc, text).body).toBe(`include/types.h
 3:46 error: expected ‘;’ before ‘typedef’
  included from include/config.h:3, src/a.c:2
  | typedef struct { int id; } item_t
src/a.c
 3:5 9:5 12:5 warning: unused parameter ‘s’ [-Wunused-parameter]
[filtered: 9 lines elided: source excerpts, scopes and include chains of warnings]`)
  })

  test('notes inside the library go, steps in the own files stay', () => {
    const { text, by } = condenseFixture('gcc/clang-template-errors')
    expect(by).toBe('gcc')
    expect(text).toContain("src/tmpl.cpp:22:10 note: in instantiation of member function 'std::map")
    expect(text).not.toContain('candidate template ignored')
    expect(text).toContain('18 errors generated.')
  })

  test('linker errors and errors without a place stay as they are', () => {
    const text = `${fixture('gcc/many-warnings').text}/usr/bin/ld: a.o: in function \`main':
a.c:8: undefined reference to \`ledger_close'
collect2: error: ld returned 1 exit status
cc1: fatal error: src/nothing.c: No such file or directory
compilation terminated.
`
    const made = condense(text, { command: 'gcc -Wall src/many.c' }).text
    for (const line of text.split('\n').slice(-6, -1)) expect(made).toContain(line)
  })

  test('cut off, nothing says success', () => {
    const { text, command } = fixture('gcc/clang-many')
    for (const cut of cuts(text, 5)) expect(condense(cut, { command }).text).not.toMatch(/success|0 errors|no errors/i)
  })

  test('refuses what only looks alike', () => {
    expect(gcc.detect(['src/a.ts:3:4: error: x', 'main.go:3:4: warning: y', 'a.c 3:4 error', 'see a.c:3 for it'])).toBe(
      false,
    )
  })
})

describe('make', () => {
  test('60 compile lines go, the failing target stays with its whole output, at the end', () => {
    const commands = Array.from({ length: 60 }, (_, i) => compile(i)).join('\n')
    const failing = `${compile(60)}
src/part_60.c: In function ‘f’:
src/part_60.c:3:16: error: ‘gone’ undeclared (first use in this function)
make: *** [Makefile:9: build/part_60.o] Error 1`
    const { body } = condenseAs(make, `${commands}\n${failing}\n`)
    expect(body).toBe(`[filtered: 60 lines elided: build commands]\n${failing}`)
  })

  test('"No rule to make target" stays, and is no success', () => {
    const text = `${Array.from({ length: 40 }, (_, i) => compile(i)).join('\n')}
make[1]: *** No rule to make target 'gone.o', needed by 'app'.  Stop.
make: *** [Makefile:3: all] Error 2
`
    const { text: made } = condense(text, { command: 'make' })
    expect(made).toContain("make[1]: *** No rule to make target 'gone.o', needed by 'app'.  Stop.")
    expect(made).not.toMatch(/\bok\b|success/)
  })

  test('the folder of a failing target stays named, others go', () => {
    const part = (name: string): string =>
      `make[1]: Entering directory '/src/${name}'\n${Array.from({ length: 9 }, (_, i) => compile(i)).join('\n')}\n`
    const { body } = condenseAs(
      make,
      `${part('fine')}make[1]: Leaving directory '/src/fine'\n${part('broken')}a.c:1:2: error: x\nmake[1]: *** [Makefile:4: a.o] Error 1\nmake[1]: Leaving directory '/src/broken'\nmake: *** [Makefile:2: all] Error 2\n`,
    )
    expect(body).toContain("Entering directory '/src/broken'")
    expect(body).not.toContain('/src/fine')
  })

  test('sentences that begin like a command stay', () => {
    const said = [
      'make sure that libfoo is installed',
      'install failed for the package',
      '  FAIL unit_a',
      'touch nothing',
    ]
    const { body } = condenseAs(make, `${said.join('\n')}\n${compile(1)}\nmake: *** [Makefile:1: all] Error 1\n`)
    for (const line of said) expect(body).toContain(line)
  })

  test('warnings of targets that were built are grouped, also where the build goes on to fail', () => {
    const warned = Array.from(
      { length: 30 },
      (_, i) => `${compile(i)}\ninc/a.h:3:5: warning: unused variable ‘x’ [-Wunused-variable]\n 3 | int x;\n   |     ^`,
    )
    const { body } = condenseAs(make, `${warned.join('\n')}\n${compile(31)}\nmake: *** [Makefile:1: a.o] Error 1\n`)
    expect(body.split('unused variable')).toHaveLength(2)
    expect(body).toContain('make: *** [Makefile:1: a.o] Error 1')
  })

  test('refuses what only looks alike', () => {
    expect(make.detect(['make: a wish', 'I make: *** stars', 'remake: *** x'])).toBe(false)
  })
})

describe('ninja and cmake', () => {
  test('each failed step stays with its command and output', () => {
    const { text, by } = condenseFixture('ninja/failing')
    expect(by).toBe('ninja')
    expect(text).toContain('FAILED: CMakeFiles/parts.dir/src/broken.c.o \n/usr/bin/cc')
    expect(text).toContain('ninja: build stopped: subcommand failed.')
    expect(text).not.toContain('part_20.c.o')
  })

  test('long lists of objects become their number', () => {
    const { text } = condenseFixture('ninja/success')
    expect(text).toContain('/usr/bin/ar qc libparts.a  [41 object files]')
  })

  test('cmake keeps what was not found, errors with their call stack, and its last words', () => {
    const { text, by } = condenseFixture('cmake/configure-success')
    expect(by).toBe('cmake')
    expect(text).toContain('-- Looking for strlcpy - not found')
    expect(text).not.toContain('memmem')
    expect(condenseFixture('cmake/missing-package').text).toContain(
      'Call Stack (most recent call first):\n  cmake/deps.cmake:6 (need)',
    )
  })

  test('cut off, nothing says that it was built', () => {
    const { text, command } = fixture('cmake/build-make')
    for (const cut of cuts(text, 3)) expect(condense(cut, { command }).text).not.toMatch(/100%|Built target plant/)
  })

  test('refuse what only looks alike', () => {
    expect(ninja.detect(['[1/4] Building a house', 'ninja: a warrior'])).toBe(false)
    expect(cmake.detect(['[ 50%] done', 'CMake Errors are common', '-- a comment'])).toBe(false)
  })
})
