// What an attempt means for its delivery: it arrived, it is tried again after the next delay, or it has failed.
import type { Config } from '../config.ts'
import { NOT_BEGUN } from '../webhooks/reasons.ts'
import type { Attempted } from './attempt.ts'
import type { DeliveryRow } from './claims-records.ts'
import type { Ending } from './outcome-records.ts'

/** What stood before it may last some seconds. */
const NOT_BEGUN_MS = 5_000

/** Nothing was sent, and for nothing that the endpoint could help. */
export const hasBegun = ({ error }: Pick<Attempted, 'error'>): boolean => error !== NOT_BEGUN

type Tried = Pick<DeliveryRow, 'attempts' | 'max_attempts' | 'is_test'>

/** @param isActive whether the automation was on when the delivery was claimed. */
export function endingOf(
  { webhookRetryDelays: delays }: Pick<Config, 'webhookRetryDelays'>,
  { attempts, max_attempts, is_test }: Tried,
  isActive: boolean,
  attempted: Attempted,
  nowMs: number,
): Ending {
  if (attempted.error === null) return { kind: 'delivered' }
  if (!hasBegun(attempted)) return { kind: 'unsent', atMs: nowMs + NOT_BEGUN_MS }
  if (attempts + 1 >= max_attempts) return { kind: 'failed' }
  if (!isActive && is_test === 0) return { kind: 'held' }
  const seconds = delays[Math.min(attempts, delays.length - 1)] ?? 0
  return { kind: 'retry', atMs: nowMs + seconds * 1000 }
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
