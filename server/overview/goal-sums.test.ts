// A goal of pages is added up on settled days by the job that settles them, and an overview reads these sums.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contactCalls } from '../../test/support/contact-calls.ts'
import { askOverview } from '../../test/support/overview-world.ts'
import { startFootfall } from '../../test/support/server.ts'
import { jobsOf } from '../jobs.ts'
import { DAY_MS } from '../kernel/days.ts'
import type { Facts } from '../stores/facts.ts'

const START = Date.parse('2026-11-02T09:00:00Z')

test('what meets a goal of pages on settled days is read from sums, also of a goal that is defined anew', async (t) => {
  const footfall = await startFootfall(t, { now: START })
  const { context, track, clock, property } = footfall
  const calls = contactCalls(footfall)
  const path = `/manage/properties/${property.id}/conversions`
  const made = await footfall.call('POST', path, {
    body: { name: 'Pricing', event_type: 'page_view', event_value: '/pri*' },
  })
  const { id } = made.json.data.conversion
  const visit = async (n: number, page: string) =>
    (await track.load({ address: `203.0.113.${n}`, page: `https://example.com${page}` })).json.session_id as string
  const session_id = await visit(1, '/pricing')
  await calls.identify({ session_id, external_id: 'u1' })
  for (const n of [2, 3]) await visit(n, '/pricing')
  await visit(4, '/docs')
  clock.advance(2 * DAY_MS)
  const again = await visit(5, '/pricing')
  await calls.identify({ session_id: again, external_id: 'u1' })

  const job = jobsOf(context).find(({ name }) => name === 'settle days')!
  // What has changed since the last run is left alone.
  const settle = async () => {
    await job.run()
    await job.run()
  }
  const { facts } = context
  const names: string[] = []
  let readWhole: unknown
  const ask = facts.query.bind(facts)
  const query: Facts['query'] = (name, sql, params) => {
    names.push(name)
    if (name === 'analytics.goalSums') readWhole = params?.['whole_days']
    return ask(name, sql, params)
  }
  let lookedUp = 0
  const look = facts.lookup.bind(facts)
  const lookup: Facts['lookup'] = (name, sql, params) => {
    if (name === 'analytics.goalDays') lookedUp += 1
    return look(name, sql, params)
  }
  // Nothing is kept.
  Object.assign(facts, { query, lookup, version: async () => undefined })
  const counted = async (clauses: object[] = []) => {
    names.length = 0
    const { goal, lists } = await askOverview(footfall, { period: 'last_7', goal: id, clauses })
    const page = lists.entry_path_full.rows.find((row: { id: string }) => row.id === '/pricing')
    const days = goal.series.current.conversions.filter((hits: number | null) => hits)
    return [goal.cards[0].current, days, page?.metrics.conversions, names.includes('analytics.goalSums')]
  }
  assert.deepEqual(await counted(), [4, [4], 4, false], 'a page of today counts for the first session of its contact')
  await settle()
  clock.advance(1000)
  await visit(6, '/pricing')
  assert.deepEqual(await counted(), [5, [4, 1], 5, true])
  assert.equal(readWhole, undefined, 'of settled days all of whose sessions are read')
  const kept = 'SELECT uniqExact(contact_id) AS contacts, uniqExact(session) AS sessions FROM settled_contacts'
  assert.deepEqual(await ask('test', kept), [{ contacts: '1', sessions: '1' }], 'who is read for the first sessions')
  const lookedUpOnce = lookedUp
  await counted()
  assert.equal(lookedUp, lookedUpOnce, 'on which days a goal is added up is known after the first answer')
  const body = { event_type: 'page_view', event_value: '/docs' }
  assert.equal((await footfall.call('POST', `${path}/${id}`, { body })).status, 200)
  assert.deepEqual(await counted(), [1, [1], 0, false])
  await settle()
  assert.deepEqual(await counted(), [1, [1], 0, true])
  const saw = (value: string) => counted([{ id: 'page_path', op: 'equals', value }])
  assert.deepEqual((await saw('/docs'))[0], 1)
  assert.deepEqual(await saw('/pricing'), [0, [], 0, false], 'sums know nothing of filters')
})
