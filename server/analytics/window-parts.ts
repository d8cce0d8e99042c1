// Windows that end now, put together of two parts: what lies before today, which changes only when a fact of
// an earlier day does and is cached for as long as none does, and today, which is read each time, but for
// what an overview keeps of it (overview/kept.ts). docs/decisions/0022-kept-answers.md.
import { DAY_MS, dayOf, mondayOf, storedDay } from '../kernel/days.ts'
import type { Deps } from '../kernel/deps.ts'
import type { Span, Window } from '../kernel/window.ts'
import type { Answers, CacheQuery } from './answers.ts'
import type { Scope, TopLists } from './facts.ts'
import { readTopLists } from './tops-facts.ts'
import type { Question } from './question.ts'

/** `answers`: where they are cached. */
export type CachedDeps = Pick<Deps, 'facts'> & {
  readonly answers: Answers
  readonly config: Pick<Deps['config'], 'clickhouseUrls'>
}

/** A window that ends now moves on with the time. */
const MOVING_MS = 60_000
/**
 * The same where other nodes write too: what one of them stored a moment ahead of this clock must soon be
 * inside.
 */
const MOVING_SHARED_MS = 5_000

const isShared = ({ config }: CachedDeps): boolean => config.clickhouseUrls.length > 0

/** For how long an answer about what ends now may be kept while nothing is written. */
export const movingAge = (deps: CachedDeps): number => (isShared(deps) ? MOVING_SHARED_MS : MOVING_MS)

/** The same of a window. */
export const ageOf = (deps: CachedDeps, { endsNow }: Window): number => (endsNow ? movingAge(deps) : Infinity)

/**
 * What a window and its clauses are known by: the beginning tells one day from the next, where weeks begin
 * one graph from the other, and rates one sum of money.
 */
export function keyOf({ window, clauses, money }: Question): readonly unknown[] {
  const { period, zone, weekStart, fromMs, toMs, endsNow } = window
  return [period, zone, weekStart, fromMs, endsNow ? 'now' : toMs, clauses, money?.mark]
}

/**
 * Where a window that ends now is cut: before today, or where others write too, before this week, since it is
 * weeks that are told apart there. Undefined when it has one part alone.
 */
function cutOf(deps: CachedDeps, window: Window): number | undefined {
  if (!window.endsNow) return undefined
  const cutMs = cutAt(deps, window.toMs - 1)
  return cutMs > window.fromMs ? cutMs : undefined
}

/** Where the days that are written to now begin, as far as versions of the facts tell them apart. */
export function cutAt(deps: CachedDeps, nowMs: number): number {
  const today = dayOf(nowMs)
  return (isShared(deps) ? mondayOf(today) : today) * DAY_MS
}

/** The part before the cut, and how it is cached. */
interface Past {
  readonly span: Span
  readonly version: string | undefined
  readonly ask: CacheQuery
}

/** @param key what is asked of it, besides the window and its clauses. */
async function pastOf(
  { facts }: CachedDeps,
  question: Question,
  cutMs: number,
  key: readonly unknown[],
): Promise<Past> {
  const { propertyId, window } = question
  return {
    span: { fromMs: window.fromMs, toMs: cutMs },
    version: await facts.version(propertyId, storedDay(dayOf(cutMs))),
    ask: { propertyId, key: ['past', cutMs, ...key, ...keyOf(question)], maxAgeMs: Infinity },
  }
}

interface PartsReader<Past, Rest> {
  /** All of it at once, where the past is not known. */
  readonly both: (past: Span, recent: Span) => Promise<{ readonly past: Past; readonly rest: Rest }>
  /** What is read each time. */
  readonly rest: (recent: Span) => Promise<Rest>
}

/**
 * Both parts of the window, of which that before the cut is cached for as long as nothing of an earlier day
 * is written. Undefined when the window has one part alone.
 * @param key what is asked of it, besides the window and its clauses.
 */
export async function readPastAndRest<Past extends object, Rest>(
  deps: CachedDeps,
  question: Question,
  key: readonly unknown[],
  { both, rest }: PartsReader<Past, Rest>,
): Promise<{ readonly past: Past; readonly rest: Rest } | undefined> {
  const cutMs = cutOf(deps, question.window)
  if (cutMs === undefined) return undefined
  const { span, version, ask } = await pastOf(deps, question, cutMs, key)
  const recent = { fromMs: cutMs, toMs: question.window.toMs }
  let read: { readonly rest: Rest } | undefined
  const { answer: past } = await deps.answers.get(version, ask, async () => {
    const found = await both(span, recent)
    read = found
    return found.past
  })
  return { past, rest: read ? read.rest : await rest(recent) }
}

/** Lists of the part before the cut, which the overview and `metrics` share. @param scope that part. */
export async function readPastTops(deps: CachedDeps, question: Question, scope: Scope): Promise<TopLists> {
  // Lists have no weeks and no money: they are the same wherever those begin, and in every currency.
  const { weekStart: _, ...window } = question.window
  const { version, ask } = await pastOf(deps, { ...question, window, money: undefined }, scope.span.toMs, ['tops'])
  const { answer } = await deps.answers.get(version, ask, () => readTopLists(deps.facts, scope))
  return answer
}
