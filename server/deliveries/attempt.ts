// One attempt to deliver: signed anew over bytes that never change, sent, and what it means for the delivery.
// Nothing is written here.
import type { Config } from '../config.ts'
import type { Deps } from '../kernel/deps.ts'
import { type WebhookClient, NOT_BEGUN, signatureOf } from '../webhooks/webhooks.ts'
import type { DeliveryRow } from './queue-records.ts'
import type { Attempted, Claimed, Ending } from './delivery-model.ts'
import { secretsOf } from '../automations/secrets.ts'

/** What kept an attempt from beginning may last some seconds. */
const NOT_BEGUN_MS = 5_000

export type Client = Pick<WebhookClient, 'post'>

/** As docs/webhooks.md has them. */
function headersOf({ id, event_type, payload }: DeliveryRow, signature: string): Record<string, string> {
  return {
    'Content-Type': payload === 'ntfy' ? 'text/plain; charset=utf-8' : 'application/json',
    'User-Agent': 'Service-Webhooks/1',
    'X-Service-Event': event_type,
    'X-Service-Event-Id': id,
    'X-Service-Delivery': id,
    'X-Service-Signature': signature,
  }
}

/** An attempt that came to nothing on our side. */
export const failedHere = (nowMs: number, error: string): Attempted => ({
  startedMs: nowMs,
  durationMs: 0,
  status: null,
  error,
  requestHeaders: {},
  responseHeaders: {},
  responseBody: '',
})

/** A secret that cannot be opened is a failed attempt: the owner sees it, and it is not tried without end. */
export async function attempt(
  { keys, log, now }: Pick<Deps, 'keys' | 'log' | 'now'>,
  client: Client,
  { row, body, automation }: Claimed,
): Promise<Attempted> {
  const startedMs = now()
  if (!automation || body === null) return failedHere(startedMs, 'there is nothing to send')
  const ts = Math.floor(startedMs / 1000)
  try {
    const requestHeaders = headersOf(row, signatureOf(secretsOf(keys, automation, ts), body, ts))
    const { status, error, headers, body: responseBody, durationMs } = await client.post(row.url, body, requestHeaders)
    return { startedMs, durationMs, status, error, requestHeaders, responseHeaders: headers, responseBody }
  } catch (error) {
    log.error({ err: error, delivery: row.id }, 'a delivery could not be signed')
    return failedHere(now(), 'it could not be signed')
  }
}

/** False when nothing was sent, for a reason that is not the endpoint's. */
export const hasBegun = ({ error }: Pick<Attempted, 'error'>): boolean => error !== NOT_BEGUN

/** It arrived, it is tried again after the next delay, or it has failed. */
export function endingOf(
  { webhookRetryDelays: delays }: Pick<Config, 'webhookRetryDelays'>,
  { row: { attempts, max_attempts, is_test }, automation }: Pick<Claimed, 'row' | 'automation'>,
  attempted: Attempted,
  nowMs: number,
): Ending {
  if (attempted.error === null) return { kind: 'delivered' }
  if (!hasBegun(attempted)) return { kind: 'unsent', atMs: nowMs + NOT_BEGUN_MS }
  if (attempts + 1 >= max_attempts) return { kind: 'failed' }
  if (automation?.is_active !== 1 && is_test === 0) return { kind: 'held' }
  const seconds = delays[Math.min(attempts, delays.length - 1)] ?? 0
  return { kind: 'retry', atMs: nowMs + seconds * 1000 }
}
