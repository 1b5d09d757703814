import { expect, test } from 'vitest'
import { mypy } from '../../../src/engine/families/mypy.ts'
import { condenseAs } from '../../support/condense-as.ts'

test('notes stand below the error of their place', () => {
  const text = `a.py:3: error: No overload variant of "f" matches  [call-overload]
a.py:3: note: Possible overload variants:
a.py:3: note:     def f(x: int) -> str
a.py:9: error: Name "y" is not defined  [name-defined]
a.py:12: error: Name "y" is not defined  [name-defined]
Found 3 errors in 1 file (checked 1 source file)`
  expect(condenseAs(mypy, text).body).toBe(`a.py
 3 No overload variant of "f" matches  [call-overload]
  Possible overload variants:
  def f(x: int) -> str
 9, 12 Name "y" is not defined  [name-defined]
Found 3 errors in 1 file (checked 1 source file)`)
})

test('errors of two functions are not merged where the functions are named', () => {
  const text = `a.py: note: In function "f":
a.py:2: error: Boom  [misc]
a.py: note: In function "g":
a.py:7: error: Boom  [misc]
Found 2 errors in 1 file (checked 1 source file)`
  expect(condenseAs(mypy, text).body).toContain(
    ' note: In function "f":\n 2 Boom  [misc]\n note: In function "g":\n 7 Boom  [misc]',
  )
})

test('a wrapped message of the pretty form stays whole, its excerpt goes', () => {
  const error = (line: number): string => `a.py:${line}: error: Incompatible return value type (got "str",
expected "float")  [return-value]
        return name_of_some_length_${line} * rate
               ^~~~~~~~~~~~~~~~~~~~~~~~~~~~
`
  const { body } = condenseAs(mypy, `${error(1)}${error(2)}${error(3)}Found 3 errors in 1 file (checked 1 source file)`)
  expect(body).toContain(' 1, 2, 3 Incompatible return value type (got "str",\n  expected "float")  [return-value]')
  expect(body).not.toContain('name_of_some_length')
})

test('a crash stays whole', () => {
  const text = `a.py:1: error: INTERNAL ERROR -- Please try using mypy master
a.py:1: note: use --pdb to drop into pdb
Traceback (most recent call last):
  File "mypy/checkexpr.py", line 1, in accept
RuntimeError: boom`
  expect(condenseAs(mypy, text).body).toBe(text)
})

test('an error without a place stays as it is', () => {
  const text = 'a.py: error: Cannot read file\nFound 1 error in 1 file (errors prevented further checking)'
  expect(condenseAs(mypy, text).body).toBe(text)
})

test('JSON lines become places and messages with their hints', () => {
  const line = JSON.stringify({
    file: 'a.py',
    line: 4,
    column: 0,
    message: 'Bad',
    hint: 'Try this\nor that',
    code: 'misc',
    severity: 'error',
  })
  const spaced = line.replaceAll('":', '": ')
  expect(condenseAs(mypy, spaced).body).toBe('a.py\n 4 Bad  [misc]\n  Try this\n  or that')
  expect(mypy.detect([spaced])).toBe(true)
  expect(mypy.detect(['{"file": "a.py", "line": 4}'])).toBe(false)
})
