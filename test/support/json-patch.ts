import { pointerKeys } from '../../src/engine/json.ts'

/** The operations of RFC 6902 that masking answers. */
export type Operation =
  | { readonly op: 'replace'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string }

/** Carries operations out one after the other, as RFC 6902 says; gives the changed copy. Throws for a path to nothing. */
export function applyOperations(document: unknown, operations: readonly Operation[]): unknown {
  const copy: unknown = structuredClone(document)
  for (const operation of operations) {
    const keys = pointerKeys(operation.path)
    const last = keys.pop() ?? ''
    let target: unknown = copy
    for (const key of keys) target = Object.getOwnPropertyDescriptor(Object(target), key)?.value
    if (typeof target !== 'object' || target === null || !Object.hasOwn(target, last))
      throw new Error(`nothing at ${operation.path}`)
    if (operation.op === 'replace') Object.assign(target, { [last]: operation.value })
    else if (Array.isArray(target)) target.splice(Number(last), 1)
    else throw new Error(`no element at ${operation.path}`)
  }
  return copy
}
