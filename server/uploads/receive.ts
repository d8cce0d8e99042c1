// Takes in one file: streamed to the disk of this machine, recognised by its content, and only then put into
// storage. Whatever goes wrong, nothing of it stays; what a crash leaves is swept (sweep.ts).
import { createHash } from 'node:crypto'
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { Context } from '../context.ts'
import type { FileRule, FileType } from '../forms/form-model.ts'
import { Problem } from '../kernel/problem.ts'
import { newId } from '../kernel/secrets.ts'
import { sharingCommit } from '../stores/records.ts'
import { cleanName } from './file-names.ts'
import { fileTypeOf, HEAD_BYTES } from './file-types.ts'
import { deleteUpload, finishUpload, insertUpload, lockRoom, sumBytes, type UploadRow, weighUnused } from './records.ts'

export type UploadDeps = Pick<Context, 'config' | 'records' | 'uploads' | 'now' | 'randomBytes' | 'log'>

/** How long a file waits for its form to be sent. */
export const UNUSED_MS = 3_600_000
/**
 * Of one address, without a form sent with them: more than people choose at once, and too little to fill the
 * room of a property within the hour.
 */
const MOST_UNUSED = 100
const MOST_UNUSED_BYTES = 100 * 1024 * 1024
const MB = 1024 * 1024

/** What a file is sent for. */
export interface Target {
  readonly propertyId: string
  readonly addressMac: string
  /** '': it comes with its form. */
  readonly sessionHash: string
  readonly field: string
  readonly rule: FileRule
}

export type PendingUpload = Pick<UploadRow, 'id' | 'field' | 'name' | 'type' | 'bytes' | 'sha256'>

/** Why a file is not taken; anything else is a Problem. */
export type FileFault = 'type' | 'size'

const full = (sentence: string, cause?: unknown) => new Problem('no_room', sentence, { cause })

/**
 * Room is reserved before the first byte is written. Calls of the same moment, on whatever node, take turns:
 * together they pass no limit, and none is refused for one that is refused itself.
 */
async function reserve({ config, records, now }: UploadDeps, row: UploadRow): Promise<void> {
  await sharingCommit(records, async (tx) => {
    await lockRoom(tx, row)
    await insertUpload(tx, { ...row, expires_ms: now() + UNUSED_MS })
    const unused = await weighUnused(tx, row.address_mac)
    if (unused.count > MOST_UNUSED || unused.bytes > MOST_UNUSED_BYTES)
      throw new Problem('rate_limited', 'Too many files from this IP address. Try again in an hour.')
    if ((await sumBytes(tx, row.property_id)) > config.uploadsMb * MB)
      throw full('There is no room for more files: the message was not sent.')
  })
}

interface Written {
  readonly bytes: number
  readonly type: FileType
  readonly sha256: string
}

/** Left early, the rest can still be read: browsers hear no refusal before they have sent all. */
async function* chunksOf(content: Readable): AsyncGenerator<Buffer> {
  let head: Buffer = Buffer.alloc(0)
  for await (const chunk of content.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    if (head.length >= HEAD_BYTES) yield chunk
    else if ((head = Buffer.concat([head, chunk])).length >= HEAD_BYTES) yield head
  }
  if (head.length < HEAD_BYTES) yield head
}

/** The first chunk holds all that is needed to recognise the file. */
async function write(file: FileHandle, content: Readable, rule: FileRule): Promise<Written | FileFault> {
  const sum = createHash('sha256')
  let bytes = 0
  let type: FileType | undefined
  for await (const chunk of chunksOf(content)) {
    type ??= fileTypeOf(chunk)
    if (type === undefined || !rule.types.includes(type)) return 'type'
    bytes += chunk.length
    if (bytes > rule.max_bytes) return 'size'
    sum.update(chunk)
    await file.writeFile(chunk)
  }
  return type === undefined ? 'type' : { bytes, type, sha256: sum.digest('hex') }
}

async function keepWritten(
  { uploads, records }: UploadDeps,
  row: UploadRow,
  path: string,
  written: Written,
): Promise<PendingUpload> {
  await uploads.storage.putFile(row.id, { path, bytes: written.bytes, sha256: written.sha256 })
  if (!(await finishUpload(records, { id: row.id, ...written }))) throw full('The file took too long to arrive.')
  return { ...row, ...written }
}

async function writeDraft(path: string, content: Readable, rule: FileRule): Promise<Written | FileFault> {
  const file = await open(path, 'wx', 0o600)
  try {
    return await write(file, content, rule)
  } finally {
    await file.close()
  }
}

const fullCodes: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EROFS'])

/** A full disk is said to be one: the message can be sent without files. */
function told(error: unknown): unknown {
  if (error instanceof Problem || !(error instanceof Error)) return error
  const { code } = error as { code?: unknown }
  if (fullCodes.has(code)) return full('There is no room for files at the moment: the message was not sent.', error)
  return new Problem('unavailable', 'The file cannot be stored at the moment.', { cause: error })
}

/** @throws Problem: no_room, rate_limited, unavailable; what breaks off the request. */
export async function receiveFile(
  deps: UploadDeps,
  { propertyId, addressMac, sessionHash, field, rule }: Target,
  { name, content }: { readonly name: string; readonly content: Readable },
): Promise<PendingUpload | FileFault> {
  const row: UploadRow = {
    id: newId(deps, 'up'),
    property_id: propertyId,
    bytes: rule.max_bytes,
    expires_ms: 0,
    attached_id: null,
    address_mac: addressMac,
    session_hash: sessionHash,
    field,
    name: cleanName(name),
    type: '',
    sha256: '',
  }
  await reserve(deps, row)
  const path = join(deps.uploads.drafts, row.id)
  let isKept = false
  try {
    await mkdir(deps.uploads.drafts, { recursive: true, mode: 0o700 })
    const written = await writeDraft(path, content, rule)
    if (typeof written === 'string') return written
    const upload = await keepWritten(deps, row, path, written)
    isKept = true
    return upload
  } catch (error) {
    throw told(error)
  } finally {
    await rm(path, { force: true })
    if (!isKept) await discardUpload(deps, row.id)
  }
}

/** At once; what cannot be deleted now is swept. */
export async function discardUpload({ uploads, records, log }: UploadDeps, id: string): Promise<void> {
  try {
    await uploads.storage.remove(id)
    await deleteUpload(records, id)
  } catch (error) {
    log.warn({ err: error }, 'an unused upload is removed later')
  }
}
