// The statements about settled weeks and their copies (facts-settled.ts).
import { hash } from 'node:crypto'
import { dayFromText, DAYS_A_WEEK, dayText } from '../kernel/days.ts'
import type { FactsEngine } from './facts-engine.ts'
import type { FactsLayout } from './facts.ts'
import { isPartOf, partsOf, tableFolder } from './facts-parts.ts'
import { quoted } from './facts-params.ts'
import { storedName } from './migrations/facts.ts'
import { isCounted, sessionColumns } from './session-columns.ts'
import { NEVER_MS } from './tables.ts'

/** Another way of computing the columns makes other copies. */
const formula = hash('sha256', JSON.stringify(sessionColumns)).slice(0, 16)

/** Rows are sent on in blocks of a few megabytes: a copy must not take the memory that questions need. */
const blockSettings = 'min_insert_block_size_rows = 65536, min_insert_block_size_bytes = 33554432'

/** A week as the store has it. */
export interface Week {
  readonly week: string
  /** Of its sessions now. */
  readonly mark: string
  /** Of those that were copied; '' and 0 when none were. */
  readonly copied: string
  readonly copy: string
  readonly first_ms: string
  readonly last_ms: string
}

/** Days that follow each other, those without sessions left out. */
export interface Days {
  readonly first: string
  readonly last: string
  readonly rows: number
}

export const sundayOf = (week: string): string => dayText(dayFromText(week) + DAYS_A_WEEK - 1)

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

  async listWeeks(): Promise<Week[]> {
    const [parts, node] = partsOf(this.#layout.cluster)
    const sql = `/* facts.settled */ SELECT toString(marked.week) AS week, mark, ledger.mark AS copied, toString(ledger.copy) AS copy, first_ms, last_ms FROM (
  SELECT toDate(partition) AS week, concat(toString(groupBitXor(cityHash64(node, folder, first, last))), '.${formula}') AS mark
  FROM (SELECT ${node} AS node, partition, min(${tableFolder}) AS folder, min(min_block_number) AS first, max(max_block_number) AS last FROM ${parts} WHERE ${isPartOf('sessions', this.#layout)} GROUP BY node, partition)
  GROUP BY partition
) AS marked LEFT JOIN (SELECT day, copy, mark, first_ms, last_ms FROM ${this.#stored('settled_weeks')} FINAL) AS ledger ON ledger.day = marked.week
ORDER BY week`
    return (await this.#engine.read(sql, {}, 'lookup')) as Week[]
  }

  /** The days of a week that have sessions. Of one that begins meanwhile the mark of the week tells. */
  async listDays(week: string): Promise<Days[]> {
    const sql = `/* facts.settled */ SELECT day AS first, day AS last, toUInt32(count()) AS rows FROM sessions
WHERE day BETWEEN ${quoted(week)} AND ${quoted(sundayOf(week))} GROUP BY day ORDER BY day`
    return (await this.#engine.read(sql, {}, 'lookup')) as Days[]
  }

  async listCopies(): Promise<string[]> {
    const [parts] = partsOf(this.#layout.cluster)
    const sql = `/* facts.settled */ SELECT DISTINCT partition FROM ${parts} WHERE ${isPartOf('settled', this.#layout)}`
    const rows = (await this.#engine.read(sql, {}, 'lookup')) as { readonly partition: string }[]
    return rows.map(({ partition }) => partition)
  }

  async readBounds(copy: number): Promise<Pick<Week, 'first_ms' | 'last_ms'>> {
    const sql = `/* facts.settled */ SELECT toString(min(toUnixTimestamp64Milli(entry_at))) AS first_ms, toString(max(toUnixTimestamp64Milli(entry_at)) - (count() = 0)) AS last_ms
FROM settled WHERE copy = ${copy}`
    const [bounds] = (await this.#engine.read(sql, {}, 'lookup')) as Pick<Week, 'first_ms' | 'last_ms'>[]
    return bounds!
  }

  async copyDays(copy: number, { first, last }: Days): Promise<void> {
    const names = Object.keys(sessionColumns).join(', ')
    const values = Object.values(sessionColumns).join(', ')
    await this.#engine.command(`/* facts.settle */ INSERT INTO ${this.#stored('settled')} (copy, property, ${names})
SELECT ${copy}, property, ${values} FROM ${this.#stored('sessions')} FINAL
WHERE day BETWEEN ${quoted(first)} AND ${quoted(last)} AND ${isCounted(true)} AND entry_at < fromUnixTimestamp64Milli(${NEVER_MS}, 'UTC')
SETTINGS do_not_merge_across_partitions_select_final = 1, max_threads = 1, ${blockSettings}`)
  }

  async mergeCopy(copy: number): Promise<void> {
    await this.#engine.command(`/* facts.settle */ OPTIMIZE TABLE ${this.#stored('settled')} PARTITION ${copy} FINAL`)
  }

  async dropCopy(copy: string): Promise<void> {
    await this.#engine.command(`/* facts.settle */ ALTER TABLE ${this.#stored('settled')} DROP PARTITION ${copy}`)
  }

  /**
   * The row is later than the one that it replaces, also when the clock has gone back since: the latest one
   * counts. Each node of a cluster has a row of its own, and a clock of its own, so each looks at its own.
   */
  async note(week: Pick<Week, 'week' | 'mark' | 'first_ms' | 'last_ms'>, copy: number): Promise<void> {
    const day = quoted(week.week)
    const replacedMs = `(SELECT toUnixTimestamp64Milli(max(at)) FROM ${this.#stored('settled_weeks')} WHERE day = ${day})`
    const at = `fromUnixTimestamp64Milli(greatest(toUnixTimestamp64Milli(now64(3)), ${replacedMs} + 1), 'UTC')`
    const values = [day, copy, quoted(week.mark), week.first_ms, week.last_ms, at].join(', ')
    await this.#engine.command(
      `/* facts.settle */ INSERT INTO ${this.#stored('settled_weeks')} (day, copy, mark, first_ms, last_ms, at) SELECT ${values}`,
    )
  }
}
