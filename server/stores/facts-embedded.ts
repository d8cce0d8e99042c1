// ClickHouse inside this process, its files under DATA_DIR: small when idle, under one memory ceiling, without logs of its own.
// One connection writes; a few others read side by side, so that no question stands before an insert.
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createClient, type ClickHouseClientConfigOptions } from '@clickhouse/client'
import { Session } from 'chdb'
import { createChdbConnection } from 'chdb/connection'
import { engineConfig } from './facts-embedded-config.ts'
import { commonSettings, insertSettings, readSettings, type FactsEngine } from './facts-engine.ts'
import { saveByEngine, saveSettings } from './facts-files.ts'
import { bindings } from './facts-params.ts'
import { openPool } from './facts-pool.ts'
import { insertInto } from './facts-rows.ts'

export interface EmbeddedOptions {
  readonly dataDir: string
  readonly memoryMb: number
  readonly threads: number
}

/** Questions at once. Each may take READ_SHARE of the memory, so that both together leave room for inserts and merges. */
const READERS = 2
const READ_SHARE = 0.35
/** Look-ups at once: what one call needs to know, and somebody else's beside it. */
const LOOKUPS = 2
/** A look-up reads a few rows by their key. */
const LOOKUP_SHARE = 0.1
/** At a few milliseconds each, the last one waits for seconds; by then its visitor has gone. */
const LOOKUPS_WAITING = 1_000

/** Of a file that is written: one at a time, beside questions and inserts. */
const SAVE_SHARE = 0.15

type Client = ReturnType<typeof createClient>

/** Where the embedded engine puts backups. */
export const backupFolder = (dataDir: string): string => resolve(dataDir, 'backups')

export async function openEmbedded(options: EmbeddedOptions): Promise<FactsEngine> {
  const path = resolve(options.dataDir, 'facts')
  await mkdir(path, { recursive: true, mode: 0o700 })
  // The engine takes its server settings from a file alone. Written at each start: it is derived, not configured.
  const configFile = join(options.dataDir, 'facts-engine.xml')
  await writeFile(configFile, engineConfig({ ...options, backupDir: backupFolder(options.dataDir) }), { mode: 0o600 })
  await chmod(configFile, 0o600) // it may be there from an older version
  await chmod(path, 0o700)
  const binding = bindEngine(path, resolve(configFile))

  const connect = () => createClient({ connection: connectionTo(path) })
  const memoryBytes = options.memoryMb * 1024 * 1024
  const writers = {
    views: connect(),
    events: connect(),
    clicks: connect(),
    form_events: connect(),
    impressions: connect(),
    lib_errors: connect(),
  }
  const maintenance = connect()
  for (const writer of Object.values(writers)) await set(writer, insertSettings)
  await set(maintenance, commonSettings)
  const saver = openPool({
    size: 1,
    open: async () => set(connect(), saveSettings(Math.floor(memoryBytes * SAVE_SHARE))),
    close: (writer) => writer.close(),
  })
  const readersWith = (size: number, threads: number, share: number, waiting?: number) =>
    openPool({
      size,
      waiting,
      open: async () => set(connect(), readSettings(threads, Math.floor(memoryBytes * share))),
      close: (reader) => reader.close(),
    })
  const readers = {
    question: readersWith(READERS, options.threads, READ_SHARE),
    lookup: readersWith(LOOKUPS, 1, LOOKUP_SHARE, LOOKUPS_WAITING),
  }

  return {
    read: (sql, params, lane) =>
      readers[lane].use(async (reader) => {
        const result = await reader.query({ query: bindings(params) + sql, format: 'JSONEachRow' })
        return result.json<unknown>()
      }),
    insert: async (table, lines) => {
      await writers[table].command({ query: `${insertInto(table)} FORMAT JSONCompactEachRow\n${lines.join('\n')}` })
    },
    command: async (sql) => {
      await maintenance.command({ query: sql })
    },
    save: (task, watch) => saver.use((writer) => saveByEngine(writer, maintenance, task, watch)),
    ping: async () => (await maintenance.ping()).success,
    close: async () => {
      await saver.close()
      for (const pool of Object.values(readers)) await pool.close()
      for (const client of [...Object.values(writers), maintenance]) await client.close()
      binding.close()
    },
  }
}

/** The first session of a process decides the engine's settings; the connections after it share the engine. */
function bindEngine(path: string, configFile: string): Session {
  try {
    return new Session(path, { connectionArgs: [`--config-file=${configFile}`, '--async_load_databases=0'] })
  } catch (error) {
    throw new Error(`The facts store in ${path} cannot be opened. Is another process using it?`, { cause: error })
  }
}

function connectionTo(path: string): NonNullable<ClickHouseClientConfigOptions['connection']> {
  const connection: unknown = createChdbConnection({ path })
  // One interface, of which the two packages carry a copy each; to the compiler private fields make them strangers.
  return connection as NonNullable<ClickHouseClientConfigOptions['connection']>
}

async function set(client: Client, settings: Readonly<Record<string, number>>): Promise<Client> {
  const values = Object.entries(settings).map(([name, value]) => `${name} = ${value}`)
  await client.command({ query: `SET ${values.join(', ')}` })
  return client
}
