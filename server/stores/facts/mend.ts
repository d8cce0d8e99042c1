// After a crash: a row that was on its way may have reached its table and not yet the sessions folded from
// it. Nobody was told that it was stored, but the figures must agree with each other all the same.
import type { Facts } from '../facts.ts'
import { storedName } from '../migrations/facts.ts'

/**
 * Rows that far before the newest one of all tables are sent through the folds again. An insert under way is
 * a matter of seconds; more would only make a start slower, and a day that is over would have to be settled
 * again (docs/decisions/0027-settled-days.md).
 */
const MEND_SECONDS = 60

/** Tables that sessions are folded from, and when a row of each came. */
const sources = [
  { table: 'views', time: 'seen' },
  { table: 'events', time: 'at' },
  { table: 'clicks', time: 'at' },
  { table: 'form_events', time: 'at' },
] as const

/** Mends once, and tries until it has. */
export function openMending(facts: Facts): () => Promise<void> {
  let isDone = false
  return async () => {
    if (!isDone) await mendFolds(facts)
    isDone = true
  }
}

/**
 * To be run at every start: before the first question where the facts are this process's alone, and soon
 * after it on servers, since the more others write meanwhile, the longer it takes. Inserting a row again
 * changes no figure: each fold takes it once. In a cluster each node mends its own part.
 */
export async function mendFolds(facts: Facts): Promise<void> {
  const filled = await listFilled(facts)
  const mended = sources
    .map(({ table, time }) => ({ stored: storedName(table, facts.layout), time }))
    .filter(({ stored }) => filled.has(stored))
  // The newest days alone are searched for the newest row; an order of an old session may come in late, and
  // lies in its old day.
  const recent = (stored: string) => `day >= (SELECT max(day) FROM ${stored}) - 1`
  const newest = mended.map(({ stored, time }) => `(SELECT max(${time}) FROM ${stored} WHERE ${recent(stored)})`)
  for (const { stored, time } of mended) {
    await facts.command(
      'mendFolds',
      `INSERT INTO ${stored} SELECT * FROM ${stored}
       WHERE ${recent(stored)} AND ${time} >= greatest(${newest.join(', ')}) - INTERVAL ${MEND_SECONDS} SECOND`,
      'shard',
    )
  }
}

/**
 * Names of the tables that hold rows on some node. Sending none through the folds takes the engine a third of
 * a start.
 */
async function listFilled(facts: Facts): Promise<Set<string>> {
  const { layout } = facts
  const parts = layout.cluster ? `clusterAllReplicas('${layout.cluster}', system.parts)` : 'system.parts'
  const rows = await facts.query<{ name: string }>(
    'mendFolds',
    `SELECT DISTINCT table AS name FROM ${parts} WHERE active AND database = currentDatabase()`,
  )
  return new Set(rows.map(({ name }) => name))
}
