// What the list of contacts is searched for, in its address and as it is saved; and the way to saved
// searches.
import { Bookmark } from 'lucide-react'
import { lazy } from 'react'
import { contactSorts } from '../../api/contacts.ts'
import { later } from '../../later.ts'
import { Popover } from '../../parts/popover.tsx'
import { contacts as text } from '../../texts/index.ts'
import type { Query } from './searches.tsx'

const Searches = lazy(later(() => import('./searches.tsx')))

export const states = ['active', 'unsubscribed', 'deleted'] as const
export const directions = ['asc', 'desc'] as const

export interface Searched {
  readonly q: string
  readonly state: (typeof states)[number] | null
  readonly stage: string
  readonly list: string
  readonly tag: string
  readonly sort: (typeof contactSorts)[number] | null
  readonly dir: (typeof directions)[number] | null
}

/** As the service names it; what is empty is left out. */
export const queryOf = ({ q, state, stage, list, tag, sort, dir }: Searched): Query =>
  Object.fromEntries(
    Object.entries({ search: q.trim(), state, lifecycle_stage: stage, list, tag, sort, direction: dir }).filter(
      (entry): entry is [string, string] => Boolean(entry[1]),
    ),
  )

export const stateOf = (query: Query): Partial<Searched> => ({
  q: query['search'] ?? '',
  state: states.find((one) => one === query['state']) ?? null,
  stage: query['lifecycle_stage'] ?? '',
  list: query['list'] ?? '',
  tag: query['tag'] ?? '',
  sort: contactSorts.find((one) => one === query['sort']) ?? null,
  dir: directions.find((one) => one === query['direction']) ?? null,
})

export function SavedSearches({ query, onChoose }: { query: Query; onChoose: (query: Query) => void }) {
  return (
    <Popover
      button={
        <>
          <Bookmark aria-hidden="true" /> {text.searches.button}
        </>
      }
      align="end"
    >
      {(close, settle) => (
        <Searches
          query={query}
          onReady={settle}
          onChoose={(next) => {
            close()
            onChoose(next)
          }}
        />
      )}
    </Popover>
  )
}
