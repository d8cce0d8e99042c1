// How fast pages were for their visitors in a window: what Google calls Web Vitals (docs/definitions.md).
import type { AnalyticsDeps, AnalyticsInput } from '../analytics/question.ts'
import { inputsOf, metaOf, parseInput, scopeOf, stopwatch } from '../analytics/question.ts'
import { byName } from '../kernel/by-name.ts'
import { allPeriods } from '../kernel/periods.ts'
import type { Property } from '../properties/properties.ts'
import { withBeginning } from '../sessions/sessions.ts'
import { readSpeed, type SpeedRow, type Spread } from './facts.ts'
import type { PageSpeedJson, VitalJson } from './schema.ts'
import { type Vital, vitals } from '../kernel/vitals.ts'
import { ratingOf, scales } from './vitals-model.ts'

/** Of the pages with the most views: those worth making faster. */
const SHOWN_PAGES = 100
/** There are seven classes. */
const SHOWN_DEVICES = 10

function vitalJson(name: Vital, { count, p75, good, poor }: Spread): VitalJson {
  if (count === 0) return { p75: null, rating: null, count, good, needs_improvement: 0, poor }
  return {
    p75: p75 / scales[name].unit,
    rating: ratingOf(name, p75),
    count,
    good,
    needs_improvement: count - good - poor,
    poor,
  }
}

const speedJson = (row: SpeedRow): PageSpeedJson => ({
  loads: row.loads,
  ...byName(vitals, (name) => vitalJson(name, row[name])),
})

/** @throws Problem('validation_failed') for what cannot be asked. */
export async function answerSpeed(deps: Pick<AnalyticsDeps, 'facts' | 'now'>, property: Property, ask: AnalyticsInput) {
  const elapsed = stopwatch()
  const question = parseInput(deps, await withBeginning(deps.facts, property, ask), ask)
  const scope = scopeOf(question)
  const [[all], devices, pages] = await Promise.all([
    readSpeed(deps.facts, scope, { by: 'all', most: 1 }),
    readSpeed(deps.facts, scope, { by: 'device', most: SHOWN_DEVICES }),
    readSpeed(deps.facts, scope, { by: 'path', most: SHOWN_PAGES }),
  ])
  return {
    inputs: inputsOf(question, ask),
    meta: metaOf(question.window.showing, question.clauses, elapsed),
    options: { periods: allPeriods },
    all: all === undefined || all.loads === 0 ? null : speedJson(all),
    devices: devices.map((row) => ({ device: row.key, ...speedJson(row) })),
    pages: pages.map((row) => ({ path: row.key, ...speedJson(row) })),
  }
}
