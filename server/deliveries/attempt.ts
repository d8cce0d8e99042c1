// One attempt to deliver: signed anew over bytes that never change, sent, and told of in full. What it comes to is written elsewhere.
import type { Deps } from '../kernel/deps.ts'
import type { WebhookClient } from '../webhooks/client.ts'
import { signatureOf } from '../webhooks/signature.ts'
import type { DeliveryRow } from './claims-records.ts'
import type { SealedSecrets } from '../automations/records.ts'
import { secretsOf } from '../automations/secrets.ts'

/** As the run log keeps it. */
export interface Attempted {
  readonly startedMs: number
  readonly durationMs: number
  readonly status: number | null
  /** Null: it arrived. */
  readonly error: string | null
  readonly requestHeaders: Readonly<Record<string, string>>
  readonly responseHeaders: Readonly<Record<string, string>>
  readonly responseBody: string
}

export type Sendable = Pick<DeliveryRow, 'id' | 'url' | 'event_type'> & { readonly body: string }

/** Exactly as docs/webhooks.md has them. */
function headersOf({ id, event_type }: Sendable, signature: string): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'Service-Webhooks/1',
    'X-Service-Event': event_type,
    'X-Service-Event-Id': id,
    'X-Service-Delivery': id,
    'X-Service-Signature': signature,
  }
}

/** @throws Error when the secret cannot be opened (secrets.ts). */
export async function attempt(
  { keys, now }: Pick<Deps, 'keys' | 'now'>,
  client: Pick<WebhookClient, 'post'>,
  delivery: Sendable,
  secrets: SealedSecrets,
): Promise<Attempted> {
  const startedMs = now()
  const ts = Math.floor(startedMs / 1000)
  const requestHeaders = headersOf(delivery, signatureOf(secretsOf(keys, secrets, ts), delivery.body, ts))
  const { status, error, headers, body, durationMs } = await client.post(delivery.url, delivery.body, requestHeaders)
  return { startedMs, durationMs, status, error, requestHeaders, responseHeaders: headers, responseBody: body }
}
