// A backup that somebody asks for, as it is written down first.
import type { BackupRunRow } from '../stores/tables.ts'

export interface NewRun {
  readonly id: string
  readonly target: string
  readonly isEncrypted: boolean
  readonly nowMs: number
}

export const newRun = ({ id, target, isEncrypted, nowMs }: NewRun): BackupRunRow => ({
  id,
  target,
  slot: null,
  is_encrypted: Number(isEncrypted),
  state: 'asked',
  asked_ms: nowMs,
  started_ms: null,
  beat_ms: nowMs,
  ended_ms: null,
  done_bytes: 0,
  all_bytes: 0,
  new_bytes: 0,
  backup_id: null,
  note: '',
})
