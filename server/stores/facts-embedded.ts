// ClickHouse inside this process, its files under DATA_DIR: small when idle, under one memory ceiling,
// without logs of its own. One connection writes; a few others read side by side, so that no question stands
// before an insert.
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createClient, type ClickHouseClientConfigOptions } from '@clickhouse/client'
import { Session } from 'chdb'
import { createChdbConnection } from 'chdb/connection'
import { factTables } from './fact-tables.ts'
import { engineConfig } from './facts-embedded-config.ts'
import {
  commonSettings,
  insertSettings,
  questionSettings,
  readSettings,
  theService,
  type FactsEngine,
  type ReadLane,
  type QuestionOptions,
} from './facts-engine.ts'
import type { HeldLimits } from './facts-held.ts'
import { saveByEngine, saveSettings } from './facts-files.ts'
import { bindings } from './facts-params.ts'
import { laneTurns, openPool, type Pool, turnsOf } from './facts-pool.ts'
import { insertOf } from './facts-rows.ts'
import { readUntilStopped } from './facts-stop.ts'
import type { FactTable } from './tables.ts'

export interface EmbeddedOptions extends QuestionOptions {
  readonly dataDir: string
  readonly memoryMb: number
}

/**
 * Questions at once, and those of one property: another one never waits for the end of a long question. Each
 * may take READ_SHARE of the memory, so that all together leave room for inserts and merges.
 */
const READERS = 3
const READERS_OF_A_PROPERTY = 2
const READERS_GIVING_WAY = 1
const READ_SHARE = 0.23
/** Of share links: one at a time, on one thread, beside all others. */
const SHARED_READERS = 1
const SHARED_READ_SHARE = 0.08
/** Look-ups at once: what one call needs to know, and somebody else's beside it. */
const LOOKUPS = 2
/** What questions keep for their statements, all together, and the rows of one. */
const HELD_SHARE = 0.16
const HELD_ROWS = 750_000
/** A look-up reads a few rows by their key. */
const LOOKUP_SHARE = 0.1
/**
 * Statements at once: those, an insert into each table, one that changes tables, one that writes a file, one
 * that stops others.
 */
export const MOST_STATEMENTS = READERS + SHARED_READERS + LOOKUPS + factTables.length + 3

/** Of a file that is written: one at a time, beside questions and inserts. */
const SAVE_SHARE = 0.15

type Client = ReturnType<typeof createClient>

/** Where the embedded engine puts backups. */
export const backupFolder = (dataDir: string): string => resolve(dataDir, 'backups')

export async function openEmbedded(options: EmbeddedOptions): Promise<FactsEngine> {
  const path = resolve(options.dataDir, 'facts')
  await mkdir(path, { recursive: true, mode: 0o700 })
  const binding = bindEngine(path, await writeConfig(options))
  await chmod(path, 0o700)

  const connect = () => createClient({ connection: connectionTo(path) })
  const writers = await openWriters(connect)
  const [maintenance, stopper] = [await set(connect(), commonSettings), connect()]
  const readers = openReaders(connect, options)
  const saver = openPool({
    turns: turnsOf({ size: 1, ofAProperty: 1, givingWay: 1 }),
    open: async () => set(connect(), saveSettings(shareOf(options, SAVE_SHARE))),
    close: (writer) => writer.close(),
  })

  const read: FactsEngine['read'] = (sql, params, lane, taker = theService) =>
    readers[lane].use(taker, (reader, load) => {
      const before = bindings(params, questionSettings(lane, load, options))
      return readUntilStopped({ reader, stopper, before, sql, signal: taker.signal })
    })

  return {
    read,
    everywhere: async (...given) => void (await read(...given)),
    insert: async (table, columns, lines) => {
      await writers[table].command({ query: insertOf(table, columns, lines) })
    },
    command: async (sql) => {
      await maintenance.command({ query: sql })
    },
    save: (task, watch) => saver.use(theService, (writer) => saveByEngine(writer, maintenance, task, watch)),
    ping: async () => (await maintenance.ping()).success,
    close: async () => {
      await saver.close()
      for (const pool of Object.values(readers)) await pool.close()
      for (const client of [...Object.values(writers), maintenance, stopper]) await client.close()
      binding.close()
    },
  }
}

/**
 * The engine takes its server settings from a file alone. Written at each start: it is derived, not
 * configured.
 */
async function writeConfig(options: EmbeddedOptions): Promise<string> {
  const file = join(options.dataDir, 'facts-engine.xml')
  await writeFile(file, engineConfig({ ...options, backupDir: backupFolder(options.dataDir) }), { mode: 0o600 })
  await chmod(file, 0o600) // it may be there from an older version
  return resolve(file)
}

type Connect = () => Client

/** One for each table, so that no insert waits for that of another table. */
async function openWriters(connect: Connect): Promise<Readonly<Record<FactTable, Client>>> {
  const opened = factTables.map(async (table) => [table, await set(connect(), insertSettings)] as const)
  return Object.fromEntries(await Promise.all(opened)) as Record<FactTable, Client>
}

export const heldInProcess = ({ memoryMb }: Pick<EmbeddedOptions, 'memoryMb'>): HeldLimits => ({
  nodes: 1,
  mostRows: HELD_ROWS,
  mostBytes: memoryMb * 1024 * 1024 * HELD_SHARE,
})

const shareOf = ({ memoryMb }: EmbeddedOptions, share: number): number => Math.floor(memoryMb * 1024 * 1024 * share)

function openReaders(connect: Connect, options: EmbeddedOptions): Readonly<Record<ReadLane, Pool<Client>>> {
  const turns = laneTurns({
    ofAll: READERS,
    ofAProperty: READERS_OF_A_PROPERTY,
    givingWay: READERS_GIVING_WAY,
    shared: SHARED_READERS,
    lookups: LOOKUPS,
  })
  const readersOf = (lane: ReadLane, threads: number, share: number) =>
    openPool({
      turns: turns[lane],
      open: async () => set(connect(), readSettings(threads, shareOf(options, share))),
      close: (reader) => reader.close(),
    })
  return {
    question: readersOf('question', options.threads, READ_SHARE),
    shared: readersOf('shared', 1, SHARED_READ_SHARE),
    lookup: readersOf('lookup', 1, LOOKUP_SHARE),
  }
}

/**
 * The first session of a process decides the engine's settings; the connections after it share the engine.
 */
function bindEngine(path: string, configFile: string): Session {
  try {
    return new Session(path, { connectionArgs: [`--config-file=${configFile}`, '--async_load_databases=0'] })
  } catch (error) {
    throw new Error(`The facts store in ${path} cannot be opened. Is another process using it?`, { cause: error })
  }
}

function connectionTo(path: string): NonNullable<ClickHouseClientConfigOptions['connection']> {
  const connection: unknown = createChdbConnection({ path })
  // One interface, of which the two packages carry a copy each; to the compiler private fields make them
  // strangers.
  return connection as NonNullable<ClickHouseClientConfigOptions['connection']>
}

async function set(client: Client, settings: Readonly<Record<string, number>>): Promise<Client> {
  await client.command({ query: bindings({}, settings) })
  return client
}
