import { type Blobs, resolveRange } from '../../src/store/blobs.ts'

/** The same storage, except that every body read from it went through `change`. */
export function tampered(blobs: Blobs, change: (body: Uint8Array) => Uint8Array): Blobs {
  return {
    ...blobs,
    async get(key, range) {
      const found = await blobs.get(key)
      if (found === null) return null
      const body = change(found.bytes.slice())
      return { ...found, size: body.length, bytes: body.subarray(...resolveRange(range, body.length)) }
    },
  }
}

/** The same storage, except that the methods named reject. */
export function broken(blobs: Blobs, methods: readonly ('put' | 'get' | 'head' | 'delete' | 'list')[]): Blobs {
  const reject = async () => {
    throw new Error('the storage is down; this is a test')
  }
  return { ...blobs, ...Object.fromEntries(methods.map((method) => [method, reject])) }
}
