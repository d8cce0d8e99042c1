// The strip from clicks to value of links and groups, held to figures that were counted by hand.
import { seedRates } from '../rates/rates-seed.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startMigratedCluster } from '../../test/support/cluster.ts'
import { contactCalls } from '../../test/support/contact-calls.ts'
import { flowOf } from '../../test/support/form-flow.ts'
import { type Footfall, startFootfall } from '../../test/support/server.ts'
import { untilEqual } from '../../test/support/until.ts'
import { addGroup, addLink, visit } from '../../test/support/visits.ts'

const MINUTE = 60_000
const NOON = Date.parse('2026-11-20T12:00:00Z')
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1'

interface Visitor {
  readonly address: string
  readonly agent?: string
  readonly from?: string
  /** What stands behind the short URL. */
  readonly query?: string
}

const anna: Visitor = { address: '203.0.113.1', from: 'https://news.example/story' }
const ben: Visitor = { address: '203.0.113.2', agent: IPHONE, query: '?qr' }
const cleo: Visitor = { address: '203.0.113.3' }
const dora: Visitor = { address: '203.0.113.4' }

async function openWorld(footfall: Footfall) {
  const group = await addGroup(footfall)
  const [letter, poster] = [
    await addLink(footfall, { group_id: group, name: 'Letter' }),
    await addLink(footfall, { group_id: group, name: 'Poster' }),
  ]
  const click = ({ address, agent, from, query = '' }: Visitor, { short_url } = letter) =>
    visit(footfall.url, new URL(short_url).pathname + query, {
      address,
      ...(agent !== undefined && { agent }),
      ...(from !== undefined && { headers: { referer: from } }),
    })
  const load = async ({ address, agent }: Visitor): Promise<string> => {
    const reply = await footfall.track.load({ address, ...(agent !== undefined && { agent }) })
    return reply.json.session_id
  }
  const results = async (what: string, query: Record<string, string> = {}) => {
    const path = `/manage/properties/${footfall.property.id}/${what}/results`
    const { status, json, text } = await footfall.call('GET', path, { query: { period: 'today', ...query } })
    assert.equal(status, 200, text)
    return json.data.results
  }
  return { footfall, group, letter, poster, click, load, results }
}

type World = Awaited<ReturnType<typeof openWorld>>

const strip = ({ clicks, visitors, arrived, engaged, forms, contacts, value_cents }: Record<string, number>) => [
  clicks,
  visitors,
  arrived,
  engaged,
  forms,
  contacts,
  value_cents,
]

/** Four people, of whom three arrive; one sends a form, two are known, and money comes before and after. */
async function live(world: World): Promise<string> {
  const { footfall, click, load, poster } = world
  const { clock, track, property } = footfall
  const flow = flowOf(footfall)
  const form = await flow.create(property.id)
  // Ben was there before, and paid then: not through the link.
  const early = await load(ben)
  await track.acquisition(early, { value: 900 }, ben)
  clock.set(NOON)
  for (const visitor of [anna, ben, cleo, dora]) await click(visitor)
  await click(anna)
  await click(cleo, poster)
  clock.advance(5_000)
  const session = await load(anna)
  await load(ben)
  await load(cleo)
  clock.advance(10_000)
  await flow.send(await flow.open(form, undefined, anna), { name: 'Anna', email: 'anna@example.com' }, anna)
  await track.acquisition(session, { value: 250 }, anna)
  await track.acquisition(early, { value: 100 }, ben)
  const calls = contactCalls(footfall)
  for (const [visitor, of] of [
    [anna, session],
    [ben, early],
  ] as const)
    assert.equal((await calls.identifyVisitor(of, { email: `${visitor.address}@example.com` }, visitor)).status, 200)
  clock.advance(MINUTE)
  return session
}

test('the strip counts clicks, people, arrivals, stays, forms, contacts and value of the visit from the arrival on', async (t) => {
  const world = await openWorld(await startFootfall(t, { now: NOON - 10 * MINUTE }))
  const session = await live(world)
  const { letter, poster, group, results } = world
  // A submission may be answered before the facts know of it.
  await untilEqual(async () => strip((await results(`links/${letter.id}`)).own.totals), [5, 4, 3, 2, 1, 2, 350])
  const { own, other } = await results(`links/${letter.id}`)
  assert.equal(other, null)
  assert.equal(own.totals.already_on_site, 1)
  assert.deepEqual(strip((await results(`links/${poster.id}`)).own.totals), [1, 1, 1, 0, 0, 0, 0])
  assert.deepEqual(strip((await results(`link-groups/${group}`)).own.totals), [6, 4, 3, 2, 1, 2, 350])

  const { breakdowns } = own
  const byId = (rows: readonly { id: string }[]) => rows.map((row) => [row.id, ...strip(row as never)])
  assert.deepEqual(byId(breakdowns.device), [
    ['desktop', 4, 3, 2, 1, 1, 1, 250],
    ['mobile', 1, 1, 1, 1, 0, 1, 100],
  ])
  assert.deepEqual(byId(breakdowns.referrer), [
    ['', 3, 3, 2, 1, 0, 1, 100],
    ['news.example', 2, 1, 1, 1, 1, 1, 250],
  ])
  assert.deepEqual(byId(breakdowns.via), [
    ['link', 4, 3, 2, 1, 1, 1, 250],
    ['qr', 1, 1, 1, 1, 0, 1, 100],
  ])
  assert.equal(own.totals.scans, 1)
  assert.deepEqual(byId(breakdowns.rule), [['', 5, 4, 3, 2, 1, 2, 350]])
  assert.equal(breakdowns.rule[0].destination_url, 'https://example.com/')

  assert.equal(own.count_people, 2)
  assert.deepEqual(
    own.people
      .map(({ name, has_sent_form, value_cents }: Record<string, unknown>) => [name, has_sent_form, value_cents])
      .toSorted(),
    [
      [`${anna.address}@example.com`, true, 250],
      [`${ben.address}@example.com`, false, 100],
    ],
  )
  const file = await world.footfall.call(
    'GET',
    `/manage/properties/${world.footfall.property.id}/links/${letter.id}/results/export`,
    {
      query: { period: 'today' },
    },
  )
  assert.match(
    file.text,
    /^by,value,clicks,visitors,arrived,engaged,forms,contacts,value_cents,currency\r\nall,,5,4,3,2,1,2,350,USD\r\n/,
  )
  assert.match(file.text, /\r\nreferrer,news\.example,2,1,1,1,1,1,250,USD\r\n/)
  const path = `/manage/properties/${world.footfall.property.id}`
  await world.footfall.call('POST', path, { body: { currency: 'JPY' } })
  const told = await results(`links/${letter.id}`)
  const perCent = seedRates.findLast(({ currency }) => currency === 'JPY')!.perUsd / 100
  assert.deepEqual([told.currency, told.own.totals.value_cents], ['JPY', Math.round(350 * perCent)])
  const known = own.people.find((person: { has_sent_form: boolean }) => person.has_sent_form)
  assert.equal(known.session_id, session)
  assert.ok(!JSON.stringify(own.people).includes(cleo.address))
})

test('figures over time go by the clock of the property, and another link is answered beside the first', async (t) => {
  const world = await openWorld(await startFootfall(t, { now: NOON - 10 * MINUTE }))
  const { footfall, letter, poster, group, results, click, load } = world
  const path = `/manage/properties/${footfall.property.id}`
  assert.equal((await footfall.call('POST', path, { body: { timezone: 'Asia/Kolkata' } })).status, 200)
  // 18:20 UTC is ten minutes before midnight in Kolkata.
  footfall.clock.set(Date.parse('2026-11-20T18:20:00Z'))
  await click(anna)
  footfall.clock.advance(20 * MINUTE)
  await click(ben)
  await load(ben)
  await click(cleo, poster)
  const { own, other, buckets } = await results(`links/${letter.id}`, { period: 'last_7', with: poster.id })
  assert.equal(buckets.length, own.series.length)
  assert.deepEqual(own.series.slice(-2).map(strip), [
    [1, 1, 0, 0, 0, 0, 0],
    [1, 1, 1, 0, 0, 0, 0],
  ])
  assert.deepEqual([other.name, other.id, ...strip(other.totals)], ['Poster', poster.id, 1, 1, 0, 0, 0, 0, 0])
  const hours = await results(`link-groups/${group}`, { period: 'today' })
  assert.equal(hours.interval, 'hour')
  assert.deepEqual(strip(hours.own.series[0]), [2, 2, 1, 0, 0, 0, 0])
  for (const [what, status] of [
    [`links/${letter.id}/results?with=ln_nothing`, 404],
    [`links/${letter.id}/results?with=${group}`, 404],
    ['links/ln_nothing/results', 404],
    [`link-groups/${letter.id}/results`, 404],
    [`links/${letter.id}/results?period=someday`, 422],
    [`links/${letter.id}/results?interval=minute`, 422],
  ] as const)
    assert.equal((await footfall.call('GET', `${path}/${what}`)).status, status, what)
})

test('bots and sessions that were marked as invalid are in no figure of it', async (t) => {
  const world = await openWorld(await startFootfall(t, { now: NOON - 10 * MINUTE }))
  const { footfall, letter, results } = world
  const session = await live(world)
  await visit(footfall.url, new URL(letter.short_url).pathname, { method: 'HEAD' })
  await untilEqual(async () => strip((await results(`links/${letter.id}`)).own.totals), [5, 4, 3, 2, 1, 2, 350])
  assert.deepEqual((await results(`links/${letter.id}`)).own.bots, { head: 1 })
  const marked = await footfall.call('POST', `/manage/properties/${footfall.property.id}/sessions/${session}/mark`, {
    body: { is_invalid: true },
  })
  assert.equal(marked.status, 200, marked.text)
  await untilEqual(async () => strip((await results(`links/${letter.id}`)).own.totals), [3, 3, 2, 1, 0, 1, 100])
  assert.equal((await results(`links/${letter.id}`)).own.count_people, 1)
})

test('on two shards the results are those of the whole', async (t) => {
  const cluster = await startMigratedCluster()
  t.after(() => cluster.remove())
  const env = { CLICKHOUSE_URL: cluster.urls.join(','), CLICKHOUSE_CLUSTER: cluster.cluster ?? '' }
  const world = await openWorld(await startFootfall(t, { now: NOON - 10 * MINUTE, env }))
  await live(world)
  const { letter, results } = world
  await untilEqual(async () => strip((await results(`links/${letter.id}`)).own.totals), [5, 4, 3, 2, 1, 2, 350])
  assert.equal((await results(`links/${letter.id}`)).own.count_people, 2)
})
