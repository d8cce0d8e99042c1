// Probes: what enrichment makes of each address, agent, language and landing, and what a currency is worth on
// a day, asked of the service once in a property of its own, so that the figures are under test and not the
// dictionaries.
import type { Answer, Send } from './client.ts'
import { isRecord } from './compare.ts'
import { dimensions, dimensionsFrom } from './dimensions.ts'
import { DAY, HOUR, type Load } from './hits.ts'
import { addresses } from './places.ts'
import { asVisitor, bearer, readIds, sendLoad, type Access } from './sender.ts'
import { agents, currencies, HOST, landings, languages } from './traffic.ts'
import type { World } from './world.ts'

/**
 * So large that the whole cents of the answer tell the rate to ten digits and more; ten times as many are
 * refused in some currencies.
 */
const PROBE_VALUE = 100_000_000_000

interface Learned {
  readonly world: Omit<World, 'contacts' | 'links' | 'forms' | 'conversions'>
  /** To be called on every day on which money may come, before it comes. */
  readonly learnRates: (now: number) => Promise<void>
}

/** The one value of a top list, or '' when it is empty. */
function onlyValue(dimension: unknown): { id: string; country_code: string } {
  const rows = isRecord(dimension) && Array.isArray(dimension['data']) ? dimension['data'] : []
  const row: unknown = rows[0]
  if (rows.length > 1) throw new Error(`a probe met another session: ${JSON.stringify(rows)}`)
  if (!isRecord(row)) return { id: '', country_code: '' }
  return { id: String(row['id']), country_code: typeof row['country_code'] === 'string' ? row['country_code'] : '' }
}

function dimensionsOf(answer: Answer): Record<string, { id: string; country_code: string }> {
  const { analytics } = answer.body
  const top = isRecord(analytics) ? analytics['period_top_dimensions'] : undefined
  if (!isRecord(top) || top['count'] !== 1 || !isRecord(top['dimensions'])) {
    throw new Error(`a probe is not counted: ${JSON.stringify(answer).slice(0, 500)}`)
  }
  const lists = top['dimensions']
  return Object.fromEntries(dimensions.map((id) => [id, onlyValue(lists[id])]))
}

const at = <Item>(list: readonly Item[], index: number): Item => {
  const item = list[index % list.length]
  if (item === undefined) throw new Error('an empty list')
  return item
}

function probe(index: number, now: number): Load {
  const landing = at(Object.keys(landings), index)
  const { referrer, query } = landings[landing] ?? { referrer: '', query: '' }
  const visitor = { address: at(addresses, index), agent: at(agents, index), language: at(languages, index) }
  return { kind: 'load', at: now, visitor, landing, referrer, url: `https://${HOST}/probe?${query}`, title: '' }
}

/**
 * One session a day, and each day asked about alone. @param setNow moves the service's clock, always forward.
 */
export async function learn(
  send: Send,
  access: Access,
  start: number,
  setNow: (now: number) => void,
): Promise<Learned> {
  const world = { places: new Map(), agents: new Map(), languages: new Map(), origins: new Map() }
  const probes = Math.max(addresses.length, agents.length, languages.length, Object.keys(landings).length)
  for (let index = 0; index < probes; index++) {
    const load = probe(index, start + index * DAY + 12 * HOUR)
    setNow(load.at)
    await sendLoad(send, access, load)
    const found = dimensionsOf(
      await send('POST', '/v2/property/signals/analytics/metrics', bearer(access), { period: 'today' }),
    )
    const learned = (from: 'origins' | 'agents' | 'languages' | 'places') =>
      Object.fromEntries(dimensionsFrom(from).map((id) => [id, found[id]?.id ?? '']))
    world.origins.set(load.landing, learned('origins'))
    world.agents.set(load.visitor.agent, learned('agents'))
    world.languages.set(load.visitor.language, learned('languages'))
    const country_code = found['country']?.country_code ?? ''
    world.places.set(load.visitor.address, { ...learned('places'), country_code })
  }
  insistOnVariety(world)
  return withRates(world, send, access)
}

/** Without its map, say, the service would make all places one, and agree about nothing. */
function insistOnVariety(tables: Readonly<Record<string, ReadonlyMap<string, unknown>>>): void {
  for (const [name, table] of Object.entries(tables)) {
    const different = new Set([...table.values()].map((value) => JSON.stringify(value))).size
    if (different < 5) throw new Error(`the probes found no more than ${different} different ${name}`)
  }
}

function withRates(
  tables: Omit<World, 'rate' | 'contacts' | 'links' | 'forms' | 'conversions'>,
  send: Send,
  access: Access,
): Learned {
  const rates = new Map<string, number>()
  const learnOne = async (currency: string, now: number) => {
    const { visitor } = probe(0, now)
    const payer = { ...visitor, language: `x-${currency}` }
    const ids = readIds(await sendLoad(send, access, { ...probe(0, now), visitor: payer }))
    const body = { value: PROBE_VALUE, currency_code: currency }
    const { body: answer } = await send('POST', `/v2/signal/${ids.session}/acquisition`, asVisitor(access, payer), body)
    const value = answer['value']
    if (!isRecord(value) || typeof value['amount_usd'] !== 'number')
      throw new Error(`no rate: ${JSON.stringify(answer)}`)
    rates.set(`${currency} ${Math.floor(now / DAY)}`, value['amount_usd'] / PROBE_VALUE)
  }
  const rate = (currency: string, day: number) => {
    if (currency === 'USD') return 1
    const known = rates.get(`${currency} ${day}`)
    if (known === undefined) throw new Error(`no rate of ${currency} was learned for day ${day}`)
    return known
  }
  return {
    world: { ...tables, rate },
    learnRates: async (now) => {
      await Promise.all(currencies.filter((currency) => currency !== 'USD').map((currency) => learnOne(currency, now)))
    },
  }
}
