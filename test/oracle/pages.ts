// The pages that were seen, by docs/definitions.md ("Top pages").
import { type Clause, holds } from './clauses.ts'
import { rounded } from './compare.ts'
import { rowOrder, within } from './figures.ts'
import type { Described, View } from './fold.ts'
import { windowOf, type Asked } from './windows.ts'

export interface PagesQuestion {
  readonly depth: number | null
  readonly page: number
  readonly per_page: number
}

const folderOf = (path: string, depth: number | null): string => {
  const parts = path.split('/')
  return depth === null || parts.length <= depth + 1 ? path : `${parts.slice(0, depth + 1).join('/')}/`
}

const mean = (numbers: readonly number[]) =>
  numbers.length === 0 ? null : rounded(numbers.reduce((sum, each) => sum + each, 0) / numbers.length, 0)

/** By views; equal ones by path. */
export function pagesAnswer(
  all: readonly Described[],
  asked: Asked,
  clauses: readonly Clause[],
  { depth, page, per_page }: PagesQuestion,
  now: number,
): unknown {
  const own = within(all, windowOf(asked, now)).filter((session) => holds(session, clauses))
  const idOf = (view: View | undefined) => folderOf(view?.path ?? '', depth)
  const views = Map.groupBy(
    own.flatMap(({ session }) => session.views),
    idOf,
  )
  const rows = [...views].map(([id, seen]) => ({
    id,
    views: seen.length,
    visitors: own.filter(({ session }) => session.views.some((view) => idOf(view) === id)).length,
    time: mean(seen.map(({ seconds }) => seconds).filter((seconds) => seconds > 0)),
    scroll: mean(seen.flatMap(({ scroll }) => scroll ?? [])),
    entries: own.filter(({ session }) => idOf(session.views[0]) === id).length,
    exits: own.filter(({ session }) => idOf(session.views.at(-1)) === id).length,
  }))
  const sorted = rows.toSorted((a, b) =>
    rowOrder({ id: a.id, country: '', value: a.views }, { id: b.id, country: '', value: b.views }),
  )
  return { data: { total: rows.length, rows: sorted.slice((page - 1) * per_page, page * per_page) } }
}
