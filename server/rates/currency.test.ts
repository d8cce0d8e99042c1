// Money in the currency of a property, as counted by hand from its orders and the rates that come with the
// program. docs/definitions.md, "Currency".
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { openShare } from '../../test/support/shares.ts'
import { startFootfall } from '../../test/support/server.ts'
import { seedRates } from './rates-seed.ts'

const NOW = Date.parse('2026-01-10T13:00:00Z')
const ann = { address: '203.0.113.1' }
const bob = { address: '203.0.113.2' }

/** Of the days before and after the one on which rates change. */
const EARLY = '2025-12-31'
const LATE = '2026-01-05'

function perUsd(currency: string, day: string): number {
  const rates = seedRates.filter((rate) => rate.currency === currency && rate.day <= day)
  return rates.at(-1)!.perUsd
}

const half = (value: number) => Math.floor(value + 0.5)
/** US cents of an order in a currency with two decimals. */
const usdOf = (cents: number, currency: string, day: string) => half(cents / perUsd(currency, day))
const eurOf = (usd: number, day: string) => usd * perUsd('EUR', day)

test('money is told in the currency of the property, at the rate of each day', async (t) => {
  const footfall = await startFootfall(t, { now: Date.parse(`${EARLY}T09:00:00Z`) })
  const { track, clock } = footfall
  const property = await footfall.addProperty({ currency: '' })
  const of = { key: property.key }
  const at = `/manage/properties/${property.id}`
  const order = async (day: string, visitor: { address: string }, source: string, money: [number, string]) => {
    clock.set(Date.parse(`${day}T09:00:00Z`))
    const { json } = await track.load({ ...visitor, ...of, page: `https://example.com/shop?utm_source=${source}` })
    await track.event(json.session_id, 'bought', { ...visitor, ...of })
    const [value, currency_code] = money
    const body = { value, currency_code, tags: [`shop:order:${day}${source}`] }
    assert.equal((await track.acquisition(json.session_id, body, { ...visitor, ...of })).json.success, true)
    return json.session_id as string
  }
  const asked = async (path: string, body: object, query?: Record<string, string>, token?: string) => {
    const how = { ...(query && { query }), ...(token !== undefined && { token }) }
    const { status, json, text } = await footfall.call('POST', path, { body, ...how })
    assert.equal(status, 200, text)
    return { json, text }
  }
  const change = async (currency: string | null, status = 200) => {
    const answer = await footfall.call('POST', at, { body: { currency } })
    assert.equal(answer.status, status, answer.text)
    return answer.json
  }
  const currencyNow = async () => (await footfall.call('GET', at)).json.data.property.currency

  assert.equal(await currencyNow(), null)
  const first = await order(EARLY, ann, 'Letter', [4999, 'EUR'])
  assert.equal(await currencyNow(), 'EUR', 'that of the first order')
  await order(LATE, bob, 'Letter', [1999, 'GBP'])
  await order(LATE, ann, 'Search', [1001, 'EUR'])
  assert.equal(await currencyNow(), 'EUR', 'and of no other one')
  const identify = { external_id: 'ann' }
  const { json: known } = await footfall.call('POST', '/v2/property/contacts/identify', {
    token: property.token,
    body: { ...identify, session_id: first },
  })
  clock.set(NOW)

  const usd = {
    early: usdOf(4999, 'EUR', EARLY),
    pounds: usdOf(1999, 'GBP', LATE),
    late: usdOf(1001, 'EUR', LATE),
  }
  const eur = { early: eurOf(usd.early, EARLY), pounds: eurOf(usd.pounds, LATE), late: eurOf(usd.late, LATE) }
  assert.ok(Math.abs(eur.early - 4999) < 1)
  const window = { period: 'custom', date_from: EARLY, date_to: LATE }
  const goal = (
    await footfall.call('POST', `${at}/conversions`, {
      body: { name: 'Order', event_type: 'acquisition', event_value: null },
    })
  ).json.data.conversion.id as string
  const cardsOf = (cards: readonly { readonly id: string; readonly current: number }[], id: string) =>
    cards.find((card) => card.id === id)?.current

  /** @param per another question each time, so that no answer is one that was kept. */
  const check = async (
    code: string,
    money: { readonly early: number; readonly pounds: number; readonly late: number },
    per: number,
  ) => {
    const all = half(money.early + money.pounds + money.late)
    const { data } = (await asked(`${at}/overview`, { ...window, goal, attribution: 'last' })).json
    assert.equal(data.meta.currency, code)
    assert.equal(cardsOf(data.cards, 'value'), all)
    assert.deepEqual(
      [data.series.current.value[0], data.series.current.value.at(-1)],
      [half(money.early), half(money.pounds + money.late)],
    )
    assert.equal(cardsOf(data.goal.cards, 'conversion_value'), all)
    const byGoal = data.lists.source.rows.map((row: { id: string; metrics: { conversion_value: number } }) => [
      row.id,
      row.metrics.conversion_value,
    ])
    assert.deepEqual(byGoal, [
      ['Letter', half(money.early + money.pounds)],
      ['Search', half(money.late)],
    ])
    const [bought] = data.outcomes.events
    assert.deepEqual([bought.count, bought.value_cents], [3, all])
    for (const clauses of [[], [{ id: 'entry_path_full', op: 'equals', value: '/shop' }]]) {
      const body = { ...window, clauses, metrics: ['value', 'conversion_value'], goal, sort: 'value', per_page: per }
      const list = (await asked(`${at}/lists/source`, body)).json.data
      assert.equal(list.currency, code)
      assert.deepEqual(
        list.rows.map((row: { metrics: object }) => row.metrics),
        [
          { value: half(money.early + money.pounds), conversion_value: half(money.early + money.pounds) },
          { value: half(money.late), conversion_value: half(money.late) },
        ],
      )
    }
    const file = await asked(`${at}/lists/source`, { ...window, metrics: ['value'] }, { format: 'csv' })
    const [letter] = parse<Record<string, string>>(file.text, { columns: true })
    assert.deepEqual([letter?.['value'], letter?.['currency']], [String(half(money.early + money.pounds)), code])
    const id = known.data.contact.id as string
    const { worth } = (await footfall.call('GET', `${at}/contacts/worth`, { query: { ids: id } })).json.data
    assert.deepEqual([worth[id].value_cents, worth[id].currency], [half(money.early), code])
  }

  await check('EUR', eur, 50)
  assert.ok((await footfall.context.facts.settle(NOW, false)).includes(LATE))
  await change('usd')
  await check('USD', usd, 60)
  await change('JPY')
  const yen = (cents: number, day: string) => (cents * perUsd('JPY', day)) / 100
  await check('JPY', { early: yen(usd.early, EARLY), pounds: yen(usd.pounds, LATE), late: yen(usd.late, LATE) }, 70)
  await change('EUR')
  await check('EUR', eur, 80)

  const { analytics } = (await asked('/v2/property/signals/analytics/metrics', window, undefined, property.token)).json
  assert.equal(analytics.period_metrics.summary.value.current, usd.early + usd.pounds + usd.late, '/v2 tells US cents')
  const share = await openShare(footfall, property.id)
  const session = await footfall.call('GET', '/manage/session', share)
  assert.equal(session.json.data.share.property.currency, 'EUR')
  const shown = await footfall.call('POST', `${at}/overview`, { ...share, body: window })
  assert.equal(shown.json.data.meta.currency, 'EUR')
  for (const wrong of ['EURO', 'XQX', '']) await change(wrong, 422)
  assert.equal((await change(null)).data.property.currency, null)
})
