import { expect, test } from 'vitest'
import { createDraft } from '../../../src/engine/draft.ts'
import { createFates, type Fates } from '../../../src/engine/strategies/fates.ts'

function written(count: number, decide: (fates: Fates) => void): unknown {
  const fates = createFates(Array.from({ length: count }, (_, i) => `line ${i}`))
  decide(fates)
  const draft = createDraft(count)
  fates.write(draft)
  const { entries, fault } = draft.finish()
  expect(fault).toBeNull()
  return entries
}

test('words that stand for lines elsewhere take them along, but for those that got another fate since', () => {
  const entries = written(5, (fates) => {
    fates.say(1, 'two findings', [1, 3, 4])
    fates.keep(4)
  })
  expect(entries).toEqual([
    { kind: 'keep', line: 0 },
    { kind: 'restate', text: 'two findings', lines: [1, 3] },
    { kind: 'keep', line: 2 },
    { kind: 'keep', line: 4 },
  ])
})

test('a group that starts in another changes nothing', () => {
  const decide = (fates: Fates): void => {
    for (const line of [1, 3, 5, 7, 9]) fates.drop(line, 'noise')
    fates.group(0, 8)
  }
  expect(
    written(10, (fates) => {
      decide(fates)
      fates.group(4, 10)
    }),
  ).toEqual(written(10, decide))
})
