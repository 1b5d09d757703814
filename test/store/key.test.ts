import { createHash, createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { outputKey } from '../../src/store/key.ts'

const SECRET = new TextEncoder().encode('a secret that is no secret')
const CONTENT = new TextEncoder().encode('ok\n')
const TEXT = { kind: 'text' } as const

test('a key is the HMAC that another implementation computes', async () => {
  const tenantSecret = createHmac('sha256', SECRET).update('tenant:acme').digest()
  const toLetters = (hex: string) => [...hex].map((digit) => 'abcdefghijklmnop'[Number.parseInt(digit, 16)]).join('')
  const digest = toLetters(createHash('sha256').update(CONTENT).digest('hex'))
  const mac = createHmac('sha256', tenantSecret).update(`spillway output 1\ntext\n2\n${digest}`).digest('hex')
  const key = await outputKey(SECRET, 'acme', CONTENT, { kind: 'text', stdoutBytes: 2 })
  expect(key).toBe(toLetters(mac).slice(0, 31))
  // Stored ids outlive releases: this value never changes.
  expect(key).toBe('lihacglikbokldhiapmfkddncnjnmfb')
})

test('a key differs by secret, tenant, content, kind and length of stdout, and by nothing else', async () => {
  const imported = await crypto.subtle.importKey('raw', SECRET, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  const base = await outputKey(SECRET, 'acme', CONTENT, TEXT)
  expect(base).toMatch(/^[a-p]{31}$/)
  expect(await outputKey(imported, 'acme', CONTENT, TEXT)).toBe(base)
  expect(await outputKey(SECRET.slice(), 'acme', new TextEncoder().encode('xok\n').subarray(1), TEXT)).toBe(base)
  const others = [
    await outputKey(SECRET.slice(1), 'acme', CONTENT, TEXT),
    await outputKey(SECRET, 'acme2', CONTENT, TEXT),
    await outputKey(SECRET, '', CONTENT, TEXT),
    await outputKey(SECRET, 'acme', CONTENT.subarray(1), TEXT),
    await outputKey(SECRET, 'acme', new Uint8Array(0), TEXT),
    await outputKey(SECRET, 'acme', CONTENT, { kind: 'json' }),
    await outputKey(SECRET, 'acme', CONTENT, { kind: 'text', stdoutBytes: 0 }),
    await outputKey(SECRET, 'acme', CONTENT, { kind: 'text', stdoutBytes: 3 }),
  ]
  expect(new Set([base, ...others]).size).toBe(others.length + 1)
})
