// Exports as files under DATA_DIR/exports, a folder for each process, which nobody else may read: written
// piece by piece, never larger than allowed, and gone when they are no longer asked for.
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rm, stat, statfs, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { MAX_FILE_BYTES, type Part, SPARE_BYTES } from './export.ts'

const reasons = {
  too_large: 'The file would be too large: choose a narrower window.',
  too_many: 'There is no room for this export. Delete others, or wait until they expire.',
  no_room: 'The disk of the service is full.',
} as const

/** Why there is no file, in words for the owner. */
export class ExportFault extends Error {
  readonly code: keyof typeof reasons

  constructor(code: ExportFault['code']) {
    super(reasons[code])
    this.name = 'ExportFault'
    this.code = code
  }
}

export async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
}

/** Shows that the process of the folder is alive. */
export async function touch(folder: string, nowMs: number): Promise<void> {
  // There is none as long as nothing was exported.
  await utimes(folder, nowMs / 1000, nowMs / 1000).catch(() => undefined)
}

const changedMs = (path: string): Promise<number> =>
  stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  )

async function lastChangedMs(path: string): Promise<number> {
  const names = await readdir(path).catch(() => [])
  return Math.max(...(await Promise.all([path, ...names.map((name) => join(path, name))].map(changedMs))))
}

/** Everything in the folder but this, unless it was changed since. */
export async function removeOthers(folder: string, kept: string, sinceMs: number): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name)
    if (name !== kept && (await lastChangedMs(path)) < sinceMs) await removeFile(path)
  }
}

export async function removeFile(path: string): Promise<void> {
  await rm(path, { force: true, recursive: true })
}

/** 0 when there is none yet. */
export async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  )
}

/** @throws ExportFault when the stores would be left with too little. */
export async function assertRoom(folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize < SPARE_BYTES) throw new ExportFault('no_room')
}

/** @param room for all files together, less what the others have. @throws ExportFault */
export function assertSize(bytes: number, room: number): void {
  if (bytes > MAX_FILE_BYTES) throw new ExportFault('too_large')
  if (bytes > room) throw new ExportFault('too_many')
}

export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOSPC'

/** Looked at now and then: asking costs a call of the system. */
const PARTS_BETWEEN_LOOKS = 200

export interface Writing {
  readonly signal: AbortSignal
  /** After each part. */
  readonly told: (rows: number, bytes: number) => void
  /** Bytes that this file may have beside the others. */
  readonly room: () => number
}

/** @throws ExportFault; the reason of the signal. */
export async function writeParts(
  path: string,
  folder: string,
  parts: AsyncIterable<Part>,
  { signal, told, room }: Writing,
): Promise<void> {
  async function* checked(): AsyncGenerator<Buffer> {
    let bytes = 0
    let count = 0
    for await (const part of parts) {
      signal.throwIfAborted()
      const piece = Buffer.from(part.text)
      bytes += piece.length
      assertSize(bytes, room())
      if (count++ % PARTS_BETWEEN_LOOKS === 0) await assertRoom(folder)
      told(part.rows, bytes)
      yield piece
      await nextTurn()
    }
  }
  await pipeline(checked, createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal })
}
