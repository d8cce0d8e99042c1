// What the endpoints of backups answer.
import { Type } from 'typebox'
import { type JsonOf, MaybeNumber, MaybeText, oneOf, open } from '../http/shapes.ts'

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

const BackupShape = Type.Object(
  {
    id: Type.String({ examples: ['20261123T030000Z-a1b2c3'] }),
    version: Type.String({ description: 'Of the program that took it.' }),
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

export const runFields = { run: BackupRunShape }

export const listFields = {
  backups: Type.Array(BackupShape, { description: 'What can be restored, newest first.' }),
  runs: Type.Array(BackupRunShape, { description: 'The last ones that were asked for, newest first.' }),
}
