// What the running bucket of an overview will come to, by how the property's visitors came in the weeks
// before.
import type { Answers } from '../analytics/answers.ts'
import { scopeOf } from '../analytics/question.ts'
import type { Scope } from '../analytics/facts.ts'
import { readStarts, type StartCount } from '../analytics/starts-facts.ts'
import type { Figures } from '../analytics/metrics.ts'
import type { OverviewQuestion } from './question.ts'
import {
  growthOf,
  HOUR_MS,
  type HourCount,
  isFarEnough,
  LEAST_COUNTED,
  type Profile,
  profileOf,
  profileSpan,
  type Running,
} from './profile.ts'
import { DAY_MS, dayOf, storedDay } from '../kernel/days.ts'
import { QUARTER_SECONDS } from '../stores/session-sums.ts'
import type { Deps } from '../kernel/deps.ts'
import type { Span } from '../kernel/window.ts'
import { instantOf, offsetAt, wallOf } from '../kernel/zones.ts'

const HOUR_SECONDS = 3600

function runningOf({ window, buckets }: OverviewQuestion): Running | undefined {
  const last = buckets.at(-1)
  if (!window.endsNow || !last || buckets.length < 2) return undefined
  return { fromMs: last.fromMs, toMs: last.fullToMs, nowMs: window.toMs }
}

type GrowthDeps = Pick<Deps, 'facts'> & { readonly answers: Answers }

/** Hours of a zone begin with hours of UTC, or with quarters of them. */
function stepOf(zone: string, span: Span): number {
  const isWhole = [span.fromMs, span.toMs].every((atMs) => offsetAt(zone, atMs) % HOUR_MS === 0)
  return isWhole ? HOUR_SECONDS : QUARTER_SECONDS
}

function hoursOf(zone: string, starts: readonly StartCount[]): HourCount[] {
  const byHour = Map.groupBy(starts, ({ fromMs }) => Math.floor(wallOf(zone, fromMs) / HOUR_MS))
  return [...byHour].map(([hour, all]) => ({ hour, sessions: all.reduce((sum, { sessions }) => sum + sessions, 0) }))
}

/**
 * A day of the zone may have begun before one of UTC: what came in between is still written to. It is little
 * beside four weeks.
 */
const LAST_HOURS_AGE_MS = 3_600_000

/**
 * Together all sessions of the span: those that are kept for the question, and those before and after them.
 */
function scopesOf(question: OverviewQuestion, span: Span, kept: Scope | undefined): Scope[] {
  const whole = scopeOf(question, span)
  if (!kept?.held) return [whole]
  const fromMs = Math.max(span.fromMs, kept.span.fromMs)
  const toMs = Math.min(span.toMs, kept.span.toMs)
  const parts = [
    { ...kept, span: { fromMs, toMs } },
    { ...whole, span: { fromMs: span.fromMs, toMs: fromMs } },
    { ...whole, span: { fromMs: toMs, toMs: span.toMs } },
  ]
  return fromMs < toMs ? parts.filter((part) => part.span.fromMs < part.span.toMs) : [whole]
}

/**
 * Cached for the day, as long as nothing of an earlier one is written.
 * @param kept of the question, where its sessions are kept.
 */
async function readProfile(
  { facts, answers }: GrowthDeps,
  question: OverviewQuestion,
  kept: Scope | undefined,
): Promise<Profile> {
  const { propertyId, clauses, window } = question
  const { zone } = window
  const onClock = profileSpan(wallOf(zone, window.toMs - 1))
  const span = { fromMs: instantOf(zone, onClock.fromMs), toMs: instantOf(zone, onClock.toMs) }
  const version = await facts.version(propertyId, storedDay(dayOf(span.toMs)))
  const seconds = stepOf(zone, span)
  const maxAgeMs = span.toMs % DAY_MS === 0 ? Infinity : LAST_HOURS_AGE_MS
  const ask = { propertyId, key: ['starts', seconds, span.fromMs, span.toMs, clauses], maxAgeMs }
  const { answer } = await answers.get(version, ask, async () => {
    const starts = await Promise.all(scopesOf(question, span, kept).map((scope) => readStarts(facts, scope, seconds)))
    return { starts: starts.flat() }
  })
  return profileOf(hoursOf(zone, answer.starts), onClock)
}

/** By what its sums are to be multiplied; null while too little is known of it. */
export type Growth = (current: readonly Figures[]) => number | null

const notKnown: Growth = () => null

/**
 * Asked for beside the figures, which it does not need before they are there.
 * @param kept of the question, where its sessions are kept.
 */
export async function readGrowth(deps: GrowthDeps, question: OverviewQuestion, kept?: Scope): Promise<Growth> {
  const running = runningOf(question)
  if (!running || !isFarEnough(running)) return notKnown
  const profile = await readProfile(deps, question, kept)
  const read = (atMs: number): number => wallOf(question.window.zone, atMs)
  const onClock = { fromMs: read(running.fromMs), toMs: read(running.toMs), nowMs: read(running.nowMs) }
  return (current) => ((current.at(-1)?.sessions ?? 0) < LEAST_COUNTED ? null : growthOf(profile, onClock))
}
