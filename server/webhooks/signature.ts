// The signature of a delivery (docs/webhooks.md): a receiver that knows the secret can verify the bytes and
// their time.
import { createHmac } from 'node:crypto'

/**
 * The value of X-Service-Signature: `t=<ts>,v1=<hex>`, one `v1` for each secret.
 * @param secrets the automation's secret; while a rotation overlaps, the new one and then the old one
 * @param body the very text that is sent
 * @param ts Unix seconds of this attempt
 */
export function signatureOf(secrets: readonly string[], body: string, ts: number): string {
  const seals = secrets.map((secret) => createHmac('sha256', secret).update(`${ts}.`).update(body).digest('hex'))
  return [`t=${ts}`, ...seals.map((seal) => `v1=${seal}`)].join(',')
}
