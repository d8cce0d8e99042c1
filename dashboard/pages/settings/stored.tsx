// How many facts a property has: said before they go.
import { useQuery } from '@tanstack/react-query'
import { readStored, type Stored } from '../../api/properties.ts'
import { daysOfText, number } from '../../format.ts'
import { data as all } from '../../texts/index.ts'

const text = all.stored

const keyOf = (id: string) => ['stored', id]

const shown = (count: number) => [number(count), count] as const

function wordsOf({ sessions, views, events, clicks, first_day: first, last_day: last }: Stored): string {
  if (first === null || last === null) return text.none
  return text.goes({
    sessions: shown(sessions),
    views: shown(views),
    events: shown(events),
    clicks: shown(clicks),
    days: daysOfText(first, last),
  })
}

/** Counted anew each time. */
export function StoredFacts({ id }: { id: string }) {
  const found = useQuery({
    queryKey: keyOf(id),
    queryFn: ({ signal }) => readStored(id, signal),
    staleTime: 0,
    gcTime: 0,
  })
  const words = found.data ? wordsOf(found.data.stored) : found.isError ? text.unknown : text.counting
  return <p aria-live="polite">{words}</p>
}
