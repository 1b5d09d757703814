import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSigner } from '../../src/store/sign.ts'

const secret = new TextEncoder().encode('a secret that is no secret')
const signer = createSigner(secret, 'receipt')

test('a signature is good for its text, tenant, domain and secret alone', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string(), fc.string(), fc.string(), async (tenant, text, other) => {
      const signature = await signer.sign(tenant, text)
      expect(signature).toMatch(/^[A-Za-z0-9_-]{43}$/)
      expect(await signer.verify(tenant, text, signature)).toBe(true)
      expect(await signer.verify(tenant, text, other)).toBe(false)
      expect(await signer.verify(tenant, `${text}${other}.`, signature)).toBe(false)
      expect(await signer.verify(`${tenant}${other}.`, text, signature)).toBe(false)
      expect(await createSigner(secret, 'link').verify(tenant, text, signature)).toBe(false)
      expect(await createSigner(secret.slice(1), 'receipt').verify(tenant, text, signature)).toBe(false)
    }),
    { numRuns: 50 },
  )
})

test('no character of a signature may be another', async () => {
  const signature = await signer.sign('t', 'text')
  for (let at = 0; at < signature.length; at += 1)
    for (const letter of ['A', 'B', 'Q', '_', '=', '+'])
      if (signature[at] !== letter)
        expect(await signer.verify('t', 'text', signature.slice(0, at) + letter + signature.slice(at + 1))).toBe(false)
})
