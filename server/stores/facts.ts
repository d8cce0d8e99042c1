// The facts store: ClickHouse in this process or on a server, behind one client and one SQL.
// An append that has returned is on disk and in the next query.
import { type FactTable, type FactTables } from './tables.ts'

export interface Facts {
  /**
   * Rows of one SELECT. 64-bit integers come as decimal strings, dates as text.
   * @param name the caller, written before the statement as a comment so that the query log leads back to the code.
   * @param params bound by the server: `{name:Type}` in the SQL.
   * @throws Problem('unavailable') when the store does not answer or refuses the question as too heavy.
   */
  query<Row>(name: string, sql: string, params?: Readonly<Record<string, unknown>>): Promise<Row[]>
  /**
   * Resolves once the row is stored for good. Columns left out take their defaults (factDefaults).
   * @throws Problem('unavailable') with retryAfterSeconds when the queue is full or the store stays away: then nothing was acknowledged.
   */
  append<T extends FactTable>(table: T, row: Partial<FactTables[T]>): Promise<void>
  /** The same for many rows at once; for the demo, imports and repairs. */
  appendAll<T extends FactTable>(table: T, rows: readonly Partial<FactTables[T]>[]): Promise<void>
  /** One statement without rows: migrations and maintenance. In a cluster it runs on every node. */
  command(name: string, sql: string): Promise<void>
  /** False when the store does not answer. */
  ping(): Promise<boolean>
  /** For /metrics: rows waiting now, inserts and failures since the start. */
  stats(): { readonly waitingRows: number; readonly inserts: number; readonly insertedRows: number; readonly failedInserts: number }
  /** Stores what waits, then lets go of the store. */
  close(): Promise<void>
}
