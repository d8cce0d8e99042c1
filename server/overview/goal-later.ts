// What comes after a span of days and counts for its sessions: conversions of contacts who were there before.
// They are few, so they are looked for one by one.
import type { Credit, FirstRow } from '../analytics/credit-sql.ts'
import { type MetRow, readMet } from '../analytics/linked-facts.ts'
import type { Scope } from '../analytics/facts.ts'
import { boundsOf, keyText, type SessionKey } from '../sessions/sessions.ts'
import type { Facts } from '../stores/facts.ts'
import { countCredited, type GoalParts, type GoalQuery } from './goal-facts.ts'

const seenIn = ({ seen_day, seen_session }: FirstRow): SessionKey => ({ day: seen_day, session: seen_session })
const firstOf = ({ first_day, first_session }: FirstRow): SessionKey => ({ day: first_day, session: first_session })

/** What is credited to an earlier session. */
export interface Later extends SessionKey {
  readonly hits: number
  readonly cents: number
}

/** By the first session of each contact. */
function addUp(rows: readonly MetRow[], firsts: readonly FirstRow[]): Later[] {
  const bySeen = new Map(firsts.map((row) => [keyText(seenIn(row)), firstOf(row)]))
  const sums = new Map<string, Later>()
  for (const { hits, cents, ...seen } of rows) {
    const first = bySeen.get(keyText(seen)) ?? seen
    const sum = sums.get(keyText(first)) ?? { ...first, hits: 0, cents: 0 }
    sums.set(keyText(first), { ...sum, hits: sum.hits + Number(hits), cents: sum.cents + cents })
  }
  return [...sums.values()]
}

const laterRows = `SELECT tupleElement(later, 1) AS day, tupleElement(later, 2) AS session, tupleElement(later, 3) AS hits,
  tupleElement(later, 4) AS cents, tupleElement(later, 5) AS is_new
FROM (SELECT arrayJoin(arrayZip({later_days:Array(Date)}, {later_sessions:Array(UInt64)}, {later_hits:Array(UInt64)},
  {later_cents:Array(Float64)}, {later_new:Array(UInt8)})) AS later)`
const isLater = 'AND (day, session) IN arrayZip({later_days:Array(Date)}, {later_sessions:Array(UInt64)})'

/**
 * What sessions since a day add to earlier ones.
 * @param firsts of all contacts who have had a session since then.
 */
export async function findLater(
  facts: Facts,
  scope: Scope,
  credit: Credit,
  { since, firsts }: { readonly since: string; readonly firsts: readonly FirstRow[] },
): Promise<Later[]> {
  const { day_from, day_to } = boundsOf(scope.propertyId, scope.span)
  const returned = firsts.filter(
    ({ seen_day, first_day }) => seen_day >= since && first_day >= day_from && first_day <= day_to,
  )
  return addUp(await readMet(facts, scope, credit, returned.map(seenIn)), returned)
}

interface Added {
  readonly later: readonly Later[]
  /** YYYY-MM-DD */
  readonly since: string
  /** Of the contacts of these sessions. */
  readonly firsts: readonly FirstRow[]
}

/** What this makes of the sessions of the scope. */
export async function readLaterParts(
  facts: Facts,
  scope: Scope,
  ask: GoalQuery,
  { later, since, firsts }: Added,
): Promise<GoalParts> {
  const firstKeys = new Set(later.map(keyText))
  const before = firsts.filter((row) => row.seen_day < since && firstKeys.has(keyText(firstOf(row))))
  const met = await readMet(facts, scope, ask.credit, [...later, ...before.map(seenIn)])
  const known = new Set(addUp(met, before).map(keyText))
  const params = {
    later_days: later.map(({ day }) => day),
    later_sessions: later.map(({ session }) => BigInt(session)),
    later_hits: later.map(({ hits }) => hits),
    later_cents: later.map(({ cents }) => cents),
    later_new: later.map((each) => Number(!known.has(keyText(each)))),
  }
  return countCredited(facts, scope, ask, { credited: { sql: laterRows, params }, also: isLater })
}
