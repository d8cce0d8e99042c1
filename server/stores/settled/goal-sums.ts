// Adds up what meets goals on settled days, beside the copies that there are: a goal may be defined long
// after a day was copied. Its rows are the same however often they are made, so it does not matter who makes
// them or where it breaks off: the day is said to be complete afterwards, if nothing of it has changed.
import type { FactsEngine } from '../facts/engine.ts'
import type { FactsLayout } from '../facts.ts'
import { nodesOf } from '../facts/parts.ts'
import { quoted } from '../facts/quoted.ts'
import { formDays } from '../form-days.ts'
import { countedAs, countedFrom, goalComplete, goalKey, goalListName, isSummed, type SummedGoal } from '../goal-sums.ts'
import { storedName } from '../migrations/facts.ts'
import { blockSettings, type Day, type DayRows, type Ledger, together } from './ledger.ts'

/** What a copy lacks of a goal. */
interface Missing {
  readonly copy: string
  readonly goal: SummedGoal
  readonly days: readonly DayRows[]
}

/** Of one statement, which names them all and looks for each among all days. */
const GOALS_AT_ONCE = 100
/** The same of days that are complete for a goal. */
const DAYS_AT_ONCE = 500

const columns = 'copy, property, goal, day, list, number, hits, sessions'

/** One part has all that folds, and a week that is added up again replaces what it was. */
const settings = `SETTINGS max_threads = 1, do_not_merge_across_partitions_select_final = 1, ${blockSettings}`

const list = (texts: readonly string[]): string => texts.map(quoted).join(', ')

export class GoalSums {
  readonly #engine: FactsEngine
  readonly #layout: FactsLayout
  readonly #ledger: Ledger

  constructor(engine: FactsEngine, layout: FactsLayout, ledger: Ledger) {
    this.#engine = engine
    this.#layout = layout
    this.#ledger = ledger
  }

  /** Of all days whose copies hold. @param isClosed ends it between two statements. */
  async add(goals: readonly SummedGoal[], isClosed: () => boolean): Promise<void> {
    const held = goals.length === 0 ? [] : await this.#held()
    if (held.length === 0) return
    const missing = await this.#listMissing(goals, new Set(held.map(({ day, copy }) => `${copy} ${day}`)))
    for (const [copy, ofCopy] of Map.groupBy(missing, (one) => one.copy)) {
      if (isClosed()) return
      await this.#addToCopy(Number(copy), ofCopy, isClosed)
    }
  }

  async #held(): Promise<readonly Day[]> {
    return (await this.#ledger.listDays()).filter(({ mark, copied }) => mark === copied)
  }

  /** @param held the copy and day of each that holds. */
  async #listMissing(goals: readonly SummedGoal[], held: ReadonlySet<string>): Promise<Missing[]> {
    const missing: Missing[] = []
    for (let at = 0; at < goals.length; at += GOALS_AT_ONCE)
      missing.push(...(await this.#missingOf(goals.slice(at, at + GOALS_AT_ONCE))))
    return missing
      .map(({ days, ...one }) => ({ ...one, days: days.filter((day) => held.has(`${one.copy} ${day.days[0]}`)) }))
      .filter(({ days }) => days.length > 0)
  }

  async #missingOf(goals: readonly SummedGoal[]): Promise<Missing[]> {
    const byKey = new Map(goals.map((goal) => [`${goal.propertyId} ${goalKey(goal)}`, goal]))
    const wanted = [...byKey.values()].map((goal) => `(${quoted(goal.propertyId)}, ${quoted(goalKey(goal))})`)
    const properties = list([...new Set(goals.map(({ propertyId }) => propertyId))])
    const keys = list([...new Set(goals.map(goalKey))])
    const [figures] = nodesOf('settled_figures', this.#layout)
    const [summed] = nodesOf('settled_goals', this.#layout)
    const rows = (await this.#engine.read(
      `/* facts.settled */ SELECT toString(copied.copy) AS of_copy, copied.property AS of_property, key, arraySort(groupArray((toString(own_day), toUInt32(number)))) AS days
FROM (SELECT copy, property, day AS own_day, sum(sessions) AS number FROM ${figures} WHERE property IN (${properties}) GROUP BY copy, property, own_day) AS copied
  INNER JOIN (SELECT goal.1 AS property, goal.2 AS key FROM (SELECT arrayJoin([${wanted.join(', ')}]) AS goal)) AS goals USING (property)
WHERE (copied.copy, copied.property, key, own_day) GLOBAL NOT IN (SELECT copy, property, goal, day FROM ${summed} WHERE list = '${goalComplete}' AND goal IN (${keys}))
GROUP BY of_copy, of_property, key ORDER BY of_copy`,
      {},
      'lookup',
    )) as { of_copy: string; of_property: string; key: string; days: [string, number][] }[]
    return rows.map(({ of_copy, of_property, key, days }) => ({
      copy: of_copy,
      goal: byKey.get(`${of_property} ${key}`)!,
      days: days.map(([day, number]) => ({ days: [day], rows: number })),
    }))
  }

  async #addToCopy(copy: number, missing: readonly Missing[], isClosed: () => boolean): Promise<void> {
    await this.#ledger.catchUp()
    for (const { goal, days } of missing)
      for (const run of together(days)) {
        if (isClosed()) return
        await this.#engine.command(this.#sumSql(copy, goal, run.days))
      }
    const held = new Set((await this.#held()).filter((day) => Number(day.copy) === copy).map(({ day }) => day))
    const complete = missing.flatMap(({ goal, days }) =>
      days
        .flatMap((run) => run.days)
        .filter((day) => held.has(day))
        .map((day) => `(${quoted(goal.propertyId)}, ${quoted(goalKey(goal))}, toDate(${quoted(day)}))`),
    )
    for (let at = 0; at < complete.length; at += DAYS_AT_ONCE)
      await this.#engine.command(`/* facts.settle */ INSERT INTO ${this.#stored('settled_goals')} (${columns})
SELECT ${copy}, complete.1, complete.2, complete.3, '${goalComplete}', 0, 0, 0 FROM (SELECT arrayJoin([${complete.slice(at, at + DAYS_AT_ONCE).join(', ')}]) AS complete)`)
    await this.#engine.command(
      `/* facts.settle */ OPTIMIZE TABLE ${this.#stored('settled_goals')} PARTITION ${copy} FINAL`,
    )
  }

  #sumSql(copy: number, goal: SummedGoal, days: readonly string[]): string {
    const property = quoted(goal.propertyId)
    const met = goal.sql.replaceAll(/\{(\w+):String\}/g, (_, name: string) => quoted(String(goal.params[name])))
    const sorted = days.map((day) => `toDate(${quoted(day)})`).toSorted()
    const around = goal.table === 'form_events' ? ` AND ${formDays(sorted[0]!, sorted.at(-1)!)}` : ''
    return `/* facts.settle */ INSERT INTO ${this.#stored('settled_goals')} (${columns})
SELECT ${copy}, ${property}, ${quoted(goalKey(goal))}, day, ${goalListName}, counted.2, sum(hits), count()
FROM (
  SELECT day, hits, arrayJoin(${countedAs}) AS counted
  FROM (SELECT ${countedFrom.join(', ')} FROM ${this.#stored('settled')} WHERE copy = ${copy} AND property = ${property} AND day IN (${list(days)}) AND ${isSummed}) AS whole
  INNER JOIN (
    SELECT ${goal.day} AS met_day, session AS met_session, count() AS hits FROM ${this.#stored(goal.table)} FINAL
    WHERE property = ${property} AND ${goal.day} IN (${list(days)})${around} AND session != 0 AND ${met} GROUP BY met_day, met_session
  ) AS met ON met_day = day AND met_session = session
) GROUP BY day, counted ${settings}`
  }

  #stored(table: string): string {
    return storedName(table, this.#layout)
  }
}
