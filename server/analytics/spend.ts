// What advertising cost in a window: which of it a question is about, and by which values of sessions it is
// told. Costs are of no session: they are matched by the UTM values that both have. docs/definitions.md,
// "Cost", is the law of this file.
import { type Cost, everyCost } from '../costs/costs.ts'
import { openSources } from '../enrich/source.ts'
import { dayFromText, dayText } from '../kernel/days.ts'
import type { ZonedSpan } from '../kernel/window.ts'
import { dayIn } from '../kernel/zones.ts'
import { type Currency, toldIn } from '../rates/rates.ts'
import type { Records } from '../stores/records.ts'
import type { SummaryJson } from './answer-schema.ts'
import type { Clause, Operator } from './clauses.ts'
import { comparedEntry } from './compared.ts'
import type { ListId } from './dimensions.ts'
import type { Question } from './question.ts'

/** Lists of what a cost has, too. */
export const costListIds = ['channel', 'source', 'utm_source', 'utm_medium', 'utm_campaign'] as const
type CostListId = (typeof costListIds)[number]

const isCostList = (id: string): id is CostListId => (costListIds as readonly string[]).includes(id)

/** What a day of a campaign cost, in minor units of the currency that is told, not rounded. */
export type Spending = Readonly<Record<CostListId, string>> & { readonly day: number; readonly minor: number }

/** Undefined where a filter is by something that costs do not have: then it is not known. */
export type Spend = readonly Spending[] | undefined

// ---------------------------------------------------------------- which of it

type Holds = (text: string, value: string) => boolean

const holds: Readonly<Partial<Record<Operator, Holds>>> = {
  equals: (text, value) => text === value,
  contains: (text, value) => text.toLowerCase().includes(value.toLowerCase()),
  starts_with: (text, value) => text.toLowerCase().startsWith(value.toLowerCase()),
  ends_with: (text, value) => text.toLowerCase().endsWith(value.toLowerCase()),
}

function isChosen(text: string, { operator, values }: Clause): boolean {
  if (operator === 'is_set' || operator === 'is_not_set') return (text !== '') === (operator === 'is_set')
  const isDenied = operator.startsWith('not_')
  const check = holds[operator.replace(/^not_/, '') as Operator]
  return values.some((value) => check?.(text, value) ?? false) !== isDenied
}

// ---------------------------------------------------------------- reading

const readSource = openSources()

/** Channel and source of a session with these UTM values, and nothing else that tells where it came from. */
function placeOf({ source, medium, campaign }: Cost): Readonly<Record<CostListId, string>> {
  const page = new URL('https://page.invalid/')
  page.search = new URLSearchParams({ utm_source: source, utm_medium: medium, utm_campaign: campaign }).toString()
  const found = readSource({ page, referrer: '', ownDomains: [] })
  return {
    channel: found.channel,
    source: found.source,
    utm_source: source,
    utm_medium: medium,
    utm_campaign: campaign,
  }
}

/** As it came where that is in the currency, else from US cents at the rate of the day. */
function minorOf({ amount, amount_usd, currency }: Cost, day: number, money: Currency | undefined): number {
  if (currency === toldIn(money)) return amount
  return money ? amount_usd * money.perCent(day) : amount_usd
}

type Asked = Pick<Question, 'propertyId' | 'clauses' | 'money'>

export interface SpendDeps {
  readonly records: Records
}

/** Costs of all days that the span touches, by the clock of its zone. */
export async function readSpend(
  { records }: SpendDeps,
  { propertyId, clauses, money }: Asked,
  { zone, fromMs, toMs }: ZonedSpan,
): Promise<Spend> {
  if (clauses.some(({ id }) => !isCostList(id))) return undefined
  if (toMs <= fromMs) return []
  const days = { fromDay: dayText(dayIn(zone, fromMs)), toDay: dayText(dayIn(zone, toMs - 1)) }
  const places = new Map<string, Readonly<Record<CostListId, string>>>()
  const costs = await everyCost(records, propertyId, days)
  return costs.flatMap((cost) => {
    const key = JSON.stringify([cost.source, cost.medium, cost.campaign])
    const place = places.get(key) ?? placeOf(cost)
    places.set(key, place)
    const isAsked = clauses.every((clause) => isCostList(clause.id) && isChosen(place[clause.id], clause))
    const day = dayFromText(cost.day)
    return isAsked ? [{ ...place, day, minor: minorOf(cost, day, money) }] : []
  })
}

// ---------------------------------------------------------------- sums

/** Of parts of minor units: rounded once, half up. */
export function sumSpend(spend: readonly Pick<Spending, 'minor'>[]): number {
  const sum = spend.reduce((total, { minor }) => total + minor, 0)
  return Math.min(Math.floor(Math.round(sum * 1e6) / 1e6 + 0.5), Number.MAX_SAFE_INTEGER)
}

/** By the values of a list, empty ones left out; undefined where it has none of costs. */
export function spendByValue(spend: Spend, list: ListId): ReadonlyMap<string, number> | undefined {
  if (!spend || !isCostList(list)) return undefined
  const byValue = Map.groupBy(spend, (each) => each[list])
  byValue.delete('')
  return new Map([...byValue].map(([value, rows]) => [value, sumSpend(rows)]))
}

/** Of both windows of a question; null where they are not known. */
export interface BothCosts {
  readonly current: number | null
  readonly previous: number | null
}

export const noCosts: BothCosts = { current: null, previous: null }

const totalOf = (spend: Spend): number | null => (spend ? sumSpend(spend) : null)

export async function readBothCosts(
  deps: SpendDeps,
  question: Asked & { readonly window: ZonedSpan },
  previous: ZonedSpan,
): Promise<BothCosts> {
  const [now, before] = await Promise.all([
    readSpend(deps, question, question.window),
    readSpend(deps, question, previous),
  ])
  return { current: totalOf(now), previous: totalOf(before) }
}

/** As an entry of the summary: what is not known is 0 there. */
export const costEntry = ({ current, previous }: BothCosts, canCompare: boolean): SummaryJson =>
  comparedEntry(
    { current: current ?? 0, previous: canCompare ? (previous ?? 0) : undefined },
    { decimals: 0, isReverse: true },
  )
