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
      'Where backups are kept, of this installation alone. Each one adds what is new since the last; any of them can be restored by itself.',
  },
  BACKUP_SCHEDULE: {
    key: 'backupSchedule',
    type: 'hourly, daily HH:MM or weekly DAY HH:MM, in UTC',
    default: 'none are taken unasked',
    fallback: null,
    read: backupSchedule,
    sentence:
      'When a backup is taken into BACKUP_TO, by one process however many there are. What was missed while nothing ran is taken at the next start.',
  },
  BACKUP_KEEP: {
    key: 'backupKeep',
    fallback: 14,
    ...whole(1, 10_000),
    sentence: 'So many backups are kept in BACKUP_TO; older ones are removed once a new one is whole.',
  },
  BACKUP_PASSPHRASE: {
    key: 'backupPassphrase',
    type: `text of at least ${PASSPHRASE_CHARACTERS} characters`,
    default: 'not encrypted',
    fallback: null,
    read: atLeast(PASSPHRASE_CHARACTERS),
    sentence: 'Encrypts backups. Nobody can restore them without it: keep it elsewhere than here.',
  },
  BACKUP_KEY_FILE: {
    key: 'backupKeyFile',
    type: 'file',
    fallback: null,
    read: asItIs,
    sentence: 'A file that holds the passphrase of backups, instead of BACKUP_PASSPHRASE.',
  },
  BACKUP_S3_URL: {
    key: 'backupS3Url',
    default: 'https://s3.BACKUP_S3_REGION.amazonaws.com',
    fallback: null,
    ...httpUrl,
    sentence: 'The S3-compatible storage of an s3:// target, without the bucket.',
  },
  BACKUP_S3_REGION: {
    key: 'backupS3Region',
    type: 'name',
    fallback: 'us-east-1',
    read: asItIs,
    sentence: 'Its region, which is part of each signature.',
  },
  BACKUP_S3_KEY_ID: {
    key: 'backupS3KeyId',
    type: 'text',
    fallback: null,
    read: asItIs,
    sentence: 'The access key of an s3:// target.',
  },
  BACKUP_S3_SECRET: {
    key: 'backupS3Secret',
    type: 'text',
    fallback: null,
    read: asItIs,
    sentence: 'The secret of this access key.',
  },
} as const
