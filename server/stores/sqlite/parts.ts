// Short transactions whose statements are known beforehand: those of one moment go to the thread of SQLite in
// one message and share a commit. Each keeps to itself: one that fails takes nothing of the others along.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { CompiledQuery, QueryResult } from 'kysely'
import { Problem } from '../../kernel/problem.ts'
import { busyDeadline, explained, type Lanes, resultOf } from './lanes.ts'
import type { Part, PartOutcome } from './worker.ts'

/** Parts of one commit: each is a fraction of a millisecond of work, during which nobody else writes. */
const PARTS_AT_ONCE = 200
/** Those that wait for a commit. More are told to come again. */
const MOST_WAITING = 5_000
const RETRY_SECONDS = 2

/**
 * @param isGuarded a statement that changes nothing is the last that is run.
 * @returns what each statement that was run has answered.
 * @throws what a statement threw: then none has changed anything.
 */
export type WriteParts = (
  statements: readonly CompiledQuery[],
  isGuarded: boolean,
) => Promise<readonly QueryResult<unknown>[]>

interface Waiting extends PromiseWithResolvers<readonly QueryResult<unknown>[]> {
  readonly part: Part
}

function tell({ resolve, reject }: Waiting, outcome: PartOutcome): void {
  if ('answers' in outcome) resolve(outcome.answers.map(resultOf))
  else reject(explained(Object.assign(outcome.error as Error, outcome.codes)))
}

async function commit(lanes: Lanes, taken: readonly Waiting[]): Promise<void> {
  const deadline = busyDeadline()
  try {
    const endTurn = await lanes.turns.take()
    const parts = taken.map(({ part }) => part)
    const outcomes = await lanes.writeParts(parts, deadline).finally(endTurn)
    taken.forEach((waiting, index) => tell(waiting, outcomes[index]!))
  } catch (error) {
    for (const { reject } of taken) reject(error)
  }
}

export function openParts(lanes: Lanes): WriteParts {
  let waiting: Waiting[] = []
  let isUnderWay = false

  const run = async (): Promise<void> => {
    isUnderWay = true
    // What the same turn of the event loop brings goes along.
    await nextTurn()
    while (waiting.length > 0) {
      const taken = waiting.slice(0, PARTS_AT_ONCE)
      waiting = waiting.slice(PARTS_AT_ONCE)
      await commit(lanes, taken)
    }
    isUnderWay = false
  }

  return (compiled, isGuarded) => {
    if (waiting.length >= MOST_WAITING)
      return Promise.reject(
        new Problem('unavailable', 'Too many changes are waiting.', { retryAfterSeconds: RETRY_SECONDS }),
      )
    const statements = compiled.map(({ sql, parameters }) => ({ sql, parameters }))
    const one = { part: { statements, isGuarded }, ...Promise.withResolvers<readonly QueryResult<unknown>[]>() }
    waiting.push(one)
    if (!isUnderWay) void run()
    return one.promise
  }
}
