// Events and money as automations see them.
import { type SessionRef } from '../kernel/ids.ts'
import { type Trigger, type TriggerEvent } from '../kernel/triggers.ts'
import { type EventRow } from '../stores/tables.ts'

/** Where the visitor was, the facts know; it is looked up when it is told. */
const nowhere = { page_path: null, page_url: null, form_id: null, form_submit_id: null }

type Meta = TriggerEvent['meta']

const metaOf = (entries: Readonly<Record<string, string>>): Meta =>
  Object.entries(entries).map(([key, value]) => ({ key, value }))

export function eventTrigger(row: EventRow, session: SessionRef): Trigger {
  const { id, name, value } = row
  const created_ts = Math.floor(row.at / 1000)
  const event = { type: 'event', name, value, meta: metaOf(row.meta), ...nowhere, created_ts, id } as const
  return { event, subjects: [name], session }
}

/** Money that was named, the order it belongs to, and the tags of all rows of one call. */
function acquisitionMeta(rows: readonly EventRow[], money: EventRow | undefined): Meta {
  const said = {
    ...(money && { currency_code: money.currency }),
    ...(money && money.order_id !== '' && { order_id: money.order_id }),
  }
  const tags = [...new Set(rows.flatMap((row) => row.tags))]
  return [...metaOf(said), ...tags.map((value) => ({ key: 'tag', value }))]
}

/** @param rows of one call, at least one; one of them may hold money. */
export function acquisitionTrigger(rows: readonly EventRow[], session: SessionRef): Trigger {
  const money = rows.find((row) => row.amount !== null)
  const { id, at } = money ?? rows[0]!
  const event = {
    type: 'acquisition',
    name: null,
    value: money ? String(money.amount) : null,
    meta: acquisitionMeta(rows, money),
    ...nowhere,
    created_ts: Math.floor(at / 1000),
    id,
  } as const
  return { event, subjects: [], session }
}
