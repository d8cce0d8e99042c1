// The settings of backups, as rows of settings.ts.
import { asItIs, atLeast, backupSchedule, backupTarget, httpUrl, whole } from './setting-values.ts'

/** Whoever has the files can try passphrases for as long as they like. */
const PASSPHRASE_CHARACTERS = 16

export const backupSettings = {
  BACKUP_TO: {
    key: 'backupTo',
    type: 'folder, or s3://BUCKET/PREFIX',
    fallback: null,
    read: backupTarget,
    sentence:
      'Where backups are stored. Must not be shared with other installations. Backups are incremental, and each can be restored on its own.',
  },
  BACKUP_SCHEDULE: {
    key: 'backupSchedule',
    type: 'hourly, daily HH:MM or weekly DAY HH:MM, in UTC',
    default: 'no automatic backups',
    fallback: null,
    read: backupSchedule,
    sentence:
      'When to back up to BACKUP_TO. One process does it, however many there are. A backup missed while nothing ran is taken at the next start.',
  },
  BACKUP_KEEP: {
    key: 'backupKeep',
    fallback: 14,
    ...whole(1, 10_000),
    sentence: 'How many backups to keep in BACKUP_TO. Older ones are deleted once a new one is complete.',
  },
  BACKUP_PASSPHRASE: {
    key: 'backupPassphrase',
    type: `text of at least ${PASSPHRASE_CHARACTERS} characters`,
    default: 'not encrypted',
    fallback: null,
    read: atLeast(PASSPHRASE_CHARACTERS),
    sentence: 'Encrypts backups. They cannot be restored without it, so keep a copy somewhere else.',
  },
  BACKUP_KEY_FILE: {
    key: 'backupKeyFile',
    type: 'file',
    fallback: null,
    read: asItIs,
    sentence: 'A file with the passphrase for backups, instead of BACKUP_PASSPHRASE.',
  },
  BACKUP_S3_URL: {
    key: 'backupS3Url',
    default: 'https://s3.BACKUP_S3_REGION.amazonaws.com',
    fallback: null,
    ...httpUrl,
    sentence: 'The URL of the S3-compatible storage for s3:// targets, without the bucket.',
  },
  BACKUP_S3_REGION: {
    key: 'backupS3Region',
    type: 'name',
    fallback: 'us-east-1',
    read: asItIs,
    sentence: 'The region of the storage, which is part of every signature.',
  },
  BACKUP_S3_KEY_ID: {
    key: 'backupS3KeyId',
    type: 'text',
    fallback: null,
    read: asItIs,
    sentence: 'The access key id for s3:// targets.',
  },
  BACKUP_S3_SECRET: {
    key: 'backupS3Secret',
    type: 'text',
    fallback: null,
    read: asItIs,
    sentence: 'The secret of the access key.',
  },
} as const
