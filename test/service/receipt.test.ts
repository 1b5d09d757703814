import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readReceipt, type Voucher, writeReceipt } from '../../src/service/receipt.ts'
import { signer } from '../doubles/signer.ts'

const NOW = Date.UTC(2030, 0, 1)
const key = fc
  .array(fc.constantFrom(...'abcdefghijklmnop'), { minLength: 31, maxLength: 31 })
  .map((all) => all.join(''))
const voucher: fc.Arbitrary<Voucher> = fc.record({
  key,
  says: fc.constant('stored' as const),
  // Whole seconds: a receipt counts no finer, and rounds down.
  until: fc.integer({ min: 0, max: 700_000 }).map((seconds) => NOW + seconds * 1000),
  replaced: fc.uniqueArray(fc.integer({ min: 0, max: 999 }), { maxLength: 5 }),
})
const any = fc.oneof(
  voucher,
  voucher.map((one) => ({ ...one, says: 'redacted' as const, replaced: [] })),
)
const vouchers = fc.uniqueArray(any, { minLength: 1, maxLength: 30, selector: (one) => one.key })

async function written(given: readonly Voucher[], tenant = 'acme'): Promise<string> {
  return (await writeReceipt(given, tenant, signer)) ?? ''
}
const read = (receipt: string | undefined, tenant = 'acme', now = NOW) => readReceipt(receipt, tenant, signer, now)

test('gives back what it was written from, and writes the same again', async () => {
  await fc.assert(
    fc.asyncProperty(vouchers, async (given) => {
      const receipt = await written(given)
      const found = await read(receipt)
      expect(found.warning).toBeNull()
      expect([...found.vouchers.values()]).toEqual(given)
      expect(await written([...found.vouchers.values()])).toBe(receipt)
      expect(receipt).toMatch(/^[\x21-\x7e]+$/)
    }),
  )
})

test('any change of any character, and any other tenant, makes it worthless', async () => {
  await fc.assert(
    fc.asyncProperty(vouchers, fc.nat(), fc.string({ maxLength: 3 }), fc.nat(2), async (given, where, put, cut) => {
      const receipt = await written(given)
      const at = where % receipt.length
      const changed = receipt.slice(0, at) + put + receipt.slice(at + cut)
      if (changed !== receipt) expect((await read(changed)).vouchers.size).toBe(0)
      expect((await read(receipt, 'acme2')).vouchers.size).toBe(0)
    }),
  )
})

test('an event is believed up to its time and no longer', async () => {
  const early: Voucher = { key: 'a'.repeat(31), says: 'stored', until: NOW + 1000, replaced: [] }
  const late: Voucher = { ...early, key: 'b'.repeat(31), until: NOW + 2999 }
  const receipt = await written([early, late])
  expect([...(await read(receipt, 'acme', NOW + 1000)).vouchers.keys()]).toEqual([early.key, late.key])
  expect([...(await read(receipt, 'acme', NOW + 1001)).vouchers.keys()]).toEqual([late.key])
  // Rounded down.
  expect(await read(receipt, 'acme', NOW + 2001)).toEqual({
    vouchers: new Map(),
    warning: 'receipt ignored: it has expired',
  })
})

test.each([
  ['r2~x', 'none, or of another version'],
  ['nonsense', 'none, or of another version'],
  ['r1~', 'signature is not right'],
  ['r1~~~~', 'signature is not right'],
  [`r1~${'a'.repeat(31)}.zzzzzz~${'A'.repeat(43)}`, 'signature is not right'],
  [`r1~${'~'.repeat(60_000)}`, 'too long'],
  ['\ud800', 'none, or of another version'],
])('%j is ignored, and said to be', async (receipt, why) => {
  const found = await read(receipt)
  expect([...found.vouchers]).toEqual([])
  expect(found.warning).toContain(why)
})

test('no receipt is no fault', async () => {
  for (const none of [undefined, '']) expect(await read(none)).toEqual({ vouchers: new Map(), warning: null })
  expect(await writeReceipt([], 'acme', signer)).toBeNull()
})

test('a signer that fails takes the receipt along, nothing else', async () => {
  const broken = { sign: () => Promise.reject(new Error('no')), verify: () => Promise.reject(new Error('no')) }
  const one: Voucher = { key: 'a'.repeat(31), says: 'stored', until: NOW + 1000, replaced: [] }
  expect(await writeReceipt([one], 'acme', broken)).toBeNull()
  expect((await readReceipt(await written([one]), 'acme', broken, NOW)).warning).toContain('receipt ignored')
})

test('is bounded, whatever there is to say', async () => {
  const many = Array.from({ length: 5000 }, (_, i): Voucher => {
    const name = String(i)
      .padStart(31, '0')
      .replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '')
    return {
      key: name,
      says: 'stored',
      until: NOW + 1e8,
      replaced: i === 7 ? Array.from({ length: 9000 }, (_, k) => k) : [],
    }
  })
  const receipt = await written(many)
  expect(receipt.length).toBeLessThan(33_000)
  const found = await read(receipt)
  expect(found.vouchers.size).toBeGreaterThan(700)
  // The first ones, and what is too large for it alone is left out.
  expect([...found.vouchers.keys()].slice(0, 8)).toEqual(
    many
      .filter((_, i) => i !== 7)
      .slice(0, 8)
      .map((one) => one.key),
  )
})
