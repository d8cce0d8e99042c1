// Makes a DATA_DIR out of a backup: every piece is checked as it is read, and what is not whole is not kept.
import { randomBytes } from 'node:crypto'
import { chmod, mkdir, open, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Logger } from 'pino'
import { type Config, factsSettings } from '../config.ts'
import { endPause } from '../pause-records.ts'
import { attachingFacts, placeRecords } from '../stores/backup.ts'
import { openFacts } from '../stores/facts.ts'
import { migrateStores } from '../stores/migrate.ts'
import { openRecords } from '../stores/records.ts'
import type { Manifest, StoredFile, StoredPart } from './manifest.ts'
import { endRestoredRun } from './records.ts'
import type { Repository } from './repository.ts'
import { DamagedError } from './sealing.ts'
import { RECORDS, SECRET } from './take.ts'

/** Reads pieces as if they were one file. */
class PieceReader {
  readonly #repository: Repository
  readonly #left: string[]
  #piece: Uint8Array = new Uint8Array()

  constructor(repository: Repository, pieces: readonly string[]) {
    this.#repository = repository
    this.#left = [...pieces]
  }

  /** @throws DamagedError when there is less. */
  async writeTo(path: string, bytes: number): Promise<void> {
    const file = await open(path, 'wx', 0o600)
    try {
      for (let left = bytes; left > 0;) {
        if (this.#piece.length === 0) this.#piece = await this.#next(path)
        const some = this.#piece.subarray(0, left)
        await file.writeFile(some)
        this.#piece = this.#piece.subarray(some.length)
        left -= some.length
      }
      await file.sync()
    } finally {
      await file.close()
    }
  }

  async #next(path: string): Promise<Uint8Array> {
    const id = this.#left.shift()
    if (id === undefined) throw new DamagedError(`The backup has too little of ${path}.`)
    return this.#repository.getPiece(id)
  }
}

async function writeFileOf(repository: Repository, { bytes, pieces }: StoredFile, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await new PieceReader(repository, pieces).writeTo(path, bytes)
}

async function writePart(repository: Repository, part: StoredPart, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const reader = new PieceReader(repository, part.pieces)
  for (const [name, bytes] of part.files) await reader.writeTo(join(folder, name), bytes)
}

export interface RestoreTask {
  readonly config: Config
  readonly repository: Repository
  readonly manifest: Manifest
  readonly log: Logger
}

async function restoreFiles({ config, repository, manifest }: RestoreTask): Promise<void> {
  const { dataDir } = config
  const { [SECRET]: secret, [RECORDS]: records } = manifest.files
  if (secret && config.secret === null) {
    await writeFileOf(repository, secret, join(dataDir, SECRET))
    await chmod(join(dataDir, SECRET), 0o600)
  }
  if (!records) return
  const copy = join(dataDir, `restored-${randomBytes(4).toString('hex')}`)
  try {
    await writeFileOf(repository, records, copy)
    await placeRecords(dataDir, copy)
  } finally {
    await rm(copy, { force: true })
  }
}

/**
 * @param onPart told of each part of the facts that is in its place.
 * @throws DamagedError when the backup is not whole; then DATA_DIR is of no use.
 */
export async function restoreBackup(
  task: RestoreTask,
  onPart: (part: StoredPart) => void = () => undefined,
): Promise<void> {
  const { config, repository, manifest, log } = task
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 })
  await restoreFiles(task)
  const facts = await openFacts({ ...factsSettings(config), log })
  try {
    const attaching = manifest.summary.facts ? await attachingFacts(facts, manifest.fact_migrations) : undefined
    for (const part of attaching ? manifest.parts : []) {
      await writePart(repository, part, attaching!.folderOf(part))
      await attaching!.attach(part)
      onPart(part)
    }
    const records = await openRecords(config)
    try {
      // A backup of an older version is migrated; that of a newer one is refused.
      await migrateStores(records, facts, log)
      if (manifest.summary.records) {
        await endRestoredRun(records)
        // A pause was of the installation that the backup was taken of.
        await endPause(records)
      }
    } finally {
      await records.destroy()
    }
  } finally {
    await facts.close()
  }
}
