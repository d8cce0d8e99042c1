// Weeks that are over, copied out of the folds into plain rows (`settled`), so that a question about a year has little left to fold.
// A copy stands for its week only as long as the week's sessions are those that were copied: every insert into them makes a part with a new block
// number, which merging keeps, and these numbers are the mark that the copy was made of. Whatever comes late is read from the folds until the week
// is copied again. Nothing is ever changed in place, so it does not matter who copies, how often, or where it breaks off.
// A restore numbers the parts anew: on a server the table is another one then, which the mark tells; embedded
// it begins without copies (backup.ts).
import { hash, randomInt } from 'node:crypto'
import { DAY_MS, dayFromText, DAYS_A_WEEK, dayText, mondayOf } from '../kernel/days.ts'
import type { FactsEngine } from './facts-engine.ts'
import type { FactsLayout } from './facts.ts'
import { isPartOf, partsOf, tableFolder } from './facts-parts.ts'
import type { DatedRow } from './facts-versions.ts'
import { quoted } from './facts-params.ts'
import { storedName } from './migrations/facts.ts'
import { isCounted, sessionColumns } from './session-columns.ts'
import { NEVER_MS } from './tables.ts'

/** The sessions of a week, copied. */
export interface SettledWeek {
  readonly copy: number
  /** When the first and the last of them began, in milliseconds; the last before the first when there are none. */
  readonly firstMs: number
  readonly lastMs: number
}

/** By Monday, YYYY-MM-DD. */
export type SettledWeeks = ReadonlyMap<string, SettledWeek>

export interface Settled {
  /** The weeks whose copies hold what the folds hold; others may have one that is out of date. */
  weeks(): Promise<SettledWeeks>
  /**
   * Copies the weeks that are over and have no copy that holds.
   * @param nowMs milliseconds.
   * @param isPatient leaves alone what has changed since the last call: it may go on changing.
   * @returns the Mondays of the weeks that were copied.
   */
  settle(nowMs: number, isPatient: boolean): Promise<string[]>
  /** To be called when rows may have been stored, before anybody is told so. */
  touch(rows: readonly DatedRow[]): void
  /** To be called when anything may have changed. */
  touchAll(): void
  /** Resolves once nothing is being copied. */
  close(): Promise<void>
}

/** A week is over this long after its Sunday: visits go on over midnight. */
const OVER_MS = 8 * DAY_MS
/** A copy that nobody needs any more is dropped after this long: a question may still be reading it, or somebody be writing it. */
const DROP_AFTER_MS = 3_600_000
const MOST_COPIES = 2 ** 47

/** Another way of computing the columns makes other copies. */
const formula = hash('sha256', JSON.stringify(sessionColumns)).slice(0, 16)

/** Rows that one statement folds, or those of one day if they are more: no statement takes long, and a quiet week takes one. */
const ROWS_AT_ONCE = 50_000

/** Rows are sent on in blocks of a few megabytes: a copy must not take the memory that questions need. */
const blockSettings = 'min_insert_block_size_rows = 65536, min_insert_block_size_bytes = 33554432'

/** A week as the store has it. */
interface Week {
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

/** Neighbours in one as long as they have few rows. @param days each by itself, in their order. */
export function together(days: readonly Days[]): Days[] {
  const some: Days[] = []
  for (const day of days) {
    const before = some.at(-1)
    const rows = day.rows + (before?.rows ?? 0)
    if (before && rows <= ROWS_AT_ONCE) some[some.length - 1] = { first: before.first, last: day.last, rows }
    else some.push(day)
  }
  return some
}

/** @param isShared others write to the store as well. */
export function openSettled(engine: FactsEngine, layout: FactsLayout, isShared: boolean): Settled {
  const stored = (table: string) => storedName(table, layout)
  const [parts, node] = partsOf(layout.cluster)

  const listWeeks = async (): Promise<Week[]> => {
    const sql = `/* facts.settled */ SELECT toString(marked.week) AS week, mark, ledger.mark AS copied, toString(ledger.copy) AS copy, first_ms, last_ms FROM (
  SELECT toDate(partition) AS week, concat(toString(groupBitXor(cityHash64(node, folder, first, last))), '.${formula}') AS mark
  FROM (SELECT ${node} AS node, partition, min(${tableFolder}) AS folder, min(min_block_number) AS first, max(max_block_number) AS last FROM ${parts} WHERE ${isPartOf('sessions', layout)} GROUP BY node, partition)
  GROUP BY partition
) AS marked LEFT JOIN (SELECT day, copy, mark, first_ms, last_ms FROM ${stored('settled_weeks')} FINAL) AS ledger ON ledger.day = marked.week
ORDER BY week`
    return (await engine.read(sql, {}, 'lookup')) as Week[]
  }

  const readWeeks = async (): Promise<Map<string, SettledWeek>> => {
    const holding = (await listWeeks()).filter(({ mark, copied }) => mark === copied)
    return new Map(
      holding.map(({ week, copy, first_ms, last_ms }) => [
        week,
        { copy: Number(copy), firstMs: Number(first_ms), lastMs: Number(last_ms) },
      ]),
    )
  }

  // ---------------------------------------------------------------- what this process knows, where it alone writes

  let known: Promise<Map<string, SettledWeek>> | undefined
  /** Rows of later days touch nothing that is known: nearly all rows. */
  let lastKnownDay = ''
  /** Of each week, how often it was touched while it was being copied. */
  const touched = new Map<string, number>()

  const weeks = (): Promise<SettledWeeks> => {
    if (isShared) return readWeeks()
    if (known) return known
    lastKnownDay = '9999'
    known = readWeeks().then((found) => {
      const last = [...found.keys()].toSorted().at(-1)
      lastKnownDay = last === undefined ? '' : dayText(dayFromText(last) + DAYS_A_WEEK - 1)
      return found
    })
    known.catch(() => (known = undefined))
    return known
  }

  const touchDay = (day: string): void => {
    if (touched.size === 0 && day > lastKnownDay) return
    const week = dayText(mondayOf(dayFromText(day)))
    if (touched.has(week)) touched.set(week, touched.get(week)! + 1)
    // Before whoever asks from now on: their waiting begins later.
    void known?.then(
      (found) => found.delete(week),
      () => undefined,
    )
  }

  // ---------------------------------------------------------------- copying

  let isClosed = false

  /** Those of a week that have sessions. Of one that begins meanwhile the mark of the week tells. */
  async function listDays(week: string): Promise<Days[]> {
    const sunday = dayText(dayFromText(week) + DAYS_A_WEEK - 1)
    const days = await engine.read(
      `/* facts.settled */ SELECT day AS first, day AS last, toUInt32(count()) AS rows FROM sessions
WHERE day BETWEEN ${quoted(week)} AND ${quoted(sunday)} GROUP BY day ORDER BY day`,
      {},
      'lookup',
    )
    return days as Days[]
  }

  async function copyWeek(week: string, copy: number): Promise<void> {
    const names = Object.keys(sessionColumns).join(', ')
    const values = Object.values(sessionColumns).join(', ')
    const runs = together(await listDays(week))
    for (const { first, last } of runs) {
      if (isClosed) return
      await engine.command(`/* facts.settle */ INSERT INTO ${stored('settled')} (copy, property, ${names})
SELECT ${copy}, property, ${values} FROM ${stored('sessions')} FINAL
WHERE day BETWEEN ${quoted(first)} AND ${quoted(last)} AND ${isCounted(true)} AND entry_at < fromUnixTimestamp64Milli(${NEVER_MS}, 'UTC')
SETTINGS do_not_merge_across_partitions_select_final = 1, max_threads = 1, ${blockSettings}`)
    }
    const isOnePart = runs.length <= 1 && runs.every(({ rows }) => rows <= ROWS_AT_ONCE)
    if (!isClosed && !isOnePart)
      await engine.command(`/* facts.settle */ OPTIMIZE TABLE ${stored('settled')} PARTITION ${copy} FINAL`)
  }

  async function readBounds(copy: number): Promise<Pick<Week, 'first_ms' | 'last_ms'>> {
    const [bounds] = (await engine.read(
      `/* facts.settled */ SELECT toString(min(toUnixTimestamp64Milli(entry_at))) AS first_ms, toString(max(toUnixTimestamp64Milli(entry_at)) - (count() = 0)) AS last_ms
FROM settled WHERE copy = ${copy}`,
      {},
      'lookup',
    )) as Pick<Week, 'first_ms' | 'last_ms'>[]
    return bounds!
  }

  /** @returns false when the week has changed meanwhile. */
  async function settleWeek({ week, mark }: Week): Promise<boolean> {
    const copy = randomInt(1, MOST_COPIES)
    touched.set(week, 0)
    try {
      await copyWeek(week, copy)
      if (isClosed) return false
      const { first_ms, last_ms } = await readBounds(copy)
      const now = (await listWeeks()).find((found) => found.week === week)
      if (now?.mark !== mark) return false
      // Later than the row that it replaces, also when the clock has gone back since: the latest one counts. Each
      // node of a cluster has a row of its own, and a clock of its own, so each looks at its own.
      const replacedMs = `(SELECT toUnixTimestamp64Milli(max(at)) FROM ${stored('settled_weeks')} WHERE day = ${quoted(week)})`
      const at = `fromUnixTimestamp64Milli(greatest(toUnixTimestamp64Milli(now64(3)), ${replacedMs} + 1), 'UTC')`
      await engine.command(
        `/* facts.settle */ INSERT INTO ${stored('settled_weeks')} (day, copy, mark, first_ms, last_ms, at) SELECT ${quoted(week)}, ${copy}, ${quoted(mark)}, ${first_ms}, ${last_ms}, ${at}`,
      )
      const found = await known
      if (found && touched.get(week) === 0) {
        found.set(week, { copy, firstMs: Number(first_ms), lastMs: Number(last_ms) })
        const sunday = dayText(dayFromText(week) + DAYS_A_WEEK - 1)
        if (sunday > lastKnownDay) lastKnownDay = sunday
      }
      return true
    } finally {
      touched.delete(week)
    }
  }

  /** By week, as it was at the last call. */
  let lastMarks: ReadonlyMap<string, string> = new Map()

  async function settleAll(nowMs: number, isPatient: boolean): Promise<string[]> {
    const all = await listWeeks()
    const settled: string[] = []
    for (const week of all) {
      if (isClosed) return settled
      const isOver = dayFromText(week.week) * DAY_MS + OVER_MS <= nowMs
      const isQuiet = !isPatient || lastMarks.get(week.week) === week.mark
      if (isOver && isQuiet && week.mark !== week.copied && (await settleWeek(week))) settled.push(week.week)
    }
    lastMarks = new Map(all.map(({ week, mark }) => [week, mark]))
    await dropUnused(nowMs)
    return settled
  }

  /** Copies that no week needs, and since when. */
  const unused = new Map<string, number>()

  async function dropUnused(nowMs: number): Promise<void> {
    const used = new Set((await listWeeks()).map(({ copy }) => copy))
    const held = (await engine.read(
      `/* facts.settled */ SELECT DISTINCT partition FROM ${parts} WHERE ${isPartOf('settled', layout)}`,
      {},
      'lookup',
    )) as { readonly partition: string }[]
    for (const copy of unused.keys()) if (used.has(copy)) unused.delete(copy)
    for (const { partition } of held) {
      if (used.has(partition)) continue
      const since = unused.get(partition) ?? nowMs
      unused.set(partition, since)
      if (nowMs - since < DROP_AFTER_MS) continue
      await engine.command(`/* facts.settle */ ALTER TABLE ${stored('settled')} DROP PARTITION ${partition}`)
      unused.delete(partition)
    }
  }

  let last: Promise<unknown> = Promise.resolve()

  return {
    weeks,
    settle: (nowMs, isPatient) => {
      const run = last.then(() => settleAll(nowMs, isPatient))
      last = run.catch(() => undefined)
      return run
    },
    touch: (rows) => {
      for (const { day, session_day } of rows) {
        if (day !== undefined) touchDay(day)
        if (session_day !== undefined && session_day !== day) touchDay(session_day)
      }
    },
    touchAll: () => {
      known = undefined
      for (const week of touched.keys()) touched.set(week, touched.get(week)! + 1)
    },
    close: async () => {
      isClosed = true
      await last
    },
  }
}
