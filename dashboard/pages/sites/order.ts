// Which sites are shown, in which order, and under whose name.
import type { Site } from '../../api/sites.ts'

export const sortIds = ['name', 'live', 'sessions', 'change', 'views'] as const
export type SortId = (typeof sortIds)[number]

export interface Order {
  readonly by: SortId
  readonly isDescending: boolean
}

/** By how much its sessions have grown: what is new has grown the most, of nothing there is no change. */
export function growthOf({ sessions: { current, previous } }: Pick<Site, 'sessions'>): number | null {
  if (previous > 0) return current / previous - 1
  return current > 0 ? Infinity : null
}

/** Null stands at the end, whichever way it is sorted. */
const values: Readonly<Record<Exclude<SortId, 'name'>, (site: Site) => number | null>> = {
  live: ({ live }) => live,
  sessions: ({ sessions }) => sessions.current,
  change: growthOf,
  views: ({ views }) => views.current,
}

const byName = (a: Site, b: Site): number => a.name.localeCompare(b.name, undefined, { numeric: true })

function compare({ by, isDescending }: Order): (a: Site, b: Site) => number {
  const sign = isDescending ? -1 : 1
  if (by === 'name') return (a, b) => sign * byName(a, b)
  const valueOf = values[by]
  return (a, b) => {
    const [one, other] = [valueOf(a), valueOf(b)]
    if (one === other) return byName(a, b)
    if (one === null || other === null) return one === null ? 1 : -1
    return sign * (one < other ? -1 : 1)
  }
}

/** Each word in the name, a domain or the client, whatever its capitals. */
export function matchingSites(sites: readonly Site[], search: string): readonly Site[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return sites.filter(({ name, domains, client }) => {
    const searched = [name, ...domains, client].join('\n').toLowerCase()
    return words.every((word) => searched.includes(word))
  })
}

export interface Group {
  /** '' for those of nobody in particular. */
  readonly client: string
  readonly sites: readonly Site[]
}

/** By name of the client, those without one last. */
export function groupsOf(sites: readonly Site[], order: Order): readonly Group[] {
  const groups = [...Map.groupBy(sites.toSorted(compare(order)), ({ client }) => client)]
  return groups
    .map(([client, own]) => ({ client, sites: own }))
    .toSorted((a, b) => Number(a.client === '') - Number(b.client === '') || a.client.localeCompare(b.client))
}
