// The statements about settled days and their copies (settled.ts).
import { hash } from 'node:crypto'
import { DAYS_A_WEEK } from '../../kernel/days.ts'
import type { FactsEngine } from '../facts/engine.ts'
import type { FactsLayout } from '../facts.ts'
import { isPartOf, mutation, nodesOf, partsOf, tableFolder } from '../facts/parts.ts'
import { quoted } from '../facts/quoted.ts'
import { outcomeTables } from '../outcome-sums.ts'
import { isLoaded } from '../page-sums.ts'
import { allCopyTables, type CopyTable, copyTables, copyColumns, folding, sumFormula, sumStatements } from './sums.ts'
import { storedName } from '../migrations/facts.ts'
import { isCounted, isFolded, plainColumns, type SessionColumn, sessionColumns } from '../session-columns.ts'
import { NEVER_MS } from '../tables.ts'

/** The pages of each session of these days. */
const pathsOf = (
  views: string,
  days: string,
) => `SELECT property, day, session, CAST(groupArray(toString(path)), 'Array(LowCardinality(String))') AS paths
  FROM ${views} FINAL WHERE ${isLoaded} AND day IN (${days}) GROUP BY property, day, session`

const foldedNames = (Object.keys(sessionColumns) as SessionColumn[]).filter(isFolded)

/** Another way of computing the columns makes other copies. */
const formula = hash('sha256', JSON.stringify([sessionColumns, pathsOf('views', ''), sumFormula])).slice(0, 16)

/** Rows are sent on in blocks of a few megabytes: a copy must not take the memory that questions need. */
export const blockSettings = 'min_insert_block_size_rows = 65536, min_insert_block_size_bytes = 33554432'

/** Both sides are read in one order, so neither has to be in memory. */
const merging = `optimize_aggregation_in_order = 1, join_algorithm = 'full_sorting_merge', max_bytes_before_external_sort = ${64 * 1024 * 1024}`

/** The tables of whose rows copies are made, and whose changes make other copies. */
const copiedFrom = ['sessions', ...outcomeTables] as const

/** A day as the store has it. */
export interface Day {
  readonly day: string
  /** Of what it has now. */
  readonly mark: string
  /** Of those that were copied; '' and 0 when none were. */
  readonly copied: string
  readonly copy: string
  /** How many days are in the copy. */
  readonly days: number
  readonly first_ms: string
  readonly last_ms: string
}

/** When the first and the last session of a day began; the last before the first when there are none. */
type Bounds = Pick<Day, 'day' | 'first_ms' | 'last_ms'>

/** What the ledger is to say of a day of a copy. */
export type NotedDay = Bounds & Pick<Day, 'mark'>

/** How many rows of sessions some days have. */
export interface DayRows {
  readonly days: readonly string[]
  readonly rows: number
}

/**
 * Rows that one statement folds, or those of one day if they are more: no statement takes long, and a quiet
 * week takes one.
 */
export const ROWS_AT_ONCE = 50_000

/** Neighbours in one as long as they have few rows. @param days each by itself, in their order. */
export function together(days: readonly DayRows[]): DayRows[] {
  const some: DayRows[] = []
  for (const day of days) {
    const before = some.at(-1)
    const rows = day.rows + (before?.rows ?? 0)
    if (before && rows <= ROWS_AT_ONCE) some[some.length - 1] = { days: [...before.days, ...day.days], rows }
    else some.push(day)
  }
  return some
}

export class Ledger {
  readonly #engine: FactsEngine
  readonly #layout: FactsLayout

  constructor(engine: FactsEngine, layout: FactsLayout) {
    this.#engine = engine
    this.#layout = layout
  }

  #stored(table: string): string {
    return storedName(table, this.#layout)
  }

  /** Every day of the weeks of which something can be copied, also those days that have nothing. */
  async listDays(): Promise<Day[]> {
    const sql = `/* facts.settled */ SELECT toString(marked.day) AS day, marked.mark AS mark, ledger.mark AS copied, toString(ledger.copy) AS copy, days, first_ms, last_ms
FROM (${this.#marksSql()}) AS marked
LEFT JOIN (SELECT day, copy, days, mark, first_ms, last_ms FROM ${this.#stored('settled_days')} FINAL) AS ledger ON ledger.day = marked.day
ORDER BY day`
    return (await this.#engine.read(sql, {}, 'lookup')) as Day[]
  }

  /** Of the weeks that have sessions; '' when there are none. */
  async findFirstDay(): Promise<string> {
    const [parts] = partsOf(this.#layout.cluster)
    const sql = `/* facts.settled */ SELECT min(partition) AS day FROM ${parts} WHERE ${isPartOf('sessions', this.#layout)}`
    const [row] = (await this.#engine.read(sql, {}, 'lookup')) as { readonly day: string }[]
    return row?.day ?? ''
  }

  /**
   * A mark is made of what was added to the day on each node, and of its week's parts: of sessions the id of
   * the table and the least version of what they hold, which is another one when they are dropped or changed
   * in place; of the other tables the latest change in place, which their first row of a week is not.
   * A node without any of it says nothing. While some are being changed, nothing is said of their days.
   */
  #marksSql(): string {
    const [parts, node] = partsOf(this.#layout.cluster)
    const [changes] = nodesOf('day_changes', this.#layout)
    return `
  SELECT kept.day AS day, concat(toString(groupBitXorIf(cityHash64(kept.node, folder, version, changed), folder != '' OR version[2] != 0 OR changed != 0)), '.${formula}') AS mark
  FROM (
    SELECT node, folder, version, is_whole, arrayJoin(arrayMap(n -> week + n, range(${DAYS_A_WEEK}))) AS day
    FROM (
      SELECT node, week, minIf(own_folder, of_sessions) AS folder, min(own_whole) AS is_whole,
        [minIf(own_version, of_sessions), groupBitXorIf(cityHash64(table, changed_by), NOT of_sessions AND changed_by > 0)] AS version
      FROM (
        SELECT ${node} AS node, toDate(partition) AS week, table, table = '${this.#stored('sessions')}' AS of_sessions,
          min(${tableFolder}) AS own_folder, min(data_version) AS own_version, max(${mutation}) AS changed_by, own_version >= changed_by AS own_whole
        FROM ${parts} WHERE ${copiedFrom.map((table) => `(${isPartOf(table, this.#layout)})`).join(' OR ')} GROUP BY node, week, table
      ) GROUP BY node, week
    ) WHERE toMonday(day) = week
  ) AS kept
  LEFT JOIN (SELECT ${node} AS node, day, sum(changes) AS changed FROM ${changes} GROUP BY node, day) AS added
  ON added.node = kept.node AND added.day = kept.day
  GROUP BY day HAVING min(is_whole) = 1`
  }

  /** Of each of these days; those of which there is nothing to be copied are left out. */
  async countRows(days: readonly string[]): Promise<DayRows[]> {
    const ofDays = `WHERE day IN (${days.map(quoted).join(', ')}) GROUP BY day`
    const others = outcomeTables.map((table) => `SELECT day, 0 AS number FROM ${table} ${ofDays}`)
    const sql = `/* facts.settled */ SELECT [toString(day)] AS days, toUInt32(sum(number)) AS rows FROM (
  SELECT day, count() AS number FROM sessions ${ofDays} UNION ALL ${others.join(' UNION ALL ')}
) GROUP BY day ORDER BY day`
    return (await this.#engine.read(sql, {}, 'lookup')) as DayRows[]
  }

  async listCopies(): Promise<string[]> {
    const [parts] = partsOf(this.#layout.cluster)
    const isPart = allCopyTables.map((table) => `(${isPartOf(table, this.#layout)})`).join(' OR ')
    const sql = `/* facts.settled */ SELECT DISTINCT partition FROM ${parts} WHERE ${isPart}`
    const rows = (await this.#engine.read(sql, {}, 'lookup')) as { readonly partition: string }[]
    return rows.map(({ partition }) => partition)
  }

  /** What the ledger of any node names: of two copies of the same, one node may have noted the other one. */
  async listNamed(): Promise<Pick<Day, 'day' | 'copy'>[]> {
    const [ledgers, node] = nodesOf('settled_days', this.#layout)
    const sql = `/* facts.settled */ SELECT ${node} AS node, toString(day) AS day, toString(argMax(copy, at)) AS copy FROM ${ledgers} GROUP BY node, day`
    return (await this.#engine.read(sql, {}, 'lookup')) as Pick<Day, 'day' | 'copy'>[]
  }

  /** Of the days of a copy that have sessions. */
  async readBounds(copy: number): Promise<Bounds[]> {
    const sql = `/* facts.settled */ SELECT day, toString(min(toUnixTimestamp64Milli(entry_at))) AS first_ms, toString(max(toUnixTimestamp64Milli(entry_at))) AS last_ms
FROM settled WHERE copy = ${copy} GROUP BY day`
    return (await this.#engine.read(sql, {}, 'lookup')) as Bounds[]
  }

  /**
   * Of replicas each copies its own rows. The number of a day may come to one before the rows that it stands
   * for: so it is waited for all that there were when the numbers had been read.
   */
  async catchUp(): Promise<void> {
    if (!this.#layout.isReplicated) return
    for (const table of ['views', ...copiedFrom])
      await this.#engine.command(`/* facts.settle */ SYSTEM SYNC REPLICA ${this.#stored(table)}`)
  }

  /** Out of the folds, and what they add up to. */
  async copyDays(copy: number, days: readonly string[]): Promise<void> {
    const ofDays = days.map(quoted).join(', ')
    const names = foldedNames.join(', ')
    await this.#engine
      .command(`/* facts.settle */ INSERT INTO ${this.#stored('settled')} (copy, property, ${names}, paths)
SELECT ${copy}, property, ${names}, paths
FROM (
  SELECT property, ${plainColumns(foldedNames)} FROM ${this.#stored('sessions')} FINAL
  WHERE day IN (${ofDays}) AND ${isCounted(true)} AND entry_at < fromUnixTimestamp64Milli(${NEVER_MS}, 'UTC')
) AS own LEFT JOIN (${pathsOf(this.#stored('views'), ofDays)}) AS seen USING (property, day, session)
${folding}, ${merging}, ${blockSettings}`)
    for (const sql of sumStatements((table) => this.#stored(table), copy, days))
      await this.#engine.command(`/* facts.settle */ ${sql}`)
  }

  /** Out of other copies. */
  async joinDays(copy: number, held: readonly Pick<Day, 'day' | 'copy'>[]): Promise<void> {
    const copies = [...new Set(held.map((day) => day.copy))].join(', ')
    const days = held.map((day) => `(${day.copy}, toDate(${quoted(day.day)}))`).join(', ')
    const join = async (table: CopyTable, columns: readonly string[]) => {
      const names = columns.join(', ')
      await this.#engine.command(`/* facts.settle */ INSERT INTO ${this.#stored(table)} (copy, ${names})
SELECT ${copy}, ${names} FROM ${this.#stored(table)} WHERE copy IN (${copies}) AND (copy, day) IN (${days})
SETTINGS max_threads = 1, ${blockSettings}`)
    }
    for (const table of copyTables) await join(table, copyColumns[table])
  }

  async mergeCopy(copy: number): Promise<void> {
    for (const table of copyTables)
      await this.#engine.command(`/* facts.settle */ OPTIMIZE TABLE ${this.#stored(table)} PARTITION ${copy} FINAL`)
  }

  async dropCopy(copy: string): Promise<void> {
    for (const table of allCopyTables)
      await this.#engine.command(`/* facts.settle */ ALTER TABLE ${this.#stored(table)} DROP PARTITION ${copy}`)
  }

  /**
   * The rows are later than those that they replace, also when the clock has gone back since: the latest one
   * counts. Each node of a cluster has rows of its own, and a clock of its own, so each looks at its own.
   * @param count of days in the copy.
   */
  async note(copy: number, count: number, noted: readonly NotedDay[]): Promise<void> {
    const ledger = this.#stored('settled_days')
    const rows = noted.map(
      ({ day, mark, first_ms, last_ms }) =>
        `(toDate(${quoted(day)}), ${quoted(mark)}, toInt64(${first_ms}), toInt64(${last_ms}))`,
    )
    await this.#engine.command(`/* facts.settle */ INSERT INTO ${ledger} (day, copy, days, mark, first_ms, last_ms, at)
SELECT noted.1, ${copy}, ${count}, noted.2, noted.3, noted.4, fromUnixTimestamp64Milli(greatest(toUnixTimestamp64Milli(now64(3)), toUnixTimestamp64Milli(latest) + 1), 'UTC')
FROM (SELECT arrayJoin([${rows.join(', ')}]) AS noted, noted.1 AS day) AS given
LEFT JOIN (SELECT day, max(at) AS latest FROM ${ledger} GROUP BY day) AS replaced ON replaced.day = given.day`)
  }
}
