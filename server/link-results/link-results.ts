// The results of a link or a group in a window: the strip from clicks to value, the same by time, country,
// device, referrer and rule, and the people behind it. And of another one beside it.
import { readClickFigures } from '../clicks/facts.ts'
import { findContactNames } from '../contacts/contacts.ts'
import type { Context } from '../context.ts'
import { bucketsOf, parseInterval } from '../kernel/buckets.ts'
import { dayFromText } from '../kernel/days.ts'
import { sessionId } from '../kernel/ids.ts'
import { parseWindow, type Window, windowJson, type WindowQuery } from '../kernel/window.ts'
import { roundHalfAway } from '../kernel/money.ts'
import { currencyOf, toldIn } from '../rates/rates.ts'
import { getGroup } from '../links/groups.ts'
import { groupsOf } from '../links/link-model.ts'
import { getShortUrl } from '../links/links.ts'
import { findLink } from '../links/records.ts'
import type { Property } from '../properties/properties.ts'
import { withBeginning } from '../sessions/sessions.ts'
import {
  type ArrivedRow,
  type ClickedRow,
  type Grouping,
  type KnownPerson,
  readArrivedRows,
  readClickedRows,
  readKnownPeople,
  type ResultsQuery,
  type RowKey,
} from './facts.ts'
import { type BreakdownId, breakdownIds, type ResultCountsJson, type ResultsOfJson } from './schema.ts'

type ResultsDeps = Pick<Context, 'config' | 'records' | 'facts' | 'keys' | 'now' | 'rates'>

export interface Named {
  readonly kind: 'link' | 'link_group'
  readonly id: string
}

interface Owner extends Named {
  readonly name: string
  readonly groupIds: readonly string[]
}

/** @throws Problem('not_found') */
async function findOwner(deps: ResultsDeps, propertyId: string, { kind, id }: Named): Promise<Owner> {
  if (kind === 'link_group') {
    const { name } = await getGroup(deps, propertyId, id)
    return { kind, id, name, groupIds: [id] }
  }
  const { short_url } = await getShortUrl(deps, propertyId, id)
  const link = await findLink(deps.records, propertyId, id)
  const groupIds = link ? groupsOf(link) : []
  return { kind, id, name: link?.name ?? short_url.replace(/^https?:\/\//, ''), groupIds }
}

const keyOf = ({ grouping, value }: RowKey): string => `${grouping}:${value}`

interface Rows {
  readonly clicked: readonly ClickedRow[]
  readonly arrived: ReadonlyMap<string, ArrivedRow>
}

function countsOf({ arrived }: Rows, clicked: ClickedRow): ResultCountsJson {
  const came = arrived.get(keyOf(clicked))
  return {
    clicks: clicked.clicks,
    visitors: clicked.visitors,
    arrived: came?.arrived ?? 0,
    engaged: came?.engaged ?? 0,
    forms: came?.forms ?? 0,
    contacts: came?.contacts ?? 0,
    value_cents: roundHalfAway(came?.worth ?? 0),
  }
}

const nothing = (grouping: Grouping, value: string): ClickedRow => ({
  grouping,
  value,
  clicks: 0,
  visitors: 0,
  destination: '',
})

const find = (rows: Rows, grouping: Grouping, value: string): ClickedRow =>
  rows.clicked.find((row) => row.grouping === grouping && row.value === value) ?? nothing(grouping, value)

/** Of rules, where they lead is their label. */
const breakdownOf = (rows: Rows, id: BreakdownId) =>
  rows.clicked
    .filter(({ grouping }) => grouping === id)
    .map((row) => ({
      id: row.value,
      ...countsOf(rows, row),
      ...(id === 'rule' && { destination_url: row.destination }),
    }))

interface Asked {
  readonly property: Pick<Property, 'id'>
  readonly window: Window
}

function personOf(deps: ResultsDeps, propertyId: string, names: Readonly<Record<string, string>>) {
  return ({ contact_id, sessions, arrived_ms, day, session, has_sent, value }: KnownPerson) => ({
    contact_id,
    name: names[contact_id] ?? null,
    sessions,
    arrived_ts: Math.floor(arrived_ms / 1000),
    session_id: sessionId(deps.keys, propertyId, { day: dayFromText(day), hash: BigInt(session) }),
    has_sent_form: has_sent,
    value_cents: roundHalfAway(value),
  })
}

async function readResultsOf(
  deps: ResultsDeps,
  { property, window }: Asked,
  owner: Owner,
  ask: ResultsQuery,
): Promise<ResultsOfJson> {
  const { facts } = deps
  const { kind, id, name, groupIds } = owner
  const of = kind === 'link' ? { linkId: id, groupIds } : { groupIds }
  const [clicked, arrived, { people, total }, { bots }] = await Promise.all([
    readClickedRows(facts, ask),
    readArrivedRows(facts, ask),
    readKnownPeople(facts, ask),
    readClickFigures(facts, property.id, of, window),
  ])
  const rows: Rows = { clicked, arrived: new Map(arrived.map((row) => [keyOf(row), row])) }
  const names = await findContactNames(
    deps.records,
    property.id,
    people.map(({ contact_id }) => contact_id),
  )
  return {
    kind,
    id,
    name,
    totals: {
      ...countsOf(rows, find(rows, 'all', '')),
      scans: find(rows, 'via', 'qr').clicks,
      already_on_site: rows.arrived.get('all:')?.already_on_site ?? 0,
    },
    bots,
    count_bots: Object.values(bots).reduce((sum, count) => sum + count, 0),
    // Buckets are counted from 1: as many of them have begun by then.
    series: ask.buckets.map((_, index) => countsOf(rows, find(rows, 'time', String(index + 1)))),
    breakdowns: Object.fromEntries(
      breakdownIds.map((each) => [each, breakdownOf(rows, each)]),
    ) as unknown as ResultsOfJson['breakdowns'],
    people: people.map(personOf(deps, property.id, names)),
    count_people: total,
  }
}

const seconds = (timeMs: number): number => Math.floor(timeMs / 1000)

export interface ResultsAsk extends WindowQuery {
  readonly interval?: string | null | undefined
}

/**
 * @param other shown beside the first.
 * @throws Problem: not_found; validation_failed for an impossible window.
 */
export async function readResults(
  deps: ResultsDeps,
  property: Property,
  [first, other]: readonly [Named, Named?],
  query: ResultsAsk,
) {
  const now = deps.now()
  const window = parseWindow(query, now, await withBeginning(deps.facts, property, query))
  const interval = parseInterval(query.interval, window)
  const money = await currencyOf(deps, property)
  const buckets = bucketsOf(window, interval)
  const read = async (named: Named) => {
    const owner = await findOwner(deps, property.id, named)
    const links = owner.kind === 'link' ? { links: [owner.id] } : {}
    const ask = { propertyId: property.id, groups: owner.groupIds, ...links, span: window, buckets, money }
    return readResultsOf(deps, { property, window }, owner, ask)
  }
  const [own, beside] = await Promise.all([read(first), other ? read(other) : null])
  return {
    ...windowJson(window),
    interval,
    currency: toldIn(money),
    buckets: buckets.map(({ label, fromMs, toMs, fullToMs }) => ({
      label,
      from_ts: seconds(fromMs),
      to_ts: seconds(toMs),
      is_running: fromMs <= now && now < fullToMs,
    })),
    own,
    other: beside,
  }
}
