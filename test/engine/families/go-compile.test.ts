import { expect, test } from 'vitest'
import { goBuild, goVet } from '../../../src/engine/families/go-compile.ts'
import { condenseAs } from '../../support/condense-as.ts'

test('have and want stay below their message, packages above theirs', () => {
  const text = `# example.com/a
a/a.go:5:2: undefined: x
a/a.go:7:9: not enough return values
	have (number)
	want (int, error)
a/a.go:9:2: too many errors
# example.com/b
b/b.go:1:1: missing return`
  expect(condenseAs(goBuild, text).body).toBe(`# example.com/a
a/a.go
 5:2 undefined: x
 7:9 not enough return values
	have (number)
	want (int, error)
 9:2 too many errors
# example.com/b
b/b.go
 1:1 missing return`)
})

test('build events are told as what they print', () => {
  const event = (output: string): string =>
    JSON.stringify({ ImportPath: 'example.com/a', Action: 'build-output', Output: `${output}\n` })
  const text = [
    event('# example.com/a'),
    event('a/a.go:5:2: undefined: x'),
    JSON.stringify({ ImportPath: 'example.com/a', Action: 'build-fail' }),
  ].join('\n')
  expect(condenseAs(goBuild, text).body).toContain('# example.com/a\na/a.go\n 5:2 undefined: x')
})

test.each(['stat /home/dev/parcel/cmd/nowhere: directory not found', 'no Go files in /home/dev/docs'])(
  'a build that found nothing to build is left alone: %s',
  (text) => {
    expect(condenseAs(goBuild, text).strategy).toBeNull()
  },
)

test('vet JSON: places, messages and checks; an error of a check; a cut', () => {
  const object = JSON.stringify(
    {
      'example.com/b': { printf: [{ posn: '/x/b.go:19:13', message: 'bad format' }], copylocks: { error: 'no types' } },
    },
    null,
    '\t',
  )
  const { body } = condenseAs(goVet, `# example.com/b\n${object}`)
  expect(body).toContain('/x/b.go\n 19:13 bad format (printf)')
  expect(body).toContain('error: no types (copylocks)')
  const cut = condenseAs(goVet, object.slice(0, object.indexOf('copylocks')))
  expect(cut.fault).toBeNull()
  expect(cut.body).toContain('incomplete: ')
  expect(cut.body).toContain('19:13 bad format')
})
