// Where backups are kept: named pieces of bytes, in a folder or in S3-compatible storage. A piece that has
// been put is there whole, or not at all.
import type { Config } from '../config.ts'
import { FolderStorage } from './folder-storage.ts'
import { S3Storage } from './s3-storage.ts'

/** A piece as a list tells of it. */
export interface Listed {
  readonly bytes: number
  /** When it was put, in milliseconds by the storage's clock. */
  readonly putMs: number
}

export interface Storage {
  /** For people. */
  readonly name: string
  put(name: string, bytes: Uint8Array): Promise<void>
  /** Undefined when there is none. */
  get(name: string): Promise<Buffer | undefined>
  /** By name, all that begin so. */
  list(prefix: string): Promise<Map<string, Listed>>
  /** Nothing happens when there is none. */
  remove(name: string): Promise<void>
}

export type StorageSettings = Pick<Config, 'backupS3Url' | 'backupS3Region' | 'backupS3KeyId' | 'backupS3Secret'>

/**
 * @param target a folder, or s3://bucket/prefix.
 * @throws Error with a sentence for the owner when a setting is missing.
 */
export function openStorage(target: string, settings: StorageSettings): Storage {
  const [, bucket, prefix = ''] = /^s3:\/\/([^/]+)\/?(.*)$/.exec(target) ?? []
  if (bucket === undefined) return new FolderStorage(target)
  const { backupS3Url, backupS3Region: region, backupS3KeyId: keyId, backupS3Secret: secret } = settings
  if (keyId === null || secret === null) throw new Error(`${target} needs BACKUP_S3_KEY_ID and BACKUP_S3_SECRET.`)
  const url = backupS3Url ?? `https://s3.${region}.amazonaws.com`
  return new S3Storage({ url, bucket, prefix: prefix.replace(/\/*$/, '/').replace(/^\/$/, ''), region, keyId, secret })
}
