// Takes a backup while the service runs: first one moment of both stores, for which writes of records wait
// for a fraction of a second; then everything in it that the repository does not have yet, at its leisure.
import { hash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { Facts } from '../stores/facts.ts'
import { type FactPart, freezeFacts, listRunFactMigrations, pinRecords, thawFacts } from '../stores/backup.ts'
import type { Records } from '../stores/records.ts'
import { VERSION } from '../version.ts'
import { type Manifest, storedIn, type StoredFile, type StoredPart, type Stores } from './manifest.ts'
import { newBackupId, type Repository } from './repository.ts'
import { holdingWrites } from './records.ts'

/** Long enough for few pieces, short enough that a page that changes costs little. */
const PIECE_BYTES = 4 * 1024 * 1024

export const RECORDS = 'records.sqlite'
export const SECRET = 'secret'

/** Of a backup that is being taken. */
const WORK = 'backup-work'

export interface TakeDeps {
  readonly config: Config
  readonly records: Records
  /** Null where they are on a server: whoever has them need not be asked. */
  readonly facts: Facts | null
  readonly now: () => number
}

export interface Watch {
  /** Now and then. @throws to give up. */
  readonly onProgress: (doneBytes: number, allBytes: number) => Promise<void>
}

/** The stores that are on this machine. */
export const storesHere = ({
  clickhouseUrls,
  databaseUrl,
}: Pick<Config, 'clickhouseUrls' | 'databaseUrl'>): Stores => ({
  facts: clickhouseUrls.length === 0,
  records: databaseUrl === null,
})

/** One moment of what is on this machine. */
interface Moment {
  readonly parts: readonly FactPart[]
  readonly factMigrations: readonly string[]
  /** By name. */
  readonly files: Readonly<Record<string, string>>
  readonly atMs: number
}

/**
 * While the records are held nobody can name something in the facts that the records do not have yet. What
 * waits in the log of the facts is inserted before, so that there is little left to wait for.
 */
async function holdMoment(deps: TakeDeps, folder: string): Promise<Moment> {
  const { config, records, now } = deps
  const here = storesHere(config)
  const facts = here.facts ? deps.facts : null
  const factMigrations = facts ? await listRunFactMigrations(facts) : []
  await facts?.drained()
  const atMs = now()
  const { pinned, parts } = await holdingWrites(records, async () => ({
    pinned: here.records ? pinRecords(config.dataDir) : undefined,
    parts: facts ? await freezeFacts(facts, config.dataDir) : [],
  }))
  const secret = join(config.dataDir, SECRET)
  const files = { ...(config.secret === null && existsSync(secret) && { [SECRET]: secret }) }
  if (!pinned) return { parts, factMigrations, files, atMs }
  const copy = join(folder, RECORDS)
  try {
    await pinned.copyTo(copy)
  } finally {
    pinned.close()
  }
  return { parts, factMigrations, files: { ...files, [RECORDS]: copy }, atMs }
}

/** The bytes of files, one behind the other, in pieces that are good until the next one is asked for. */
async function* piecesOf(paths: readonly string[]): AsyncGenerator<Uint8Array> {
  const buffer = Buffer.allocUnsafeSlow(PIECE_BYTES)
  let filled = 0
  for (const path of paths) {
    const file = await open(path, 'r')
    try {
      for (;;) {
        const { bytesRead } = await file.read(buffer, filled, PIECE_BYTES - filled)
        if (bytesRead === 0) break
        filled += bytesRead
        if (filled < PIECE_BYTES) continue
        yield buffer
        filled = 0
      }
    } finally {
      await file.close()
    }
  }
  if (filled > 0) yield buffer.subarray(0, filled)
}

interface FoundPart extends FactPart {
  readonly files: readonly (readonly [name: string, bytes: number])[]
  readonly bytes: number
  readonly identity: string
}

/** The engine keeps a checksum of each file of a part in one of them. */
async function findPart({ table, name, folder }: FactPart): Promise<FoundPart> {
  const names = (await readdir(folder)).toSorted()
  const sizes = await Promise.all(names.map(async (file) => [file, (await stat(join(folder, file))).size] as const))
  const sums = await readFile(join(folder, 'checksums.txt'))
  const identity = hash('sha256', Buffer.concat([Buffer.from(JSON.stringify([table, sizes])), sums]))
  return { table, name, folder, files: sizes, bytes: sizes.reduce((sum, [, bytes]) => sum + bytes, 0), identity }
}

/** What is put, with how far it is. */
class Putting {
  readonly #repository: Repository
  readonly #watch: Watch
  readonly #allBytes: number
  #doneBytes = 0
  newBytes = 0

  constructor(repository: Repository, watch: Watch, allBytes: number) {
    this.#repository = repository
    this.#watch = watch
    this.#allBytes = allBytes
  }

  async put(paths: readonly string[]): Promise<StoredFile> {
    const pieces: string[] = []
    let bytes = 0
    for await (const piece of piecesOf(paths)) {
      const { id, put } = await this.#repository.putPiece(piece)
      pieces.push(id)
      bytes += piece.length
      this.newBytes += put
      await this.pass(piece.length)
    }
    return { bytes, pieces }
  }

  /** What is there already. */
  async pass(bytes: number): Promise<void> {
    this.#doneBytes += bytes
    await this.#watch.onProgress(this.#doneBytes, this.#allBytes)
  }
}

/** Parts that the last backup has, and that are still there whole. */
async function knownParts(repository: Repository): Promise<Map<string, StoredPart>> {
  const [last] = await repository.listIds()
  if (last === undefined) return new Map()
  const pieces = await repository.pieces()
  // One that cannot be read any more is no help, and no reason not to take another.
  const { parts } = await repository.getBackup(last).catch(() => ({ parts: [] as StoredPart[] }))
  const whole = parts.filter((part) => part.pieces.every((id) => pieces.has(id)))
  return new Map(whole.map((part) => [part.identity, part]))
}

async function putMoment(
  repository: Repository,
  moment: Moment,
  watch: Watch,
): Promise<Pick<Manifest, 'files' | 'parts'> & { newBytes: number }> {
  const found = await Promise.all(moment.parts.map(findPart))
  const sizes = await Promise.all(Object.values(moment.files).map(async (path) => (await stat(path)).size))
  const putting = new Putting(
    repository,
    watch,
    [...found.map(({ bytes }) => bytes), ...sizes].reduce((sum, size) => sum + size, 0),
  )
  const files: Record<string, StoredFile> = {}
  for (const [name, path] of Object.entries(moment.files)) files[name] = await putting.put([path])
  const known = await knownParts(repository)
  const parts: StoredPart[] = []
  for (const { table, name, folder, files: own, bytes, identity } of found) {
    const same = known.get(identity)
    if (same) await putting.pass(bytes)
    const stored = same ?? (await putting.put(own.map(([file]) => join(folder, file))))
    parts.push({ table, name, identity, files: own, bytes, pieces: stored.pieces })
  }
  return { files, parts, newBytes: putting.newBytes }
}

/**
 * Whatever was acknowledged before the call is in it, of both stores. What is acknowledged while it is being
 * taken is in both or in none.
 */
export async function takeBackup(deps: TakeDeps, repository: Repository, watch: Watch): Promise<Manifest> {
  const { config, now } = deps
  const [startedMs, folder] = [performance.now(), join(config.dataDir, WORK)]
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true, mode: 0o700 })
  try {
    const moment = await holdMoment(deps, folder)
    const { files, parts, newBytes } = await putMoment(repository, moment, watch)
    const summary = {
      id: newBackupId(moment.atMs),
      version: VERSION,
      created_ms: moment.atMs,
      took_ms: Math.round(performance.now() - startedMs),
      bytes: storedIn({ files, parts }).reduce((sum, { bytes }) => sum + bytes, 0),
      new_bytes: newBytes,
      ...storesHere(config),
    }
    const manifest = { summary, fact_migrations: moment.factMigrations, files, parts }
    await repository.putBackup(manifest)
    await repository.prune(config.backupKeep, now())
    return manifest
  } finally {
    await rm(folder, { recursive: true, force: true })
    await thawFacts(config.dataDir)
  }
}
