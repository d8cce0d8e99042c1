// Conversions of the goal of an overview, put together of what is known of the days before today, which is
// kept for as long as nothing of an earlier day is written, and of what today adds: to its own sessions, and
// to earlier ones of the same contacts. While nothing is known it is read at once, with the past told apart.
// docs/decisions/0084-goals-in-parts.md.
import { hash } from 'node:crypto'
import { addGoalCounts, noGoalCounts } from '../analytics/goal-counts.ts'
import type { Fragment } from '../analytics/clause-sql.ts'
import { type Credit, creditedAmong, creditedSql, type FirstRow } from '../analytics/credit-sql.ts'
import { contactsOf, firstsAmong, readLinked } from '../analytics/linked-facts.ts'
import type { Scope } from '../analytics/facts.ts'
import { cutAt } from '../analytics/window-parts.ts'
import { DAY_MS, dayFromText, dayOf, storedDay } from '../kernel/days.ts'
import { boundsOf } from '../sessions/sessions.ts'
import { readWithin } from './figures.ts'
import type { OverviewDeps } from './facts.ts'
import {
  type GoalParts,
  type GoalQuery,
  keyOfValue,
  type ListedValue,
  noParts,
  readAloneParts,
  readGoalParts,
  type ValueCounts,
} from './goal-facts.ts'
import { isOfEvents, keptToday } from './kept.ts'
import { findLater, readLaterParts } from './goal-later.ts'
import { type GoalCounted, readShown } from './goal-shown.ts'
import { readGoalApart } from './goal-sums-facts.ts'
import { type ReadApart, sharedByWindows } from './goal-windows.ts'

/** What is met on days before the cut, and what else there is. */
interface CutCounted {
  readonly past: GoalCounted
  readonly rest: GoalCounted
}

interface GoalAsk {
  readonly credit: Credit
  /** Ascending milliseconds: parts of the scope begin there. */
  readonly edges: readonly number[]
  readonly values: GoalQuery['values']
  /** Those of `all` that are shown, once they are known: what comes after the past is counted by these. */
  readonly shown?: Promise<readonly ListedValue[]>
  /** Whether what is known of the days before today may be of use to the next question. */
  readonly isKept: boolean
}

const noCutCounts = { past: noGoalCounts, rest: noGoalCounts }

async function countedApart(scope: Scope, { credit, edges, values }: GoalAsk, read: ReadApart): Promise<CutCounted> {
  const found: Record<'past' | 'rest', readonly ValueCounts[]> = { past: [], rest: [] }
  const parts = await readWithin(scope, edges, {
    read: async (own, inside) => {
      const { past, rest } = await read(own, { credit, edges: inside, values })
      Object.assign(found, { past: past.values, rest: rest.values })
      const countsAt = ({ byEdge }: GoalParts, edge: number) => byEdge.get(edge) ?? noGoalCounts
      return inside.map((edge) => ({ past: countsAt(past, edge), rest: countsAt(rest, edge) }))
    },
    none: noCutCounts,
  })
  return {
    past: { parts: parts.map(({ past }) => past), values: found.past },
    rest: { parts: parts.map(({ rest }) => rest), values: found.rest },
  }
}

async function counted(scope: Scope, ask: GoalAsk, read: ReadGoal): Promise<GoalCounted> {
  const apart: ReadApart = async (own, query) => ({ past: noParts, rest: await read(own, query) })
  return (await countedApart(scope, ask, apart)).rest
}

function addCounted(all: readonly GoalCounted[]): GoalCounted {
  if (all.length === 1) return all[0]!
  const most = all.toSorted((a, b) => b.parts.length - a.parts.length)[0]?.parts ?? []
  const parts = most.map((_, index) =>
    all.reduce((sum, one) => addGoalCounts(sum, one.parts[index] ?? noGoalCounts), noGoalCounts),
  )
  return { parts, values: all.flatMap(({ values }) => values) }
}

type ReadGoal = (scope: Scope, query: GoalQuery) => Promise<GoalParts>

interface Reads {
  /** What is credited to sessions. */
  readonly credited: ReadGoal
  /** What has none. */
  readonly alone: ReadGoal
}

const aloneFrom =
  ({ facts }: OverviewDeps): ReadGoal =>
  async (scope, query) =>
    (await readAloneParts(facts, scope, query)).rest

const readsOf = (deps: OverviewDeps, credited: Fragment): Reads => ({
  credited: (scope, query) => readGoalParts(deps.facts, scope, query, credited),
  alone: aloneFrom(deps),
})

const readsOfAll = (deps: OverviewDeps, credit: Credit): Reads => ({
  credited: async (scope, query) =>
    readGoalParts(
      deps.facts,
      scope,
      query,
      await creditedSql(deps.facts, scope, credit, { today: storedDay(dayOf(deps.now())) }),
    ),
  alone: aloneFrom(deps),
})

async function readSpan(scope: Scope, ask: GoalAsk, { credited, alone }: Reads): Promise<GoalCounted> {
  return addCounted(await Promise.all([counted(scope, ask, credited), counted(scope, ask, alone)]))
}

/** What the days before today are known by: all that it is asked of them. */
const keyOfPast = ({ span, clauses, money }: Scope, { credit, edges, values }: GoalAsk): readonly unknown[] => {
  const { goal, attribution } = credit
  const { event_type, event_value } = goal
  const { fromMs, toMs } = span
  // Of a window that moves there are thousands of edges.
  const places = hash('sha256', JSON.stringify(edges))
  const named = values === 'all' ? values : values.map(keyOfValue).toSorted()
  return [fromMs, toMs, clauses, money?.mark, event_type, event_value, attribution, places, named]
}

/** What is kept for as long as nothing of a day before today is written. */
type Keep = <Answer extends object>(key: readonly unknown[], read: () => Promise<Answer>) => Promise<Answer>

async function openKeep({ facts, answers }: OverviewDeps, propertyId: string, cutMs: number): Promise<Keep> {
  const version = await facts.version(propertyId, storedDay(dayOf(cutMs)))
  return async (key, read) =>
    (await answers.get(version, { propertyId, key: ['goal', cutMs, ...key], maxAgeMs: Infinity }, read)).answer
}

/** There are no facts of later days. */
const endOfToday = (nowMs: number): number => (dayOf(nowMs) + 1) * DAY_MS

/**
 * All sessions, but the first one, of contacts who have had one since a time.
 * @returns undefined when they are too many.
 */
async function readReturned(
  { facts, now }: OverviewDeps,
  propertyId: string,
  cutMs: number,
  keep: Keep,
): Promise<FirstRow[] | undefined> {
  const recent = await readLinked(facts, propertyId, { fromMs: cutMs, toMs: endOfToday(now()) })
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
  readonly apart: ReadApart
  /** Of all contacts who have had a session since then; undefined when they are too many. */
  readonly firsts: () => Promise<readonly FirstRow[] | undefined>
}

async function openCut(deps: OverviewDeps, propertyId: string, credit: Credit): Promise<Cut> {
  const cutMs = cutAt(deps, deps.now())
  const keep = await openKeep(deps, propertyId, cutMs)
  const days = { pastUntil: storedDay(dayOf(cutMs - DAY_MS)), today: storedDay(dayOf(deps.now())) }
  let firsts: Promise<readonly FirstRow[] | undefined> | undefined
  // By itself nobody's session adds to another one.
  const readFirsts = async () => (credit.attribution === 'last' ? [] : readReturned(deps, propertyId, cutMs, keep))
  return {
    cutMs,
    keep,
    apart: sharedByWindows((scope, query) => readGoalApart(deps.facts, scope, query, days)),
    firsts: () => (firsts ??= readFirsts()),
  }
}

/** A scope that is cut, and what is asked of its parts. */
interface CutAsk {
  readonly before: Scope
  readonly askBefore: GoalAsk
  /** Left out for a window that is over. */
  readonly today: Scope | undefined
  readonly ask: GoalAsk
}

function cutAsk(scope: Scope, ask: GoalAsk, cutMs: number): CutAsk {
  const { fromMs, toMs } = scope.span
  const before = { ...scope, span: { fromMs, toMs: Math.min(toMs, cutMs) } }
  return {
    before,
    askBefore: { ...ask, edges: ask.edges.filter((edge) => edge < before.span.toMs) },
    today: toMs > cutMs ? { ...scope, span: { fromMs: cutMs, toMs } } : undefined,
    ask,
  }
}

/** What there is besides the past. Undefined when what is written now adds to too many sessions of before. */
async function readRest(
  deps: OverviewDeps,
  { cutMs, keep, firsts: readFirsts }: Cut,
  { before, askBefore, today, ask }: CutAsk,
): Promise<GoalCounted | undefined> {
  const firsts = await readFirsts()
  if (!firsts) return undefined
  const { facts, now } = deps
  const { credit } = ask
  const since = storedDay(dayOf(cutMs))
  const whose = hash('sha256', JSON.stringify(firsts))
  /** What was read of today, as long as nothing of a session with events or a contact has changed. */
  const keptOf = async <Answer extends object>(own: Scope, key: readonly unknown[], read: () => Promise<Answer>) =>
    (await keptToday(deps, own)).ofEvents(['goal', whose, ...key], read)
  const find = async () => ({ found: await findLater(facts, before, credit, { since, firsts }) })
  const later = async (): Promise<GoalCounted> => {
    const sinceCut = { ...before, span: { fromMs: cutMs, toMs: now() } }
    const { found } = await keptOf(sinceCut, ['later', ...keyOfPast(before, askBefore)], find)
    if (found.length === 0) return { parts: [], values: [] }
    return keep([...keyOfPast(before, askBefore), hash('sha256', JSON.stringify(found))], () =>
      counted(before, askBefore, (own, query) => readLaterParts(facts, own, query, { later: found, since, firsts })),
    )
  }
  const readToday = async (own: Scope) => {
    const read = () => readSpan(own, ask, readsOf(deps, creditedAmong(own, credit, firsts)))
    if (!isOfEvents(credit.goal)) return read()
    // A window may end today and be over, where days begin at other times than those of UTC.
    const endMs = own.span.toMs > now() ? null : own.span.toMs
    return keptOf(own, ['today', endMs, ...keyOfPast(before, ask)], read)
  }
  return addCounted(await Promise.all([later(), ...(today ? [readToday(today)] : [])]))
}

async function readInParts(deps: OverviewDeps, cut: Cut, scope: Scope, ask: GoalAsk): Promise<GoalCounted> {
  const { before, askBefore } = cutAsk(scope, ask, cut.cutMs)
  let apart: CutCounted | undefined
  const past = await cut.keep(keyOfPast(before, askBefore), async () => {
    // All of it at once, which takes less than its parts.
    apart = await countedApart(scope, ask, cut.apart)
    // A window that ends at the cut is known by the same, and has no parts of today.
    return { ...apart.past, parts: apart.past.parts.slice(0, askBefore.edges.length) }
  })
  if (apart) return addCounted([past, apart.rest])
  // Who came is looked for meanwhile; who waits for it is told of a failure.
  cut.firsts().catch(() => undefined)
  const readOf = async (values: GoalQuery['values']): Promise<GoalCounted> => {
    const named = { ...ask, values }
    const rest = await readRest(deps, cut, cutAsk(scope, named, cut.cutMs))
    // So it is where too many would have to be named.
    return rest ?? (await countedApart(scope, named, cut.apart)).rest
  }
  return addCounted([past, await (ask.shown ? readShown(past, ask.shown, readOf) : readOf(ask.values))])
}

/** Undefined when its contacts had too many sessions. */
async function readAmong(deps: OverviewDeps, scope: Scope, ask: GoalAsk) {
  const { facts, now } = deps
  const { propertyId, span } = scope
  const { day_from, day_to } = boundsOf(propertyId, span)
  const days = { fromMs: dayFromText(day_from) * DAY_MS, toMs: (dayFromText(day_to) + 1) * DAY_MS }
  const own = ask.credit.attribution === 'last' ? [] : await readLinked(facts, propertyId, days)
  if (!own) return undefined
  const ever = { fromMs: 0, toMs: endOfToday(now()) }
  const all = own.length > 0 ? await readLinked(facts, propertyId, ever, contactsOf(own)) : []
  const credited = all && creditedAmong(scope, ask.credit, firstsAmong(all))
  return credited && readSpan(scope, ask, readsOf(deps, credited))
}

/** For the windows of one answer, which have the contacts who came since the cut in common. */
export type GoalReader = (scope: Scope, ask: Omit<GoalAsk, 'credit'>) => Promise<GoalCounted>

export function goalReader(deps: OverviewDeps, propertyId: string, credit: Credit): GoalReader {
  let cut: Promise<Cut> | undefined
  return async (scope, given) => {
    const ask = { ...given, credit }
    const isInParts = ask.isKept && scope.span.fromMs < cutAt(deps, deps.now())
    if (isInParts) return readInParts(deps, await (cut ??= openCut(deps, propertyId, credit)), scope, ask)
    return (await readAmong(deps, scope, ask)) ?? readSpan(scope, ask, readsOfAll(deps, credit))
  }
}
