import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { planFilter, renderFilter } from '../../src/engine/filter.ts'
import { SECRET_RULES } from '../../src/guard/secret-rules.ts'
import { createSecretsGuard, findSecrets, redactSecrets } from '../../src/guard/secrets.ts'
import { loadFixtures } from '../support/fixtures.ts'
import { keysOf, noise } from './keys.ts'

const redact = (text: string) => redactSecrets(text, findSecrets(text))
const keys = keysOf(7)

/** What an output may have around a key. */
const surroundings: [name: string, before: string, after: string][] = [
  ['alone', '', ''],
  ['in a sentence', 'the key is ', '. Keep it.'],
  ['in quotes', 'KEY="', '"\n'],
  ['on a line of its own', 'done\n', '\ndone\n'],
  ['behind an escape of JSON', '{"log":"one\\n', '\\ntwo"}'],
  ['in colours', '\u001b[1;31m', '\u001b[0m'],
  ['behind an escaped quote', '\\u0022', '\\u0022'],
]

describe.each(surroundings)('a key %s', (_, before, after) => {
  it.each(keys)('of the kind %s is replaced, and the text around it stays', (name, shown, secret) => {
    const text = redact(`${before}${shown}${after}`)
    expect(text).not.toContain(secret)
    expect(text).toContain(`[redacted: ${name}]`)
    expect(text.startsWith(before) && text.endsWith(after)).toBe(true)
    expect(redact(text)).toBe(text)
  })
})

it('knows a key of every kind that there is a rule for', () => {
  const known = new Set(keys.flatMap(([, shown]) => findSecrets(shown).map((finding) => finding.name)))
  expect([...known].sort()).toEqual([...new Set(SECRET_RULES.map((rule) => rule.name))].sort())
})

it('finds nothing in any recorded output', () => {
  const hits = loadFixtures().flatMap(({ family, name, text }) =>
    findSecrets(text).map((finding) => `${family}/${name}: ${finding.name}`),
  )
  expect(hits).toEqual([])
})

const [, pem = ''] = keys.find(([name]) => name === 'private-key') ?? []
const rows = pem.split('\n')

it.each([
  ['cut off', rows.slice(0, 3), ['[redacted: private-key]']],
  ['as a diff adds it', rows.map((row) => `+${row}`), ['+[redacted: private-key]']],
  ['numbered', rows.map((row, i) => `${`${i + 1}`.padStart(6)}\t${row}`), ['     1\t[redacted: private-key]']],
  ['indented', rows.map((row) => `    ${row}`), ['    [redacted: private-key]']],
  ['with fields', [rows[0], 'Proc-Type: 4,ENCRYPTED', '', ...rows.slice(1)], ['[redacted: private-key]']],
  ['twice', [...rows, ...rows], ['[redacted: private-key]', '[redacted: private-key]']],
])('a private key %s goes as a whole, and nothing after it', (_, lines, expected) => {
  expect(redact(['before', ...lines, 'after it'].join('\n'))).toBe(['before', ...expected, 'after it'].join('\n'))
})

it.each([
  ['hashes', `commit ${noise(40, 1, '0123456789abcdef')}\nsha512-${noise(86, 2)}==`],
  ['a first line that code looks for', `if (text.startsWith("${rows[0]}")) {\n  return decode(text)\n}`],
  ['a certificate', pem.replaceAll('RSA PRIVATE KEY', 'CERTIFICATE')],
  ['an image by digest', `docker://alpine:3.20@sha256:${noise(64, 3, '0123456789abcdef')}`],
  ['ports and scopes', 'http://localhost:5173/@vite/client ssh://git@example.com:22/a ws://[::1]:80/@x'],
  ['placeholders', `https://user:$TOKEN@host https://u:\${PASS}@host https://u:***@host https://u:<password>@host`],
  [
    'names of variables',
    'Authorization: Bearer $TOKEN\nauthorization: Bearer YOUR_ACCESS_TOKEN_HERE\nnpm_config_registry',
  ],
  ['a greeting in base64', `Authorization: Basic ${Buffer.from('no colon in here').toString('base64')}`],
  ['something like a token', `eyJ${noise(30, 4)}.${noise(40, 5)}.${noise(43, 6)}`],
  ['a task behind a prefix', `TASK${noise(32, 7, '0123456789abcdef')} XAKIA${noise(16, 8, 'ABC')}`],
  ['a word too long for a key', `hf_${noise(60, 9)} AKIA${noise(30, 10, 'ABC')}`],
  ['a time and a label', '2030-01-01 12:00:00:AA segment'],
  ["Spillway's own ids", `Authorization: Bearer o_f${'abcdefghijklmnopabcdefghijklmno'}`],
])('leaves %s alone', (_, text) => {
  expect(redact(text)).toBe(text)
})

it("leaves the trailer alone that stands under a filtered output, with the caller's words in it", () => {
  const output = Array.from({ length: 3000 }, (_, i) => `row ${i} of a table of numbers`).join('\n')
  const plan = planFilter(output, { hint: `curl https://agent:${noise(12)}@spillway.internal/v1/outputs/{id}` })
  const filtered = plan.changed ? renderFilter(plan, `o_f${'abcdefghijklmnopabcdefghijklmno'}`) : ''
  expect(filtered).toContain('https://agent:')
  expect(redact(filtered)).toBe(filtered)
  expect(redact(`${filtered} and more`)).toContain('https://agent:[redacted: url-password]@')
})

it('many keys in any text: none is left, what stands between them is, and a second run changes nothing', () => {
  const piece = fc.oneof(
    fc.record({ key: fc.nat(keys.length - 1), n: fc.integer({ min: 1, max: 1000 }) }),
    fc.string({ unit: 'grapheme', maxLength: 30 }),
    fc.constantFrom('-----BEGIN ', 'Authorization: Bearer ', '://', 'eyJ', '[redacted: jwt]', '\\n', ':AA', 'AKIA'),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const secrets: string[] = []
      const text = pieces
        .map((each) => {
          if (typeof each === 'string') return each
          const [, shown = '', secret = ''] = keysOf(each.n)[each.key] ?? []
          secrets.push(secret)
          return shown
        })
        .join('\n;\n')
      const redacted = redact(text)
      for (const secret of secrets) expect(redacted).not.toContain(secret)
      expect(redact(redacted)).toBe(redacted)
    }),
    { numRuns: 150 },
  )
})

it('gives one verdict for a text: what was found, with counts, never the key', async () => {
  const [github = '', jwt = ''] = ['github-token', 'jwt'].map((name) => keys.find((key) => key[0] === name)?.[1])
  const text = `${github}\n${jwt}\n${github}`
  const context = { tool: null }
  expect(await createSecretsGuard('redact').judge(text, 'raw', context)).toEqual({
    action: 'redact',
    text: '[redacted: github-token]\n[redacted: jwt]\n[redacted: github-token]',
    reason: 'github-token (2), jwt',
  })
  expect(await createSecretsGuard('block').judge(text, 'raw', context)).toEqual({
    action: 'block',
    reason: 'secrets: github-token (2), jwt',
  })
  expect(await createSecretsGuard('block').judge('all is well', 'raw', context)).toEqual({ action: 'allow' })
})

it.each(['go test ./...', 'kubectl get pods', 'cat service.log', 'make', undefined])(
  'what stands in the place of a secret stays in sight when the output of %s is filtered',
  (command) => {
    const rows = Array.from({ length: 2000 }, (_, i) => `2030-01-01 12:00:00 INFO request ${i} is served`)
    const [first, second] = ['stripe-key', 'jwt'].map((name) => keys.find((key) => key[0] === name)?.[1])
    rows[700] = `2030-01-01 12:00:00 INFO request 700 with ${first} and ${second} is served`
    const plan = planFilter(redact(rows.join('\n')), { ...(command !== undefined && { command }) })
    const filtered = plan.changed ? renderFilter(plan, null) : ''
    expect(filtered).toContain('[redacted: stripe-key]')
    expect(filtered).toContain('[redacted: jwt]')
  },
)
