// Turns generated visits into the rows that real ones would leave, with the row builders of tracker and
// sessions.
import type { Enrich } from '../enrich/enrich.ts'
import { dayText } from '../kernel/days.ts'
import { type Clicked, clickRow } from '../clicks/clicks.ts'
import type { RateTable } from '../rates/rates.ts'
import { acquisitionRow, eventRow } from '../sessions/sessions.ts'
import type { ClickRow, EventRow, ViewRow } from '../stores/tables.ts'
import { pingRow, viewRow } from '../tracker/tracker.ts'
import type { DemoClick } from './clicks.ts'
import type { DemoLink } from './shortlinks.ts'
import type { DemoEvent, DemoVisit } from './traffic.ts'

export interface RowMaker {
  readonly enrich: Enrich
  readonly rates: RateTable
  readonly property: { readonly id: string; readonly domains: readonly string[] }
}

/** Load and last ping of each view in one row: equal to their fold, at half the writes. */
export function viewRows({ enrich, property }: RowMaker, visit: DemoVisit): ViewRow[] {
  const { day, address, userAgent, acceptLanguage, width, height } = visit
  const session = { day, hash: BigInt(visit.hash) }
  const visitor = { address, agent: userAgent, language: acceptLanguage }
  const headers = { 'user-agent': userAgent, 'accept-language': acceptLanguage, accept: '*/*' }
  return visit.views.map(({ view, atMs, url, title, referrer, seconds, scroll }) => {
    const ref = { ...session, view }
    const page = new URL(url)
    const hit = { view: ref, at: atMs, visitor, page, title, referrer, status: 200, width, height, headers }
    const row = viewRow(enrich, property, hit)
    const ping = { at: atMs + seconds * 1000, tos: seconds, max: scroll }
    return seconds === 0 ? row : { ...row, ...pingRow(property.id, ref, ping) }
  })
}

/** Only of existing links. */
export function clickRows(
  { enrich }: RowMaker,
  links: ReadonlyMap<DemoLink, Clicked>,
  clicks: readonly DemoClick[],
): ClickRow[] {
  return clicks.flatMap((click) => {
    const clicked = links.get(click.link)
    return clicked ? [clickRow(enrich, clicked, click)] : []
  })
}

/** Orders are reported by the shop's server, everything else by the browser. */
export function eventRows({ rates, property }: RowMaker, visit: DemoVisit): EventRow[] {
  const key = { day: dayText(visit.day), session: visit.hash }
  return visit.events.flatMap((event) => {
    const origin = { id: event.id, at: event.atMs }
    const note = eventRow(property.id, key, event, { ...origin, byVisitor: true })
    const order = event.order && orderRow(property.id, key, event.order, { ...origin, rates })
    return order ? [note, order] : [note]
  })
}

function orderRow(
  propertyId: string,
  key: { day: string; session: string },
  { id, amount, currency }: NonNullable<DemoEvent['order']>,
  origin: { id: string; at: number; rates: RateTable },
): EventRow | undefined {
  const draft = { value: amount, currency, tags: [`shop:order:${id}`] }
  return acquisitionRow(propertyId, key, draft, { ...origin, byVisitor: false })
}
