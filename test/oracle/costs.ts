// What advertising cost, by docs/definitions.md ("Cost"): rows of days, imported before the last questions,
// and what the rows of a list have of them.
import type { Clause } from './clauses.ts'
import type { Send } from './client.ts'
import { dateOf } from './clocks.ts'
import type { Owner } from './forms.ts'
import { DAY, dayOf } from './hits.ts'
import type { Random } from './random.ts'
import { landings } from './traffic.ts'
import type { ZonedSpan } from './windows.ts'

/** In the property's currency, which is told to be that of the amounts. */
const CURRENCY = 'USD'

export interface Cost {
  /** Days since 1970. */
  readonly day: number
  readonly utm_source: string
  readonly utm_medium: string
  readonly utm_campaign: string
  readonly amount: number
}

/** The lists whose values are those of costs, compared as they are written. */
export const costLists = ['utm_source', 'utm_medium', 'utm_campaign'] as const
type CostList = (typeof costLists)[number]

export const isCostList = (list: string): list is CostList => costLists.some((one) => one === list)

/** Campaigns of the traffic, one that differs in case alone, and one that nobody came through. */
const campaigns = [
  ...Object.values(landings).map(({ query }) => query),
  'utm_source=NEWSLETTER',
  'utm_source=poster&utm_medium=print',
]
  .map((query) => new URLSearchParams(query))
  .filter((values) => values.has('utm_source'))
  .map((values) => ({
    utm_source: values.get('utm_source') ?? '',
    utm_medium: values.get('utm_medium') ?? '',
    utm_campaign: values.get('utm_campaign') ?? '',
  }))

export function chooseCosts(random: Random, end: number): Cost[] {
  const days = [0, 1, 2, 6, 7, 27, 28, 29, 31, 61, 200, 364, 400].map((back) => dayOf(end) - back)
  return days.flatMap((day) =>
    random
      .some(campaigns, random.int(1, campaigns.length))
      .map((one) => ({ ...one, day, amount: random.int(1, 90_000) })),
  )
}

async function post(send: Send, { propertyId, admin }: Owner, path: string, body: Record<string, unknown>) {
  const headers = { authorization: `Bearer ${admin}` }
  const answer = await send('POST', `/manage/properties/${propertyId}${path}`, headers, body)
  if (answer.status !== 200) throw new Error(`${path}: ${JSON.stringify(answer)}`)
}

export const tellCurrency = (send: Send, owner: Owner) => post(send, owner, '', { currency: CURRENCY })

export const importCosts = (send: Send, owner: Owner, costs: readonly Cost[]) =>
  post(send, owner, '/costs', {
    rows: costs.map(({ day, utm_source: source, utm_medium: medium, utm_campaign: campaign, amount }) => ({
      day: new Date(day * DAY).toISOString().slice(0, 10),
      source,
      medium,
      campaign,
      amount,
      currency: CURRENCY,
    })),
  })

/** Of the days that the span touches by the clock of its zone. */
function within(costs: readonly Cost[], { from, to, zone }: ZonedSpan): Cost[] {
  const [first, last] = [dayOf(dateOf(zone, from)), dayOf(dateOf(zone, to - 1))]
  return costs.filter(({ day }) => day >= first && day <= last)
}

/** By the value of a list. */
export function costsBy(costs: readonly Cost[], list: CostList, span: ZonedSpan): Map<string, number> {
  const sums = new Map<string, number>()
  for (const cost of within(costs, span))
    if (cost[list] !== '') sums.set(cost[list], (sums.get(cost[list]) ?? 0) + cost.amount)
  return sums
}

/** What tells rows of costs apart as well as sessions. */
const clausesOfCosts: ReadonlySet<string> = new Set(['channel', 'source', ...costLists])

/** Undefined where clauses choose among rows, which the oracle does not. */
export function costOf(costs: readonly Cost[], clauses: readonly Clause[], span: ZonedSpan): number | undefined {
  if (clauses.some(({ id }) => !clausesOfCosts.has(id))) return 0
  return clauses.length > 0 ? undefined : within(costs, span).reduce((total, { amount }) => total + amount, 0)
}
