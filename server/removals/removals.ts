// Facts of one property that go: because it was deleted, because its owner begins anew, or because they are
// older than it keeps them. Any process works at it, a week at a time; what breaks off is begun again where
// it was.
import { setTimeout as sleep } from 'node:timers/promises'
import { dayOf, DAYS_A_WEEK, mondayOf, storedDay } from '../kernel/days.ts'
import type { Deps } from '../kernel/deps.ts'
import { newId } from '../kernel/secrets.ts'
import { listKeeping } from '../properties/properties.ts'
import type { FactRemovalRow } from '../stores/tables.ts'
import { countStored, listWeeks, removeWeek } from './facts.ts'
import { claimRemoval, findLastRemoval, findOpenRemoval, insertRemoval, noteRemoval } from './records.ts'
import type { RemovalJson, StoredJson } from './schema.ts'

export type RemovalDeps = Pick<Deps, 'facts' | 'records' | 'now' | 'randomBytes'>

/** Later than any day of a fact. */
const ALL = '2149-01-01'
/** Other nodes know a deleted property for two seconds more, and acknowledge what comes for it. */
const STILL_KNOWN_MS = 10_000
/** Who works at it says so with each week, and while one is rewritten. */
const CLAIM_MS = 120_000
const PAUSE_MS = 200

type Asked = Pick<FactRemovalRow, 'property_id' | 'reason' | 'before_day'>

/** Answers at once. What is under way for the same reason is enough. */
async function ask(deps: RemovalDeps, asked: Asked, waitMs = 0): Promise<FactRemovalRow> {
  const { records, now } = deps
  const open = await findOpenRemoval(records, asked.property_id, asked.reason)
  if (open && open.reason !== 'reset') return open
  const row: FactRemovalRow = {
    ...asked,
    id: newId(deps, 'rm'),
    state: 'removing',
    weeks: 0,
    created_ms: now(),
    claimed_until_ms: now() + waitMs,
    finished_ms: null,
  }
  await insertRemoval(records, row)
  return row
}

/** Of a property that nobody reaches any more. */
export async function removeAllFacts(deps: RemovalDeps, propertyId: string): Promise<void> {
  await ask(deps, { property_id: propertyId, reason: 'deleted', before_day: ALL }, STILL_KNOWN_MS)
}

/** All up to now; what comes from now on counts, also while it is under way. */
export async function resetProperty(deps: RemovalDeps, propertyId: string): Promise<RemovalJson> {
  const nextMonday = storedDay(mondayOf(dayOf(deps.now())) + DAYS_A_WEEK)
  // What another node has acknowledged from its log is then in the store.
  const waitMs = deps.facts.layout.database === null ? 0 : STILL_KNOWN_MS
  return removalJson(await ask(deps, { property_id: propertyId, reason: 'reset', before_day: nextMonday }, waitMs))
}

const removalJson = ({ id, reason, state, weeks, created_ms, finished_ms }: FactRemovalRow): RemovalJson => ({
  id,
  reason,
  state,
  weeks,
  created_ts: Math.floor(created_ms / 1000),
  finished_ts: finished_ms === null ? null : Math.floor(finished_ms / 1000),
})

/** What a removal would take, and the last one. */
export async function findStored(
  { facts, records }: Pick<RemovalDeps, 'facts' | 'records'>,
  propertyId: string,
): Promise<{ stored: StoredJson; removal: RemovalJson | null }> {
  const [stored, last] = [await countStored(facts, propertyId), await findLastRemoval(records, propertyId)]
  return { stored, removal: last ? removalJson(last) : null }
}

/** Asks for what properties of their own retention keep no longer. @returns how many have some. */
export async function removeOutlived(deps: RemovalDeps): Promise<number> {
  let asked = 0
  for (const { id, kept_days } of await listKeeping(deps)) {
    const before = storedDay(dayOf(deps.now()) - kept_days)
    if ((await listWeeks(deps.facts, id, before)).length === 0) continue
    await ask(deps, { property_id: id, reason: 'retention', before_day: before })
    asked++
  }
  return asked
}

/** The newest week that is left. @returns undefined when it is another one's by now. */
async function takeStep(deps: RemovalDeps, row: FactRemovalRow): Promise<FactRemovalRow | undefined> {
  const { facts, records, now } = deps
  const { property_id: property, before_day, reason, weeks } = row
  const [week] = await listWeeks(facts, property, before_day)
  if (week === undefined) {
    // What arrived late, in weeks that had been looked at already.
    const isToBeLookedAtAgain = reason === 'deleted' && before_day !== ALL
    return noteRemoval(
      records,
      row,
      isToBeLookedAtAgain ? { before_day: ALL } : { state: 'removed', finished_ms: now() },
    )
  }
  let own: FactRemovalRow | undefined = row
  const claim = async (): Promise<void> => {
    await sleep(PAUSE_MS)
    own =
      own &&
      (await noteRemoval(records, own, {
        claimed_until_ms: Math.max(now(), own.claimed_until_ms - CLAIM_MS + 1) + CLAIM_MS,
      }))
    if (!own) throw new Error('another process removes these facts')
  }
  const untilMs = reason === 'reset' ? row.created_ms : undefined
  await removeWeek(facts, { property, week, untilMs }, claim)
  return own && noteRemoval(records, own, { before_day: week, weeks: weeks + 1 })
}

/**
 * Works at whatever is there. To be called again and again, by every process.
 * @returns the weeks that are gone.
 */
export async function workOnRemovals(deps: RemovalDeps): Promise<number> {
  let weeks = 0
  for (;;) {
    const nowMs = deps.now()
    let row = await claimRemoval(deps.records, { nowMs, untilMs: nowMs + CLAIM_MS })
    if (!row) return weeks
    while (row?.state === 'removing') {
      const next: FactRemovalRow | undefined = await takeStep(deps, row)
      if (next && next.weeks > row.weeks) weeks++
      row = next
    }
  }
}
