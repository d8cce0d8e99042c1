// Sends the rows of the demo to the facts in pieces, a few at a time.
import type { Facts } from '../stores/facts.ts'
import type { FactTables } from '../stores/tables.ts'
import type { DemoPace } from './demo.ts'

/** The tables that the demo writes. */
type DemoTable = 'views' | 'events' | 'clicks' | 'form_events' | 'impressions' | 'vitals'
export type Rows = { readonly [T in DemoTable]: readonly FactTables[T][] }

/** Sends rows of all tables to the store, never more than a few pieces at once. */
export function openRowWriter(facts: Facts, { pieceRows, pieces }: Pick<DemoPace, 'pieceRows' | 'pieces'>) {
  const waiting: { [T in DemoTable]: FactTables[T][] } = {
    views: [],
    events: [],
    clicks: [],
    form_events: [],
    impressions: [],
    vitals: [],
  }
  const tables = Object.keys(waiting) as DemoTable[]
  const underWay = new Set<Promise<void>>()
  const failures: unknown[] = []

  const send = async (table: DemoTable): Promise<void> => {
    const rows = waiting[table]
    waiting[table] = []
    // A piece may fail while nobody waits for it: the next send throws its error.
    const sent = facts
      .appendAll(table, rows)
      .catch((error: unknown) => void failures.push(error))
      .finally(() => underWay.delete(sent))
    underWay.add(sent)
    if (underWay.size >= pieces) await Promise.race(underWay)
    if (failures.length > 0) throw failures[0]
  }

  return {
    /** Resolves when there is room for more. @returns whether a piece was sent. */
    async add(rows: Rows): Promise<boolean> {
      waiting.views.push(...rows.views)
      waiting.events.push(...rows.events)
      waiting.clicks.push(...rows.clicks)
      waiting.form_events.push(...rows.form_events)
      waiting.impressions.push(...rows.impressions)
      waiting.vitals.push(...rows.vitals)
      const full = tables.filter((table) => waiting[table].length >= pieceRows)
      for (const table of full) await send(table)
      return full.length > 0
    },
    /** They are sent with the next piece. */
    identified(rows: readonly FactTables['events'][]): void {
      waiting.events.push(...rows)
    },
    async close(): Promise<void> {
      for (const table of tables) await send(table)
      await Promise.all(underWay)
      if (failures.length > 0) throw failures[0]
    },
  }
}
