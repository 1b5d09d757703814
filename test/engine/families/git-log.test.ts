import { describe, expect, test } from 'vitest'
import { fixturesOf } from '../../support/condense.ts'
import { condensed } from './condensed.ts'

const shown = (text: string): string => text.replace(/\x1b\[[0-9;]*m/g, '')

describe.each(fixturesOf('git-log').map((each) => [each.name, each] as const))('%s', (_, { text, command }) => {
  const raw = shown(text)
  const body = condensed(text, command)

  test('keeps each commit, merges too', () => {
    for (const [sha] of raw.matchAll(/\b[0-9a-f]{40}\b/g)) expect(body).toContain(sha)
    for (const [, merge] of raw.matchAll(/^[|\\/ ]*(Merge: .+)$/gm)) expect(body).toContain(merge)
    for (const [, date] of raw.matchAll(/Date: {1,8}(\w.+) [+-]\d{4}$/gm)) expect(body).toContain(date)
  })

  test('keeps the summaries of what changed', () => {
    const summaries = raw.match(/\d+ files? changed.*$/gm) ?? []
    expect(body.match(/\d+ files? changed.*$/gm) ?? []).toEqual(summaries)
  })
})

const commit = (i: number, body: readonly string[]): string[] => [
  `commit ${`${i}`.padStart(40, 'a')}`,
  `Author: Dev <dev@example.com>`,
  'Date:   Thu May 9 12:00:00 2024 +0000',
  '',
  ...[`Change ${i}`, '', ...body].map((line) => (line === '' ? '' : `    ${line}`)),
  '',
]

test('a long message is shortened with its count, and what it means for others stays', () => {
  const reasons = Array.from({ length: 12 }, (_, i) => `reason ${i} with some more words`)
  const text = [1, 2, 3, 4]
    .flatMap((i) => commit(i, [...reasons, 'BREAKING CHANGE: the port', `Fixes: #${i}`]))
    .join('\n')
  const body = condensed(text, 'git log')
  for (const i of [1, 2, 3, 4]) {
    expect(body).toContain(`Change ${i}`)
    expect(body).toContain(`Fixes: #${i}`)
  }
  expect(body.match(/BREAKING CHANGE: the port/g)).toHaveLength(4)
  expect(body.match(/\[filtered: \d+ lines elided: lines of the message\]/g)).toHaveLength(4)
})

test('the message of a single commit stays whole', () => {
  const reasons = Array.from({ length: 40 }, (_, i) => `reason ${i} with some more words`)
  const body = condensed(commit(1, reasons).join('\n'), 'git show')
  for (const reason of reasons) expect(body).toContain(reason)
})

test('a message that tells of an error is none of this run, an error of git is', () => {
  const text = [1, 2, 3, 4].flatMap((i) => commit(i, ['first', 'second', ...Array(9).fill('error: it broke, it said')]))
  const body = condensed([...text, 'fatal: unable to read tree'].join('\n'), 'git log')
  expect(body).toContain('fatal: unable to read tree')
  expect(body).not.toContain('it broke, it said')
})
