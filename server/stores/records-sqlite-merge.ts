// A thread of its own that merges the search index of the records file it is told of, until there is nothing left to merge.
// A step is bounded by what it writes, not by what it reads: one that finds all of its input gone may take seconds.
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { workerData } from 'node:worker_threads'

/** Pages of the index that one step writes. It holds the write lock for so long; writes of others wait for it. */
const PAGES = 64
/** More than an index of millions of contacts has; one that grows meanwhile is not chased for ever. */
const MAX_STEPS = 20_000
/** Between two steps others may write. */
const REST_MS = 15
const BUSY_WAIT_MS = 30_000

const database = new DatabaseSync(String(workerData), { timeout: BUSY_WAIT_MS })
database.exec('pragma synchronous = full; pragma secure_delete = on')
const merge = database.prepare("insert into contacts_search(contacts_search, rank) values ('merge', ?)")
const changes = database.prepare('select total_changes() as count')
const changesNow = () => Number(changes.get()?.['count'])

/** SQLite's documentation names fewer than two changed rows as the sign that there was nothing to merge. */
function didMerge(pages: number): boolean {
  const before = changesNow()
  merge.run(BigInt(pages))
  return changesNow() - before >= 2
}

try {
  // The first step, by its minus, puts everything that there is into the merge; those after it carry it on.
  for (let step = 0; step < MAX_STEPS && didMerge(step === 0 ? -PAGES : PAGES); step++) await pause(REST_MS)
} finally {
  database.close()
}
