// Validates what an owner typed about a property; the management API and the command line use the same rules.
import { currencyExponent, MAX_MINOR } from '../kernel/money.ts'
import { type FieldErrors, invalid, Problem } from '../kernel/problem.ts'
import { type WeekStart, weekStarts } from '../kernel/calendar.ts'
import { namedPeriods } from '../kernel/periods.ts'
import { readZone } from '../kernel/window.ts'
import { readExcludedAddresses, readExcludedPaths } from './exclusions.ts'
import { readHost } from '../kernel/hosts.ts'
import { withoutPort } from '../kernel/ports.ts'
import type { DeadLinkRules, PropertyDraft } from './properties.ts'
import type { ContentPolicy } from './property-model.ts'
import type { PropertyChange } from './records.ts'
import { type Scope, scopes, type TokenDraft } from './tokens.ts'

// Here and not beside the schemas, which import them: the command line does not need those, and loading them
// would take half of its time.
export const MAX_NAME = 120
export const MAX_CLIENT = 120
export const MAX_DOMAINS = 50
/** As much as any short link may lead to. */
export const MAX_DEAD_LINK_URL = 2048
/** The same limit as for reports with a token. */
export const MAX_BROWSER_USD = MAX_MINOR / 100
/** As many as RETENTION_DAYS may say. */
export const MAX_KEPT_DAYS = 36_500

/** Cc: line breaks, escape sequences and NUL do not belong in names on terminals and pages. */
const controls = /\p{Cc}/u

/** @throws Problem('validation_failed') */
export function readName(text: string): string {
  const name = text.trim()
  if (name === '') throw invalid('name', 'name may not be empty.')
  if (name.length > MAX_NAME) throw invalid('name', `name may have at most ${MAX_NAME} characters.`)
  if (controls.test(name) || !name.isWellFormed()) throw invalid('name', 'name may not contain control characters.')
  return name
}

/** May be empty. @throws Problem('validation_failed') */
export function readClient(text: string): string {
  const client = text.trim()
  if (client.length > MAX_CLIENT) throw invalid('client', `client may have at most ${MAX_CLIENT} characters.`)
  if (controls.test(client) || !client.isWellFormed())
    throw invalid('client', 'client may not contain control characters.')
  return client
}

/**
 * Each once, in the order given, without its port. @throws Problem('validation_failed') naming every text
 * that is no host.
 */
export function readDomains(texts: readonly string[]): string[] {
  if (texts.length > MAX_DOMAINS) throw invalid('domains', `domains may have at most ${MAX_DOMAINS} items.`)
  const errors: FieldErrors = {}
  const hosts = texts.flatMap((text, index) => {
    const host = readHost(withoutPort(text))
    if (host === undefined)
      errors[`domains.${index}`] = [`domains.${index} must be a host like example.com, without scheme or path.`]
    return host ?? []
  })
  const first = Object.values(errors)[0]?.[0]
  if (first !== undefined) throw new Problem('validation_failed', first, { errors })
  return [...new Set(hosts)]
}

interface PropertyBody {
  readonly name?: string
  readonly domains?: readonly string[]
  readonly default_period?: string | null
  readonly timezone?: string
  readonly week_start?: WeekStart
  readonly client?: string
  readonly currency?: string | null
  readonly plan?: 'free' | 'paid'
  readonly content_policy?: ContentPolicy
  readonly excluded_addresses?: readonly string[]
  readonly excluded_paths?: readonly string[]
  readonly is_token_only?: boolean
  readonly is_listed_only?: boolean
  readonly browser_max_usd?: number
  readonly kept_days?: number | null
  readonly dead_link_url?: string | null
}

/** Only the given settings. @throws Problem('validation_failed') */
function readExclusions({ excluded_addresses: addresses, excluded_paths: paths }: PropertyBody) {
  return {
    ...(addresses === undefined ? {} : { excluded_addresses: readExcludedAddresses(addresses) }),
    ...(paths === undefined ? {} : { excluded_paths: readExcludedPaths(paths) }),
  }
}

/** @throws Problem('validation_failed') */
export function readCurrency(text: string | null): string | null {
  const code = text?.toUpperCase() ?? null
  if (code !== null && currencyExponent(code) === undefined)
    throw invalid('currency', 'currency must be a code of ISO 4217, like EUR, or null.')
  return code
}

/** Only the given settings. @throws Problem('validation_failed') */
function readCalendar({ timezone, week_start, currency }: PropertyBody) {
  return {
    ...(currency === undefined ? {} : { currency: readCurrency(currency) }),
    ...(timezone === undefined ? {} : { timezone: readZone(timezone) }),
    ...(week_start === undefined ? {} : { week_start }),
  }
}

/** Only the given settings: the schema, or the command line, has validated each. */
function readGuards({ is_token_only, is_listed_only, browser_max_usd, kept_days }: PropertyBody) {
  return {
    ...(is_token_only === undefined ? {} : { is_token_only }),
    ...(is_listed_only === undefined ? {} : { is_listed_only }),
    ...(browser_max_usd === undefined ? {} : { browser_max_usd: readBrowserMax(browser_max_usd) }),
    ...(kept_days === undefined ? {} : { kept_days: readKeptDays(kept_days) }),
  }
}

/** @throws Problem('validation_failed') */
export function readBrowserMax(dollars: number): number {
  if (Number.isInteger(dollars) && dollars >= 1 && dollars <= MAX_BROWSER_USD) return dollars
  throw invalid('browser_max_usd', `browser_max_usd must be a whole number of dollars from 1 to ${MAX_BROWSER_USD}.`)
}

/** @throws Problem('validation_failed') */
export function readKeptDays(days: number | null): number | null {
  if (days === null || (Number.isInteger(days) && days >= 1 && days <= MAX_KEPT_DAYS)) return days
  throw invalid('kept_days', `kept_days must be a whole number of days from 1 to ${MAX_KEPT_DAYS}, or null.`)
}

export function readPropertyDraft(body: PropertyBody & { readonly name: string }): PropertyDraft {
  return {
    name: readName(body.name),
    domains: readDomains(body.domains ?? []),
    default_period: body.default_period ?? null,
    plan: body.plan ?? 'paid',
    ...readCalendar(body),
    ...(body.client === undefined ? {} : { client: readClient(body.client) }),
    ...(body.content_policy === undefined ? {} : { content_policy: body.content_policy }),
    ...readExclusions(body),
    ...readGuards(body),
  }
}

/** Only what was sent is changed. */
export function readPropertyChange(body: PropertyBody): PropertyChange {
  return {
    ...(body.name === undefined ? {} : { name: readName(body.name) }),
    ...(body.domains === undefined ? {} : { domains: readDomains(body.domains) }),
    ...(body.default_period === undefined ? {} : { default_period: body.default_period }),
    ...readCalendar(body),
    ...(body.client === undefined ? {} : { client: readClient(body.client) }),
    ...(body.plan === undefined ? {} : { plan: body.plan }),
    ...(body.content_policy === undefined ? {} : { content_policy: body.content_policy }),
    ...readExclusions(body),
    ...readGuards(body),
  }
}

/** Only when it was given; empty is none. @throws Problem('validation_failed') */
export async function readDeadLinks(
  rules: DeadLinkRules,
  { dead_link_url: written }: PropertyBody,
  id?: string,
): Promise<Pick<PropertyChange, 'dead_link_url'>> {
  if (written === undefined) return {}
  return { dead_link_url: written?.trim() ? await rules.readDeadLinkUrl(id, written) : null }
}

export function readTokenDraft(body: { readonly name: string; readonly scopes: readonly Scope[] }): TokenDraft {
  return { name: readName(body.name), scopes: body.scopes }
}

const isScope = (text: string): text is Scope => scopes.some((scope) => scope === text)

/** For the command line, whose texts no schema has validated. @throws Problem('validation_failed') */
export function readScopes(texts: readonly string[]): Scope[] {
  const unknown = texts.find((text) => !isScope(text))
  if (unknown !== undefined || texts.length === 0)
    throw invalid('scopes', `scopes must be some of: ${scopes.join(', ')}.`)
  return texts.filter(isScope)
}

/** For the command line. @throws Problem('validation_failed') */
export function readDefaultPeriod(text: string): string {
  if (!namedPeriods.some((period) => period === text))
    throw invalid('default_period', `default_period must be one of: ${namedPeriods.join(', ')}.`)
  return text
}

/** For the command line. @throws Problem('validation_failed') */
export function readWeekStart(text: string): WeekStart {
  const found = weekStarts.find((day) => day === text)
  if (!found) throw invalid('week_start', `week_start must be one of: ${weekStarts.join(', ')}.`)
  return found
}
