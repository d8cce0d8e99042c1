// What goes when a form holds too many submissions, in which order, and what the owner is told of it. Junk
// goes first: nothing that strangers send pushes out what people wrote while there is any junk left.
import type { Deps } from '../kernel/deps.ts'
import { STEP_ROWS } from '../stores/steps.ts'
import { deleteSubmissions, type RemoveDeps } from './erase.ts'
import {
  claimForm,
  type Evicted,
  kinds,
  listNextEvicted,
  noteEvicted,
  noteStored,
  releaseForm,
  type Tier,
  tiers,
} from './eviction-records.ts'
import { MAX_KEPT, MAX_KEPT_DROPPED } from '../forms/form-model.ts'
import { countSubmissionRows, findPlaceBeyond, type FormScope, type SubmissionFilter } from './list-records.ts'

/** A node that has not removed anything of a form for so long has gone. */
const CLAIM_MS = 60_000
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

/**
 * Each step begins behind the one before: those that stay are looked at once. @returns how many of them were
 * still there.
 */
async function evictOldest(deps: EvictDeps, scope: FormScope, { tier, upTo, most }: Oldest): Promise<number> {
  const { propertyId, formId } = scope
  let evicted = 0
  for (let after = 0; evicted < most;) {
    const places = { after, upTo, limit: Math.min(STEP_ROWS, most - evicted) }
    const rows = await listNextEvicted(deps.records, formId, tier, places)
    const last = rows.at(-1)
    if (!last) break
    const atMs = deps.now()
    evicted += await deleteSubmissions(deps, propertyId, rows, (tx, count) =>
      noteEvicted(tx, formId, kinds[tier], { count, atMs, untilMs: atMs + CLAIM_MS }),
    )
    after = last.seq
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

/** By the node that has the form. */
async function evictClaimed(deps: EvictDeps, scope: FormScope, limits: KeptLimits): Promise<number> {
  // Counted again: until now another node may have had it.
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

/** @returns how many were removed; 0 also while another node removes them. */
export async function evictTooMany(deps: EvictDeps, scope: FormScope, limits: KeptLimits): Promise<number> {
  const { records } = deps
  const count = await countSubmissionRows(records, scope, everything)
  if (count < limits.all * NEARLY && count <= limits.dropped) {
    await noteStored(records, scope.formId, null)
    return 0
  }
  const nowMs = deps.now()
  if (!(await claimForm(records, scope.formId, nowMs, nowMs + CLAIM_MS))) return 0
  try {
    return await evictClaimed(deps, scope, limits)
  } finally {
    await releaseForm(records, scope.formId)
  }
}
