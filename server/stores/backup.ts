// What a backup reads and a restore writes of the embedded stores. Facts lie in parts that never change: one
// moment of them is a second name for each of their files. Records are read as they were at one moment,
// however long that takes and whoever writes meanwhile.
import { chmod, cp, mkdir, readdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import type { Facts } from './facts.ts'
import { quoted } from './facts/quoted.ts'
import { listFactMigrations, migrateFacts } from './migrations/facts.ts'
import { sqliteFile } from './sqlite/sqlite.ts'

/** Files of the facts that belong together: rows of one table and week. */
export interface FactPart {
  readonly table: string
  readonly name: string
  /** Where its files are. */
  readonly folder: string
}

/** What begins so was frozen here, and is nobody else's. */
const FROZEN = 'footfall_backup'

const shadowOf = (dataDir: string): string => resolve(dataDir, 'facts', 'shadow', FROZEN)

/**
 * In this order: what is folded from others comes before them, so that a restored store lacks nothing of what
 * it is folded from; the start after it sends the newest rows through the folds again.
 */
const foldedFirst: ReadonlySet<string> = new Set(['sessions', 'day_changes'])

interface StoredTable {
  readonly name: string
  readonly path: string
}

/** Copies of days are left out: a restored store settles its days once more, from tables with new ids. */
async function listTables(facts: Facts): Promise<StoredTable[]> {
  const found = await facts.query<StoredTable>(
    'backup.listTables',
    `SELECT name, data_paths[1] AS path FROM system.tables WHERE database = currentDatabase()
     AND endsWith(engine, 'MergeTree') AND name != 'migrations' AND NOT startsWith(name, 'settled') ORDER BY name`,
  )
  const [folded, others] = [true, false].map((is) => found.filter(({ name }) => foldedFirst.has(name) === is))
  return [...folded!, ...others!]
}

/**
 * Everything that was acknowledged before the call, under names that nobody changes until `thaw`. Takes no
 * room: the files are the store's own.
 * @param facts embedded ones.
 */
export async function freezeFacts(facts: Facts, dataDir: string): Promise<FactPart[]> {
  await thawFacts(dataDir)
  const tables = await listTables(facts)
  // All in one call: what was acknowledged is waited for once, while everybody who writes records waits.
  const freeze = tables.map(({ name }) => `ALTER TABLE ${name} FREEZE WITH NAME '${FROZEN}'`)
  await facts.command('freezeFacts', freeze)
  const parts: FactPart[] = []
  for (const { name, path } of tables) {
    const own = path.split('/').filter(Boolean).slice(-3)
    const folder = join(shadowOf(dataDir), ...own)
    for (const part of await readdir(folder).catch(() => []))
      parts.push({ table: name, name: part, folder: join(folder, part) })
  }
  return parts
}

/** Lets go of what was frozen, also by a process that was killed. */
export async function thawFacts(dataDir: string): Promise<void> {
  await rm(shadowOf(dataDir), { recursive: true, force: true })
}

/** The names of the migrations that the store has. */
export async function listRunFactMigrations(facts: Facts): Promise<string[]> {
  const rows = await facts.query<{ name: string }>(
    'backup.migrations',
    'SELECT DISTINCT name FROM migrations ORDER BY name',
  )
  return rows.map(({ name }) => name)
}

/** Where a part is to be put, and what takes it in from there. */
export interface Attaching {
  readonly folderOf: (part: Pick<FactPart, 'table' | 'name'>) => string
  readonly attach: (part: Pick<FactPart, 'table' | 'name'>) => Promise<void>
}

/**
 * Makes the tables of a store that had these migrations, to put parts into.
 * @param facts of a new embedded store.
 * @throws Error when a newer program has made the backup.
 */
export async function attachingFacts(facts: Facts, migrations: readonly string[]): Promise<Attaching> {
  const known = new Set((await listFactMigrations()).map(({ name }) => name))
  const unknown = migrations.find((name) => !known.has(name))
  if (unknown !== undefined)
    throw new Error(
      `The backup has the migration ${unknown} of the facts, which this version does not know. Use a newer version.`,
    )
  await migrateFacts(facts, new Set(migrations))
  const paths = new Map((await listTables(facts)).map(({ name, path }) => [name, path]))
  const pathOf = (table: string): string => {
    const path = paths.get(table)
    if (path === undefined) throw new Error(`The backup has a table ${table}, which its migrations do not make.`)
    return path
  }
  return {
    folderOf: ({ table, name }) => join(pathOf(table), 'detached', name),
    attach: ({ table, name }) => facts.command('restoreFacts', `ALTER TABLE ${table} ATTACH PART ${quoted(name)}`),
  }
}

/** The records as they are now, whatever is written from now on. */
export interface PinnedRecords {
  /** @param file is made, readable by its owner alone. */
  copyTo(file: string): Promise<void>
  close(): void
}

/** Pages of one step: between steps, whoever writes comes through. */
const PAGES = 1_000

export function pinRecords(dataDir: string): PinnedRecords {
  const database = new DatabaseSync(sqliteFile(dataDir), { readOnly: true })
  try {
    // What a transaction has read once stays what it reads; without one, the copy would begin anew with each
    // write of somebody else, and never end.
    database.exec('begin')
    database.prepare('select count(*) from sqlite_master').get()
  } catch (error) {
    database.close()
    throw error
  }
  return {
    copyTo: async (file) => {
      await backup(database, file, { rate: PAGES })
      await chmod(file, 0o600)
    },
    close: () => database.close(),
  }
}

/** @param dataDir has no records yet. */
export async function placeRecords(dataDir: string, copy: string): Promise<void> {
  const file = sqliteFile(dataDir)
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  await cp(copy, file, { errorOnExist: true, force: false })
  await chmod(file, 0o600)
}
