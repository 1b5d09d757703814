import { expect, test } from 'vitest'
import { flake8 } from '../../../src/engine/families/flake8.ts'
import { pylint } from '../../../src/engine/families/pylint.ts'
import { condenseAs } from '../../support/condense-as.ts'

test('flake8: findings by file; sources shown with them go', () => {
  const source = '    value = compute_something_long(1, 2, 3) ; other = 4'
  const text = [1, 2, 3].map((n) => `a.py:${n}:9: E702 multiple statements\n${source}\n        ^`).join('\n')
  const { body } = condenseAs(flake8, `${text}\n3     E702 multiple statements`)
  expect(body).toBe(
    'a.py\n 1:9 2:9 3:9 E702 multiple statements\n[filtered: 6 lines elided: source excerpts]\n3     E702 multiple statements',
  )
})

test('flake8 asks for more than a line or two', () => {
  expect(flake8.detect(['a.py:1:1: F401 x'])).toBe(false)
})

test('pylint: messages by file, score kept, duplicate code kept', () => {
  const text = `************* Module pkg.a
pkg/a.py:1:0: C0114: Missing module docstring (missing-module-docstring)
pkg/a.py:9:0: R0801: Similar lines in 2 files
==pkg.a:[1:6]
==pkg.b:[3:8]
    x = 1 (duplicate-code)

------------------------------------------------------------------
Your code has been rated at 7.24/10 (previous run: 7.24/10, +0.00)`
  const { body } = condenseAs(pylint, text)
  for (const kept of ['==pkg.a:[1:6]', '==pkg.b:[3:8]', '    x = 1 (duplicate-code)', 'rated at 7.24/10'])
    expect(body).toContain(kept)
  expect(body).not.toContain('*****')
})
