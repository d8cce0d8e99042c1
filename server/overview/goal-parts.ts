// Conversions of the goal of an overview, put together of what is known of the days before today, which is
// kept for as long as nothing of an earlier day is written, and of what today adds: to its own sessions, and
// to earlier ones of the same contacts. docs/decisions/0084-goals-in-parts.md.
import { hash } from 'node:crypto'
import { addGoalCounts, type GoalCounts, noGoalCounts } from '../analytics/goal-counts.ts'
import type { Fragment } from '../analytics/clause-sql.ts'
import { type Credit, creditedAmong, creditedSql, type FirstRow } from '../analytics/credit-sql.ts'
import { contactsOf, firstsAmong, readLinked } from '../analytics/linked-facts.ts'
import type { Scope } from '../analytics/facts.ts'
import { cutAt } from '../analytics/window-parts.ts'
import { DAY_MS, dayFromText, dayOf, NEVER_MS, storedDay } from '../kernel/days.ts'
import { boundsOf } from '../sessions/sessions.ts'
import { readWithin } from './figures.ts'
import type { OverviewDeps } from './facts.ts'
import { keyOfValue, type ListedValue, readAloneParts, readGoalParts } from './goal-facts.ts'
import { isOfEvents, keptToday } from './kept.ts'
import { findLater, readLaterParts } from './goal-later.ts'
import { type ReadGoal, sharedByWindows } from './goal-windows.ts'

/** Plain data, as answers are kept. */
export interface GoalCounted {
  /** By edge. */
  readonly parts: readonly GoalCounts[]
  /** By keyOfValue. */
  readonly rows: Readonly<Record<string, GoalCounts>>
}

interface GoalAsk {
  readonly credit: Credit
  /** Ascending milliseconds: parts of the scope begin there. */
  readonly edges: readonly number[]
  /** What is counted by value. */
  readonly values: readonly ListedValue[]
  /** Whether what is known of the days before today may be of use to the next question. */
  readonly isKept: boolean
}

async function counted(scope: Scope, { credit, edges, values }: GoalAsk, read: ReadGoal): Promise<GoalCounted> {
  let rows: GoalCounted['rows'] = {}
  const parts = await readWithin(scope, edges, {
    read: async (own, inside) => {
      const { byEdge, byValue } = await read(own, { credit, edges: inside, values })
      rows = Object.fromEntries(byValue)
      return inside.map((edge) => byEdge.get(edge) ?? noGoalCounts)
    },
    none: noGoalCounts,
  })
  return { parts, rows }
}

function addCounted(all: readonly GoalCounted[]): GoalCounted {
  const rows: Record<string, GoalCounts> = {}
  for (const [key, counts] of all.flatMap((one) => Object.entries(one.rows)))
    rows[key] = addGoalCounts(rows[key] ?? noGoalCounts, counts)
  const most = all.toSorted((a, b) => b.parts.length - a.parts.length)[0]?.parts ?? []
  const parts = most.map((_, index) =>
    all.reduce((sum, one) => addGoalCounts(sum, one.parts[index] ?? noGoalCounts), noGoalCounts),
  )
  return { parts, rows }
}

interface Reads {
  /** What is credited to sessions. */
  readonly credited: ReadGoal
  /** What has none. */
  readonly alone: ReadGoal
}

const aloneFrom =
  ({ facts }: OverviewDeps): ReadGoal =>
  async (scope, query) => ({ byEdge: await readAloneParts(facts, scope, query), byValue: new Map() })

const readsOf = (deps: OverviewDeps, credited: Fragment): Reads => ({
  credited: (scope, query) => readGoalParts(deps.facts, scope, query, credited),
  alone: aloneFrom(deps),
})

/** @param until the last day of the sessions whose facts and contacts are known; left out: of all. */
const readsUntil = (deps: OverviewDeps, credit: Credit, until?: string): Reads => ({
  credited: async (scope, query) =>
    readGoalParts(deps.facts, scope, query, await creditedSql(deps.facts, scope, credit, until)),
  alone: aloneFrom(deps),
})

async function readSpan(scope: Scope, ask: GoalAsk, { credited, alone }: Reads): Promise<GoalCounted> {
  return addCounted(await Promise.all([counted(scope, ask, credited), counted(scope, ask, alone)]))
}

/** What the days before today are known by: all that it is asked of them. */
const keyOfPast = ({ span, clauses, money }: Scope, { credit, edges, values }: GoalAsk): readonly unknown[] => {
  const { goal, attribution } = credit
  const shown = values.map(keyOfValue).toSorted()
  const { event_type, event_value } = goal
  const { fromMs, toMs } = span
  // Of a window that moves there are thousands of edges.
  const places = hash('sha256', JSON.stringify(edges))
  return [fromMs, toMs, clauses, money?.mark, event_type, event_value, attribution, places, shown]
}

/** What is kept for as long as nothing of a day before today is written. */
type Keep = <Answer extends object>(key: readonly unknown[], read: () => Promise<Answer>) => Promise<Answer>

async function openKeep({ facts, answers }: OverviewDeps, propertyId: string, cutMs: number): Promise<Keep> {
  const version = await facts.version(propertyId, storedDay(dayOf(cutMs)))
  return async (key, read) =>
    (await answers.get(version, { propertyId, key: ['goal', cutMs, ...key], maxAgeMs: Infinity }, read)).answer
}

/**
 * All sessions, but the first one, of contacts who have had one since a time.
 * @returns undefined when they are too many.
 */
async function readReturned(
  { facts }: OverviewDeps,
  propertyId: string,
  cutMs: number,
  keep: Keep,
): Promise<FirstRow[] | undefined> {
  const recent = await readLinked(facts, propertyId, { fromMs: cutMs, toMs: NEVER_MS })
  if (!recent || recent.length === 0) return recent && []
  const contacts = contactsOf(recent)
  const { rows } = await keep(['linked', contacts], async () => ({
    rows: await readLinked(facts, propertyId, { fromMs: 0, toMs: cutMs }, contacts),
  }))
  return rows && firstsAmong([...rows, ...recent])
}

/** Where the days that are written to begin, and what is known of those before. */
interface Cut {
  readonly cutMs: number
  readonly keep: Keep
  /** Of the days before. */
  readonly ofBefore: Reads
  /** Of all contacts who have had a session since then; undefined when they are too many. */
  readonly firsts: readonly FirstRow[] | undefined
}

async function openCut(deps: OverviewDeps, propertyId: string, credit: Credit): Promise<Cut> {
  const cutMs = cutAt(deps, deps.now())
  const keep = await openKeep(deps, propertyId, cutMs)
  // By itself nobody's session adds to another one.
  const firsts = credit.attribution === 'last' ? [] : await readReturned(deps, propertyId, cutMs, keep)
  const { credited, alone } = readsUntil(deps, credit, storedDay(dayOf(cutMs - DAY_MS)))
  const ofBefore = { credited: sharedByWindows(credited), alone: sharedByWindows(alone) }
  return { cutMs, keep, ofBefore, firsts }
}

/** Undefined when what is written now adds to too many sessions of before. */
async function readInParts(
  deps: OverviewDeps,
  { cutMs, keep, ofBefore, firsts }: Cut,
  scope: Scope,
  ask: GoalAsk,
): Promise<GoalCounted | undefined> {
  if (!firsts) return undefined
  const { facts, now } = deps
  const { span } = scope
  const { credit } = ask
  const since = storedDay(dayOf(cutMs))
  const before = { ...scope, span: { fromMs: span.fromMs, toMs: Math.min(span.toMs, cutMs) } }
  const today = { ...scope, span: { fromMs: cutMs, toMs: span.toMs } }
  const askBefore = { ...ask, edges: ask.edges.filter((edge) => edge < before.span.toMs) }
  const key = keyOfPast(before, askBefore)
  const later = async () => {
    const found = await findLater(facts, before, credit, { since, firsts })
    if (found.length === 0) return { parts: [], rows: {} }
    return keep([...key, hash('sha256', JSON.stringify(found))], () =>
      counted(before, askBefore, (own, query) => readLaterParts(facts, own, query, { later: found, since, firsts })),
    )
  }
  const readToday = async () => {
    const read = () => readSpan(today, ask, readsOf(deps, creditedAmong(today, credit, firsts)))
    // Sessions to which others add need not have events themselves.
    if (!isOfEvents(credit.goal) || firsts.some(({ first_day }) => first_day >= since)) return read()
    const kept = await keptToday(deps, today)
    // A window may end today and be over, where days begin at other times than those of UTC.
    const endMs = span.toMs > now() ? null : span.toMs
    return kept.ofEvents(['goal', endMs, hash('sha256', JSON.stringify([keyOfPast(before, ask), firsts]))], read)
  }
  const parts = await Promise.all([
    keep(key, () => readSpan(before, askBefore, ofBefore)),
    later(),
    ...(span.toMs > cutMs ? [readToday()] : []),
  ])
  return addCounted(parts)
}

/** Undefined when its contacts had too many sessions. */
async function readAmong(deps: OverviewDeps, scope: Scope, ask: GoalAsk) {
  const { facts } = deps
  const { propertyId, span } = scope
  const { day_from, day_to } = boundsOf(propertyId, span)
  const days = { fromMs: dayFromText(day_from) * DAY_MS, toMs: (dayFromText(day_to) + 1) * DAY_MS }
  const own = ask.credit.attribution === 'last' ? [] : await readLinked(facts, propertyId, days)
  if (!own) return undefined
  const all = own.length > 0 ? await readLinked(facts, propertyId, { fromMs: 0, toMs: NEVER_MS }, contactsOf(own)) : []
  const credited = all && creditedAmong(scope, ask.credit, firstsAmong(all))
  return credited && readSpan(scope, ask, readsOf(deps, credited))
}

/** For the windows of one answer, which have the contacts who came since the cut in common. */
export interface GoalReader {
  /** Looks for them already, for a window that begins then, while its caller waits for something else. */
  readonly begin: (fromMs: number) => void
  readonly read: (scope: Scope, ask: Omit<GoalAsk, 'credit'>) => Promise<GoalCounted>
}

export function goalReader(deps: OverviewDeps, propertyId: string, credit: Credit): GoalReader {
  let cut: Promise<Cut> | undefined
  const cutOf = (): Promise<Cut> => (cut ??= openCut(deps, propertyId, credit))
  const hasPast = (fromMs: number): boolean => fromMs < cutAt(deps, deps.now())
  return {
    begin: (fromMs) => {
      // Who waits for it is told of a failure.
      if (hasPast(fromMs)) cutOf().catch(() => undefined)
    },
    read: async (scope, given) => {
      const ask = { ...given, credit }
      const inParts = async () => readInParts(deps, await cutOf(), scope, ask)
      const isInParts = ask.isKept && hasPast(scope.span.fromMs)
      return (
        (await (isInParts ? inParts() : readAmong(deps, scope, ask))) ?? readSpan(scope, ask, readsUntil(deps, credit))
      )
    },
  }
}
