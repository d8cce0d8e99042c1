// The whole overview of a property in one answer. What the facts say is kept until they change; what the records say is read each time.
import { type Answers, openAnswers } from '../analytics/answers.ts'
import { annotationsOfWindow } from '../analytics/annotations.ts'
import { inputsOf, metaOf, periodChoices, scopeOf, stopwatch } from '../analytics/ask.ts'
import { countLive, hasViews, readTopLists } from '../analytics/facts.ts'
import { intervalChoices } from '../analytics/graph.ts'
import { countryCounts, overviewLists } from '../analytics/list-rows.ts'
import {
  cardsOf,
  type OverviewAsk,
  type OverviewQuestion,
  parseOverview,
  previousShowing,
  readWindowFigures,
  seriesOf,
  sumOf,
} from '../analytics/overview.ts'
import type { Conversion } from '../automations/automation.ts'
import { MAX_CONVERSIONS } from '../automations/automation.ts'
import { listConversions } from '../automations/conversions.ts'
import type { Deps } from '../kernel/deps.ts'
import { endOfNow } from '../kernel/window.ts'
import type { Property } from '../properties/properties.ts'
import { readConversions, readOutcomes, shownConversions, shownOutcomes } from './outcomes.ts'

export type OverviewDeps = Pick<Deps, 'config' | 'facts' | 'records' | 'now'>

/** A window that ends now moves on with the time, and so does what it is compared with. */
const MOVING_MS = 60_000
/** The same where other nodes write too: what one of them stored a moment ahead of this clock must soon be inside. */
const MOVING_SHARED_MS = 5_000
/** Who was here five minutes ago leaves without a trace. */
const LIVE_MS = 5_000
const LIVE_WINDOW_MS = 300_000

type Version = string | undefined

/** All that the answer takes from the facts of one moment: figures, lists and outcomes are of the same window. */
async function readFacts({ facts, config }: OverviewDeps, question: OverviewQuestion) {
  const scope = scopeOf(question)
  const [figures, top, outcomes] = await Promise.all([
    readWindowFigures(facts, question),
    readTopLists(facts, scope),
    readOutcomes(facts, scope),
  ])
  const { sessions } = sumOf(figures.current)
  const isEmpty = sessions === 0 && !(await hasViews(facts, question.propertyId))
  const lists = overviewLists(top, sessions, config.baseUrl)
  return { question, figures, sessions, isEmpty, lists, countries: countryCounts(top), outcomes }
}

/** What one question is known by: the beginning of its window tells one day from the next. */
function keyOf({ window, clauses, interval, compare }: OverviewQuestion): readonly unknown[] {
  return [window.period, window.fromMs, window.endsNow ? 'now' : window.toMs, clauses, interval, compare]
}

function askLive({ facts, now }: OverviewDeps, { propertyId, clauses }: OverviewQuestion) {
  const toMs = endOfNow(now())
  return countLive(facts, { propertyId, clauses, span: { fromMs: toMs - LIVE_WINDOW_MS, toMs } })
}

/** A definition that changes is another question. */
async function askConversions(deps: OverviewDeps, answers: Answers, version: Version, question: OverviewQuestion) {
  const { propertyId } = question
  const { rows } = await listConversions(deps, propertyId, { page: 1, perPage: MAX_CONVERSIONS })
  const defined = rows.map(({ id, event_type, event_value }: Conversion) => [id, event_type, event_value])
  const ask = { propertyId, key: ['conversions', ...keyOf(question), defined], maxAgeMs: ageOf(deps, question) }
  const { answer } = await answers.get(version, ask, () => readConversions(deps.facts, scopeOf(question), rows))
  return { conversions: rows, counts: answer }
}

function ageOf({ config }: OverviewDeps, { window }: OverviewQuestion): number {
  if (!window.endsNow) return Infinity
  return config.clickhouseUrls.length > 0 ? MOVING_SHARED_MS : MOVING_MS
}

export interface Overviews {
  /** @throws Problem('validation_failed') for what cannot be asked. */
  answer(property: Property, ask: OverviewAsk): Promise<object>
}

export function openOverviews(deps: OverviewDeps): Overviews {
  const answers = openAnswers(deps)

  const gather = async (question: OverviewQuestion) => {
    const { propertyId, clauses } = question
    const version = await deps.facts.version(propertyId)
    return Promise.all([
      answers.get(version, { propertyId, key: ['overview', ...keyOf(question)], maxAgeMs: ageOf(deps, question) }, () =>
        readFacts(deps, question),
      ),
      answers.get(version, { propertyId, key: ['live', clauses], maxAgeMs: LIVE_MS }, async () => ({
        live: await askLive(deps, question),
      })),
      askConversions(deps, answers, version, question),
    ])
  }

  return {
    answer: async (property, ask) => {
      const elapsed = stopwatch()
      const asked = parseOverview(deps, property, ask)
      const [{ answer, isCached }, live, { conversions, counts }] = await gather(asked)
      // An answer that was kept is one of the moment at which it was made.
      const { question, figures, sessions, isEmpty, lists, countries } = answer
      const { window, interval, compare } = question
      const [outcomes, annotations] = await Promise.all([
        shownOutcomes(deps, property.id, answer.outcomes),
        annotationsOfWindow(deps, property.id, window),
      ])
      return {
        inputs: { ...inputsOf(question, ask), interval, compare },
        meta: {
          ...metaOf(window.showing, question.clauses, elapsed),
          previous_showing: previousShowing(question),
          is_cached: isCached,
          is_empty_property: isEmpty,
        },
        window: { from_ts: window.fromMs / 1000, to_ts: window.toMs / 1000 },
        options: { periods: periodChoices, intervals: intervalChoices(window) },
        live: live.answer.live,
        cards: cardsOf(figures),
        series: seriesOf(question, figures, deps.now()),
        lists,
        countries,
        outcomes: { ...outcomes, conversions: shownConversions(conversions, counts, sessions) },
        annotations,
      }
    },
  }
}
