// Asked while nobody waits: the periods that people choose next, so that they stand there at once. One at a
// time, each once, and only while the reader asks nothing: whatever is asked meanwhile goes first.
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { onCall } from '../../api.ts'
import type { Overview } from '../../api/overview.ts'
import { savesData } from '../../saves-data.ts'
import { useProperty } from '../../session.tsx'
import type { Period } from '../../window.ts'
import { overviewOf, type View } from './view.ts'

/** The longest first: it takes the service the longest. */
const likely: readonly Period[] = ['last_12_months', 'last_28', 'last_7', 'today']
/** For so long nothing has been asked. */
const QUIET_MS = 1_000

type Question = ReturnType<typeof overviewOf>

/** Once the filters are the reader's own, what comes next is too. */
function isUsual({ period, f, interval }: View): boolean {
  return period === null && interval === null && f.length === 0
}

/** @returns how to stop; an answer that somebody waits for by then still comes. */
function askAhead(client: QueryClient, questions: readonly Question[]): () => void {
  const left = [...questions]
  let timer: ReturnType<typeof setTimeout>
  let current: Question | undefined
  let isOver = false

  const giveUp = (): void => {
    if (!current) return
    const { queryKey } = current
    const isWanted = client.getQueryCache().find({ queryKey })?.isActive() === true
    if (!isWanted) void client.cancelQueries({ queryKey, exact: true })
  }
  const wait = (): void => {
    clearTimeout(timer)
    if (!isOver && left.length > 0) timer = setTimeout(() => void next(), QUIET_MS)
  }
  const next = async (): Promise<void> => {
    if (document.hidden || current) return
    if (client.isFetching() === 0) {
      current = left.shift()
      // What the page still has is not asked again, however old: it is brought up to date when it is shown.
      if (current) await client.prefetchQuery({ ...current, staleTime: Infinity })
      current = undefined
    }
    wait()
  }
  const onOther = (): void => {
    giveUp()
    wait()
  }

  const unlisten = onCall(onOther)
  document.addEventListener('visibilitychange', wait)
  wait()
  return () => {
    isOver = true
    clearTimeout(timer)
    unlisten()
    document.removeEventListener('visibilitychange', wait)
    // If the reader chose this period meanwhile, the page uses the same request.
    setTimeout(giveUp)
  }
}

interface AheadProps {
  readonly view: View
  /** What is shown; undefined as long as it is on its way. */
  readonly overview: Overview | undefined
}

/** Shows nothing. */
export function Ahead({ view, overview }: AheadProps): null {
  const { id, isShared } = useProperty()
  const client = useQueryClient()
  const { compare, compare_from, compare_to } = view
  const byDefault = isUsual(view) && overview?.meta.is_empty_property === false ? overview.inputs.period : undefined
  useEffect(() => {
    if (byDefault === undefined || isShared || savesData()) return undefined
    const shown = { date_from: null, date_to: null, f: [], compare, compare_from, compare_to, interval: null }
    const others = likely.filter((period) => period !== byDefault)
    return askAhead(
      client,
      others.map((period) => overviewOf(id, { ...shown, period }, { isAhead: true })),
    )
  }, [client, id, isShared, compare, compare_from, compare_to, byDefault])
  return null
}
