// Events and money as automations see them.
import type { SessionRef } from '../kernel/ids.ts'
import { DAY_MS } from '../kernel/days.ts'
import type { Deps } from '../kernel/deps.ts'
import { type FireDeps, enqueueAlone, type Trigger, type TriggerEvent } from '../kernel/triggers.ts'
import type { EventRow } from '../stores/tables.ts'
import type { MoneyRow } from './facts.ts'

/**
 * The caller: the visitor's browser or the owner's server. Bots trigger nothing; `isRobot` is called only if
 * something waits.
 */
export interface Sender {
  readonly isVisitor: boolean
  readonly isRobot: () => boolean
  /** US cents of one call. @throws Problem('validation_failed') when they are more than it may report. */
  readonly checkUsd: (cents: number) => void
}

/** The owner's server. */
export const owner: Sender = { isVisitor: false, isRobot: () => false, checkUsd: () => undefined }

/** The page is looked up in the facts when the body is rendered. */
const nowhere = { page_path: null, page_url: null, form_id: null, form_submit_id: null }

type Meta = TriggerEvent['meta']

const metaOf = (entries: Readonly<Record<string, string>>): Meta =>
  Object.entries(entries).map(([key, value]) => ({ key, value }))

function eventTrigger(row: EventRow, session: SessionRef, isAnonymous: boolean): Trigger {
  const { id, name, value } = row
  const created_ts = Math.floor(row.at / 1000)
  const event = { type: 'event', name, value, meta: metaOf(row.meta), ...nowhere, created_ts, id } as const
  return { event, subjects: [name], session, isAnonymous }
}

/** The currency that was named, the order that the money belongs to, and the tags of all rows of one call. */
function acquisitionMeta(rows: readonly EventRow[], { currency, order_id }: EventRow): Meta {
  const said = {
    ...(currency !== '' && { currency_code: currency }),
    ...(order_id !== '' && { order_id }),
  }
  const tags = [...new Set(rows.flatMap((row) => row.tags))]
  return [...metaOf(said), ...tags.map((value) => ({ key: 'tag', value }))]
}

/** @param rows of one call, at least one; one of them may hold money. */
function acquisitionTrigger(rows: readonly EventRow[], session: SessionRef): Trigger {
  const main = rows.find((row) => row.amount !== null) ?? rows[0]!
  const { id, at, amount } = main
  const event = {
    type: 'acquisition',
    name: null,
    value: amount === null ? null : String(amount),
    meta: acquisitionMeta(rows, main),
    ...nowhere,
    created_ts: Math.floor(at / 1000),
    id,
  } as const
  return { event, subjects: [], session }
}

/** A call about a session. */
export interface SessionCall {
  readonly propertyId: string
  readonly session: SessionRef
  readonly sender: Sender
}

async function fireBy(
  deps: FireDeps,
  { propertyId, sender }: SessionCall,
  type: 'event' | 'acquisition',
  make: () => Trigger,
): Promise<void> {
  // Only when something waits: judging a user agent costs more than the rest of this.
  const listeners = await deps.triggers.listeners(propertyId, type)
  if (listeners.length > 0 && !sender.isRobot()) await enqueueAlone(deps, listeners, make())
}

/** A caller whose call failed repeats it soon. */
const REPEAT_MS = DAY_MS

/**
 * @param call.isRepeat the event may have been stored by a call before this one, which then failed to enqueue
 *   what follows from it.
 */
export async function fireEvent(
  deps: FireDeps & Pick<Deps, 'now'>,
  call: SessionCall,
  row: EventRow,
  { isRepeat }: { readonly isRepeat: boolean },
): Promise<void> {
  if (isRepeat && deps.now() - row.at > REPEAT_MS) return
  await fireBy(deps, call, 'event', () => ({ ...eventTrigger(row, call.session, call.sender.isVisitor), isRepeat }))
}

/**
 * The call before may have stored the money and then failed to enqueue what follows from it. So a repeated
 * order triggers as well, and notifies the automations that were not notified.
 * @param rows that the call would have stored, had it not come before.
 * @param earlier what is stored of the same money of the same order.
 */
export async function fireAcquisition(
  deps: FireDeps & Pick<Deps, 'now'>,
  call: SessionCall,
  rows: readonly EventRow[],
  earlier: Pick<MoneyRow, 'last_at'> | undefined,
): Promise<void> {
  const isOld = earlier !== undefined && deps.now() - Number(earlier.last_at) > REPEAT_MS
  if (rows.length === 0 || isOld) return
  // Two calls with one order in the same moment do not know of each other: both may find nothing stored.
  const isOrder = rows.some(({ amount, order_id }) => amount !== null && order_id !== '')
  const make = () => ({
    ...acquisitionTrigger(rows, call.session),
    isRepeat: isOrder,
    isAnonymous: call.sender.isVisitor,
  })
  await fireBy(deps, call, 'acquisition', make)
}
