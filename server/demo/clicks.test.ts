// The demo's short links: clicks that come before the visits they bring, and others that bring none.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startFootfall } from '../../test/support/server.ts'
import { DAY_MS } from '../kernel/days.ts'
import { withUtm } from '../links/utm.ts'
import { spreadOverDays } from './calendar.ts'
import { clicksOf } from './clicks.ts'
import { findOrCreateDemoProperty, writeDemo } from './demo.ts'
import { demoGroups, findDemoLink } from './shortlinks.ts'
import { visitsOf, type DemoVisit } from './traffic.ts'

const NOW = Date.parse('2026-09-16T14:30:00Z')
const YEAR = { sessions: 20_000, days: 365, seed: 5 }
const quiet = (): void => undefined

const visitsOfAYear: readonly DemoVisit[] = spreadOverDays({ ...YEAR, nowMs: NOW }).flatMap((day) => [
  ...visitsOf(day, YEAR.seed, NOW),
])

/** The visitor of the visit clicked. */
const arriving = (visit: DemoVisit) =>
  clicksOf(visit, NOW).filter(({ session }) => String(session!.hash) === visit.hash)

test('a visit through a link has a click before it, to the page that it landed on', () => {
  let arrived = 0
  for (const visit of visitsOfAYear) {
    const clicks = clicksOf(visit, NOW)
    assert.deepEqual(clicksOf(visit, NOW), clicks, 'the same visit, the same clicks')
    if (visit.isRobot) assert.equal(clicks.length, 0)
    const [entry] = visit.views
    for (const { link, at, session } of arriving(visit)) {
      assert.equal(withUtm(link.destination, link.utm), entry!.url)
      assert.equal(link.referrer, entry!.referrer)
      assert.equal(session!.day, visit.day)
      assert.ok(at <= entry!.atMs && at > entry!.atMs - 60_000)
    }
    if (arriving(visit).length > 0) arrived++
  }
  assert.ok(arrived > 0.04 * YEAR.sessions && arrived < 0.2 * YEAR.sessions, `${arrived} visits`)
})

test('no click is in the future or on another day than its session, and no two have one id', () => {
  const ids = new Set<string>()
  let clicks = 0
  let programs = 0
  for (const visit of visitsOfAYear) {
    for (const { id, at, session, visitor } of clicksOf(visit, NOW)) {
      ids.add(id)
      clicks++
      assert.ok(at < NOW && Math.floor(at / DAY_MS) === session!.day)
      if (visitor.language === '') programs++
    }
  }
  assert.equal(ids.size, clicks)
  assert.ok(programs > 0.05 * clicks && programs < 0.3 * clicks, `${programs} of ${clicks}`)
})

test('every link of the demo has visits that may come through it, but those of which nothing is recorded', () => {
  for (const { tracksClicks, links } of demoGroups) {
    for (const link of links) {
      assert.equal(findDemoLink(withUtm(link.destination, link.utm), link.referrer), link, link.name)
      assert.equal(link.share > 0, tracksClicks !== false, link.name)
    }
  }
})

test('the demo has groups and links with their clicks and arrivals, and a second run adds nothing', async (t) => {
  const footfall = await startFootfall(t, { now: NOW })
  const property = await findOrCreateDemoProperty(footfall.context)
  const token = await footfall.addToken(property.id, ['signals:read', 'shortlinks:read', 'shortlinks:write'])
  const options = { sessions: 3_000, days: 60, seed: 3 }
  const days = spreadOverDays({ ...options, nowMs: NOW })
  const visits = days.flatMap((day) => [...visitsOf(day, options.seed, NOW)])
  const arrived = visits.filter((visit) => arriving(visit).length > 0).length

  const look = async () => {
    const body = { period: 'last_12_months', clauses: [{ id: 'link', op: 'is_set' }] }
    const metrics = await footfall.call('POST', '/v2/property/signals/analytics/metrics', { token, body })
    const groups = await footfall.call('GET', '/v2/property/link-groups', { token, query: { per_page: 100 } })
    const clicks = await footfall.call('GET', '/v2/property/clicks', { token })
    const people = await footfall.call('GET', '/v2/property/clicks', { token, query: { type: 'user' } })
    return {
      arrived: metrics.json.analytics.period_metrics.summary.sessions.current as number,
      groups: groups.json.data.groups as { id: string; name: string; state: string; count_clicks: number }[],
      clicks: clicks.json.data.total as number,
      people: people.json.data.total as number,
    }
  }
  const totals = await writeDemo(footfall.context, property, options, quiet)
  const first = await look()
  assert.equal(first.clicks, totals.clicks)
  assert.equal(first.arrived, arrived)
  assert.ok(first.people > arrived && first.people < first.clicks)
  assert.deepEqual(first.groups.map(({ name }) => name).toSorted(), demoGroups.map(({ name }) => name).toSorted())
  assert.equal(
    first.groups.reduce((sum, group) => sum + group.count_clicks, 0),
    first.people,
  )

  assert.deepEqual(await writeDemo(footfall.context, property, options, quiet), totals)
  assert.deepEqual(await look(), first)

  const [gone] = first.groups
  await footfall.call('DELETE', `/v2/property/link-groups/${gone!.id}`, { token })
  await writeDemo(footfall.context, property, options, quiet)
  const { groups, clicks } = await look()
  assert.deepEqual(groups, first.groups.slice(1), 'what its owner deleted does not come back')
  assert.equal(clicks, first.clicks)
})
