// What an overview takes from the facts, and for how long it may be kept. A window that ends now is put
// together of what lies before today, which changes only when a fact of an earlier day does, of today, and of
// the window that it is compared with.
import { scopeOf } from '../analytics/question.ts'
import { readTopLists, type TopLists } from '../analytics/facts.ts'
import { countryCounts, overviewLists, SHOWN_ROWS } from '../lists/rows.ts'
import { mergeTopLists, RECENT_ROWS } from '../analytics/merging.ts'
import { type Figures, sumOf } from '../analytics/metrics.ts'
import { readSharedTops } from '../shared-figures/facts.ts'
import { withHeld } from '../analytics/held.ts'
import { type CachedDeps, readBothParts, readPastTops } from '../analytics/window-parts.ts'
import { topSources } from '../analytics/top-sets.ts'
import type { SessionColumn } from '../stores/session-columns.ts'
import { addParts, overviewColumns, type OverviewQuestion, readCurrent, readShared } from './cards.ts'
import type { Deps } from '../kernel/deps.ts'
import type { Span } from '../kernel/window.ts'
import type { Rates } from '../rates/rates.ts'
import { keptToday, notKept } from './kept.ts'
import { readGrowth } from './growth.ts'
import {
  mergeOutcomes,
  type OutcomeFacts,
  outcomeColumns,
  readOutcomeCounts,
  readOutcomes,
  visitorSpan,
} from './outcomes.ts'
import { readPreviousFigures } from './previous.ts'
import { readSharedOutcomes } from './shared-outcomes.ts'

/** `answers`: where they are cached. */
export type OverviewDeps = Pick<Deps, 'config' | 'facts' | 'records' | 'now'> & CachedDeps & { readonly rates: Rates }

/** Of an overview: of which question, and whether it is for a share link. */
export interface Asked {
  readonly question: OverviewQuestion
  readonly isShared: boolean
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
  /** For a share link: sessions of the window, whatever the clauses choose. */
  readonly everybody: number
  /** Of the running bucket, to its full length; null where that is not known. */
  readonly growth: number | null
}

interface Part {
  readonly figures: readonly Figures[]
  readonly top: TopLists
  readonly outcomes: OutcomeFacts
}

/** What the statements of an overview read of a session. */
const columns: readonly SessionColumn[] = [...overviewColumns, ...topSources, ...outcomeColumns]

async function readWhole({ facts }: OverviewDeps, question: OverviewQuestion): Promise<Part> {
  return withHeld(facts, { name: 'analytics.heldOverview', scope: scopeOf(question), columns }, async (scope) => {
    const [figures, top, outcomes] = await Promise.all([
      readCurrent(facts, question, scope),
      readTopLists(facts, scope),
      readOutcomes(facts, scope),
    ])
    return { figures, top, outcomes }
  })
}

async function readPart(deps: OverviewDeps, question: OverviewQuestion, span: Span, isRecent: boolean): Promise<Part> {
  const { facts } = deps
  const visitors = visitorSpan(span, question.window.fromMs)
  const kept = isRecent ? await keptToday(deps, scopeOf(question, span)) : notKept
  return withHeld(
    facts,
    { name: 'analytics.heldOverview', scope: scopeOf(question, visitors), columns },
    async (held) => {
      const scope = { ...held, span }
      const [figures, top, outcomes] = await Promise.all([
        readCurrent(facts, question, scope),
        isRecent ? readTopLists(facts, scope, RECENT_ROWS) : readPastTops(deps, question, scope),
        readOutcomeCounts(facts, scope, question.window.fromMs, kept),
      ])
      return { figures, top, outcomes }
    },
  )
}

/** Undefined when the first rows of a list only follow from the whole. */
function merge(past: Part, recent: Part): Part | undefined {
  const top = mergeTopLists(past.top, recent.top, SHOWN_ROWS)
  const outcomes = mergeOutcomes(past.outcomes, recent.outcomes)
  return top && outcomes && { figures: addParts(past.figures, recent.figures), top, outcomes }
}

async function readCurrentPart(deps: OverviewDeps, question: OverviewQuestion): Promise<Part> {
  const key = ['overview', question.interval, question.buckets.length]
  const parts = await readBothParts(deps, question, key, (span, isRecent) => readPart(deps, question, span, isRecent))
  return (parts && merge(parts.past, parts.recent)) ?? readWhole(deps, question)
}

const listsOf = ({ config }: OverviewDeps, top: TopLists, sessions: number) => ({
  lists: overviewLists(top, sessions, config.baseUrl),
  countries: countryCounts(top),
})

/** For a share link: read whole, since whether it may show a part depends on the others. */
async function readSharedFacts(deps: OverviewDeps, question: OverviewQuestion): Promise<OverviewFacts> {
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
    everybody: current.everybody,
    ...listsOf(deps, top, current.total.sessions),
  }
}

export async function readOverviewFacts(deps: OverviewDeps, { question, isShared }: Asked): Promise<OverviewFacts> {
  if (isShared) return readSharedFacts(deps, question)
  const [{ figures: current, top, outcomes }, previous, growth] = await Promise.all([
    readCurrentPart(deps, question),
    readPreviousFigures(deps, question),
    readGrowth(deps, question),
  ])
  const totals = { current: sumOf(current), previous: sumOf(previous) }
  const everybody = totals.current.sessions
  return {
    question,
    growth: growth(current),
    current,
    previous,
    totals,
    outcomes,
    everybody,
    ...listsOf(deps, top, totals.current.sessions),
  }
}
