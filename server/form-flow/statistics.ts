// Views, begins and submissions of a form in a window (docs/definitions.md).
import type { Deps } from '../kernel/deps.ts'
import { parseWindow, type WindowDefaults, type WindowQuery } from '../kernel/window.ts'
import type { Property } from '../properties/properties.ts'
import { withBeginning } from '../sessions/sessions.ts'
import { readFormFigures, type Steps } from './facts.ts'

const DECIMALS = 10_000

/** 4 decimals; null when there is nothing to divide by: the rate is unknown then. */
function rate(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part / whole) * DECIMALS) / DECIMALS
}

const withRate = <Row extends Steps>(row: Row) => ({ ...row, rate: rate(row.submitted, row.views) })

/** @throws Problem('validation_failed') for an impossible window. */
export async function readFormStatistics(
  { facts, now }: Pick<Deps, 'facts' | 'now'>,
  property: Pick<Property, 'id'> & WindowDefaults,
  formId: string,
  query: WindowQuery,
) {
  const window = parseWindow(query, now(), await withBeginning(facts, property, query))
  const { bySource, byCountry, bots, ...figures } = await readFormFigures(facts, property.id, formId, window)
  return {
    period: window.period,
    date_from: window.dateFrom,
    date_to: window.dateTo,
    showing: window.showing,
    ...figures,
    rate: rate(figures.submitted, figures.views),
    rate_opened: rate(figures.opened, figures.views),
    bots,
    by_source: bySource.map(withRate),
    by_country: byCountry.map(withRate),
  }
}
