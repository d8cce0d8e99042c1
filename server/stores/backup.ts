// A copy of the embedded stores in a folder, and the way back. Each store copies itself, so that what it is
// writing at the moment is in the copy whole or not at all; a database on a server has tools of its own for
// that.
import { chmod, cp, mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import type { Facts } from './facts.ts'
import { backupFolder } from './facts/embedded.ts'
import { quoted } from './facts/quoted.ts'
import { sqliteFile } from './sqlite/sqlite.ts'

/** Where things lie in the folder of a backup. */
const FACTS = 'facts'
const RECORDS = 'records.sqlite'

async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EXDEV')) throw error
    await cp(from, to, { recursive: true })
    await rm(from, { recursive: true })
  }
}

/** The engine writes to one folder alone, and reads from it alone. */
async function throughFolder(dataDir: string, work: (path: string) => Promise<void>): Promise<void> {
  const folder = backupFolder(dataDir)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true, mode: 0o700 })
  try {
    await work(join(folder, FACTS))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** @param folder is there and has no facts. */
export async function backUpFacts(facts: Facts, dataDir: string, folder: string): Promise<void> {
  await throughFolder(dataDir, async (path) => {
    await facts.command('backUpFacts', `BACKUP DATABASE default TO File(${quoted(path)})`)
    await move(path, join(folder, FACTS))
  })
}

/** Days that are settled, and what says that they are; a backup of an older version has neither. */
const copies = ['settled_days', 'settled'] as const

/**
 * Tables are not copied at one moment: the copies of a day may be those of before a late order, and what says
 * so of after it. So the store begins without copies and settles its days once more.
 * @param facts of a new store, before its migrations.
 */
export async function restoreFacts(facts: Facts, dataDir: string, folder: string): Promise<void> {
  await throughFolder(dataDir, async (path) => {
    await cp(join(folder, FACTS), path, { recursive: true })
    await facts.command('restoreFacts', `RESTORE DATABASE default FROM File(${quoted(path)})`)
  })
  for (const table of copies) await facts.command('restoreFacts', `TRUNCATE TABLE IF EXISTS ${table}`)
}

/** Also while others write: what is committed when it ends is in it. */
export async function backUpRecords(dataDir: string, folder: string): Promise<void> {
  const database = new DatabaseSync(sqliteFile(dataDir), { readOnly: true })
  const copy = join(folder, RECORDS)
  try {
    await backup(database, copy)
  } finally {
    database.close()
  }
  await chmod(copy, 0o600)
}

/** @param dataDir has no records yet. */
export async function restoreRecords(dataDir: string, folder: string): Promise<void> {
  const file = sqliteFile(dataDir)
  await cp(join(folder, RECORDS), file, { errorOnExist: true, force: false })
  await chmod(file, 0o600)
}
