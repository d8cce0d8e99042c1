// Where things are kept outside the stores: named pieces of bytes, in a folder or in S3-compatible storage. A
// piece that has been put is there whole, or not at all.
import type { Readable } from 'node:stream'
import { FolderStorage } from './folder-storage.ts'
import { S3Storage } from './s3-storage.ts'

/** A piece as a list tells of it. */
export interface Listed {
  readonly bytes: number
  /** When it was put, in milliseconds by the storage's clock. */
  readonly putMs: number
}

/** A whole file of this machine. */
export interface LocalFile {
  readonly path: string
  readonly bytes: number
  /** Hex. */
  readonly sha256: string
}

export interface Storage {
  /** For people. */
  readonly name: string
  put(name: string, bytes: Uint8Array): Promise<void>
  /** A file of any size, which is read bit by bit and stays where it is. */
  putFile(name: string, file: LocalFile): Promise<void>
  /** Undefined when there is none. */
  get(name: string): Promise<Buffer | undefined>
  /** The same, bit by bit. */
  open(name: string): Promise<Readable | undefined>
  /** By name, all that begin so. */
  list(prefix: string): Promise<Map<string, Listed>>
  /** Nothing happens when there is none. */
  remove(name: string): Promise<void>
}

/** Of S3-compatible storage; null: not set. */
export interface StorageSettings {
  readonly url: string | null
  readonly region: string
  readonly keyId: string | null
  readonly secret: string | null
  /** The names of the settings that hold the two, for the owner. */
  readonly credentials: string
}

/**
 * @param target a folder, or s3://bucket/prefix.
 * @throws Error with a sentence for the owner when a setting is missing.
 */
export function openStorage(target: string, settings: StorageSettings): Storage {
  const [, bucket, prefix = ''] = /^s3:\/\/([^/]+)\/?(.*)$/.exec(target) ?? []
  if (bucket === undefined) return new FolderStorage(target)
  const { region, keyId, secret, credentials } = settings
  if (keyId === null || secret === null) throw new Error(`${target} needs ${credentials}.`)
  const url = settings.url ?? `https://s3.${region}.amazonaws.com`
  return new S3Storage({ url, bucket, prefix: prefix.replace(/\/*$/, '/').replace(/^\/$/, ''), region, keyId, secret })
}
