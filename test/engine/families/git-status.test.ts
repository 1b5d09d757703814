import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { gitStatus } from '../../../src/engine/families/git-status.ts'
import { fixturesOf } from '../../support/condense.ts'
import { condenseAs } from '../../support/condense-as.ts'
import { condensed, recorded } from './condensed.ts'

const name = fc.stringMatching(/^[a-z][a-z0-9_]{0,8}\.(?:go|ts|md)$/)
const path = fc.tuple(fc.array(fc.constantFrom('src', 'lib', 'api', 'test', 'deep'), { maxLength: 3 }), name)
const state = fc.constantFrom(' M', 'M ', 'MM', 'A ', 'D ', ' D', '??', 'UU', 'AA', 'DU')

describe('any status in its short form', () => {
  test('names every path with its state, under its directory', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.tuple(state, path), { minLength: 1, maxLength: 80 }), (changes) => {
        const lines = changes.map(([xy, [folders, base]]) => `${xy} ${[...folders, base].join('/')}`)
        const { body } = condenseAs(gitStatus, `## main...origin/main [ahead 2]\n${lines.join('\n')}\n`)
        expect(body).toContain('## main...origin/main [ahead 2]')
        expect(readShort(body).sort()).toEqual([...lines].sort())
      }),
      { numRuns: 200 },
    )
  })
})

/** Each path on its own line again: `?? src/: a.go b.go` are two. */
function readShort(body: string): string[] {
  return body.split('\n').flatMap((line) => {
    const grouped = /^(.. )(\S*\/): (.+)$/.exec(line)
    if (grouped) return (grouped[3] ?? '').split(' ').map((base) => `${grouped[1]}${grouped[2]}${base}`)
    return /^(?:[ MADRCU]{2}|\?\?) \S/.test(line) ? [line] : []
  })
}

describe.each(fixturesOf('git-status').map((each) => [each.name, each] as const))('%s', (_, { text, command }) => {
  const raw = text.replace(/\x1b\[[0-9;]*m/g, '').split('\n')
  const body = condensed(text, command)

  test('keeps branch, state and conflicts, and both names of a rename', () => {
    const states =
      /^(?:On branch|HEAD detached|Not currently|Your branch|You (?:are|have)|interactive rebase|rebase in progress|Unmerged paths|All conflicts|No commits yet|Last command|Next command|nothing|# |## |fatal:|error:|warning:)/
    for (const line of raw.filter((line) => states.test(line))) expect(body).toContain(line.split('  (')[0])
    for (const line of raw) {
      const rename = /(\S+) -> (\S+)$/.exec(line)
      if (rename) expect(body).toContain(`${rename[1]} -> ${rename[2]}`)
    }
  })
})

test('each section keeps its own changes, and hints go in one gap', () => {
  const { text, command } = recorded('git-status', 'codemod')
  const body = condensed(text, command)
  expect(body.match(/elided: hints\]/g)).toHaveLength(1)
  const staged = body.slice(body.indexOf('Changes to be committed:'), body.indexOf('Changes not staged for commit:'))
  expect(staged).toContain('renamed: src/v4/classic/errors.ts -> src/v4/classic/zod-errors.ts')
  expect(staged).toContain('deleted: src/v4/locales/: kh.ts ua.ts')
  expect(staged).not.toContain('src/v3/')
})

test('a clean tree and one that is no repository are told in their own words', () => {
  for (const name of ['clean', 'not-a-repository'])
    expect(condensed(recorded('git-status', name).text, 'git status')).toBe(recorded('git-status', name).text)
})
