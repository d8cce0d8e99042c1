// Numbers that grow with every change of a property's facts by this process: equal numbers mean that nothing
// was written in between. Counted by day, so that what is known of the past survives the writes of today.
import { randomUUID } from 'node:crypto'

/**
 * Days that are told apart. Older ones are counted together: writes to them are rare, and change everything
 * that was.
 */
const DAYS_APART = 8

/** What a row tells of the days that it changes: its own, and that of the session which it is folded into. */
export interface DatedRow {
  readonly property?: string
  readonly day?: string
  readonly session_day?: string
  readonly session?: string
}

interface Counts {
  /** Changes of all days before those in `byDay`. */
  before: number
  /** By YYYY-MM-DD. */
  readonly byDay: Map<string, number>
}

export interface Versions {
  /** @param beforeDay YYYY-MM-DD: changes of facts of earlier days alone, as far as these are told apart. */
  of(propertyId: string, beforeDay?: string): string
  /**
   * To be called when rows may have been stored, also by an insert that failed, and before anybody is told
   * so.
   */
  raise(rows: readonly DatedRow[]): void
  raiseAll(): void
}

function raiseDay({ byDay }: Counts, day: string): void {
  byDay.set(day, (byDay.get(day) ?? 0) + 1)
}

/** Adding up in `before` keeps every sum over earlier days what it was. */
function forgetOldest(counts: Counts): void {
  const [oldest = '', ...others] = [...counts.byDay.keys()].toSorted()
  if (others.length < DAYS_APART) return
  counts.before += counts.byDay.get(oldest) ?? 0
  counts.byDay.delete(oldest)
  forgetOldest(counts)
}

export function openVersions(): Versions {
  /** One a property that was written to since the start. */
  const ofProperty = new Map<string, Counts>()
  const start = randomUUID()
  let all = 0

  const countsOf = (propertyId: string): Counts => {
    const known = ofProperty.get(propertyId)
    if (known) return known
    const counts: Counts = { before: 0, byDay: new Map() }
    ofProperty.set(propertyId, counts)
    return counts
  }

  const raiseRow = ({ property = '', day = '', session_day, session }: DatedRow): void => {
    const counts = countsOf(property)
    raiseDay(counts, day)
    // Who has no session changes none.
    if (session_day !== undefined && session_day !== day && session !== undefined && session !== '0')
      raiseDay(counts, session_day)
    if (counts.byDay.size > DAYS_APART) forgetOldest(counts)
  }

  return {
    of: (propertyId, beforeDay) => {
      const { before = 0, byDay = new Map<string, number>() } = ofProperty.get(propertyId) ?? {}
      let sum = before
      for (const [day, count] of byDay) if (beforeDay === undefined || day < beforeDay) sum += count
      return `${start}.${all}.${sum}`
    },
    raise: (rows) => rows.forEach(raiseRow),
    raiseAll: () => {
      all++
    },
  }
}
