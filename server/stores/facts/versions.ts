// Numbers that grow with every change of a property's facts by this process: equal numbers mean that nothing
// was written in between. Counted by day, so that what is known of the past survives the writes of today.
import { randomUUID } from 'node:crypto'
import type { FactTable } from '../tables.ts'

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
  /**
   * @param beforeDay YYYY-MM-DD: changes of facts of earlier days alone, as far as these are told apart.
   * @param tables of these alone; left out: of all.
   */
  of(propertyId: string, beforeDay?: string, tables?: readonly FactTable[]): string
  /**
   * To be called when rows may have been stored, also by an insert that failed, and before anybody is told
   * so.
   */
  raise(table: FactTable, rows: readonly DatedRow[]): void
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
  /** By property and table, of those that were written to since the start. */
  const ofProperty = new Map<string, Map<FactTable, Counts>>()
  const start = randomUUID()
  let all = 0

  const countsOf = (propertyId: string, table: FactTable): Counts => {
    const byTable = ofProperty.get(propertyId) ?? new Map<FactTable, Counts>()
    ofProperty.set(propertyId, byTable)
    const counts = byTable.get(table) ?? { before: 0, byDay: new Map<string, number>() }
    byTable.set(table, counts)
    return counts
  }

  const raiseRow = (table: FactTable, { property = '', day = '', session_day, session }: DatedRow): void => {
    const counts = countsOf(property, table)
    raiseDay(counts, day)
    // Who has no session changes none.
    if (session_day !== undefined && session_day !== day && session !== undefined && session !== '0')
      raiseDay(counts, session_day)
    if (counts.byDay.size > DAYS_APART) forgetOldest(counts)
  }

  return {
    of: (propertyId, beforeDay, tables) => {
      let sum = 0
      for (const [table, { before, byDay }] of ofProperty.get(propertyId) ?? []) {
        if (tables && !tables.includes(table)) continue
        sum += before
        for (const [day, count] of byDay) if (beforeDay === undefined || day < beforeDay) sum += count
      }
      return `${start}.${all}.${sum}`
    },
    raise: (table, rows) => rows.forEach((row) => raiseRow(table, row)),
    raiseAll: () => {
      all++
    },
  }
}
