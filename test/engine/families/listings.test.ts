import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { find } from '../../../src/engine/families/find.ts'
import { fixturesOf } from '../../support/condense.ts'
import { condenseAs } from '../../support/condense-as.ts'
import { condensed, recorded } from './condensed.ts'

const MESSAGES = [
  'find: ‘./locked’: Permission denied',
  'ls: cannot open directory ./locked: Permission denied',
  'error: something broke',
  'fatal: not a git repository',
  'panic: it broke',
  'FAILED tests/a.py::test_b - AssertionError',
  'src/a.go:3:4: undefined: x',
]
const part = fc.stringMatching(/^[.a-z][a-z0-9_-]{0,8}$/)
const path = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => `src/${parts.join('/')}`)

describe('find', () => {
  test('names every path under its folder, and keeps every message', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(path, { minLength: 1, maxLength: 120 }),
        fc.constantFrom(...MESSAGES),
        fc.nat(),
        (paths, message, at) => {
          const lines = [...paths]
          lines.splice(at % (paths.length + 1), 0, message)
          const body = condenseAs(find, `${lines.join('\n')}\n`).body.split('\n')
          expect(body).toContain(message)
          expect(
            body
              .flatMap(pathsIn)
              .filter((name) => paths.includes(name))
              .sort(),
          ).toEqual([...paths].sort())
        },
      ),
      { numRuns: 200 },
    )
  })
})

/** `./src/: a.go b.go` are two paths; any other line may be one. */
function pathsIn(line: string): string[] {
  const grouped = /^(\S*\/): (.+)$/.exec(line)
  return grouped ? (grouped[2] ?? '').split(' ').map((name) => `${grouped[1]}${name}`) : [line]
}

describe('ls', () => {
  test('keeps dot files, and messages among the names', () => {
    const names = ['.env', '.git', 'README.md', ...Array.from({ length: 80 }, (_, i) => `module-${i}.ts`)]
    const listing = ['.:', ...names, '', './src:', ...names].join('\n')
    for (const message of MESSAGES) {
      const body = condensed(`${message}\n${listing}`, 'ls -aR')
      expect(body.split('\n')).toContain(message)
      expect(body.match(/\.env\b/g)).toHaveLength(2)
      for (const name of names) expect(body).toContain(name)
    }
  })

  test('keeps every name of the long form, its target and what is unusual about it', () => {
    const row = (i: number): string => `-rw-r--r-- 1 dev dev ${1000 + i} Nov 30 04:32 file-${i}.ts`
    const odd = [
      '-rwsr-xr-x 1 root root 99 Jan  1  2024 tool',
      'lrwxrwxrwx 1 dev dev 9 Nov 30 04:32 link -> ../target',
      '-rw-r--r-- 1 dev dev 7 Nov 30 04:32 .hidden',
      '-rw-r--r-- 1 dev dev 7 Nov 30 04:32 a name with spaces',
    ]
    const body = condensed(['total 120', ...Array.from({ length: 60 }, (_, i) => row(i)), ...odd].join('\n'), 'ls -la')
    for (let i = 0; i < 60; i += 1) expect(body).toContain(`${1000 + i} file-${i}.ts`)
    for (const part of ['rwsr-xr-x', 'root root', 'link -> ../target', '.hidden', 'a name with spaces', 'total 120'])
      expect(body).toContain(part)
  })
})

describe('tree', () => {
  test.each(fixturesOf('tree').map((each) => [each.name, each] as const))(
    '%s keeps every name and its counts',
    (_, each) => {
      const body = condensed(each.text, each.command)
      for (const line of each.text.split('\n')) {
        const name = /^[│├└─\s|`\u00a0-]*(?:\[[^\]]*\] +)?(\S.*?)\/?$/.exec(line)?.[1] ?? ''
        if (!/^\d+ director/.test(line) && !name.includes('/')) expect(body).toContain(name)
        else if (/^\d+ director/.test(line)) expect(body.split('\n')).toContain(line)
      }
    },
  )

  test('keeps what could not be opened, and messages', () => {
    const { text, command } = recorded('tree', 'plain')
    for (const message of MESSAGES) {
      const lines = text.split('\n')
      lines.splice(7, 0, message)
      expect(condensed(lines.join('\n'), command).split('\n')).toContain(message)
    }
  })
})
