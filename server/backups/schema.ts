// What the endpoints of backups answer.
import { Type } from 'typebox'
import { described, type JsonOf, MaybeNumber, MaybeText, oneOf, open, orNull } from '../http/shapes.ts'

export const BackupRunShape = Type.Object(
  {
    id: Type.String({ examples: ['bk_…'] }),
    state: oneOf(['asked', 'running', 'done', 'failed']),
    target: Type.String({ description: 'A folder, or s3://bucket/prefix.' }),
    is_scheduled: Type.Boolean(),
    progress: Type.Number({ description: '0 to 1.' }),
    new_bytes: Type.Integer({ description: 'What had to be added to what was there.' }),
    backup_id: MaybeText,
    error: MaybeText,
    asked_ts: Type.Integer(),
    finished_ts: MaybeNumber,
  },
  open,
)
export type BackupRunJson = JsonOf<typeof BackupRunShape>

const BackupSetupShape = Type.Object(
  {
    target: described(MaybeText, 'A folder, or s3://bucket/prefix; null: BACKUP_TO is not set.'),
    schedule: described(
      orNull(Type.Object({ every: oneOf(['hour', 'day', 'week']), minute: Type.Integer() }, open)),
      'When one is taken, in minutes into the hour, the day or the week (from Monday), UTC; null: only on demand.',
    ),
    next_ts: described(MaybeNumber, 'When the schedule is due next; null without one.'),
    keep: Type.Integer({ description: 'How many backups are kept.' }),
    is_encrypted: Type.Boolean(),
    facts: Type.Boolean({ description: 'False: they are on a server, and not in the backups.' }),
    records: Type.Boolean({ description: 'False: they are on a server, and not in the backups.' }),
  },
  open,
)
export type BackupSetupJson = JsonOf<typeof BackupSetupShape>

const BackupShape = Type.Object(
  {
    id: Type.String({ examples: ['20261123T030000Z-a1b2c3'] }),
    version: Type.String({ description: 'Version of Footfall that took it.' }),
    created_ts: Type.Integer({ description: 'Whatever was acknowledged before is in it.' }),
    took_seconds: Type.Integer(),
    bytes: Type.Integer({ description: 'Of everything that a restore writes.' }),
    new_bytes: Type.Integer(),
    facts: Type.Boolean({ description: 'False: they are on a server.' }),
    records: Type.Boolean({ description: 'False: they are on a server.' }),
  },
  open,
)
export type BackupJson = JsonOf<typeof BackupShape>

export const setupFields = { setup: BackupSetupShape }

export const runFields = { run: BackupRunShape }

export const listFields = {
  backups: Type.Array(BackupShape, { description: 'What can be restored, newest first.' }),
  runs: Type.Array(BackupRunShape, { description: 'The last ones that were asked for, newest first.' }),
}
