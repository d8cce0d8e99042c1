// What the running bucket of an overview will come to, by how the property's visitors came in the weeks
// before.
import type { Answers } from '../analytics/answers.ts'
import { scopeOf } from '../analytics/question.ts'
import { readHours } from '../analytics/facts.ts'
import type { Figures } from '../analytics/metrics.ts'
import type { OverviewQuestion } from './cards.ts'
import { growthOf, isFarEnough, LEAST_COUNTED, profileOf, profileSpan, type Running } from './profile.ts'
import { dayOf, storedDay } from '../kernel/days.ts'
import type { Deps } from '../kernel/deps.ts'

function runningOf({ window, buckets }: OverviewQuestion): Running | undefined {
  const last = buckets.at(-1)
  if (!window.endsNow || !last || buckets.length < 2) return undefined
  return { fromMs: last.fromMs, toMs: last.fullToMs, nowMs: window.toMs }
}

type GrowthDeps = Pick<Deps, 'facts'> & { readonly answers: Answers }

/** Cached for the day, as long as nothing of an earlier one is written. */
async function readProfile({ facts, answers }: GrowthDeps, question: OverviewQuestion) {
  const { propertyId, clauses } = question
  const span = profileSpan(question.window.toMs - 1)
  const version = await facts.version(propertyId, storedDay(dayOf(span.toMs)))
  const ask = { propertyId, key: ['hours', span.toMs, clauses], maxAgeMs: Infinity }
  const { answer } = await answers.get(version, ask, async () => ({
    hours: await readHours(facts, scopeOf(question, span)),
  }))
  return profileOf(answer.hours, span)
}

/** By what its sums are to be multiplied; null while too little is known of it. */
export type Growth = (current: readonly Figures[]) => number | null

const notKnown: Growth = () => null

/** Asked for beside the figures, which it does not need before they are there. */
export async function readGrowth(deps: GrowthDeps, question: OverviewQuestion): Promise<Growth> {
  const running = runningOf(question)
  if (!running || !isFarEnough(running)) return notKnown
  const profile = await readProfile(deps, question)
  return (current) => ((current.at(-1)?.sessions ?? 0) < LEAST_COUNTED ? null : growthOf(profile, running))
}
