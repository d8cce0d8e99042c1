// What is added to a session after its page views: events and money, by the visitor's browser or by the
// owner's server. A call that is sent again with the same order and amount is counted once: the first one
// stands. Everything answered as recorded is stored, and what is answered as failed is not.
import type { Deps } from '../kernel/deps.ts'
import { DEFAULT_CURRENCY, currencyExponent, MAX_MINOR, toUsdCents } from '../kernel/money.ts'
import { invalid } from '../kernel/problem.ts'
import { cleanText } from '../kernel/text.ts'
import type { FireDeps } from '../kernel/triggers.ts'
import type { EventRow } from '../stores/tables.ts'
import { derivedId, randomId } from './events.ts'
import {
  currencyOf,
  type MoneyRow,
  moneyWith,
  type OrderRef,
  readAcquisitions,
  type SessionKey,
  sessionKey,
  type StoredAcquisitions,
} from './facts.ts'
import type { Rates, RateTable } from '../rates/rates.ts'
import type { AcquisitionJson } from './schema.ts'
import { MAX_SESSION_TAGS, MAX_TAG, type AcquisitionDraft } from './session-model.ts'
import { fireAcquisition, type SessionCall } from './triggers.ts'

export { readBeginning, withBeginning } from './beginning-facts.ts'
export { eventRow, numberIn, recordEvent } from './events.ts'
export { bindCut, type InParts, inParts, isRecentByDay, isRecentByTime } from './cut.ts'
export { countOutcomes, type OutcomeCount, type TopQuery } from './outcome-facts.ts'
export { keysOf, type SessionScope } from './scope.ts'
export {
  bindAll,
  bindSessions,
  keyText,
  ofSessions,
  type PropertySession,
  readMoney,
  type SessionKey,
  sessionKey,
  type SessionMoney,
} from './facts.ts'
export {
  boundsOf,
  contactRows,
  everySession,
  foldedDaysOf,
  knownOf,
  laterVisitRows,
  ofOneProperty,
  onEachNode,
  type RowsQuery,
  type ScopeFacts,
  sessionRows,
} from './rows.ts'
export { metRows } from './met-rows.ts'
export { perSession } from './per-session.ts'
export { copiedRows, summedDays, type Sums } from './sums.ts'
export { daysWithin, type HeldDay, isInside } from './held.ts'
export { getSession, givenSessionId, type NamesSession } from './given.ts'
export { ofValidSession } from './marked.ts'
export type { Sender } from './triggers.ts'
export type { AcquisitionDraft } from './session-model.ts'

export type SessionDeps = Pick<Deps, 'facts' | 'keys' | 'now' | 'randomBytes'> & FireDeps & { readonly rates: Rates }

export interface Recorded {
  readonly acquisition: Omit<AcquisitionJson, 'id'>
  /**
   * False when the call brought nothing that was not there: an order that is repeated, or no field at all.
   */
  readonly isStored: boolean
}

/** `{source}:order:{id}`; the source has no colon, the id may have some. */
const orderTag = /^[^:]+:order:(.+)$/s

/** The first order that the tags refer to. */
function orderIn(tags: readonly string[]): OrderRef | undefined {
  for (const tag of tags) {
    const [, orderId] = orderTag.exec(tag) ?? []
    if (orderId !== undefined) return { tag, orderId }
  }
  return undefined
}

/** @throws Problem('validation_failed') for a code that is not one of ISO 4217. */
export function knownCurrency(code: string): string {
  const currency = code.toUpperCase()
  if (currencyExponent(currency) === undefined)
    throw invalid('currency_code', `${JSON.stringify(code)} is not a currency code of ISO 4217.`)
  return currency
}

function usdOf(amount: number, currency: string, at: number, table: RateTable): number {
  const rated = table.at(currency, at)
  if (!rated)
    throw invalid('currency_code', `No exchange rate is known for ${currency}: add one with "footfall rates refresh".`)
  const cents = toUsdCents(amount, rated)
  if (cents > MAX_MINOR) throw invalid('value', `The value may be at most ${MAX_MINOR} US cents.`)
  return cents
}

interface Settled {
  readonly value?: number | undefined
  /** '' when none was named. */
  readonly currency: string
  readonly tags: readonly string[]
}

/**
 * The money of an order is a row of its own, so that nothing else goes when it folds into another of the same
 * call. Of a call that comes again the tags alone are left, without a currency: that of the first call is not
 * named anew.
 */
function partsOf(settled: Settled, order: OrderRef | undefined): readonly Settled[] {
  if (settled.value === undefined || !order) return [settled]
  const rest = { currency: '', tags: settled.tags.filter((tag) => tag !== order.tag) }
  return [{ ...settled, tags: [order.tag] }, rest]
}

/** The row of an acquisition; its currency and rates are settled. Undefined when the draft says nothing. */
export function acquisitionRow(
  propertyId: string,
  key: SessionKey,
  draft: Settled,
  origin: { id: string; at: number; byVisitor: boolean; rates: RateTable },
): EventRow | undefined {
  const { value, currency, tags } = draft
  if (value === undefined && currency === '' && tags.length === 0) return undefined
  const order = orderIn(tags)
  return {
    property: propertyId,
    day: key.day,
    session: key.session,
    kind: 'acquisition',
    view: 0,
    at: origin.at,
    name: value === undefined ? 'context' : order ? 'order_revenue' : 'revenue',
    id: order && value !== undefined ? derivedId(key, [order.tag, value, currency]) : origin.id,
    by_visitor: origin.byVisitor ? 1 : 0,
    value: value === undefined ? null : String(value),
    number: value ?? null,
    meta: {},
    amount: value ?? null,
    currency,
    amount_usd: value === undefined ? 0 : usdOf(value, currency, origin.at, origin.rates),
    order_id: order?.orderId ?? '',
    tags: [...tags],
    contact_id: '',
  }
}

/** The known tags and those that the call adds. */
function mergeTags(known: readonly string[], tags: readonly string[]): string[] {
  const all = [...new Set([...known, ...tags])]
  if (all.length > known.length && all.length > MAX_SESSION_TAGS)
    throw invalid('tags', `A session may have at most ${MAX_SESSION_TAGS} tags.`)
  return all
}

/** What is stored of the order with that value, in whatever currency. */
function ofSameOrder({ money }: StoredAcquisitions, order: OrderRef | undefined, value: number): MoneyRow[] {
  if (!order) return []
  return money.filter(
    (row) => row.of_order === order.orderId && row.order_tags.includes(order.tag) && row.amount === String(value),
  )
}

/**
 * The currency of money that came without one: that of the same order with the same value, since the call
 * that is sent again must find its first one whatever was named in between; else the session's.
 */
function usualCurrency(stored: StoredAcquisitions, order: OrderRef | undefined, value: number): string {
  return currencyOf(ofSameOrder(stored, order, value)) ?? currencyOf(stored.money) ?? DEFAULT_CURRENCY
}

function findStored(
  stored: StoredAcquisitions,
  order: OrderRef | undefined,
  value: number | undefined,
  currency: string,
): MoneyRow | undefined {
  return value === undefined ? undefined : ofSameOrder(stored, order, value).find((row) => row.currency === currency)
}

/**
 * Only what the draft names is touched; the answer is the session's state after the write. Whatever may fail
 * comes before the write: after a failure the caller sends the money again.
 */
export async function recordAcquisition(
  deps: SessionDeps,
  call: SessionCall,
  draft: AcquisitionDraft,
): Promise<Recorded> {
  const { propertyId, session, sender } = call
  const key = sessionKey(session)
  const tags = [...new Set((draft.tags ?? []).map((tag) => cleanText(tag, MAX_TAG)))].filter((tag) => tag !== '')
  const named = draft.currency_code === undefined ? '' : knownCurrency(draft.currency_code)
  const order = orderIn(tags)
  const [stored, rates] = await Promise.all([readAcquisitions(deps, propertyId, key, order), deps.rates.table()])
  const currency = named || draft.value === undefined ? named : usualCurrency(stored, order, draft.value)
  const earlier = findStored(stored, order, draft.value, currency)
  const allTags = mergeTags(stored.tags, tags)
  const origin = { at: deps.now(), byVisitor: sender.isVisitor, rates }
  const said = partsOf({ value: draft.value, currency, tags }, order)
    .map((part) => acquisitionRow(propertyId, key, part, { id: randomId(deps), ...origin }))
    .filter((row) => row !== undefined)
  for (const { amount_usd } of said) sender.checkUsd(amount_usd)
  const rows = earlier ? said.filter(({ amount }) => amount === null) : said
  // In one piece: all of the call is stored or none of it.
  if (rows.length > 0) await deps.facts.appendAll('events', rows)
  await fireAcquisition(deps, call, said, earlier)
  const acquisition = { acquisition_meta: { tags: allTags }, value: moneyWith(stored, rows, rates) }
  return { acquisition, isStored: rows.length > 0 }
}
