import { describe, expect, test } from 'vitest'
import { cargoBuild } from '../../../src/engine/families/cargo-build.ts'
import { cargoNextest } from '../../../src/engine/families/cargo-nextest.ts'
import { cargoTest } from '../../../src/engine/families/cargo-test.ts'
import { condense, condenseFixture, cuts, fixture } from '../../support/condense.ts'
import { condenseAs } from '../../support/condense-as.ts'

const warning = (line: number, name: string): string =>
  `warning: unused variable: \`${name}\`
 --> src/a.rs:${line}:9
  |
${line} |     let ${name} = 1;
  |         ^ help: if this is intentional, prefix it with an underscore: \`_${name}\`

`
const ERROR = `error[E0308]: mismatched types
  --> src/b.rs:58:16
   |
58 |         return value;
   |                ^^^^^ expected \`i64\`, found \`usize\`
   |
help: you can convert a \`usize\` to an \`i64\`
   |
58 |         return value.try_into().unwrap();
   |                     ++++++++++++++++++++

`

describe('cargo build', () => {
  test('an error stands before the 21 warnings that came before it, with its excerpt and its help', () => {
    const warnings = Array.from({ length: 21 }, (_, i) => warning(i + 3, 'x')).join('')
    const { body } = condenseAs(cargoBuild, `${warnings}${ERROR}error: could not compile \`a\` (lib)\n`)
    expect(body.indexOf('error[E0308]')).toBe(0)
    expect(body).toContain(
      '  --> src/b.rs:58:16\n58 |         return value;\n   |                ^^^^^ expected `i64`, found `usize`',
    )
    expect(body).toContain('58 |         return value.try_into().unwrap();')
    expect(body.split('unused variable')).toHaveLength(2)
    for (let i = 0; i < 21; i += 1) expect(body).toContain(`${i + 3}:9`)
    expect(body).toContain('help: if this is intentional, prefix it with an underscore: `_x`')
    expect(body).not.toContain('let x = 1;')
    expect(body.trimEnd().endsWith('error: could not compile `a` (lib)')).toBe(true)
  })

  test('a lint made an error keeps every place; the check finds nothing lost', () => {
    const denied = Array.from({ length: 12 }, (_, i) => warning(i + 3, 'x').replace('warning:', 'error:')).join('')
    const { text, by } = condense(`${denied}error: could not compile \`a\` (lib) due to 12 previous errors\n`, {
      command: 'cargo clippy -- -D warnings',
    })
    expect(by).toBe('cargo-build')
    expect(text).toContain(' --> src/a.rs:3:9, 4:9, 5:9, 6:9, 7:9, 8:9, 9:9, 10:9, 11:9, 12:9, 13:9, 14:9')
    expect(text.match(/-->/g)).toHaveLength(1)
  })

  test('JSON: errors first, by file; the end of the build as cargo says it', () => {
    const { text } = condenseFixture('cargo-build/json-messages')
    expect(text).toContain('src/rates.rs\n 7:19 error[E0308]: mismatched types')
    expect(text.indexOf('error[E0308]')).toBeLessThan(text.indexOf('warning:'))
    expect(text).toContain('{"reason":"build-finished","success":false}')
  })

  test('cut off, it is said to be so, and nothing says that it finished', () => {
    const { text } = fixture('cargo-build/warnings-then-error')
    for (const cut of cuts(text, 2)) {
      const made = condense(cut, { command: 'cargo build' }).text
      expect(made).toContain('incomplete: the output ends before cargo says how the build went')
      expect(made).not.toContain('Finished')
    }
  })

  test('refuses what only looks alike', () => {
    expect(cargoBuild.detect(['warning: something', ' --> a/b', 'error: failed', 'Compiling the list'])).toBe(false)
    expect(cargoBuild.detect(['{"reason":"because","message":"no"}'])).toBe(false)
  })
})

describe('cargo test', () => {
  test('a failed test is told once, with place and values; passing tests and library frames go', () => {
    const { text, by } = condenseFixture('cargo-test/backtrace')
    expect(by).toBe('cargo-test')
    expect(text.split('account::tests::index_out_of_bounds stdout')).toHaveLength(2)
    expect(text).toContain('   6: bank_core::account::Book::balance\n             at ./src/account.rs:14:22')
    expect(text).not.toContain('/rustc/')
    expect(text).not.toContain('... ok')
  })

  test('names of failed tests stay where nothing else tells them', () => {
    const names = Array.from({ length: 40 }, (_, i) => `    tests::case_${i}`).join('\n')
    const tail = `failures:\n${names}\n\ntest result: FAILED. 3 passed; 40 failed; 0 ignored; 0 measured; 0 filtered out\n`
    const { text } = condense(tail, { command: 'cargo test 2>&1 | tail -45' })
    for (let i = 0; i < 40; i += 1) expect(text).toContain(`tests::case_${i}\n`)
  })

  test('several passing binaries keep their tallies and share one gap', () => {
    const { text } = condenseFixture('cargo-test/passing')
    expect(text.match(/^test result: ok/gm)).toHaveLength(6)
    expect(text.match(/elided: passing tests/g)).toHaveLength(1)
  })

  test('cut off, it is said to be so, and no tally is made up', () => {
    const { text } = fixture('cargo-test/many-passing')
    for (const cut of cuts(text, 4)) {
      const made = condense(cut, { command: 'cargo test' }).text
      expect(made).toContain('incomplete: the output ends before the last test result')
      expect(made).toContain('running 300 tests')
      expect(made).not.toMatch(/^test result/m)
    }
  })

  test('refuses what only looks alike', () => {
    expect(cargoTest.detect(['test result: all good', 'running 3 tests', 'test a ... ok'])).toBe(false)
    expect(cargoTest.detect(['test tests/test_a.py ... ok'])).toBe(false)
  })
})

describe('cargo nextest', () => {
  test('failures stay once, with what they printed; the frame around one test goes', () => {
    const { text, by } = condenseFixture('cargo-nextest/failing')
    expect(by).toBe('cargo-nextest')
    expect(text.split('bank-core account::tests::thread_panics')).toHaveLength(2)
    expect(text).toContain('this goes to standard error')
    expect(text).not.toContain('running 1 test')
    expect(text.match(/elided: passing tests/g)).toHaveLength(1)
  })

  test('timeouts, retries and tests that were not run stay', () => {
    expect(condenseFixture('cargo-nextest/timeout').text).toContain('TRY 2 TMT')
    expect(condenseFixture('cargo-nextest/abort').text).toContain('1/4 tests were not run due to test failure')
  })

  test('cut off, it is said to be so', () => {
    const { text } = fixture('cargo-nextest/passing')
    for (const cut of cuts(text, 3)) {
      const made = condense(cut, { command: 'cargo nextest run' }).text
      expect(made).toContain('incomplete: the output ends before the summary')
      expect(made).not.toMatch(/\d passed/)
    }
  })

  test('refuses what only looks alike', () => {
    expect(cargoNextest.detect(['    Starting 3 tests', '     Summary of it', '        FAIL [now] x'])).toBe(false)
  })
})

test('cargo bench: every measurement stays', () => {
  const lines = Array.from({ length: 80 }, (_, i) => `test bench_${i} ... bench:       ${i * 37} ns/iter (+/- ${i})`)
  const tally = 'test result: ok. 0 passed; 0 failed; 0 ignored; 80 measured; 0 filtered out; finished in 20.1s'
  const shown = condense(['running 80 tests', ...lines, '', tally].join('\n'), { command: 'cargo bench' }).text
  for (const line of lines) expect(shown).toContain(line)
})
