// What goes when a form holds too many submissions, in which order, and what the owner is told of it. Junk goes first: nothing that strangers send
// pushes out what people wrote while there is any junk left.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Deps } from '../kernel/deps.ts'
import { deleteSubmissions, type RemoveDeps } from './erase.ts'
import {
  endOfStretch,
  type Evicted,
  type EvictedPlaces,
  kinds,
  listNextEvicted,
  noteEvicted,
  noteStored,
  type Tier,
  tiers,
} from './eviction-records.ts'
import { MAX_KEPT, MAX_KEPT_DROPPED } from './form.ts'
import { countSubmissionRows, findPlaceBeyond, type FormScope, type SubmissionFilter } from './list-records.ts'

/** Rows that one statement deletes: some milliseconds, with their indexes and what is overwritten. */
const ROWS_AT_ONCE = 100
/** From this part of the limit on the owner is told that it comes near. */
const NEARLY = 0.9

export interface KeptLimits {
  readonly all: number
  readonly dropped: number
}

export const usualLimits: KeptLimits = { all: MAX_KEPT, dropped: MAX_KEPT_DROPPED }

export type EvictDeps = RemoveDeps & Pick<Deps, 'now' | 'log'>

/** Dropped, and the owner has not said otherwise. */
const droppedAlone: SubmissionFilter = { show: 'spam', verdict: 'dropped' }
const everything: SubmissionFilter = { show: 'all' }

// ---------------------------------------------------------------- what goes

interface Oldest {
  readonly tier: Tier
  /** The last place that goes. */
  readonly upTo: number
  readonly most: number
}

async function evictSome(
  deps: EvictDeps,
  { propertyId, formId }: FormScope,
  tier: Tier,
  places: EvictedPlaces,
): Promise<number> {
  const rows = await listNextEvicted(deps.records, formId, tier, places)
  const note = { count: rows.length, atMs: deps.now() }
  await deleteSubmissions(deps, propertyId, rows, (tx) => noteEvicted(tx, formId, kinds[tier], note))
  await nextTurn()
  return rows.length
}

/** Each stretch begins behind the last one: those that stay are looked at once. */
async function evictOldest(deps: EvictDeps, scope: FormScope, { tier, upTo, most }: Oldest): Promise<number> {
  let evicted = 0
  for (let after = 0; evicted < most && after < upTo;) {
    const end = await endOfStretch(deps.records, scope.formId, after)
    if (end === undefined) break
    const last = Math.min(end, upTo)
    for (;;) {
      const wanted = Math.min(ROWS_AT_ONCE, most - evicted)
      const some = wanted === 0 ? 0 : await evictSome(deps, scope, tier, { after, last, limit: wanted })
      evicted += some
      if (some < ROWS_AT_ONCE) break
    }
    after = last
  }
  return evicted
}

/** Of dropped ones more than the limit tell an owner nothing. */
async function evictDropped(deps: EvictDeps, scope: FormScope, keep: number): Promise<number> {
  const upTo = await findPlaceBeyond(deps.records, scope, droppedAlone, keep)
  return upTo === undefined ? 0 : evictOldest(deps, scope, { tier: 'dropped', upTo, most: Infinity })
}

function tell({ log }: EvictDeps, { propertyId, formId }: FormScope, evicted: Evicted): void {
  const count = evicted.spam + evicted.flagged + evicted.clean
  const told = { property: propertyId, form: formId, ...evicted }
  if (count > 0) log.warn(told, 'submissions removed: the form held more than a form may')
}

/** @returns how many were removed. */
export async function evictTooMany(deps: EvictDeps, scope: FormScope, limits: KeptLimits): Promise<number> {
  const count = await countSubmissionRows(deps.records, scope, everything)
  const evicted = { spam: 0, flagged: 0, clean: 0 }
  if (count > limits.dropped) evicted.spam += await evictDropped(deps, scope, limits.dropped)
  let excess = count - evicted.spam - limits.all
  for (const tier of tiers) {
    if (excess <= 0) break
    const some = await evictOldest(deps, scope, { tier, upTo: Number.MAX_SAFE_INTEGER, most: excess })
    evicted[kinds[tier]] += some
    excess -= some
  }
  const removed = evicted.spam + evicted.flagged + evicted.clean
  const left = count - removed
  await noteStored(deps.records, scope.formId, left >= limits.all * NEARLY ? left : null)
  tell(deps, scope, evicted)
  return removed
}
