// Backups that were asked for, are being taken, or have ended: what processes agree by, and what people see.
import { sql } from 'kysely'
import type { RecordMigration } from '../records.ts'

export const backupRuns: RecordMigration = {
  name: '036_backup_runs',
  up: async (tx) => {
    await tx.schema
      .createTable('backup_runs')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('target', 'text', (column) => column.notNull())
      .addColumn('slot', 'bigint', (column) => column.unique())
      .addColumn('is_encrypted', 'integer', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('asked_ms', 'bigint', (column) => column.notNull())
      .addColumn('started_ms', 'bigint')
      .addColumn('beat_ms', 'bigint', (column) => column.notNull())
      .addColumn('ended_ms', 'bigint')
      .addColumn('done_bytes', 'bigint', (column) => column.notNull())
      .addColumn('all_bytes', 'bigint', (column) => column.notNull())
      .addColumn('new_bytes', 'bigint', (column) => column.notNull())
      .addColumn('backup_id', 'text')
      .addColumn('note', 'text', (column) => column.notNull())
      .execute()
    // Of all processes, one takes a backup at a time.
    await sql`create unique index backup_runs_under_way on backup_runs (state) where state = 'running'`.execute(tx)
    await tx.schema.createIndex('backup_runs_by_state').on('backup_runs').column('state').execute()
  },
}
