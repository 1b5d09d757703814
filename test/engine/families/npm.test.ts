import { expect, test } from 'vitest'
import { npm } from '../../../src/engine/families/npm.ts'
import { condensed, recorded } from './condensed.ts'

test('progress goes, the tally and each deprecation stay', () => {
  const progress = Array.from({ length: 60 }, (_, i) => `npm http fetch GET 200 https://registry.example/p${i} ${i}ms`)
  const shown = condensed(
    [
      ...progress,
      'npm warn deprecated a@1: do not',
      'added 60 packages in 2s',
      '',
      '3 packages are looking for funding',
    ].join('\n'),
    'npm install',
  )
  expect(shown).not.toContain('registry.example/p3')
  expect(shown).toContain('npm warn deprecated a@1: do not')
  expect(shown).toContain('added 60 packages in 2s')
})

test('a conflict and a failing script stay whole', () => {
  for (const name of ['eresolve', 'lifecycle-fails']) {
    const { text, command } = recorded('npm', name)
    const shown = condensed(text, command, 1)
    for (const line of text.split('\n').filter((one) => /npm error (?!A complete log)\S|ERR!/.test(one)))
      expect(shown).toContain(line)
  }
})

test('what would be published stays; notices of a newer npm go', () => {
  const files = Array.from({ length: 40 }, (_, i) => `npm notice 1.2kB src/f${'abcdefgh'[i % 8]}${'xyzvw'[i % 5]}.js`)
  const newer = ['npm notice', 'npm notice New minor version of npm available! 11.1.0 -> 11.2.0', 'npm notice']
  const shown = condensed([...files, ...newer, '+ web@1.0.0'].join('\n'), 'npm publish --dry-run')
  for (const file of files) expect(shown).toContain(file)
})

test('warnings that name different packages stay, each', () => {
  const letters = [...'abcdefghijklmnopqrstuvwxyz']
  const warnings = letters.map(
    (c, i) => `warning " > ${c}lib@1.0.${i}" has unmet peer dependency "dep-${c}x@^${i}.0.0".`,
  )
  const shown = condensed(
    ['yarn install v1.22.19', ...warnings, 'success Saved lockfile.', ''].join('\n'),
    'yarn install',
  )
  for (const warning of warnings) expect(shown).toContain(warning)
})

test("a script's own output is not a package manager's", () => {
  expect(npm.detect(['> web@1.0.0 test', '> vitest run', '', ' RUN  v3.0.0', 'ok'])).toBe(false)
  expect(npm.detect([])).toBe(false)
})
