/** Checks who sent a call: the signature over its bytes (`docs/interface.md` 4.9). */
import { createHmac, timingSafeEqual } from 'node:crypto'

/** Lower-case hexadecimal HMAC-SHA256 of the bytes. */
function signatureOf(bytes: Buffer, secret: string): string {
  return createHmac('sha256', secret).update(bytes).digest('hex')
}

/** True if `given` was made with one of the secrets. Takes as long for a wrong signature as for a right one. */
export function isSigned(bytes: Buffer, signature: string, secrets: readonly string[]): boolean {
  // Every secret is tried, even if an earlier one fits.
  return secrets.map((secret) => same(signatureOf(bytes, secret), signature)).includes(true)
}

function same(expected: string, signature: string): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(signature)]
  return one.length === other.length && timingSafeEqual(one, other)
}
