// All backups of one installation in one place. What they are made of is kept in pieces that are named by
// what they contain: a piece that is there already is not put again, and every backup is whole by itself.
import { randomBytes } from 'node:crypto'
import type { Manifest, Summary } from './manifest.ts'
import { storedIn } from './manifest.ts'
import {
  DamagedError,
  isNamed,
  newStretching,
  openSealer,
  plainSealer,
  type Sealer,
  type Stretching,
} from './sealing.ts'
import type { Listed, Storage } from '../storage/storage.ts'

const HEAD = 'footfall-backups.json'
const FORMAT = 1
const PIECES = 'pieces/'
const BACKUPS = 'backups/'

/** Names of pieces begin with so many letters of a folder, as few have more than some thousand files. */
const FOLDER_LETTERS = 2
/** What nobody needs may be part of a backup that is being taken. */
const UNUSED_MS = 24 * 3_600_000

interface Head {
  readonly format: number
  /** Whose backups they are; nobody else may remove what they do not need. */
  readonly owner: string
  readonly encryption: Stretching | null
  /** A known text, sealed: tells a wrong passphrase. */
  readonly check: string
}

/** A sentence for the owner. */
export class RepositoryError extends Error {}

export interface RepositoryKey {
  readonly passphrase: string | null
  /** Of this installation: then it may be written to, and is made when there is none. */
  readonly owner?: string
}

const CHECK = Buffer.from('footfall')

async function sealerFor(head: Head, passphrase: string | null, place: string): Promise<Sealer> {
  if (head.encryption === null) {
    if (passphrase === null) return plainSealer
    throw new RepositoryError(`The backups in ${place} are not encrypted: use another place for encrypted ones.`)
  }
  if (passphrase === null)
    throw new RepositoryError(`The backups in ${place} are encrypted: BACKUP_PASSPHRASE or BACKUP_KEY_FILE is needed.`)
  const sealer = await openSealer(passphrase, head.encryption)
  await sealer.open(HEAD, Buffer.from(head.check, 'base64')).catch(() => {
    throw new RepositoryError(`The passphrase is not the one of the backups in ${place}.`)
  })
  return sealer
}

/** Not put yet. */
async function makeHead(storage: Storage, { passphrase, owner = '' }: RepositoryKey): Promise<Head> {
  if ((await storage.list('')).size > 0)
    throw new RepositoryError(`${storage.name} is not empty, and holds no backups.`)
  const encryption = passphrase === null ? null : newStretching()
  const sealer = encryption && passphrase !== null ? await openSealer(passphrase, encryption) : plainSealer
  const head: Head = { format: FORMAT, owner, encryption, check: (await sealer.seal(HEAD, CHECK)).toString('base64') }
  return head
}

async function readHead(storage: Storage): Promise<Head | undefined> {
  const bytes = await storage.get(HEAD)
  if (!bytes) return undefined
  try {
    const head = JSON.parse(bytes.toString('utf8')) as Head
    if (head.format === FORMAT) return head
  } catch {
    // told below
  }
  throw new RepositoryError(`${storage.name} was written by a newer version, or ${HEAD} in it is damaged.`)
}

/** Its letters and digits sort by time. */
export const newBackupId = (nowMs: number): string =>
  `${new Date(nowMs).toISOString().replace(/[-:]|\.\d{3}/g, '')}-${randomBytes(3).toString('hex')}`

const idShape = /^\d{8}T\d{6}Z-[0-9a-f]{6}$/

const pieceName = (id: string): string => `${PIECES}${id.slice(0, FOLDER_LETTERS)}/${id}`

export class Repository {
  readonly place: string
  readonly #storage: Storage
  readonly #sealer: Sealer
  /** Pieces that are there; listed once. */
  #pieces: Promise<Map<string, Listed>> | undefined

  /** Of a new place; put before anything else is. */
  #unwritten: Head | undefined

  private constructor(storage: Storage, sealer: Sealer, unwritten: Head | undefined) {
    this.place = storage.name
    this.#storage = storage
    this.#sealer = sealer
    this.#unwritten = unwritten
  }

  /** @throws RepositoryError when there is none, it is somebody else's, or the passphrase is another one. */
  static async open(storage: Storage, key: RepositoryKey): Promise<Repository> {
    const { passphrase, owner } = key
    const found = await readHead(storage)
    const head = found ?? (owner === undefined ? undefined : await makeHead(storage, key))
    if (!head) throw new RepositoryError(`There are no backups in ${storage.name}.`)
    if (owner !== undefined && head.owner !== owner)
      throw new RepositoryError(`${storage.name} has the backups of another installation, of another SECRET.`)
    return new Repository(storage, await sealerFor(head, passphrase, storage.name), found ? undefined : head)
  }

  get isEncrypted(): boolean {
    return this.#sealer.isEncrypted
  }

  /** @returns the piece's id, and how many bytes had to be put. */
  async putPiece(bytes: Uint8Array): Promise<{ readonly id: string; readonly put: number }> {
    const id = await this.#sealer.nameOf(bytes)
    const pieces = await this.pieces()
    if (pieces.has(id)) return { id, put: 0 }
    const sealed = await this.#sealer.seal(id, bytes)
    await this.#put(pieceName(id), sealed)
    pieces.set(id, { bytes: sealed.length, putMs: Date.now() })
    return { id, put: sealed.length }
  }

  /** @throws DamagedError when it is not there, or not what was put. */
  async getPiece(id: string): Promise<Buffer> {
    const sealed = await this.#storage.get(pieceName(id))
    if (!sealed) throw new DamagedError(`The piece ${id} is missing.`)
    const bytes = await this.#sealer.open(id, sealed)
    if (!(await isNamed(this.#sealer, id, bytes))) throw new DamagedError(`The piece ${id} is damaged.`)
    return bytes
  }

  /** By id. */
  pieces(): Promise<Map<string, Listed>> {
    this.#pieces ??= this.#storage
      .list(PIECES)
      .then(
        (found) =>
          new Map([...found].map(([name, listed]) => [name.slice(PIECES.length + FOLDER_LETTERS + 1), listed])),
      )
    return this.#pieces
  }

  /** The summary comes last: without it, there is no backup. */
  async putBackup(manifest: Manifest): Promise<void> {
    const { id } = manifest.summary
    await this.#putJson(`${BACKUPS}${id}/manifest`, manifest)
    await this.#putJson(`${BACKUPS}${id}/summary`, manifest.summary)
  }

  /** @throws DamagedError @throws RepositoryError when there is none. */
  async getBackup(id: string): Promise<Manifest> {
    if (!idShape.test(id)) throw new RepositoryError(`${id} is no id of a backup.`)
    const manifest = await this.#getJson<Manifest>(`${BACKUPS}${id}/manifest`)
    if (!manifest) throw new RepositoryError(`There is no backup ${id} in ${this.place}.`)
    return manifest
  }

  /** Ids of the whole ones, newest first. */
  async listIds(): Promise<string[]> {
    const names = [...(await this.#storage.list(BACKUPS)).keys()]
    const ids = names.filter((name) => name.endsWith('/summary')).map((name) => name.split('/')[1] ?? '')
    return ids.toSorted().toReversed()
  }

  /** Newest first. @throws DamagedError */
  async listBackups(): Promise<Summary[]> {
    const found: Summary[] = []
    for (const id of await this.listIds()) {
      const summary = await this.#getJson<Summary>(`${BACKUPS}${id}/summary`)
      if (summary) found.push(summary)
    }
    return found
  }

  /**
   * Removes all but the newest, and the pieces that no backup needs. Not beside a backup that is being taken.
   * @returns how many backups went.
   */
  async prune(keep: number, nowMs: number): Promise<number> {
    const ids = await this.listIds()
    const old = ids.slice(keep)
    for (const id of old)
      for (const name of ['summary', 'manifest']) await this.#storage.remove(`${BACKUPS}${id}/${name}`)
    const used = new Set<string>()
    for (const id of ids.slice(0, keep))
      for (const { pieces } of storedIn(await this.getBackup(id))) for (const piece of pieces) used.add(piece)
    this.#pieces = undefined
    for (const [id, { putMs }] of await this.pieces())
      if (!used.has(id) && putMs < nowMs - UNUSED_MS) await this.#storage.remove(pieceName(id))
    this.#pieces = undefined
    return old.length
  }

  async #putJson(name: string, value: object): Promise<void> {
    await this.#put(name, await this.#sealer.seal(name, Buffer.from(JSON.stringify(value))))
  }

  async #put(name: string, bytes: Uint8Array): Promise<void> {
    if (this.#unwritten) await this.#storage.put(HEAD, Buffer.from(`${JSON.stringify(this.#unwritten)}\n`))
    this.#unwritten = undefined
    await this.#storage.put(name, bytes)
  }

  async #getJson<Value>(name: string): Promise<Value | undefined> {
    const sealed = await this.#storage.get(name)
    if (!sealed) return undefined
    const bytes = await this.#sealer.open(name, sealed)
    try {
      return JSON.parse(bytes.toString('utf8')) as Value
    } catch (error) {
      throw new DamagedError(`${name} is damaged.`, { cause: error })
    }
  }
}
