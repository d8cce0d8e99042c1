// Lists of the dashboard, by docs/definitions.md ("Visits", "Figures of a row", "Goals"): sessions and visits
// of each value, and the conversions that are credited to them.
import { type Clause, holds } from './clauses.ts'
import { costsBy, isCostList } from './costs.ts'
import { type Check, isRecord, isRounded, rounded } from './compare.ts'
import { type Known, rowOrder, within } from './figures.ts'
import { dimensionTable } from './dimensions.ts'
import type { Described } from './fold.ts'
import { windowOf, type Asked } from './windows.ts'

/** What a first touch says: each visit has its own. */
const touchLists: readonly string[] = [
  'source',
  'channel',
  'referrer_domain',
  'entry_path_full',
  'hostname',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
]

export const lists: readonly string[] = [...touchLists, 'exit_path_full', 'country', 'city', 'device', 'language']

export interface ListQuestion {
  /** The id of a conversion. */
  readonly goal?: string
  readonly attribution?: 'first' | 'last'
  /** What advertising cost as well: of the lists that have it, and without clauses. */
  readonly hasCost?: true
  readonly list: string
  readonly order: 'desc' | 'asc'
  readonly page: number
  readonly per_page: number
}

interface Row {
  readonly id: string
  readonly country: string
  sessions: number
  visits: number
  converted: number
  conversions: number
}

/**
 * How many conversions each session is credited with: its own, or with `first` those of all sessions of its
 * contact, if it is the first of these.
 * @param all sessions there ever were.
 */
export function creditOf(
  all: readonly Described[],
  goal: string,
  attribution: 'first' | 'last' = 'first',
): ReadonlyMap<Described, number> {
  const firsts = new Map<string, Described>()
  for (const one of all) {
    const contact = one.texts['contact_id'] ?? ''
    const first = firsts.get(contact)
    if (contact !== '' && (!first || one.entryAt < first.entryAt)) firsts.set(contact, one)
  }
  const credit = new Map<Described, number>()
  for (const one of all) {
    const to = (attribution === 'first' && firsts.get(one.texts['contact_id'] ?? '')) || one
    credit.set(to, (credit.get(to) ?? 0) + (one.met.get(goal) ?? 0))
  }
  return credit
}

function rowsOf(sessions: readonly Described[], list: string, credit: ReadonlyMap<Described, number>): Row[] {
  const rows = new Map<string, Row>()
  const rowAt = (texts: Readonly<Record<string, string>>, country: string): Row => {
    const [id, key] = [texts[list] ?? '', JSON.stringify([texts[list], country])]
    const row = rows.get(key) ?? { id, country, sessions: 0, visits: 0, converted: 0, conversions: 0 }
    rows.set(key, row)
    return row
  }
  for (const session of sessions) {
    const { texts, visits } = session
    const country = dimensionTable[list]?.isOfCountry || list === 'country' ? (texts['country_code'] ?? '') : ''
    const times = credit.get(session) ?? 0
    const row = rowAt(texts, country)
    row.sessions++
    row.conversions += times
    if (times > 0) row.converted++
    for (const visit of visits) rowAt(touchLists.includes(list) ? visit : texts, country).visits++
  }
  return [...rows.values()].filter(({ id }) => id !== '')
}

/** A value that later visits alone came with has no session to be a share of. */
const rateOf = (converted: number, sessions: number) => (sessions === 0 ? null : rounded(converted / sessions, 4))

/** By visits; equal ones by sessions, then by the value. */
export function listAnswer(
  { sessions: all, costs, now }: Known,
  asked: Asked,
  clauses: readonly Clause[],
  { list, goal, attribution, hasCost, order, page, per_page }: ListQuestion,
): unknown {
  const window = windowOf(asked, now)
  const own = within(all, window).filter((session) => holds(session, clauses))
  const sign = order === 'asc' ? 1 : -1
  const credit = goal === undefined ? new Map<Described, number>() : creditOf(all, goal, attribution)
  const spent = hasCost && isCostList(list) ? costsBy(costs, list, window) : new Map<string, number>()
  const known = rowsOf(own, list, credit)
  const others = [...spent.keys()].filter((id) => known.every((row) => row.id !== id))
  const unseen = { country: '', sessions: 0, visits: 0, converted: 0, conversions: 0 }
  const rows = [...known, ...others.map((id) => ({ ...unseen, id }))].toSorted(
    (a, b) => sign * (a.visits - b.visits) || rowOrder({ ...a, value: a.sessions }, { ...b, value: b.sessions }),
  )
  const shown = rows.slice((page - 1) * per_page, page * per_page)
  return {
    data: {
      total: rows.length,
      rows: shown.map(({ id, sessions, visits, converted, conversions }) => ({
        id,
        value: sessions,
        metrics: {
          visits,
          ...(hasCost && { cost: spent.get(id) ?? null }),
          ...(goal !== undefined && { conversions, rate: rateOf(converted, sessions) }),
        },
      })),
    },
  }
}

/** A goal of the overview. */
export interface GoalQuestion {
  /** The id of a conversion. */
  readonly goal: string
  readonly attribution: 'first' | 'last'
}

const shownWithGoal = ['source', 'entry_path_full', 'city', 'language']

/** The share of the window, and of the first rows of some lists. */
export function goalAnswer(
  { sessions: all, now }: Pick<Known, 'sessions' | 'now'>,
  asked: Asked,
  clauses: readonly Clause[],
  { goal, attribution }: GoalQuestion,
): unknown {
  const own = within(all, windowOf(asked, now)).filter((session) => holds(session, clauses))
  const credit = creditOf(all, goal, attribution)
  const converted = own.filter((session) => (credit.get(session) ?? 0) > 0).length
  const rowsIn = (list: string) => {
    const rows = rowsOf(own, list, credit).toSorted((a, b) =>
      rowOrder({ ...a, value: a.sessions }, { ...b, value: b.sessions }),
    )
    // Lists of the overview are of sessions: what later visits alone came with is not in them.
    return rows
      .filter((row) => row.sessions > 0)
      .slice(0, 10)
      .map((row) => ({
        id: row.id,
        value: row.sessions,
        metrics: { conversions: row.conversions, rate: rateOf(row.converted, row.sessions) },
      }))
  }
  const isRate: Check = (cards) => {
    const card: unknown = Array.isArray(cards)
      ? cards.find((each) => isRecord(each) && each['id'] === 'rate')
      : undefined
    const rate = own.length === 0 ? 0 : converted / own.length
    return isRecord(card) && isRounded(card['current'], rate, 4) ? undefined : `a rate of ${rate}`
  }
  const lists = Object.fromEntries(shownWithGoal.map((list) => [list, { rows: rowsIn(list) }]))
  return { data: { goal: { cards: isRate }, lists } }
}
