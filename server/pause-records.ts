// The pause of all writes, and the processes that keep it. A pause is over when its row is gone and not
// before: whoever resumes writing takes the row away first, so whoever had asked for it can tell.
import type { Records } from './stores/records.ts'
import { besideGate } from './stores/records/gated.ts'

/** The only one there can be. */
const NAME = 'move'

export interface PauseRow {
  readonly id: string
  /** Milliseconds; null: until somebody ends it. */
  readonly until_ms: number | null
  /** Where the facts are by now, when they alone were moved; null otherwise. */
  readonly moved_to: string | null
}

/** Wherever the facts are. */
export const findAnyPause = (records: Records): Promise<PauseRow | undefined> =>
  records.selectFrom('write_pauses').select(['id', 'until_ms', 'moved_to']).where('name', '=', NAME).executeTakeFirst()

/**
 * When facts alone are moved, both sides have the same records: the pause is then of the side they were on.
 * @param place of the facts of whoever asks (placeOfFacts).
 */
export async function findPause(records: Records, place: string): Promise<PauseRow | undefined> {
  const pause = await findAnyPause(records)
  return pause?.moved_to === place ? undefined : pause
}

/** False when there is one already. */
export async function beginPause(records: Records, id: string, untilMs: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await records
    .insertInto('write_pauses')
    .values({ name: NAME, id, until_ms: untilMs })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

async function changePause(records: Records, id: string, change: Partial<PauseRow>): Promise<boolean> {
  const { numUpdatedRows } = await records
    .updateTable('write_pauses')
    .set(change)
    .where('id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/**
 * Makes one that is over where the facts are now the next one, without a moment in between in which others
 * write where they were. False when it has ended.
 */
export const renewPause = (records: Records, before: string, id: string, untilMs: number): Promise<boolean> =>
  changePause(records, before, { id, until_ms: untilMs, moved_to: null })

/** False when it has ended. */
export const extendPause = (records: Records, id: string, untilMs: number): Promise<boolean> =>
  changePause(records, id, { until_ms: untilMs })

/** Until somebody ends it. @param movedTo see PauseRow. @returns false when it has ended. */
export const keepPause = (records: Records, id: string, movedTo: string | null): Promise<boolean> =>
  changePause(records, id, { until_ms: null, moved_to: movedTo })

/** Whichever it is. False when there is none. */
export async function endPause(records: Records, id?: string): Promise<boolean> {
  const query = besideGate(records).deleteFrom('write_pauses')
  const { numDeletedRows } = await (id === undefined ? query : query.where('id', '=', id)).executeTakeFirst()
  return numDeletedRows > 0n
}

/** One that nobody has renewed. False when somebody has, or has ended it. */
export async function endLapsedPause(records: Records, id: string, nowMs: number): Promise<boolean> {
  const { numDeletedRows } = await besideGate(records)
    .deleteFrom('write_pauses')
    .where('id', '=', id)
    .where('until_ms', '<=', nowMs)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export interface WriterRow {
  readonly id: string
  readonly seen_ms: number
  readonly pause_id: string
}

/** Says that a process is there, and which pause it keeps. */
export async function noteWriter(records: Records, writer: WriterRow): Promise<void> {
  const { seen_ms, pause_id } = writer
  await besideGate(records)
    .insertInto('writers')
    .values(writer)
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ seen_ms, pause_id }))
    .execute()
}

/** Heard of since. */
export const listWriters = (records: Records, sinceMs: number): Promise<WriterRow[]> =>
  records.selectFrom('writers').selectAll().where('seen_ms', '>=', sinceMs).execute()

export async function removeWriter(records: Records, id: string): Promise<void> {
  await besideGate(records).deleteFrom('writers').where('id', '=', id).execute()
}

/** @param beforeMs those heard of last before it. */
export async function removeWriters(records: Records, beforeMs: number): Promise<void> {
  await besideGate(records).deleteFrom('writers').where('seen_ms', '<', beforeMs).execute()
}
