// Where files that visitors send are kept: a folder of this machine, or S3-compatible storage.
import { join, resolve } from 'node:path'
import type { Config } from '../config.ts'
import { openStorage, type Storage } from '../storage/storage.ts'

export interface UploadStorage {
  readonly storage: Storage
  /** On this machine: files that are still arriving. */
  readonly drafts: string
}

export function openUploads(config: Config): UploadStorage {
  const { uploadsTo, uploadsS3Url: url, uploadsS3Region: region, uploadsS3KeyId: keyId } = config
  const credentials = 'UPLOADS_S3_KEY_ID and UPLOADS_S3_SECRET'
  const target = uploadsTo ?? join(config.dataDir, 'uploads')
  return {
    storage: openStorage(target, { url, region, keyId, secret: config.uploadsS3Secret, credentials }),
    drafts: resolve(config.dataDir, 'upload-drafts'),
  }
}
