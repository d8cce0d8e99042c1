// Custom events: an event is stored once however often its caller has to repeat the call, when the caller
// gives it a key.
import { hash } from 'node:crypto'
import { sessionId } from '../kernel/ids.ts'
import { invalid } from '../kernel/problem.ts'
import { cleanText } from '../kernel/text.ts'
import { settledWithin } from '../queues/deadline.ts'
import type { EventRow } from '../stores/tables.ts'
import { findEvent } from './event-facts.ts'
import { type SessionKey, sessionKey } from './facts.ts'
import type { EventJson } from './schema.ts'
import { type EventDraft, MAX_EVENT_NAME, MAX_META_KEY, MAX_VALUE } from './session-model.ts'
import type { SessionDeps } from './sessions.ts'
import { fireEvent, type SessionCall } from './triggers.ts'

/**
 * A repeated event is looked for so long. One that is not found is stored again, and is folded into the
 * first.
 */
const FIND_MS = 1_000

const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i

/**
 * The number that a text spells, surrounding blanks aside; null for any other text and beyond what a double
 * holds.
 */
export function numberIn(text: string | null): number | null {
  const trimmed = text?.trim() ?? ''
  const number = decimal.test(trimmed) ? Number(trimmed) : Number.NaN
  return Number.isFinite(number) ? number : null
}

/** Scalars as their text, anything nested as JSON. */
function metaText(key: string, value: unknown): string {
  const text = typeof value === 'string' ? value : value === null || value === undefined ? '' : JSON.stringify(value)
  if (text.length > MAX_VALUE) throw invalid(`meta.${key}`, `meta.${key} may have at most ${MAX_VALUE} characters.`)
  return cleanText(text, MAX_VALUE)
}

function metaTexts(meta: EventDraft['meta']): Record<string, string> {
  // fromEntries defines keys instead of setting them: one named __proto__ is a key like any other.
  return Object.fromEntries(
    Object.entries(meta ?? {}).map(([key, value]) => [cleanText(key, MAX_META_KEY), metaText(key, value)]),
  )
}

/** The row of a custom event. */
export function eventRow(
  propertyId: string,
  key: SessionKey,
  draft: EventDraft,
  origin: { id: string; at: number; byVisitor: boolean },
): EventRow {
  const value = draft.value === undefined || draft.value === null ? null : cleanText(String(draft.value), MAX_VALUE)
  const name = cleanText(draft.name, MAX_EVENT_NAME)
  if (name === '') throw invalid('name', 'The name of the event is empty.')
  return {
    property: propertyId,
    day: key.day,
    session: key.session,
    kind: 'event',
    name,
    id: origin.id,
    view: 0,
    at: origin.at,
    by_visitor: origin.byVisitor ? 1 : 0,
    value,
    number: numberIn(value),
    meta: metaTexts(draft.meta),
    amount: null,
    currency: '',
    amount_usd: 0,
    order_id: '',
    tags: [],
    contact_id: '',
  }
}

export const randomId = (deps: Pick<SessionDeps, 'randomBytes'>): string =>
  deps.randomBytes(8).readBigUInt64BE().toString()

/** The same for the same parts in the same session, so that two such calls at one moment fold into one. */
export function derivedId(key: SessionKey, parts: readonly (string | number)[]): string {
  return hash('sha256', JSON.stringify([key.day, key.session, ...parts]), 'buffer')
    .readBigUInt64BE()
    .toString()
}

export interface RecordedEvent {
  readonly event: EventJson
  /** False when the event was there already. */
  readonly isStored: boolean
}

export async function recordEvent(deps: SessionDeps, call: SessionCall, draft: EventDraft): Promise<RecordedEvent> {
  const { propertyId, session, sender } = call
  const { idempotency_key: repeatKey } = draft
  const key = sessionKey(session)
  const id = repeatKey === undefined ? randomId(deps) : derivedId(key, ['event', repeatKey])
  const said = eventRow(propertyId, key, draft, { id, at: deps.now(), byVisitor: sender.isVisitor })
  const earlier = repeatKey === undefined ? undefined : await settledWithin(findEvent(deps.facts, said), FIND_MS)
  const row = earlier ? { ...said, ...earlier } : said
  if (!earlier) await deps.facts.append('events', row)
  await fireEvent(deps, call, row, { isRepeat: repeatKey !== undefined })
  const event = {
    id: row.id,
    session_id: sessionId(deps.keys, propertyId, session),
    type: 'event' as const,
    name: row.name,
    value: row.value,
    meta: Object.entries(row.meta).map(([name, value]) => ({ key: name, value })),
    created_ts: Math.floor(row.at / 1000),
  }
  return { event, isStored: !earlier }
}
