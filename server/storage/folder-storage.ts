// Storage in a folder: a piece is written under another name, synced, and then given its own.
import { randomBytes } from 'node:crypto'
import { copyFile, type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import type { Listed, LocalFile, Storage } from './storage.ts'

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT'

/** Of a piece that is being written; what a crash leaves of one is never listed. */
const DRAFT = '.draft-'

async function synced(file: FileHandle, write: (file: FileHandle) => Promise<void>): Promise<void> {
  try {
    await write(file)
    await file.sync()
  } finally {
    await file.close()
  }
}

export class FolderStorage implements Storage {
  readonly name: string

  constructor(folder: string) {
    this.name = resolve(folder)
  }

  put(name: string, bytes: Uint8Array): Promise<void> {
    return this.#place(name, async (draft) => {
      await synced(await open(draft, 'wx', 0o600), (file) => file.writeFile(bytes))
    })
  }

  putFile(name: string, { path }: LocalFile): Promise<void> {
    return this.#place(name, async (draft) => {
      await copyFile(path, draft)
      await synced(await open(draft, 'r+'), (file) => file.chmod(0o600))
    })
  }

  async get(name: string): Promise<Buffer | undefined> {
    try {
      return await readFile(join(this.name, name))
    } catch (error) {
      if (isMissing(error)) return undefined
      throw error
    }
  }

  async open(name: string): Promise<Readable | undefined> {
    try {
      return (await open(join(this.name, name), 'r')).createReadStream()
    } catch (error) {
      if (isMissing(error)) return undefined
      throw error
    }
  }

  async list(prefix: string): Promise<Map<string, Listed>> {
    const found = new Map<string, Listed>()
    for (const entry of await this.#entries(prefix)) {
      const path = join(entry.parentPath, entry.name)
      if (!entry.isFile() || entry.name.startsWith(DRAFT)) continue
      const { size, mtimeMs } = await stat(path)
      found.set(path.slice(this.name.length + 1), { bytes: size, putMs: mtimeMs })
    }
    return found
  }

  async remove(name: string): Promise<void> {
    await rm(join(this.name, name), { force: true })
  }

  async #place(name: string, write: (draft: string) => Promise<void>): Promise<void> {
    const path = join(this.name, name)
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const draft = join(dirname(path), `${DRAFT}${randomBytes(8).toString('hex')}`)
    try {
      await write(draft)
      await rename(draft, path)
    } catch (error) {
      await rm(draft, { force: true })
      throw error
    }
    await this.#syncFolder(dirname(path))
  }

  /** A prefix is a folder. */
  async #entries(prefix: string) {
    try {
      return await readdir(join(this.name, prefix), { recursive: true, withFileTypes: true })
    } catch (error) {
      if (isMissing(error)) return []
      throw error
    }
  }

  /** Without it a power cut could take the name. */
  async #syncFolder(path: string): Promise<void> {
    const folder = await open(path, 'r')
    try {
      await folder.sync()
    } finally {
      await folder.close()
    }
  }
}
