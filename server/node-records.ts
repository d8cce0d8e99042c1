// The nodes of an installation: each has a row for as long as it runs.
import type { Records } from './stores/records.ts'
import { besideGate } from './stores/records/gated.ts'

/** Says that a node is alive, and forgets those that are not. @returns how many there are. */
export async function noteNode(records: Records, id: string, at: { nowMs: number; goneMs: number }): Promise<number> {
  await records
    .insertInto('nodes')
    .values({ id, seen_ms: at.nowMs })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ seen_ms: at.nowMs }))
    .execute()
  await records.deleteFrom('nodes').where('seen_ms', '<', at.goneMs).execute()
  const { count } = await records
    .selectFrom('nodes')
    .select((each) => each.fn.countAll<string | number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function removeNode(records: Records, id: string): Promise<void> {
  await besideGate(records).deleteFrom('nodes').where('id', '=', id).execute()
}
