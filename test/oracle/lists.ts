// Lists of the dashboard, by docs/definitions.md ("Visits", "Figures of a row"): sessions and visits of each
// value.
import { type Clause, holds } from './clauses.ts'
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
}

function rowsOf(sessions: readonly Described[], list: string): Row[] {
  const rows = new Map<string, Row>()
  const rowAt = (texts: Readonly<Record<string, string>>, country: string): Row => {
    const [id, key] = [texts[list] ?? '', JSON.stringify([texts[list], country])]
    const row = rows.get(key) ?? { id, country, sessions: 0, visits: 0 }
    rows.set(key, row)
    return row
  }
  for (const { texts, visits } of sessions) {
    const country = dimensionTable[list]?.isOfCountry || list === 'country' ? (texts['country_code'] ?? '') : ''
    rowAt(texts, country).sessions++
    for (const visit of visits) rowAt(touchLists.includes(list) ? visit : texts, country).visits++
  }
  return [...rows.values()].filter(({ id }) => id !== '')
}

/** By visits; equal ones by sessions, then by the value. */
export function listAnswer(
  all: readonly Described[],
  asked: Asked,
  clauses: readonly Clause[],
  { list, order, page, per_page }: ListQuestion,
  now: number,
): unknown {
  const own = within(all, windowOf(asked, now)).filter((session) => holds(session, clauses))
  const sign = order === 'asc' ? 1 : -1
  const rows = rowsOf(own, list).toSorted(
    (a, b) => sign * (a.visits - b.visits) || rowOrder({ ...a, value: a.sessions }, { ...b, value: b.sessions }),
  )
  const shown = rows.slice((page - 1) * per_page, page * per_page)
  return {
    data: {
      total: rows.length,
      rows: shown.map(({ id, sessions, visits }) => ({ id, value: sessions, metrics: { visits } })),
    },
  }
}
