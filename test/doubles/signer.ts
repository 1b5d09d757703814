import { createHmac } from 'node:crypto'
import type { Signer } from '../../src/service/ports.ts'

/** Signs as a deployment does, with a secret that everybody knows. */
export const signer: Signer = {
  async sign(tenant, text) {
    return createHmac('sha256', `secret of ${tenant}`).update(text).digest('base64url')
  },
  async verify(tenant, text, signature) {
    return signature === (await signer.sign(tenant, text))
  },
}
