// All sites beside one another, through the front door.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { addPerson } from '../../test/support/accounts.ts'
import { rounds } from '../../test/support/long.ts'
import { askOverview, randomVisits, seededPick } from '../../test/support/overview-world.ts'
import { type CallOptions, type Footfall, startAgain, startFootfall } from '../../test/support/server.ts'
import type { SiteJson } from './schema.ts'

const DAY_MS = 86_400_000
const BOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'
const shared = await startFootfall({ after }, { now: Date.parse('2026-08-01T07:00:00Z') })
const seed = Number(process.env['SITES_SEED'] ?? Math.floor(Math.random() * 1e9))

async function listSites(period = 'last_30', options: CallOptions = {}): Promise<readonly SiteJson[]> {
  const reply = await shared.call('GET', '/manage/sites', { query: { period }, ...options })
  assert.equal(reply.status, 200, reply.text)
  return reply.json.data.sites
}

const siteOf = (sites: readonly SiteJson[], { property }: Footfall): SiteJson | undefined =>
  sites.find(({ id }) => id === property.id)

async function startSite(now: number, change: object): Promise<Footfall> {
  const footfall = await startAgain(shared, now)
  const changed = await footfall.call('POST', `/manage/properties/${footfall.property.id}`, { body: change })
  assert.equal(changed.status, 200, changed.text)
  return footfall
}

/** What the overview of a property says of the same days. */
async function overviewOf(footfall: Footfall, period: string) {
  const { cards, series, live } = await askOverview(footfall, { period, interval: 'day' })
  const figure = (id: string) => {
    const card = cards.find((each: { id: string }) => each.id === id)
    return { current: card.current, previous: card.previous ?? 0 }
  }
  return { sessions: figure('sessions'), views: figure('views'), days: series.current.sessions, live }
}

test(`each site is what its own overview says, in every time zone, settled or not (SITES_SEED=${seed})`, async () => {
  const start = Date.parse('2026-08-01T07:00:00Z')
  const zones = ['UTC', 'Europe/Berlin', 'America/Los_Angeles', 'Asia/Kathmandu', 'Pacific/Kiritimati', 'UTC']
  const pick = seededPick(seed)
  const sites: Footfall[] = []
  for (const timezone of zones) {
    const site = await startSite(start, { timezone })
    await randomVisits(site, pick, rounds(25, 50), 110)
    sites.push(site)
  }
  const now = Date.parse('2026-11-10T02:20:00Z') // the clocks were set back in between
  const compare = async (): Promise<void> => {
    for (const period of ['last_7', 'last_30', 'last_90']) {
      shared.clock.set(now)
      const answered = await listSites(period)
      for (const site of sites) {
        const { sessions, views, days, live } = siteOf(answered, site)!
        assert.deepEqual(
          { sessions, views, days, live },
          await overviewOf(site, period),
          `${period} ${site.property.id}`,
        )
      }
    }
  }
  shared.clock.set(now - 60_000)
  for (const site of sites) await site.track.load({ address: '203.0.113.99' })
  await compare()
  await shared.context.facts.settle(now, false)
  await compare()
  shared.clock.set(now - 20 * DAY_MS)
  await sites[0]!.track.load({ address: '203.0.113.98' })
  await compare()
})

test('bots and sessions marked as invalid are neither counted nor live', async () => {
  const site = await startSite(Date.parse('2027-01-10T10:00:00Z'), {})
  await site.track.load({ address: '203.0.113.1', agent: BOT })
  const { json } = await site.track.load({ address: '203.0.113.2' })
  await site.track.load({ address: '203.0.113.3' })
  const counted = async () => {
    const found = siteOf(await listSites('last_7'), site)!
    return [found.sessions.current, found.live]
  }
  assert.deepEqual(await counted(), [2, 2])
  const marked = await site.call('POST', `/manage/properties/${site.property.id}/sessions/${json.session_id}/mark`, {
    body: { is_invalid: true },
  })
  assert.equal(marked.status, 200, marked.text)
  assert.deepEqual(await counted(), [1, 1])
})

test('a site that falls silent says since when, one that never had a visit says so, and a quiet one may pause', async () => {
  const start = Date.parse('2027-03-01T12:00:00Z')
  const [busy, small, empty] = [await startSite(start, {}), await startSite(start, {}), await startSite(start, {})]
  for (let day = 0; day < 20; day++) {
    shared.clock.set(start + day * DAY_MS)
    for (let visitor = 1; visitor <= 8; visitor++) await busy.track.load({ address: `203.0.113.${visitor}` })
    if (day % 6 === 1) await small.track.load()
  }
  const warningsOf = async () => {
    const sites = await listSites()
    return [busy, small, empty].map((site) => siteOf(sites, site)!.warning)
  }
  const lastTs = (start + 19 * DAY_MS) / 1000
  const never = { code: 'no_data', since_ts: null }
  assert.deepEqual(await warningsOf(), [null, null, never])
  shared.clock.set(start + 20 * DAY_MS)
  assert.deepEqual(await warningsOf(), [null, null, never], 'a day is not over')
  shared.clock.set(start + 21.5 * DAY_MS)
  assert.deepEqual(await warningsOf(), [{ code: 'quiet', since_ts: lastTs }, null, never])
  shared.clock.set(start + 400 * DAY_MS)
  assert.deepEqual(await warningsOf(), [
    { code: 'quiet', since_ts: lastTs },
    { code: 'quiet', since_ts: lastTs },
    never,
  ])
})

test('members see their own sites, with whose they are; strangers, share links and tokens none', async () => {
  const now = Date.parse('2027-05-01T12:00:00Z')
  const [own, other] = [await startSite(now, { client: ' Acme  ', name: 'Shop' }), await startSite(now, {})]
  const member = await addPerson(shared, { roles: { [own.property.id]: 'viewer' } })
  const { json } = await member.call('GET', '/manage/sites')
  assert.deepEqual(
    json.data.sites.map(({ id, client, name }: SiteJson) => [id, client, name]),
    [[own.property.id, 'Acme', 'Shop']],
  )
  assert.equal(json.data.total, 1)
  const nobody = await addPerson(shared, {})
  assert.deepEqual((await nobody.call('GET', '/manage/sites')).json.data.sites, [])
  assert.ok(siteOf(await listSites(), other))
  for (const token of [null, own.token])
    assert.equal((await shared.call('GET', '/manage/sites', { token })).status, 401)
  assert.equal((await shared.call('GET', '/manage/sites', { query: { period: 'all_time' } })).status, 422)
  const refused = await shared.call('POST', `/manage/properties/${own.property.id}`, { body: { client: 'a\u0007b' } })
  assert.deepEqual([refused.status, Object.keys(refused.json.errors)], [422, ['client']])
})
