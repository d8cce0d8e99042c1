// `footfall restore`: a DATA_DIR out of a backup.
import { chmod, mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import { openRepository } from '../server/backups/backups.ts'
import { restoreBackup } from '../server/backups/restore.ts'
import { storesHere } from '../server/backups/take.ts'
import { readConfig } from '../server/config.ts'
import { elsewhere, targetOf } from './backup.ts'
import { answer, readOptions, write } from './command.ts'
import { openByteMeter } from './meter.ts'

const usage = `footfall restore [TARGET] [--backup ID] [--json]

Creates DATA_DIR from a backup in TARGET, a folder or s3://BUCKET/PREFIX (default: BACKUP_TO): the newest one, or the one with
this id (footfall backup list). DATA_DIR must not exist or be empty. A backup of an older version is migrated.`

const quiet = pino({ level: 'silent' })

/** Empties a folder that existed before: it may be a mount point, which cannot be removed. */
async function clear(folder: string): Promise<void> {
  for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true, force: true })
}

/**
 * Fills a folder that is empty or missing. On failure it is emptied again, and the error is the original one.
 */
async function fill(folder: string, work: () => Promise<void>): Promise<void> {
  const names = await readdir(folder).catch(() => undefined)
  if (names && names.length > 0) throw new Error(`DATA_DIR ${folder} is not empty.`)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await chmod(folder, 0o700)
  try {
    await work()
  } catch (error) {
    const emptied = names ? clear(folder) : rm(folder, { recursive: true, force: true })
    await emptied.catch(() => undefined)
    throw error
  }
}

export async function restore(args: string[]): Promise<number> {
  const { values, positionals } = readOptions(args, { backup: { type: 'string' } })
  if (values.help) {
    write(usage)
    return 0
  }
  const config = readConfig()
  const target = targetOf(config, positionals)
  const repository = await openRepository(config, target)
  const id = values.backup ?? (await repository.listIds())[0]
  if (id === undefined) throw new Error(`There are no backups in ${target}.`)
  const manifest = await repository.getBackup(id)
  const [here, held] = [storesHere(config), manifest.summary]
  if (here.facts !== held.facts || here.records !== held.records)
    throw new Error('The backup is of other stores than DATABASE_URL and CLICKHOUSE_URL name.')
  const meter = openByteMeter()
  const all = manifest.parts.reduce((sum, { bytes }) => sum + bytes, 0)
  let done = 0
  await fill(config.dataDir, async () => {
    await restoreBackup({ config, repository, manifest, log: quiet }, ({ bytes }) => meter.show((done += bytes), all))
  }).finally(() => meter.stop())
  answer(values.json, { data_dir: config.dataDir, backup: id, ...here }, [
    `Restored ${id} into ${config.dataDir}.`,
    ...elsewhere(here),
  ])
  return 0
}
