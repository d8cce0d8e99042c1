// What is not known is no zero: which figures of an overview can be shown, and beside which others.
// docs/definitions.md says when.
import type { Card, KnownSeries, MetricId, Overview, Values } from '../../api/overview.ts'
import type { Comparison } from '../../window.ts'

type Series = Readonly<Partial<Record<MetricId, Values>>> & { readonly sessions: Values }

/** Bucket by bucket; null where it is not known of any session, and where the bucket has not begun. */
export function knownValues(id: MetricId, series: Series, known: KnownSeries | null): Values {
  const values = known?.[id]?.values ?? series[id] ?? []
  const isMean = id === 'views_session' || known?.[id] !== undefined
  return series.sessions.map((sessions, index) =>
    sessions === null || (isMean && sessions === 0) ? null : (values[index] ?? null),
  )
}

/**
 * Those that stand by themselves: visits are told beside sessions, and a cost is shown once there is one.
 * @param only left out: all.
 */
export const shownCards = <Shown extends Pick<Card, 'id' | 'current' | 'previous'>>(
  cards: readonly Shown[],
  only?: readonly MetricId[],
): readonly Shown[] =>
  cards.filter(({ id, current, previous }) => {
    if (id === 'visits' || only?.includes(id) === false) return false
    return id !== 'cost' || (current ?? 0) > 0 || (previous ?? 0) > 0
  })

/** Both figures of a card, null where they are not known. */
export function knownFigures(card: Card, sessions: Pick<Card, 'current' | 'previous'> | undefined) {
  if (card.known) return { current: card.known.current, previous: card.previous === null ? null : card.known.previous }
  const isNothing = (card.id === 'views_session' || card.id === 'rate') && sessions?.current === 0
  return { current: isNothing ? null : card.current, previous: card.previous }
}

/** `early`: the other window begins before anybody was seen, so that a part of it says nothing. */
export function comparisonOf(
  overview: Pick<Overview, 'previous_window' | 'meta'>,
  compare: Comparison,
): 'none' | 'early' | 'full' {
  if (compare === 'none') return 'none'
  const { first_view_ts } = overview.meta
  return first_view_ts !== null && first_view_ts > overview.previous_window.from_ts ? 'early' : 'full'
}
