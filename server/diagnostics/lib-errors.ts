// Failures that the browser libraries report: stored as facts, and shown to the owner by day
// (docs/api/diagnostics.md).
import type { Context } from '../context.ts'
import { dayOf, dayText } from '../kernel/days.ts'
import type { Deps } from '../kernel/deps.ts'
import { type Listed, offsetOf, type PageQuery, unlessEmpty } from '../kernel/page.ts'
import { parseWindow, type WindowQuery } from '../kernel/window.ts'
import { isOpenProperty, type Property } from '../properties/properties.ts'
import { factDefaults } from '../stores/fact-tables.ts'
import { type Visitor, hintsIn } from '../tracker/tracker.ts'
import { readLibError } from './lib-error-text.ts'
import { listErrorDays, listTopErrors } from './lib-errors-facts.ts'
import type { ErrorDayJson, LibErrorJson } from './schema.ts'

export const libs = ['signals', 'form'] as const

/** The visitor whose browser reports. */
export interface Reporter {
  readonly visitorOf: (property: Property) => Visitor
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

type ReportDeps = Pick<Context, 'properties' | 'enrich' | 'facts' | 'now' | 'randomBytes'>

/** Pages know the public key, and some the id. */
async function findProperty({ properties }: ReportDeps, named: string): Promise<Property | undefined> {
  const property = (await properties.byKey(named)) ?? (await properties.byId(named))
  return property && isOpenProperty(property) ? property : undefined
}

/**
 * @returns why nothing was stored; undefined once it is stored. @throws Problem('unavailable') when the store
 * is away.
 */
export async function recordLibError(
  deps: ReportDeps,
  { property_id, error, lib }: LibErrorJson,
  { visitorOf, headers }: Reporter,
): Promise<'payload' | 'property' | undefined> {
  const message = readLibError(error)
  if (message === '') return 'payload'
  const property = await findProperty(deps, property_id)
  if (!property) return 'property'
  const { address, agent } = visitorOf(property)
  const hints = hintsIn(headers)
  const { browser, os } = deps.enrich.agent(agent, hints)
  const bot = deps.enrich.bot({ userAgent: agent, place: deps.enrich.place(address), brands: hints?.brands })
  const at = deps.now()
  await deps.facts.append('lib_errors', {
    ...factDefaults.lib_errors,
    property: property.id,
    day: dayText(dayOf(at)),
    lib,
    message,
    id: deps.randomBytes(8).readBigUInt64BE().toString(),
    at,
    browser,
    os,
    is_bot: Number(bot.is_bot),
  })
  return undefined
}

/**
 * Days of the property's clock with reports, the latest first.
 * @throws Problem('validation_failed') for an impossible window.
 */
export async function listLibErrors(
  { facts, now }: Pick<Deps, 'facts' | 'now'>,
  property: Pick<Property, 'id' | 'default_period' | 'created_ts' | 'timezone' | 'week_start'>,
  query: WindowQuery,
  page: PageQuery,
): Promise<Listed<ErrorDayJson>> {
  const { period, date_from, date_to } = query
  const asked = {
    period: unlessEmpty(period ?? undefined),
    date_from: unlessEmpty(date_from ?? undefined),
    date_to: unlessEmpty(date_to ?? undefined),
  }
  const { default_period, timezone, week_start } = property
  const defaults = { default_period, timezone, week_start, firstMs: property.created_ts * 1000 }
  const days = await listErrorDays(facts, property.id, parseWindow(asked, now(), defaults), timezone)
  const first = offsetOf(page)
  const shown = days.slice(first, first + page.perPage)
  const top = await listTopErrors(
    facts,
    property.id,
    shown.map(({ span }) => span),
  )
  const rows = shown.map(({ span, ...row }) => ({ ...row, errors: top.get(span.fromMs) ?? [] }))
  return { rows, total: days.length }
}
