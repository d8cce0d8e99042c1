// What a session may be told: events and acquisitions as callers write them, and their limits.

/** Long enough for a URL or a short text; each value is kept for every event that carries it. */
export const MAX_VALUE = 2048
export const MAX_EVENT_NAME = 255
export const MAX_META_KEYS = 50
export const MAX_META_KEY = 120
export const MAX_IDEMPOTENCY_KEY = 255
export const MAX_TAG = 255
/** Tags of one call; a session gathers more over several. */
export const MAX_TAGS = 100
/** More than anybody reads; every call and every session document carries them all. */
export const MAX_SESSION_TAGS = 200

export type Scalar = string | number | boolean | null

/** An event as the caller wrote it, checked by a schema of schema.ts. */
export interface EventDraft {
  readonly name: string
  readonly value?: Scalar
  readonly meta?: Readonly<Record<string, unknown>> | null
  /** Of calls with the same one in the same session the first one stands. */
  readonly idempotency_key?: string
}

/** Checked by a schema: `value` a whole number of minor units, `currency_code` three characters. */
export interface AcquisitionDraft {
  readonly value?: number
  readonly currency_code?: string
  readonly tags?: readonly string[]
}
