// The upkeep of the full-text index over contacts in SQLite: what it forgets at once, and how it is rid of what it only marked as gone.
// On PostgreSQL there is nothing to do: its index is kept by the vacuum.
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { recordsKind, type Records, type Tx } from './records.ts'

/** Pages of the index that one step of a merge writes. It holds the write lock for so long; writes of others wait for it. */
const PAGES = 64
/** More than an index of millions of contacts has; one that grows meanwhile is not chased for ever. */
const MAX_STEPS = 20_000
/** Between two steps others may write. */
const REST_MS = 15

const command = (name: string, rank: number) =>
  sql`insert into contacts_search(contacts_search, rank) values (${name}, ${rank})`

/**
 * What `work` takes out of contacts leaves nothing in the index. Costs as much as a thousand other changes, since every place of the index
 * in which the text stands is written anew; without it a text that goes is marked as gone, until the index is next merged.
 */
export async function forgetting<T>(records: Records, tx: Tx, work: () => Promise<T>): Promise<T> {
  if (recordsKind(records) !== 'sqlite') return work()
  await command('secure-delete', 1).execute(tx)
  const result = await work()
  await command('secure-delete', 0).execute(tx)
  return result
}

async function changesOf(tx: Tx): Promise<number> {
  const { rows } = await sql<{ count: number }>`select total_changes() as count`.execute(tx)
  return rows[0]!.count
}

/** SQLite's documentation names fewer than two changed rows as the sign that there was nothing to merge. */
function didMerge(records: Records, pages: number): Promise<boolean> {
  return records.transaction().execute(async (tx) => {
    const before = await changesOf(tx)
    await command('merge', pages).execute(tx)
    return (await changesOf(tx)) - before >= 2
  })
}

/** Merges the whole index, so that what was marked as gone is left out of it. Takes a while; others write in between. */
export async function dropMarked(records: Records): Promise<void> {
  if (recordsKind(records) !== 'sqlite') return
  // The first step, by its minus, puts everything that there is into the merge; those after it carry it on.
  for (let step = 0; step < MAX_STEPS && (await didMerge(records, step === 0 ? -PAGES : PAGES)); step++)
    await pause(REST_MS)
}
