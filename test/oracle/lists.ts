// Lists of the dashboard, by docs/definitions.md ("Visits", "Figures of a row", "Goals"): sessions and visits
// of each value, and the conversions that are credited to them.
import { type Clause, holds } from './clauses.ts'
import { rounded } from './compare.ts'
import { rowOrder, within } from './figures.ts'
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
  /** The id of a conversion. The traffic has no contacts, so each session is its own first one. */
  readonly goal?: string
  readonly attribution?: 'first' | 'last'
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

function rowsOf(sessions: readonly Described[], list: string, goal: string | undefined): Row[] {
  const rows = new Map<string, Row>()
  const rowAt = (texts: Readonly<Record<string, string>>, country: string): Row => {
    const [id, key] = [texts[list] ?? '', JSON.stringify([texts[list], country])]
    const row = rows.get(key) ?? { id, country, sessions: 0, visits: 0, converted: 0, conversions: 0 }
    rows.set(key, row)
    return row
  }
  for (const { texts, visits, met } of sessions) {
    const country = dimensionTable[list]?.isOfCountry || list === 'country' ? (texts['country_code'] ?? '') : ''
    const times = goal === undefined ? 0 : (met.get(goal) ?? 0)
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
  all: readonly Described[],
  asked: Asked,
  clauses: readonly Clause[],
  { list, goal, order, page, per_page }: ListQuestion,
  now: number,
): unknown {
  const own = within(all, windowOf(asked, now)).filter((session) => holds(session, clauses))
  const sign = order === 'asc' ? 1 : -1
  const rows = rowsOf(own, list, goal).toSorted(
    (a, b) => sign * (a.visits - b.visits) || rowOrder({ ...a, value: a.sessions }, { ...b, value: b.sessions }),
  )
  const shown = rows.slice((page - 1) * per_page, page * per_page)
  return {
    data: {
      total: rows.length,
      rows: shown.map(({ id, sessions, visits, converted, conversions }) => ({
        id,
        value: sessions,
        metrics: { visits, ...(goal !== undefined && { conversions, rate: rateOf(converted, sessions) }) },
      })),
    },
  }
}
