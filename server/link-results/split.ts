// The destinations of a link's split against each other, by the statistics of content blocks
// (docs/definitions.md, "Content"): of whom they were shown to, how many reached the goal.
import type { Context } from '../context.ts'
import { ENOUGH_GOALS, ENOUGH_SESSIONS, judge, noFigures, type Reasons } from '../content-results/content-results.ts'
import { getConversion, matching } from '../conversions/conversions.ts'
import { unlessEmpty } from '../kernel/page.ts'
import { parseWindow, type Span, windowJson, type WindowQuery } from '../kernel/window.ts'
import { groupsOf, type Link } from '../links/link-model.ts'
import { findLink } from '../links/records.ts'
import { getSplit, type Split } from '../links/rules.ts'
import type { Property } from '../properties/properties.ts'
import { withBeginning } from '../sessions/sessions.ts'
import { readClickedRows } from './facts.ts'
import { readVariants, type VariantFigures } from './split-facts.ts'

type SplitDeps = Pick<Context, 'records' | 'facts' | 'now'>

export interface SplitAsk extends WindowQuery {
  readonly conversion?: string | undefined
}

const reasons: Reasons = {
  noGoal: 'The goal has been deleted: choose another one.',
  none: 'The link has no split.',
  one: 'The split has one destination: there is nothing to compare it with.',
  fewSessions: `Not enough data: each destination must have had at least ${ENOUGH_SESSIONS} visitors.`,
  fewGoals: `Not enough data: at least ${ENOUGH_GOALS} visitors must have reached the goal.`,
  suspicious:
    'The visitors did not fall on the destinations by their weights: they may be counted differently. Find out why before you believe the rates.',
}

/** What is counted where no conversion was chosen: the `forms` of the results. */
const anyForm = { event_type: 'form_submit', event_value: null } as const

/** Clicks from the last change of the split on; none where the window was over by then. */
const spanOf = ({ fromMs, toMs }: Span, sinceMs = fromMs): Span => ({
  fromMs: Math.min(Math.max(fromMs, sinceMs), toMs),
  toMs,
})

const askOf = (propertyId: string, link: Link, span: Span) => ({
  propertyId,
  groups: groupsOf(link),
  links: [link.id],
  span,
})

interface Counted {
  readonly figures: ReadonlyMap<string, VariantFigures>
  readonly clicks: ReadonlyMap<string, number>
}

function judgeVariants(variants: Split['variants'], { figures, clicks }: Counted) {
  const setup = variants.map(({ id, destination_url, weight }) => ({ version_id: id, label: destination_url, weight }))
  const byVersion = new Map(
    [...figures].map(([id, { people, converted }]) => [id, { ...noFigures, n: people, goals: converted }]),
  )
  const judged = judge({ setup }, { byVersion, bots: { views: 0, clicks: 0 } }, true, reasons)
  const { versions, sample_ratio, has_enough_data, reason, winner } = judged
  return {
    variants: versions.map(({ version_id: id, label, weight, n, goals, ...compared }) => ({
      id,
      destination_url: label,
      weight,
      clicks: clicks.get(id) ?? 0,
      visitors: n,
      arrived: figures.get(id)?.arrived ?? 0,
      converted: goals ?? 0,
      rate: compared.rate,
      difference: compared.difference,
      interval: compared.interval,
      chance_to_win: compared.chance_to_win,
      verdict: compared.verdict,
    })),
    sample_ratio: {
      ...sample_ratio,
      expected: sample_ratio.expected.map(({ version_id, ...share }) => ({ id: version_id, ...share })),
    },
    has_enough_data,
    reason,
    winner,
  }
}

/** @throws Problem: not_found for the link or the conversion; validation_failed for an impossible window. */
export async function readSplitResults(deps: SplitDeps, property: Property, linkId: string, query: SplitAsk) {
  const { records, facts } = deps
  const { variants, sinceMs } = await getSplit(deps, property.id, linkId)
  const link = await findLink(records, property.id, linkId)
  const chosen = unlessEmpty(query.conversion)
  const goal = chosen === undefined ? anyForm : await getConversion(deps, property.id, chosen)
  const window = parseWindow(query, deps.now(), await withBeginning(facts, property, query))
  const ask = link && askOf(property.id, link, spanOf(window, sinceMs))
  const [figures, clicked] = await Promise.all([
    ask ? readVariants(facts, ask, matching(goal)) : new Map<string, VariantFigures>(),
    ask ? readClickedRows(facts, { ...ask, buckets: [] }) : [],
  ])
  const clicks = new Map(clicked.filter(({ grouping }) => grouping === 'rule').map((row) => [row.value, row.clicks]))
  return {
    ...windowJson(window),
    since_ts: sinceMs === undefined ? null : Math.floor(sinceMs / 1000),
    conversion_id: chosen ?? null,
    ...judgeVariants(variants, { figures, clicks }),
  }
}
