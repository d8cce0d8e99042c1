// Programs that came to the site, apart from everything else: how many, which, over which networks, and what
// they looked at.
import { parseInterval, bucketsOf } from '../kernel/buckets.ts'
import type { Property } from '../properties/properties.ts'
import {
  type AnalyticsDeps,
  type AnalyticsInput,
  inputsOf,
  metaOf,
  parseInput,
  scopeOf,
  stopwatch,
} from '../analytics/question.ts'
import { allPeriods } from '../kernel/periods.ts'
import { withBeginning } from '../sessions/sessions.ts'
import { readParts, type Scope } from '../analytics/facts.ts'
import { intervalChoices } from '../analytics/graph.ts'
import { round, sumOf } from '../analytics/metrics.ts'
import { type Listed, readNames, readNetworks, readPages } from './bot-facts.ts'

export interface BotsInput extends AnalyticsInput {
  readonly interval?: string | null | undefined
}

/** @param whole of which each row is a share. */
const shown = (rows: readonly Listed[], whole: number) =>
  rows.map(({ id, value }) => {
    const count = Number(value)
    return { id, label: id, value: count, percent: whole === 0 ? 0 : round(count / whole, 4) }
  })

/** @throws Problem('validation_failed') for what cannot be asked. */
export async function answerBots(deps: Pick<AnalyticsDeps, 'facts' | 'now'>, property: Property, ask: BotsInput) {
  const elapsed = stopwatch()
  const question = parseInput(deps, await withBeginning(deps.facts, property, ask), ask)
  const { window } = question
  const interval = parseInterval(ask.interval, window)
  const buckets = bucketsOf(window, interval)
  const scope: Scope = { ...scopeOf(question), ofBots: true }
  const edges = buckets.map(({ fromMs }) => fromMs)
  const [parts, names, networks, pages] = await Promise.all([
    readParts(deps.facts, scope, { name: 'analytics.bots', edges, figures: ['sessions', 'views'] }),
    readNames(deps.facts, scope),
    readNetworks(deps.facts, scope),
    readPages(deps.facts, scope),
  ])
  const { sessions, views } = sumOf(parts)
  return {
    inputs: { ...inputsOf(question, ask), interval },
    meta: metaOf(window.showing, question.clauses, elapsed),
    options: { periods: allPeriods, intervals: intervalChoices(window) },
    total: sessions,
    views,
    series: buckets.map(({ label, fromMs, toMs }, index) => ({
      label,
      from_ts: Math.floor(fromMs / 1000),
      to_ts: Math.floor(toMs / 1000),
      sessions: parts[index]?.sessions ?? 0,
      views: parts[index]?.views ?? 0,
    })),
    names,
    pages: shown(pages, views),
    networks: shown(networks, sessions),
  }
}
