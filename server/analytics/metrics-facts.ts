// What `metrics` takes from the facts: both windows' figures, and the lists. Cached as the overview is, which
// shares the lists of the days before today.
import { precedingSpan, type Span } from '../kernel/window.ts'
import { versionOf } from './answers.ts'
import { columnsOf, readParts, type Scope, type TopLists } from './facts.ts'
import { readTopLists } from './tops-facts.ts'
import { withHeld } from './held.ts'
import { mergeTopLists, RECENT_ROWS } from './merging.ts'
import { type Figures, metricIds, neededBy, noFigures, sumOf } from './metrics.ts'
import { type Question, scopeOf } from './question.ts'
import { TOP_ROWS, topSources } from './top-sets.ts'
import { ageOf, type CachedDeps, keyOf, readPastAndRest, readPastTops } from './window-parts.ts'

const SUMMARY = 'analytics.summary'
export const summaryFigures = neededBy(metricIds)
/** What these read of a session. */
const columns = ['entry_at', ...columnsOf(summaryFigures), ...topSources] as const

/** Rows of a list that the answer shows: of languages twelve, of others ten, or all that there are. */
const SHOWN_ROWS = 12

export interface MetricsFacts {
  readonly current: Figures
  readonly previous: Figures
  readonly top: TopLists
}

/** Both windows in one. */
export const bothWindows = ({ window }: Pick<Question, 'window'>): Span => ({
  fromMs: precedingSpan(window).fromMs,
  toMs: window.toMs,
})

/** Figures of consecutive spans, of which the scope is the whole. */
const readEdges = (facts: CachedDeps['facts'], scope: Scope, edges: readonly number[]): Promise<Figures[]> =>
  readParts(facts, scope, { name: SUMMARY, edges, figures: summaryFigures })

async function readWhole({ facts }: CachedDeps, question: Question): Promise<MetricsFacts> {
  const span = bothWindows(question)
  const { window } = question
  return withHeld(facts, { name: 'analytics.heldMetrics', scope: scopeOf(question, span), columns }, async (scope) => {
    const [[previous = noFigures, current = noFigures], top] = await Promise.all([
      readEdges(facts, scope, [span.fromMs, window.fromMs]),
      readTopLists(facts, { ...scope, span: window }),
    ])
    return { previous, current, top }
  })
}

interface Part {
  readonly figures: Figures
  readonly top: TopLists
}

/** What moves with the time, and what is written now. */
interface Rest extends Part {
  readonly previous: Figures
}

async function readBoth(deps: CachedDeps, question: Question, past: Span, recent: Span) {
  const { facts } = deps
  const span = bothWindows(question)
  return withHeld(facts, { name: 'analytics.heldMetrics', scope: scopeOf(question, span), columns }, async (scope) => {
    const [[previous = noFigures, before = noFigures, today = noFigures], tops, recentTops] = await Promise.all([
      readEdges(facts, scope, [span.fromMs, past.fromMs, recent.fromMs]),
      readPastTops(deps, question, { ...scope, span: past }),
      readTopLists(facts, { ...scope, span: recent }, RECENT_ROWS),
    ])
    const rest: Rest = { previous, figures: today, top: recentTops }
    return { past: { figures: before, top: tops } satisfies Part, rest }
  })
}

async function readRest({ facts }: CachedDeps, question: Question, recent: Span): Promise<Rest> {
  const preceding = precedingSpan(question.window)
  const [[previous = noFigures], [figures = noFigures], top] = await Promise.all([
    readEdges(facts, scopeOf(question, preceding), [preceding.fromMs]),
    readEdges(facts, scopeOf(question, recent), [recent.fromMs]),
    readTopLists(facts, scopeOf(question, recent), RECENT_ROWS),
  ])
  return { previous, figures, top }
}

/** With all that the answer shows of every list: of countries and devices all. */
function mergeTops(past: TopLists, recent: TopLists): TopLists | undefined {
  const isCut = past.country_code.length >= TOP_ROWS || past.device.length >= TOP_ROWS
  return isCut ? undefined : mergeTopLists(past, recent, SHOWN_ROWS)
}

async function makeMetrics(deps: CachedDeps, question: Question): Promise<MetricsFacts> {
  const parts = await readPastAndRest(deps, question, ['metrics'], {
    both: (past, recent) => readBoth(deps, question, past, recent),
    rest: (recent) => readRest(deps, question, recent),
  })
  const top = parts && mergeTops(parts.past.top, parts.rest.top)
  if (!parts || !top) return readWhole(deps, question)
  return { previous: parts.rest.previous, current: sumOf([parts.past.figures, parts.rest.figures]), top }
}

export async function readMetricsFacts(deps: CachedDeps, question: Question): Promise<MetricsFacts> {
  const { propertyId, window } = question
  const version = await versionOf(deps.facts, propertyId, window)
  const ask = { propertyId, key: ['metrics', ...keyOf(question)], maxAgeMs: ageOf(deps, window) }
  return (await deps.answers.get(version, ask, () => makeMetrics(deps, question))).answer
}
