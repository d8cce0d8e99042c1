// Lets go of facts that are older than the owner wants to keep, a whole week at a time: a partition is
// dropped, no row is rewritten.
import { dayOf, DAYS_A_WEEK } from '../../kernel/days.ts'
import type { Facts } from '../facts.ts'

/**
 * Drops each week (Monday to Sunday) whose last day is more than `days` days before today, UTC. So every day
 * of the last `days` is kept whole, and up to six older ones stay until their week is over too. Bots and
 * visitors alike.
 * @param now milliseconds.
 * @returns the Mondays of the weeks that were dropped.
 */
export async function dropOldFacts(facts: Facts, days: number, now: number): Promise<string[]> {
  const firstKept = dayOf(now) - days
  const tables = await listPartitions(facts)
  const old = tables.filter(({ partition }) => dayOf(Date.parse(partition)) + DAYS_A_WEEK <= firstKept)
  for (const { table, partition } of old) {
    // Sessions go with the views and events they were folded from; each table is asked with its own days.
    // Marks are the last of a week to go: without them what is still there would be counted.
    await facts.command('dropOldFacts', `ALTER TABLE ${table} DROP PARTITION '${partition}'`, 'shard')
  }
  return [...new Set(old.map(({ partition }) => partition))].toSorted()
}

/**
 * Merges every partition into one part, as the background does in its own time.
 * For after the demo and imports, so that the first questions are as quick as the later ones.
 */
export async function settleFacts(facts: Facts): Promise<void> {
  for (const { table, partition, parts } of await listPartitions(facts)) {
    if (Number(parts) > 1)
      await facts.command('settleFacts', `OPTIMIZE TABLE ${table} PARTITION '${partition}' FINAL`, 'shard')
  }
}

interface Partition {
  readonly table: string
  /** Its Monday, YYYY-MM-DD. */
  readonly partition: string
  /** The most that one node has. */
  readonly parts: string
}

function listPartitions(facts: Facts): Promise<Partition[]> {
  const { cluster } = facts.layout
  const parts = cluster ? `cluster('${cluster}', system.parts)` : 'system.parts'
  return facts.query<Partition>(
    'listPartitions',
    `SELECT table, partition, max(parts) AS parts FROM (
       SELECT hostName() AS host, tcpPort() AS port, table, partition, count() AS parts FROM ${parts}
       WHERE active AND database = currentDatabase() AND match(partition, '^[0-9]{4}-[0-9]{2}-[0-9]{2}$')
       GROUP BY host, port, table, partition
     ) GROUP BY table, partition ORDER BY partition, table = 'marks', table`,
  )
}
