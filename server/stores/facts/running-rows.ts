// The statements about sessions of running days that are kept as rows (running.ts): a table in the memory of
// the store for each day, which is filled as a whole. Later rows of a session stand beside its earlier ones.
import { randomUUID } from 'node:crypto'
import { type FactsEngine, theService } from './engine.ts'
import { isLatest, type QuietKind, quietKinds, quietSessions, roundParams, runningColumns } from '../running-columns.ts'
import { isCounted, plainColumns } from '../session-columns.ts'
import { visitColumns } from '../visit-columns.ts'

/** Whose sessions. @property day YYYY-MM-DD. */
export interface DayOfProperty {
  readonly propertyId: string
  readonly day: string
}

/** By session, the round in which it was folded last; all others were folded in round 0. */
export type Rounds = ReadonlyMap<string, number>

interface Fold {
  /** What the rows get as their `round`. */
  readonly round: number
  readonly hasMarks: boolean
  /** Left out: all of the day. */
  readonly sessions?: Iterable<string>
}

const DATABASE = 'running'

export const readsRunningRows = (sql: string): boolean => sql.includes(` FROM ${DATABASE}.`)

/** Sessions that are folded like a look-up. */
const MOST_OF_A_LOOKUP = 100

/** As numbers: as texts in an array they would not be read as such. */
const asNumbers = (sessions: Iterable<string>): bigint[] => [...sessions].map(BigInt)

export const readRounds = (rounds: Rounds) => ({ sessions: asNumbers(rounds.keys()), rounds: [...rounds.values()] })

const ofVisits = Object.keys(visitColumns).join(', ')
const names = `${runningColumns.join(', ')}, ${ofVisits}`
const foldedVisits = Object.entries(visitColumns)
  .map(([name, sql]) => `${sql} AS ${name}`)
  .join(', ')
/** The types of the copy of a settled day, and for what that does not have, of the folds. */
const typed = `settled CROSS JOIN (SELECT ${foldedVisits} FROM sessions) AS visited`

type Params = Readonly<Record<string, unknown>>

export class RunningRows {
  readonly #engine: FactsEngine
  readonly #slot: number
  readonly #own = randomUUID().slice(0, 8)
  /** What the names of own tables begin with. */
  #ready: Promise<string> | undefined

  /** @param slot of the process among those that write to the store. */
  constructor(engine: FactsEngine, slot: number) {
    this.#engine = engine
    this.#slot = slot
  }

  /** As they are stored: each session has at least one, and more until the store has merged them. */
  async count({ propertyId, day }: DayOfProperty): Promise<number> {
    const sql = 'SELECT count() AS rows FROM sessions WHERE property = {property:String} AND day = {day:Date}'
    const [row] = await this.#ask<{ rows: string }>(sql, { property: propertyId, day })
    return Number(row?.rows)
  }

  /** An empty table. Tried twice: a store that was started again has lost the database as well. */
  async create(): Promise<string> {
    return this.#createOne().catch(() => {
      this.#ready = undefined
      return this.#createOne()
    })
  }

  async #createOne(): Promise<string> {
    this.#ready ??= this.#prepare()
    const name = `${DATABASE}.${await this.#ready}${randomUUID().replaceAll('-', '')}`
    await this.#command(
      `CREATE TABLE ${name} ENGINE = Memory EMPTY AS SELECT toUInt32(0) AS round, ${names} FROM ${typed}`,
    )
    return name
  }

  /** After a failure some of the rows may be in the table: it must not be read with this round then. */
  async fold(of: DayOfProperty, table: string, { round, hasMarks, sessions }: Fold): Promise<void> {
    const chosen = sessions ? ' AND session IN {sessions:Array(UInt64)}' : ''
    const sql = `INSERT INTO ${table} (round, ${names}) SELECT {round:UInt32}, ${plainColumns(runningColumns)}, ${foldedVisits} FROM sessions FINAL
WHERE property = {property:String} AND day = {day:Date} AND ${isCounted(hasMarks)}${chosen}`
    const params = { round, property: of.propertyId, day: of.day, ...(sessions && { sessions: asNumbers(sessions) }) }
    // The few that a page view has changed go before the questions that wait for them.
    const isShort = sessions !== undefined && params.sessions!.length <= MOST_OF_A_LOOKUP
    await (isShort ? this.#command(sql, params) : this.#run(of, sql, params))
  }

  /** Copies the one row of each session from another table, but for those of the sessions in `without`. */
  async copy(
    of: DayOfProperty,
    table: string,
    from: { readonly name: string; readonly rounds: Rounds; readonly without: Iterable<string> },
  ): Promise<void> {
    const sql = `INSERT INTO ${table} (round, ${names}) SELECT toUInt32(0), ${names} FROM ${from.name}
WHERE ${isLatest(0)} AND session NOT IN {without:Array(UInt64)}`
    await this.#run(of, sql, { ...roundParams(readRounds(from.rounds), 0), without: asNumbers(from.without) })
  }

  /** Of which kinds these sessions are, or were before they were folded again. */
  async kindsOf(table: string, sessions: Iterable<string>): Promise<readonly QuietKind[]> {
    const counts = quietKinds.map((kind) => `countIf(${quietSessions[kind]}) AS ${kind}`).join(', ')
    const sql = `SELECT ${counts} FROM ${table} WHERE session IN {sessions:Array(UInt64)}`
    const [row] = await this.#ask<Record<QuietKind, string>>(sql, { sessions: asNumbers(sessions) })
    return quietKinds.filter((kind) => Number(row?.[kind]) > 0)
  }

  async bytesOf(table: string): Promise<number> {
    const sql = `SELECT total_bytes AS bytes FROM system.tables WHERE database = '${DATABASE}' AND name = {name:String}`
    const [row] = await this.#ask<{ bytes: string }>(sql, { name: table.slice(DATABASE.length + 1) })
    return Number(row?.bytes ?? 0)
  }

  async isThere(table: string): Promise<boolean> {
    const [found] = await this.#ask<{ result: number }>(`EXISTS TABLE ${table}`).catch(() => [])
    return found?.result === 1
  }

  /** What cannot be dropped is a table that was lost. */
  drop(table: string): Promise<void> {
    return this.#command(`DROP TABLE IF EXISTS ${table}`).catch(() => undefined)
  }

  /**
   * Drops what an earlier process in this slot has left behind.
   * @returns what begins the names of tables.
   */
  async #prepare(): Promise<string> {
    await this.#command(`CREATE DATABASE IF NOT EXISTS ${DATABASE} ENGINE = Memory`)
    const [store] = await this.#ask<{ name: string }>('SELECT currentDatabase() AS name')
    const ofSlot = `${store?.name}_${this.#slot}_`
    const prefix = `${ofSlot}${this.#own}_`
    const left = await this.#ask<{ name: string }>(
      `SELECT name FROM system.tables WHERE database = '${DATABASE}' AND startsWith(name, {slot:String}) AND NOT startsWith(name, {own:String})`,
      { slot: ofSlot, own: prefix },
    )
    for (const { name } of left) void this.drop(`${DATABASE}.${name}`)
    return prefix
  }

  async #ask<Row>(sql: string, params: Params = {}): Promise<Row[]> {
    return (await this.#engine.read(`/* facts.running */ ${sql}`, params, 'lookup')) as Row[]
  }

  #command(sql: string, params: Params = {}): Promise<void> {
    return this.#engine.everywhere(`/* facts.running */ ${sql}`, params, 'lookup')
  }

  /** As a question of the property. */
  #run({ propertyId }: DayOfProperty, sql: string, params: Params): Promise<void> {
    return this.#engine.everywhere(`/* facts.running */ ${sql}`, params, 'question', { ...theService, propertyId })
  }
}
