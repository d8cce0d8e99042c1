// What one visitor did in one session, view by view and event by event, in the order of time.
import type { Facts } from '../stores/facts.ts'
import { type EventKind, NEVER_MS } from '../stores/tables.ts'
import { bindSessions, ofSessions, type SessionKey } from '../sessions/sessions.ts'

/** Of each kind. A person does less in a day; a script's would fill the answer. */
const MOST_STEPS = 500

type Query = Pick<Facts, 'query'>

export interface StoryView {
  readonly atMs: number
  readonly url: string
  readonly path: string
  readonly title: string
  readonly seconds: number
  /** 0 to 100; null when it is not known. */
  readonly scroll: number | null
  /** JSON object of texts; '' without any. */
  readonly props: string
}

export async function readStoryViews(facts: Query, propertyId: string, key: SessionKey): Promise<StoryView[]> {
  const rows = await facts.query<Omit<StoryView, 'atMs'> & { at_ms: string; scroll: number }>(
    'analytics.storyViews',
    `SELECT toUnixTimestamp64Milli(at) AS at_ms, url, path, title, seconds, scroll, props FROM views FINAL
WHERE ${ofSessions} AND at < fromUnixTimestamp64Milli(${NEVER_MS}, 'UTC') ORDER BY at, view LIMIT ${MOST_STEPS}`,
    bindSessions(propertyId, [key]),
  )
  return rows.map(({ at_ms, scroll, ...row }) => ({ ...row, atMs: Number(at_ms), scroll: scroll < 0 ? null : scroll }))
}

export interface StoryEvent {
  readonly atMs: number
  readonly kind: EventKind
  readonly name: string
  readonly value: string | null
  /** Minor units of `currency`; null without money. */
  readonly amount: number | null
  readonly currency: string
  readonly orderId: string
  readonly tags: readonly string[]
  /** Of a custom event: what it came with, in the order of the keys. */
  readonly properties: readonly (readonly [key: string, value: string])[]
}

interface EventRow {
  readonly at_ms: string
  readonly kind: EventKind
  readonly name: string
  readonly value: string | null
  readonly amount: string | null
  readonly currency: string
  readonly order_id: string
  readonly tags: readonly string[]
  readonly properties: readonly (readonly [string, string])[]
}

export async function readStoryEvents(facts: Query, propertyId: string, key: SessionKey): Promise<StoryEvent[]> {
  const rows = await facts.query<EventRow>(
    'analytics.storyEvents',
    `SELECT toUnixTimestamp64Milli(at) AS at_ms, kind, name, value, amount, currency, order_id, tags,
  arraySort(arrayZip(mapKeys(meta), mapValues(meta))) AS properties FROM events FINAL
WHERE ${ofSessions} ORDER BY at, id LIMIT ${MOST_STEPS}`,
    bindSessions(propertyId, [key]),
  )
  return rows.map(({ at_ms, amount, order_id, ...row }) => ({
    ...row,
    atMs: Number(at_ms),
    amount: amount === null ? null : Number(amount),
    orderId: order_id,
  }))
}
