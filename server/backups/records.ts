// Runs of backups: asked for by people and by the schedule, taken by whichever process claims them. One at a
// time, of all processes.
import { sql } from 'kysely'
import { type Records, isUniqueViolation, type Tx } from '../stores/records.ts'
import type { BackupRunRow } from '../stores/tables.ts'

/** Of the newest; older rows go. */
const MOST_RUNS = 200

const notEnded = ['asked', 'running'] as const

/**
 * Runs the work while no other transaction can write to the records. To be short: everybody waits.
 */
export function holdingWrites<Result>(records: Records, work: () => Promise<Result>): Promise<Result> {
  return records.transaction().execute(async (tx) => {
    // The first statement takes the lock.
    await sql`select 1`.execute(tx)
    return work()
  })
}

/** False when another process has asked for the same time of the schedule. */
export async function insertRun(records: Records, run: BackupRunRow): Promise<boolean> {
  try {
    await records.insertInto('backup_runs').values(run).execute()
    return true
  } catch (error) {
    if (isUniqueViolation(error)) return false
    throw error
  }
}

/** Newest first. */
export const listRuns = (records: Records, limit: number): Promise<BackupRunRow[]> =>
  records.selectFrom('backup_runs').selectAll().orderBy('asked_ms', 'desc').orderBy('id', 'desc').limit(limit).execute()

export const findRun = (records: Records, id: string): Promise<BackupRunRow | undefined> =>
  records.selectFrom('backup_runs').selectAll().where('id', '=', id).executeTakeFirst()

/** One that begins later has all that was acknowledged by now. */
export const findAsked = (records: Records, target: string): Promise<BackupRunRow | undefined> =>
  records
    .selectFrom('backup_runs')
    .selectAll()
    .where('state', '=', 'asked')
    .where('target', '=', target)
    .executeTakeFirst()

/** @param slot milliseconds. */
export async function hasSlot(records: Records, slot: number): Promise<boolean> {
  const row = await records.selectFrom('backup_runs').select('id').where('slot', '=', slot).executeTakeFirst()
  return row !== undefined
}

/** Whether there is anything to do at all: asked every second. */
export async function hasOpenRuns(records: Records): Promise<boolean> {
  const row = await records
    .selectFrom('backup_runs')
    .select('id')
    .where('state', 'in', notEnded)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** @param sinceMs of the last sign of life: what has given none since broke off. */
export async function endBrokenRuns(records: Records, sinceMs: number, nowMs: number): Promise<void> {
  await records
    .updateTable('backup_runs')
    .set({ state: 'failed', ended_ms: nowMs, note: 'The process that took it ended.' })
    .where('state', '=', 'running')
    .where('beat_ms', '<', sinceMs)
    .execute()
}

/** The oldest that waits, when none is under way: a unique index decides between processes. */
export async function claimRun(records: Records, nowMs: number): Promise<BackupRunRow | undefined> {
  const run = await records
    .selectFrom('backup_runs')
    .selectAll()
    .where('state', '=', 'asked')
    .orderBy('asked_ms')
    .limit(1)
    .executeTakeFirst()
  if (!run) return undefined
  try {
    const { numUpdatedRows } = await records
      .updateTable('backup_runs')
      .set({ state: 'running', started_ms: nowMs, beat_ms: nowMs })
      .where('id', '=', run.id)
      .where('state', '=', 'asked')
      .executeTakeFirst()
    return numUpdatedRows > 0n ? { ...run, state: 'running', started_ms: nowMs } : undefined
  } catch (error) {
    if (isUniqueViolation(error)) return undefined
    throw error
  }
}

export async function noteProgress(
  records: Records,
  id: string,
  progress: Pick<BackupRunRow, 'beat_ms' | 'done_bytes' | 'all_bytes'>,
): Promise<void> {
  await records.updateTable('backup_runs').set(progress).where('id', '=', id).execute()
}

export async function noteBeat(records: Records, id: string, nowMs: number): Promise<void> {
  await records.updateTable('backup_runs').set({ beat_ms: nowMs }).where('id', '=', id).execute()
}

export type Ending = Pick<BackupRunRow, 'state' | 'ended_ms' | 'backup_id' | 'new_bytes' | 'note'>

export async function endRun(records: Records, id: string, ending: Ending): Promise<void> {
  await records.updateTable('backup_runs').set(ending).where('id', '=', id).execute()
  const kept = records
    .selectFrom('backup_runs')
    .select('id')
    .orderBy('asked_ms', 'desc')
    .orderBy('id', 'desc')
    .limit(MOST_RUNS)
  await records.deleteFrom('backup_runs').where('state', 'in', ['done', 'failed']).where('id', 'not in', kept).execute()
}

/** What a command asked for that nobody has begun. False when somebody has. */
export async function withdrawRun(records: Records, id: string): Promise<boolean> {
  const { numDeletedRows } = await records
    .deleteFrom('backup_runs')
    .where('id', '=', id)
    .where('state', '=', 'asked')
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** The newest that is whole, and when the newest failed. */
export async function lastRuns(records: Records): Promise<{ doneMs: number | null; failedMs: number | null }> {
  const rows = await records
    .selectFrom('backup_runs')
    .select((of) => ['state', of.fn.max('ended_ms').as('ended_ms')])
    .where('state', 'in', ['done', 'failed'])
    .groupBy('state')
    .execute()
  const of = (state: string): number | null => rows.find((row) => row.state === state)?.ended_ms ?? null
  return { doneMs: of('done'), failedMs: of('failed') }
}

/** A restored store was under way with the backup that it comes from. */
export async function endRestoredRun(records: Records | Tx): Promise<void> {
  await records
    .updateTable('backup_runs')
    .set({ state: 'done', note: 'Restored from it.' })
    .where('state', '=', 'running')
    .execute()
  await records.deleteFrom('backup_runs').where('state', '=', 'asked').execute()
}
