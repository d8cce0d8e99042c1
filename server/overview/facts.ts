// What an overview takes from the facts, and for how long it may be kept. A window that ends now is put
// together of what lies before today, which changes only when a fact of an earlier day does, of today, and of
// the window that it is compared with.
import { scopeOf } from '../analytics/question.ts'
import type { Scope, TopLists } from '../analytics/facts.ts'
import { readTopLists } from '../analytics/tops-facts.ts'
import { countryCounts, overviewLists, SHOWN_ROWS } from '../lists/rows.ts'
import { mergeTopLists, RECENT_ROWS } from '../analytics/merging.ts'
import { type Figures, sumOf } from '../analytics/metrics.ts'
import { readSharedTops } from '../shared-figures/facts.ts'
import { withHeld } from '../analytics/held.ts'
import { type CachedDeps, readPastAndRest, readPastTops } from '../analytics/window-parts.ts'
import { TopPass } from '../analytics/top-pass.ts'
import { TOP_ROWS, topSources } from '../analytics/top-sets.ts'
import type { SessionColumn } from '../stores/session-columns.ts'
import { addParts, overviewColumns, readCurrent, readCurrentParts, readShared } from './figures.ts'
import type { OverviewQuestion } from './question.ts'
import { type Conversion, type ConversionCount, countedOf } from '../conversions/conversions.ts'
import type { Deps } from '../kernel/deps.ts'
import type { Span } from '../kernel/window.ts'
import type { Rates } from '../rates/rates.ts'
import { keptToday } from './kept.ts'
import { readGrowth } from './growth.ts'
import {
  definitionsOf,
  mergeConversions,
  readConversionParts,
  readConversions,
  readConversionsToday,
} from './conversions.ts'
import {
  mergeOutcomes,
  type OutcomeFacts,
  outcomeColumns,
  readOutcomeCounts,
  readOutcomeParts,
  readOutcomes,
  visitorSpan,
} from './outcomes.ts'
import { readPreviousFigures } from './previous.ts'
import { readSharedConversions, readSharedOutcomes } from './shared-outcomes.ts'

/** `answers`: where they are cached. */
export type OverviewDeps = Pick<Deps, 'config' | 'facts' | 'records' | 'now'> & CachedDeps & { readonly rates: Rates }

/** Of an overview: of which question, and whether it is for a share link. */
export interface Asked {
  readonly question: OverviewQuestion
  readonly isShared: boolean
  /** Of the property. */
  readonly conversions: readonly Conversion[]
}

/** Everything that the answer is made of. */
export interface OverviewFacts {
  /** Of the moment at which it was read. */
  readonly question: OverviewQuestion
  readonly current: readonly Figures[]
  readonly previous: readonly Figures[]
  /** Of the whole windows. */
  readonly totals: { readonly current: Figures; readonly previous: Figures }
  readonly lists: ReturnType<typeof overviewLists>
  readonly countries: Readonly<Record<string, number>>
  readonly outcomes: OutcomeFacts
  /** For a share link those that it may show. */
  readonly conversions: readonly ConversionCount[]
  /** For a share link: sessions of the window, whatever the clauses choose. */
  readonly everybody: number
  /** Of the running bucket, to its full length; null where that is not known. */
  readonly growth: number | null
}

interface Part {
  readonly figures: readonly Figures[]
  readonly top: TopLists
  readonly outcomes: OutcomeFacts
  readonly conversions: readonly ConversionCount[]
}

/** What the statements of an overview read of a session. */
const columns: readonly SessionColumn[] = [...overviewColumns, ...topSources, ...outcomeColumns]

/** The work is about sessions of the span, or of a part of it. */
const withSessions = <Result>(
  { facts }: OverviewDeps,
  { question, conversions }: Asked,
  span: Span,
  work: (scope: Scope) => Promise<Result>,
): Promise<Result> => {
  const held = { scope: scopeOf(question, span), columns: [...columns, ...countedOf(conversions)] }
  return withHeld(facts, { name: 'analytics.heldOverview', ...held }, work)
}

const readWhole = (deps: OverviewDeps, asked: Asked): Promise<Part> =>
  withSessions(deps, asked, asked.question.window, async (scope) => {
    const [figures, top, outcomes, conversions] = await Promise.all([
      readCurrent(deps.facts, asked.question, scope),
      readTopLists(deps.facts, scope),
      readOutcomes(deps.facts, scope),
      readConversions(deps.facts, scope, asked.conversions),
    ])
    return { figures, top, outcomes, conversions }
  })

/** Its lists, and the links that its sessions began through, from one statement. */
const withPass = (scope: Scope, most: number): Scope => ({ ...scope, pass: new TopPass(scope.span, most) })

/**
 * Both parts of the window; each statement counts both, but for the lists, of which the past may be known.
 */
async function readParts(deps: OverviewDeps, { question, conversions: all }: Asked, scope: Scope, cutMs: number) {
  const { facts } = deps
  const past = withPass({ ...scope, span: { ...scope.span, toMs: cutMs } }, TOP_ROWS)
  const recent = withPass({ ...scope, span: { ...scope.span, fromMs: cutMs } }, RECENT_ROWS)
  const cut = { past, recent, kept: await keptToday(deps, recent) }
  const [figures, pastTop, recentTop, outcomes, conversions] = await Promise.all([
    readCurrentParts(facts, question, scope, cutMs),
    readPastTops(deps, question, past),
    readTopLists(facts, recent, RECENT_ROWS),
    readOutcomeParts(facts, scope, cut),
    readConversionParts(facts, scope, all, cut),
  ])
  const part = (name: 'past' | 'recent', top: TopLists): Part => ({
    figures: figures[name],
    top,
    outcomes: outcomes[name],
    conversions: conversions[name],
  })
  return { past: part('past', pastTop), rest: part('recent', recentTop) }
}

async function readRecent(deps: OverviewDeps, { question, conversions: all }: Asked, today: Scope): Promise<Part> {
  const { facts } = deps
  const scope = withPass(today, RECENT_ROWS)
  const kept = await keptToday(deps, scope)
  const [figures, top, outcomes, conversions] = await Promise.all([
    readCurrent(facts, question, scope),
    readTopLists(facts, scope, RECENT_ROWS),
    readOutcomeCounts(facts, scope, question.window.fromMs, kept),
    readConversionsToday(facts, scope, all, kept),
  ])
  return { figures, top, outcomes, conversions }
}

/** Undefined when the first rows of a list only follow from the whole. */
function merge(past: Part, recent: Part): Part | undefined {
  const top = mergeTopLists(past.top, recent.top, SHOWN_ROWS)
  const outcomes = mergeOutcomes(past.outcomes, recent.outcomes)
  if (!top || !outcomes) return undefined
  const conversions = mergeConversions(past.conversions, recent.conversions)
  return { figures: addParts(past.figures, recent.figures), top, outcomes, conversions }
}

/** @param beside is begun where all sessions of a filtered question are kept, before they are let go. */
async function readCurrentPart(
  deps: OverviewDeps,
  asked: Asked,
  beside: (kept: Scope) => Promise<unknown>,
): Promise<Part> {
  const { question, conversions } = asked
  const key = ['overview', question.interval, question.buckets.length, definitionsOf(conversions)]
  const parts = await readPastAndRest(deps, question, key, {
    both: (_past, recent) =>
      withSessions(deps, asked, question.window, async (scope) => {
        const [found] = await Promise.all([
          readParts(deps, asked, scope, recent.fromMs),
          scope.held ? beside(scope) : undefined,
        ])
        return found
      }),
    rest: (recent) =>
      withSessions(deps, asked, visitorSpan(recent, question.window.fromMs), (scope) =>
        readRecent(deps, asked, { ...scope, span: recent }),
      ),
  })
  return (parts && merge(parts.past, parts.rest)) ?? readWhole(deps, asked)
}

const listsOf = ({ config }: OverviewDeps, top: TopLists, sessions: number) => ({
  lists: overviewLists(top, sessions, config.baseUrl),
  countries: countryCounts(top),
})

/** For a share link: read whole, since whether it may show a part depends on the others. */
async function readSharedFacts(deps: OverviewDeps, asked: Asked): Promise<OverviewFacts> {
  const { question } = asked
  const scope = scopeOf(question)
  const [{ current, previous }, top, growth] = await Promise.all([
    readShared(deps.facts, question),
    readSharedTops(deps.facts, scope),
    // The profile of the days before is that of all sessions: of a few it would tell when they were.
    readGrowth(deps, { ...question, clauses: [] }),
  ])
  const sessions = { own: current.total.sessions, whole: current.everybody }
  return {
    question,
    growth: growth(current.parts),
    current: current.parts,
    previous: previous.parts,
    totals: { current: current.total, previous: previous.total },
    outcomes: await readSharedOutcomes(deps.facts, scope, sessions),
    conversions: await readSharedConversions(deps, question, asked.conversions, sessions),
    everybody: current.everybody,
    ...listsOf(deps, top, current.total.sessions),
  }
}

export async function readOverviewFacts(deps: OverviewDeps, asked: Asked): Promise<OverviewFacts> {
  const { question, isShared } = asked
  if (isShared) return readSharedFacts(deps, asked)
  let reading: ReturnType<typeof readGrowth> | undefined
  const askGrowth = (kept?: Scope) => (reading ??= readGrowth(deps, question, kept))
  const [{ figures: current, top, outcomes, conversions }, previous] = await Promise.all([
    readCurrentPart(deps, asked, askGrowth),
    readPreviousFigures(deps, question),
    // With a filter it waits for the sessions that are kept, which it would otherwise look for as well.
    question.clauses.length === 0 ? askGrowth() : undefined,
  ])
  const growth = await askGrowth()
  const totals = { current: sumOf(current), previous: sumOf(previous) }
  const everybody = totals.current.sessions
  return {
    question,
    growth: growth(current),
    current,
    previous,
    totals,
    outcomes,
    conversions,
    everybody,
    ...listsOf(deps, top, totals.current.sessions),
  }
}
