// The whole overview of a property in one answer. What the facts say is kept until they change; what the
// records say is read each time.
import { setImmediate } from 'node:timers/promises'
import { versionOf } from '../analytics/answers.ts'
import { annotationsOfWindow } from '../annotations/annotations.ts'
import { currencyOf, toldIn } from '../rates/rates.ts'
import { inputsOf, metaOf, stopwatch } from '../analytics/question.ts'
import { readFirstView } from '../analytics/facts.ts'
import { countLive } from '../analytics/live-facts.ts'
import { ageOf, cutAt, keyOf } from '../analytics/window-parts.ts'
import { intervalChoices } from '../analytics/graph.ts'
import { cardsOf, seriesOf } from './cards.ts'
import { comparisonOf, type OverviewInput, parseOverview, previousShowing, shapeOf } from './question.ts'
import type { Shared } from '../shared-figures/shared.ts'
import { shownWhole } from '../shared-figures/cells.ts'
import { readLiveCells } from '../shared-figures/facts.ts'
import { listConversions, MAX_CONVERSIONS } from '../conversions/conversions.ts'
import { DAY_MS, dayOf, storedDay } from '../kernel/days.ts'
import { allPeriods } from '../kernel/periods.ts'
import { withBeginning } from '../sessions/sessions.ts'
import { endOfNow } from '../kernel/window.ts'
import type { Property } from '../properties/properties.ts'
import { boundToAsker } from '../queues/asker.ts'
import { definitionsOf, shownConversions } from './conversions.ts'
import { shownOutcomes } from './outcomes.ts'
import { type Asked, type OverviewDeps, type OverviewFacts, readOverviewFacts } from './facts.ts'
import { askCosts, shownResults, withCost } from './costs.ts'
import { askGoal, type GoalAsked, goalLists, openGoal, parseGoal, shownGoal } from './goal.ts'
import type { OverviewJson } from './schema.ts'

export type { CardJson, OverviewJson } from './schema.ts'

/** Who was here five minutes ago leaves without a trace. */
const LIVE_MS = 5_000
const LIVE_WINDOW_MS = 300_000

async function askLive({ facts, now }: OverviewDeps, { question, isShared }: Asked): Promise<number> {
  const { propertyId, clauses } = question
  const toMs = endOfNow(now())
  const scope = { propertyId, clauses, span: { fromMs: toMs - LIVE_WINDOW_MS, toMs } }
  return isShared ? shownWhole(await readLiveCells(facts, scope)).sessions : countLive(facts, scope)
}

/** A share link tells of no visit when it was. */
const dayBegin = (ts: number | null): number | null => ts && ts - (ts % (DAY_MS / 1000))

/** What the facts say, in the shapes of the answer. */
function shownFacts({ question, current, previous, totals, lists, countries, growth }: OverviewFacts, nowMs: number) {
  const figures = { current, previous }
  const { window } = question
  return {
    window: { from_ts: window.fromMs / 1000, to_ts: window.toMs / 1000 },
    previous_window: { from_ts: question.previous.fromMs / 1000, to_ts: question.previous.toMs / 1000 },
    options: { periods: allPeriods, intervals: intervalChoices(window) },
    cards: cardsOf(totals),
    series: seriesOf(question, figures, { nowMs, growth }),
    lists,
    countries,
  }
}

/**
 * Null before the first visitor. One that is known stays the first, for every window, until something of a
 * day before today is written or removed, or its own session is marked as invalid.
 */
async function firstViewOf(deps: OverviewDeps, propertyId: string): Promise<number | null> {
  const { facts, answers, now } = deps
  const read = async () => ({ firstMs: await readFirstView(facts, propertyId) })
  const beforeDay = storedDay(dayOf(cutAt(deps, now())))
  const hasMarks = await facts.hasMarks(propertyId)
  const ask = { propertyId, key: ['first_view', beforeDay, hasMarks], maxAgeMs: Infinity }
  const version = await facts.version(propertyId, hasMarks ? undefined : beforeDay)
  const kept = await answers.get(version, ask, read)
  const { firstMs } = kept.answer.firstMs === undefined && kept.isCached ? await read() : kept.answer
  return firstMs === undefined ? null : Math.floor(firstMs / 1000)
}

/**
 * The statement of a goal takes longer than any other: behind them it would be alone at the end. The windows
 * that it is about are gathered in one turn of the event loop, and it is put in the next. Where it comes
 * later nothing but time is lost.
 */
async function untilAsked(): Promise<void> {
  await setImmediate()
  await setImmediate()
}

/** A definition that changes is another question. @param goal is begun where the facts are read. */
async function gather(deps: OverviewDeps, asked: Asked, goal: GoalAsked | undefined) {
  const { question, isShared, conversions } = asked
  const { propertyId, clauses, window } = question
  const { facts, answers } = deps
  const [version, latest] = await Promise.all([versionOf(facts, propertyId, window), facts.version(propertyId)])
  const key = ['overview', isShared, definitionsOf(conversions), ...shapeOf(question), ...keyOf(question)]
  const wholeAsk = { propertyId, key, maxAgeMs: ageOf(deps, window) }
  // Others may wait for the overview, but nobody for its goal.
  const beginGoal = boundToAsker(() => goal?.begin(question))
  const read = async () => {
    beginGoal()
    if (goal) await untilAsked()
    return readOverviewFacts(deps, asked)
  }
  const [whole, live, firstViewTs] = await Promise.all([
    answers.get(version, wholeAsk, () => answers.inTurn(read)),
    answers.get(latest, { propertyId, key: ['live', isShared, clauses], maxAgeMs: LIVE_MS }, async () => ({
      live: await askLive(deps, asked),
    })),
    firstViewOf(deps, propertyId),
  ])
  return { ...whole, live: live.answer.live, firstViewTs, version: latest }
}

/** @throws Problem('validation_failed') for what cannot be asked. */
export async function answerOverview(
  deps: OverviewDeps,
  property: Property,
  ask: OverviewInput,
  { isShared }: Shared,
): Promise<OverviewJson> {
  const elapsed = stopwatch()
  const [known, money, { rows: conversions }] = await Promise.all([
    withBeginning(deps.facts, property, ask),
    currencyOf(deps, property),
    listConversions(deps, property.id, { page: 1, perPage: MAX_CONVERSIONS }),
  ])
  const asked = { question: parseOverview(deps, { ...known, money }, ask), isShared, conversions }
  const credit = parseGoal(ask, isShared)
  const asking = credit && openGoal(deps, property.id, credit)
  const { answer: facts, isCached, live, firstViewTs, version } = await gather(deps, asked, asking)
  // An answer that was kept is one of the moment at which it was made.
  const { question } = facts
  const [outcomes, annotations, goal, costs] = await Promise.all([
    shownOutcomes(deps, property.id, facts.outcomes),
    // What the team notes is for the team.
    isShared ? [] : annotationsOfWindow(deps, property.id, question.window),
    asking && askGoal(deps, facts, asking, version),
    // So is what it spends.
    isShared ? undefined : askCosts(deps, question),
  ])
  const { sessions } = facts.totals.current
  const shown = shownFacts(facts, deps.now())
  const ofGoal = credit && goal && shownGoal(credit, goal, facts, deps.now())
  return {
    inputs: { ...inputsOf(question, ask), interval: question.interval, ...comparisonOf(question, ask) },
    meta: {
      ...metaOf(question.window.showing, question.clauses, elapsed),
      previous_showing: previousShowing(question),
      timezone: question.window.zone,
      currency: toldIn(money),
      is_cached: isCached,
      first_view_ts: isShared ? dayBegin(firstViewTs) : firstViewTs,
      is_empty_property: sessions === 0 && firstViewTs === null,
    },
    ...shown,
    ...(costs && { ...withCost(shown, facts, costs), costs: shownResults(facts, costs, ofGoal) }),
    ...(goal && ofGoal && { goal: ofGoal, lists: goalLists(facts.lists, goal) }),
    live,
    outcomes: { ...outcomes, conversions: shownConversions(conversions, facts.conversions, sessions) },
    annotations,
  }
}
