// The upkeep of the full-text index over contacts in SQLite: what it forgets at once, and how it is rid of what it only marked as gone.
// On PostgreSQL there is nothing to do: its index is kept by the vacuum.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { sql } from 'kysely'
import { Problem } from '../kernel/problem.ts'
import { recordsKind, type Records, type Tx } from './records.ts'

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

async function fileOf(records: Records): Promise<string> {
  const { rows } = await sql<{ file: string }>`select file from pragma_database_list where name = 'main'`.execute(
    records,
  )
  return rows[0]?.file ?? ''
}

/** Merges the whole index, so that what was marked as gone is left out of it. Takes a while, in a thread of its own. */
export async function dropMarked(records: Records): Promise<void> {
  if (recordsKind(records) !== 'sqlite') return
  const entry = new URL('./records-sqlite-merge.ts', import.meta.url)
  const worker = new Worker(entry, { workerData: await fileOf(records), execArgv: [] })
  try {
    await once(worker, 'exit')
  } catch (error) {
    throw new Problem('unavailable', 'The records cannot be written at the moment.', {
      cause: error,
      retryAfterSeconds: 5,
    })
  }
}
