// What came of the visits, as a share link is shown it: without a filter, or with one value of one filter,
// beside which there is the whole window and nothing else. Then what may be told is seen from both.
import type { Scope } from '../analytics/facts.ts'
import { type Question, scopeOf } from '../analytics/question.ts'
import { type CachedDeps, readPastAndRest } from '../analytics/window-parts.ts'
import { isEnough, isFew, shownCount } from '../shared-figures/shared.ts'
import { liesIn } from '../shared-figures/cells.ts'
import type { Conversion, ConversionCount } from '../conversions/conversions.ts'
import type { Span } from '../kernel/window.ts'
import type { Facts } from '../stores/facts.ts'
import { notKept } from './kept.ts'
import { countConversions, definitionsOf, mergeConversions, readConversions } from './conversions.ts'
import { type OutcomeFacts, readOutcomeCounts, readOutcomes } from './outcomes.ts'

type Clauses = Scope['clauses']

/** What the value lies in is a question between that and the whole window. */
export const hasOutcomes = (clauses: Clauses): boolean =>
  clauses.length === 0 ||
  (clauses.length === 1 && clauses[0]!.values.length === 1 && liesIn(clauses[0]!.id).length === 0)

/** Sessions of the question, and of its window. */
interface Both {
  readonly own: number
  readonly whole: number
}

/**
 * Whether none of the four parts, inside and outside of the question, with and without it, is one or two
 * sessions.
 */
const mayTell = (counted: Both, sessions: Both): boolean => {
  const [beside, without] = [counted.whole - counted.own, sessions.own - counted.own]
  const neither = sessions.whole - sessions.own - beside
  return isEnough(counted.own) && ![beside, without, neither].some(isFew)
}

/** Of things that are no sessions: as many of them, or none. */
const countOf = (own: number, whole: number): number => (isFew(whole - own) ? 0 : shownCount(own))

export const noOutcomes: OutcomeFacts = { events: [], forms: [], links: [], content: [] }

/** What is missing in the whole was cut off there: what is left of it is not known. */
function byId<Row>(rows: readonly Row[], idOf: (row: Row) => string): (row: Row) => Row | undefined {
  const known = new Map(rows.map((row) => [idOf(row), row]))
  return (row) => known.get(idOf(row))
}

function told(own: OutcomeFacts, whole: OutcomeFacts, sessions: Both): OutcomeFacts {
  const events = byId(whole.events, ({ name }) => name)
  const forms = byId(whole.forms, ({ id }) => id)
  const links = byId(whole.links, ({ id }) => id)
  const blocks = byId(whole.content, ({ id }) => id)
  return {
    events: own.events.filter((row) => {
      const all = events(row)
      return all && mayTell({ own: row.sessions, whole: all.sessions }, sessions)
    }),
    forms: own.forms.flatMap((row) => {
      const all = forms(row)
      if (!all || countOf(row.sessions, all.sessions) === 0) return []
      return [{ ...row, submissions: countOf(row.submissions, all.submissions) }]
    }),
    links: own.links.flatMap((row) => {
      const all = links(row)
      if (!all || countOf(row.clicks, all.clicks) === 0) return []
      return [{ id: row.id, clicks: row.clicks, sessions: countOf(row.sessions, all.sessions) }]
    }),
    content: own.content.flatMap((row) => {
      const all = blocks(row)
      if (!all || countOf(row.views, all.views) === 0) return []
      return [{ ...row, clicks: countOf(row.clicks, all.clicks) }]
    }),
  }
}

/** @param sessions that were shown; without any there is nothing to tell. */
export async function readSharedOutcomes(facts: Facts, scope: Scope, sessions: Both): Promise<OutcomeFacts> {
  if (sessions.own === 0 || !hasOutcomes(scope.clauses)) return noOutcomes
  const everybody = { ...scope, clauses: [] }
  const [own, whole] = await Promise.all([
    readOutcomes(facts, scope),
    scope.clauses.length === 0 ? undefined : readOutcomeCounts(facts, everybody, scope.span.fromMs, notKept),
  ])
  return told(own, whole ?? own, sessions)
}

async function readCounts(
  deps: CachedDeps,
  question: Question,
  conversions: readonly Conversion[],
): Promise<readonly ConversionCount[]> {
  const { facts } = deps
  const read = (span: Span) => readConversions(facts, scopeOf(question, span), conversions)
  const parts = await readPastAndRest(deps, question, ['conversions', definitionsOf(conversions)], {
    both: async (_past, { fromMs }) => {
      const { past, recent } = await countConversions(facts, scopeOf(question), conversions, fromMs)
      return { past, rest: recent }
    },
    rest: read,
  })
  return parts ? mergeConversions(parts.past, parts.rest) : read(question.window)
}

/** @param sessions that were shown; without any there is nothing to tell. */
export async function readSharedConversions(
  deps: CachedDeps,
  question: Question,
  conversions: readonly Conversion[],
  sessions: Both,
): Promise<readonly ConversionCount[]> {
  if (sessions.own === 0 || !hasOutcomes(question.clauses)) return []
  const [own, whole] = await Promise.all([
    readCounts(deps, question, conversions),
    readCounts(deps, { ...question, clauses: [] }, conversions),
  ])
  const all = byId(whole, ({ id }) => id)
  return own.filter((row) => mayTell({ own: row.sessions, whole: all(row)?.sessions ?? 0 }, sessions))
}
