// Changes of many rows, a few at a time: each step is a transaction of its own, so that whoever else writes
// comes in between.
import type { DeleteResult, UpdateResult } from 'kysely'

/** Rows of one step: some milliseconds, with their indexes and what is overwritten. */
export const STEP_ROWS = 100

/**
 * Repeats a step until it finds nothing. Fewer than it may change is no sign of the end: another node may
 * have changed the others.
 * @param step changes so many rows at most, and returns how many it changed.
 * @returns how many all steps changed.
 */
export async function inSteps(step: (most: number) => Promise<number>, most: number = STEP_ROWS): Promise<number> {
  for (let done = 0; ;) {
    const some = await step(most)
    if (some === 0) return done
    done += some
  }
}

/** How many rows a statement deleted or changed. */
export async function changedBy(query: {
  executeTakeFirstOrThrow(): Promise<DeleteResult | UpdateResult>
}): Promise<number> {
  const result = await query.executeTakeFirstOrThrow()
  return Number('numDeletedRows' in result ? result.numDeletedRows : result.numUpdatedRows)
}
