import type { Signer } from './ports.ts'

/** What is known of a masking event. */
export interface Voucher {
  /** The event's: an HMAC over the ids of its outputs, under the tenant's secret. */
  readonly key: string
  /**
   * `stored`: all its outputs are. `redacted`: they are not as they came, since a guard has taken something out; the
   * guard is to be asked at once, and what it leaves is an event of its own.
   */
  readonly says: 'stored' | 'redacted'
  /** Milliseconds since the epoch up to which this may be believed. */
  readonly until: number
  /** Places, among the event's outputs, of those whose claimed id was not found: they are stored as they stand. */
  readonly replaced: readonly number[]
}

export interface ReadReceipt {
  /** What may be believed now, by the event's key. */
  readonly vouchers: ReadonlyMap<string, Voucher>
  /** Why nothing is believed, for the report; null where there is no receipt or it is sound. */
  readonly warning: string | null
}

const VERSION = 'r1'
/** UTF-16 units (all ASCII) of a receipt; events beyond are asked of the store. An event takes some 40. */
const MAX_CHARS = 32_768
const ENTRY = /^([a-p]{31})\.([0-9a-z]{1,9})(?:\.(g|\d{1,6}(?:-\d{1,6})*))?$/
const NOTHING: ReadReceipt = { vouchers: new Map(), warning: null }

/**
 * A receipt as text: which events of a tenant's histories are stored, and until when that may be believed, signed for
 * that tenant. `r1~KEY.UNTIL~KEY.UNTIL.1-4~SIGNATURE`: seconds in base 36, then the places of what was replaced, or `g`
 * for an event that a guard has redacted. It has no order but the given one, so that equal calls give equal receipts.
 * @returns null where there is nothing to say, or no signature could be made
 */
export async function writeReceipt(
  vouchers: Iterable<Voucher>,
  tenant: string,
  signer: Signer,
): Promise<string | null> {
  let text = VERSION
  for (const voucher of vouchers) {
    const entry = writeEntry(voucher)
    if (text.length + entry.length > MAX_CHARS) continue
    text += entry
  }
  if (text === VERSION) return null
  try {
    return `${text}~${await signer.sign(tenant, text)}`
  } catch {
    return null
  }
}

function writeEntry({ key, says, until, replaced }: Voucher): string {
  const more = says === 'redacted' ? '.g' : replaced.length > 0 ? `.${replaced.join('-')}` : ''
  return `~${key}.${Math.floor(until / 1000).toString(36)}${more}`
}

/**
 * Reads a receipt that a caller gives back. It is a caller's text: what is forged, another tenant's, cut, of another
 * version or too old is as none, and the warning says why. Never rejects.
 * @param now milliseconds since the epoch
 */
export async function readReceipt(
  receipt: string | undefined,
  tenant: string,
  signer: Signer,
  now: number,
): Promise<ReadReceipt> {
  if (receipt === undefined || receipt === '') return NOTHING
  if (!receipt.startsWith(`${VERSION}~`)) return ignored('it is none, or of another version')
  const end = receipt.lastIndexOf('~')
  const text = receipt.slice(0, end)
  // Beyond what is ever written nothing is worth checking.
  if (text.length > MAX_CHARS) return ignored('it is too long')
  if (!(await signer.verify(tenant, text, receipt.slice(end + 1)).catch(() => false)))
    return ignored('its signature is not right: it was changed, or is of another tenant or deployment')
  const vouchers = new Map<string, Voucher>()
  for (const entry of text.split('~').slice(1)) {
    const voucher = readEntry(entry)
    if (voucher && voucher.until >= now) vouchers.set(voucher.key, voucher)
  }
  return vouchers.size > 0 ? { vouchers, warning: null } : ignored('it has expired')
}

function ignored(why: string): ReadReceipt {
  return { vouchers: new Map(), warning: `receipt ignored: ${why}` }
}

function readEntry(entry: string): Voucher | null {
  const [, key, until, more] = ENTRY.exec(entry) ?? []
  if (key === undefined || until === undefined) return null
  return {
    key,
    says: more === 'g' ? 'redacted' : 'stored',
    until: Number.parseInt(until, 36) * 1000,
    replaced: more === undefined || more === 'g' ? [] : more.split('-').map(Number),
  }
}
