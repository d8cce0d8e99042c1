// The facts over an engine and the writer before it. Every question finds all that was acknowledged, and
// every change is told to what is remembered between questions: versions, settled days, marks.
import { type Asker, currentAsker } from '../../queues/asker.ts'
import type { Facts, FactsLayout, FactsOptions } from '../facts.ts'
import { WriteGate } from '../gate.ts'
import { heldEmbedded, runningEmbedded } from './embedded.ts'
import { asQueryFailure, isNodeAway, type FactsEngine, theService, unavailable } from './engine.ts'
import { Held, isGone } from './held.ts'
import { Marked } from './marked.ts'
import { NewsBoard } from './news.ts'
import { encodeRow } from './rows.ts'
import type { Beside } from '../beside.ts'
import type { ReadLane } from '../question-turns.ts'
import { RunningDays } from './running.ts'
import { readsRunningRows } from './running-rows.ts'
import { databaseOf, heldOnServers } from './server.ts'
import { Settled } from '../settled/settled.ts'
import { openVersions } from './versions.ts'
import { type FactsWriter, seeingAll } from '../facts-log/writer.ts'
import { factTables } from '../fact-tables.ts'
import { outcomeTables } from '../outcome-sums.ts'
import type { FactTable, FactTables } from '../tables.ts'

/** Rows of one piece of appendAll: small enough to share an insert with visitors who wait. */
const BULK_ROWS = 5000

/** The tables whose rows are folded into sessions. */
const ofSessions: readonly FactTable[] = ['views', 'events', 'clicks', 'form_events', 'marks']

/** Those of whose rows settled days hold something: one that comes late takes the copy of its day away. */
const ofCopies: ReadonlySet<FactTable> = new Set([...ofSessions, ...outcomeTables])

/**
 * Whose rows a statement may read: those whose name stands anywhere in it; all, when it asks what the engine
 * holds.
 */
function tablesIn(sql: string): readonly FactTable[] {
  if (sql.includes('system.')) return factTables
  const named = factTables.filter((table) => sql.includes(table))
  return sql.includes('sessions') ? [...new Set([...named, ...ofSessions])] : named
}

/** What the facts are made of. */
interface Parts {
  readonly layout: FactsLayout
  readonly engine: FactsEngine
  readonly writer: FactsWriter
  readonly gate: WriteGate
  readonly versions: ReturnType<typeof openVersions>
  readonly settled: Settled
  readonly marked: Marked
  /** Of others that write to an embedded store. */
  readonly news: NewsBoard | undefined
  readonly held: Held
  /** Of an embedded store. */
  readonly running: RunningDays | undefined
  /** Without a cluster, several nodes are copies: what one of them has settled, another may not have. */
  readonly isOne: boolean
}

export function factsOver(engine: FactsEngine, writer: FactsWriter, options: FactsOptions): Facts {
  const { cluster, fsync, urls, beside, gate = new WriteGate() } = options
  const layout: FactsLayout = { cluster, database: databaseOf(urls), fsync, isReplicated: engine.isReplicated ?? false }
  const whole = seeingAll(engine, writer)
  const isOne = urls.length <= 1 || cluster !== null
  const settled = new Settled(whole, layout, urls.length > 0)
  const marked = new Marked(whole, layout, urls.length === 0 ? 'none' : isOne ? 'one' : 'copies')
  const held = new Held(engine, layout, urls.length === 0 ? heldEmbedded(options) : heldOnServers(urls, cluster))
  const running = urls.length === 0 ? runningOf({ engine, writer, marked }, options) : undefined
  const changed = { versions: openVersions(), settled, marked, running }
  // Whoever shares a server asks the server what has changed.
  const news = beside && urls.length === 0 ? newsOf(beside, changed) : undefined
  const parts: Parts = { layout, engine, writer, gate, ...changed, news, held, isOne }
  return {
    layout,
    isShared: urls.length > 0 || beside !== undefined,
    ...questionsOf(parts),
    ...writesOf(parts),
    ...changesOf(parts),
    ...knownOf(parts),
    drained: () => writer.settle(),
    ping: () => engine.ping(),
    stats: () => writer.stats(),
    close: async () => {
      await settled.close()
      await running?.close()
      await held.close()
      await writer.close()
      await engine.close()
    },
  }
}

const runningOf = (
  { engine, writer, marked }: Pick<Parts, 'engine' | 'writer' | 'marked'>,
  options: Pick<FactsOptions, 'memoryMb' | 'beside' | 'keepsRunningDays'>,
) =>
  new RunningDays({
    engine,
    flush: () => writer.flush(ofSessions),
    hasMarks: (propertyId) => marked.has(propertyId),
    limits: runningEmbedded(options),
    slot: options.beside?.slot ?? 0,
  })

type Changed = Pick<Parts, 'versions' | 'settled' | 'marked' | 'running'>

/** What others have changed counts like what was changed here. */
const newsOf = (beside: Beside, changed: Changed) =>
  new NewsBoard(beside.newsLine(), ({ all, settled: hasSettled, rows }) => {
    const { versions, settled, marked, running } = changed
    if (all) anythingChanged(changed)
    if (hasSettled) settled.forget()
    for (const row of rows) versions.raise(row.table, [row])
    settled.touch(rows.filter(({ table }) => ofCopies.has(table)))
    marked.touch(rows.filter(({ mark }) => mark !== undefined))
    running?.touch(rows)
  })

function anythingChanged({ versions, settled, marked, running }: Changed): void {
  versions.raiseAll()
  settled.touchAll()
  marked.touchAll()
  running?.touchAll()
}

/** The rows of a statement, or what its caller can be told of the failure. */
async function rowsOf<Row>(name: string, ask: () => Promise<unknown[]>, signal?: AbortSignal): Promise<Row[]> {
  try {
    // The caller names the columns in its SQL and their types here: this is the one place where the two meet.
    return (await ask()) as Row[]
  } catch (error) {
    signal?.throwIfAborted()
    throw asQueryFailure(name, error)
  }
}

const askerNow = (): Asker => currentAsker() ?? { ...theService, isShared: false }
const laneOf = ({ isShared }: Asker): ReadLane => (isShared ? 'shared' : 'question')

const questionsOf = ({ engine, writer, held, running }: Parts): Pick<Facts, 'query' | 'lookup' | 'holding'> => ({
  query: (name, sql, params = {}) => {
    const asker = askerNow()
    const ask = async () => {
      await writer.flush(tablesIn(sql))
      return engine.read(named(name, sql), params, laneOf(asker), asker).catch((error: unknown) => {
        if (!running || !readsRunningRows(sql) || !isGone(error)) throw error
        running.touchAll() // the store was started again in this moment, and what it had in memory is lost
        throw unavailable('The facts store does not answer.', error)
      })
    }
    return rowsOf(name, ask, asker.signal)
  },
  holding: async (name, query, work) => {
    const asker = askerNow()
    await writer.flush(tablesIn(query.from))
    return held.holding(query, { name, lane: laneOf(asker), taker: asker }, work)
  },
  lookup: (name, sql, params = {}, subjects) =>
    rowsOf(name, async () => {
      await writer.flush(tablesIn(sql), subjects)
      return engine.read(named(name, sql), params, 'lookup')
    }),
})

/** What a look-up may ask about: the session of a row, and its property. */
const subjectsOf = (row: { readonly property?: string; readonly session?: string }): string[] =>
  [row.session, row.property].filter((subject) => subject !== undefined)

function writesOf({
  writer,
  gate,
  versions,
  settled,
  marked,
  running,
  news,
}: Parts): Pick<Facts, 'append' | 'appendAll'> {
  const add = async <T extends FactTable>(table: T, rows: readonly Partial<FactTables[T]>[]): Promise<void> => {
    const lines = rows.map((row) => encodeRow(table, row))
    const subjects = [...new Set(rows.flatMap(subjectsOf))]
    try {
      await gate.pass(() => writer.add({ table, lines, subjects }))
    } finally {
      // Also when it fails: an insert that broke off may have stored its rows.
      versions.raise(table, rows)
      if (ofCopies.has(table)) settled.touch(rows)
      if (table === 'marks') marked.touch(rows)
      if (ofSessions.includes(table)) running?.touch(rows)
      news?.note(table, rows)
    }
  }
  return {
    append: (table, row) => add(table, [row]),
    appendAll: async (table, rows) => {
      for (let at = 0; at < rows.length; at += BULK_ROWS) await add(table, rows.slice(at, at + BULK_ROWS))
    },
  }
}

const changesOf = ({ engine, writer, gate, news, ...changed }: Parts): Pick<Facts, 'command' | 'save'> => ({
  command: async (name, sql, each) => {
    const leave = await gate.enter()
    try {
      // What is changed or copied is all that was acknowledged, and nothing of it comes again from the log.
      await writer.settle()
      for (const statement of [sql].flat()) await engine.command(named(name, statement), each)
    } catch (error) {
      if (isNodeAway(error)) throw unavailable('The facts store is not responding.', error)
      throw new Error(`The statement ${name} failed in the facts store.`, { cause: error })
    } finally {
      leave()
      anythingChanged(changed)
      news?.noteAll()
    }
  },
  save: async (name, task, watch) => {
    try {
      await writer.flush(factTables)
      await engine.save(task, watch)
    } catch (error) {
      watch.signal.throwIfAborted()
      throw asQueryFailure(name, error)
    }
  },
})

/** Whether what this process knows is all that there is to know. */
const isTold = (news: NewsBoard | undefined): Promise<boolean> | true => news?.caughtUp() ?? true

/** What questions need to know before they are asked. */
type Known = Pick<Facts, 'version' | 'hasMarks' | 'marksShown' | 'settledDays' | 'runningDay' | 'settle'>

const knownOf = ({ engine, writer, gate, versions, settled, marked, running, news, isOne }: Parts): Known => ({
  version: async (propertyId, beforeDay, tables) => {
    if (!engine.version) return (await isTold(news)) ? versions.of(propertyId, beforeDay, tables) : undefined
    await writer.flush(factTables)
    const version = await engine.version(beforeDay)
    // An answer that a node made before it knew of the first mark is none any more once it knows.
    return version && `${version}.${Number(await marked.has(propertyId))}`
  },
  hasMarks: async (propertyId) => !(await isTold(news)) || marked.has(propertyId),
  marksShown: async () => {
    await writer.flush(['marks'])
    await marked.shown()
  },
  settledDays: async () => {
    try {
      return isOne && (await isTold(news)) ? await settled.days() : new Map()
    } catch {
      return new Map() // a node is away: what is asked says so, or is read from the folds
    }
  },
  runningDay: async (propertyId, day) => (running && (await isTold(news)) ? running.of(propertyId, day) : undefined),
  settle: async (nowMs, isPatient, goals = []) => {
    if (!isOne) return []
    return gate.pass(() => settled.settle(nowMs, isPatient, goals)).finally(() => news?.noteSettled())
  },
})

/** The name is code, but a comment must not be closed by it. */
function named(name: string, sql: string): string {
  return `/* ${name.replace(/[^\w .:/-]/g, '')} */ ${sql.trim()}`
}
