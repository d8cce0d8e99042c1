// The shape of the records of backups.

export interface BackupRunRow {
  id: string
  /** A folder, or s3://bucket/prefix. */
  target: string
  /** The time of the schedule that it is for, in milliseconds; null: somebody asked. */
  slot: number | null
  /** Not 0: with the passphrase of whoever asked, which the one who takes it must have, too. */
  is_encrypted: number
  state: 'asked' | 'running' | 'done' | 'failed'
  asked_ms: number
  started_ms: number | null
  /** The last sign of life of whoever takes it. */
  beat_ms: number
  ended_ms: number | null
  done_bytes: number
  all_bytes: number
  /** What had to be added. */
  new_bytes: number
  /** Of what came of it. */
  backup_id: string | null
  /** Why it failed; in words. */
  note: string
}

export interface BackupTables {
  backup_runs: BackupRunRow
}
