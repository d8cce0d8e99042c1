// The demo's traffic is repeatable, believable in its shape, and stored as exactly what was announced.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { DAY_MS } from '../kernel/days.ts'
import { readEmail } from '../kernel/email.ts'
import { openEnrich } from '../enrich/enrich.ts'
import { startFootfall, type Footfall } from '../../test/support/server.ts'
import { spreadOverDays } from './calendar.ts'
import { findOrCreateDemoProperty, writeDemo } from './demo.ts'
import { identificationOf, peopleOf, type DemoIdentification } from './people.ts'
import { visitsOf, type DemoVisit } from './traffic.ts'
import { visitsOfMinute } from './trickle.ts'

const NOW = Date.parse('2026-09-16T14:30:00Z')
const quiet = (): void => undefined

test('the days add up to exactly the sessions that were asked for', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 50_000 }),
      fc.integer({ min: 1, max: 800 }),
      fc.integer(),
      (sessions, days, seed) => {
        const spread = spreadOverDays({ sessions, days, seed, nowMs: NOW })
        assert.equal(spread.length, days)
        assert.equal(
          spread.reduce((sum, day) => sum + day.sessions, 0),
          sessions,
        )
        assert.ok(spread.every((day) => day.sessions >= 0))
      },
    ),
    { numRuns: 50 },
  )
})

test('a day of visits is the same whenever its seed makes it, and another with another seed', () => {
  const day = { day: 20_000, progress: 0.5, sessions: 50 }
  assert.deepEqual([...visitsOf(day, 7, NOW)], [...visitsOf(day, 7, NOW)])
  assert.notDeepEqual([...visitsOf(day, 7, NOW)], [...visitsOf(day, 8, NOW)])
})

test('nothing happens in the future, nor on another day, and no two visits share a session', () => {
  const today = Math.floor(NOW / DAY_MS)
  for (const day of [today - 1, today]) {
    const visits = [...visitsOf({ day, progress: 1, sessions: 3_000 }, 1, NOW)]
    assert.equal(new Set(visits.map((visit) => visit.hash)).size, visits.length)
    for (const { views } of visits) {
      assert.ok(views.length > 0)
      for (const { atMs } of views) assert.ok(atMs >= day * DAY_MS && atMs < Math.min(NOW, (day + 1) * DAY_MS))
    }
  }
})

test('no address of the demo belongs to a network of servers, which would make a robot of its visitor', () => {
  const enrich = openEnrich({ log: { warn: quiet } })
  const userAgent = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0'
  const visits = [...visitsOf({ day: 20_000, progress: 0.5, sessions: 5_000 }, 1, NOW)].filter(
    (visit) => !visit.isRobot,
  )
  const taken = visits.filter(({ address }) => enrich.bot({ userAgent, place: enrich.place(address) }).is_bot)
  enrich.close()
  assert.deepEqual(
    taken.map(({ address }) => address),
    [],
  )
})

test('what was announced is in the answers, robots apart, and a second run adds nothing', async (t) => {
  const footfall = await startFootfall(t, { now: NOW })
  const property = await findOrCreateDemoProperty(footfall.context)
  const token = await footfall.addToken(property.id, ['signals:read'])
  const options = { sessions: 400, days: 30, seed: 3 }
  const question = { period: 'last_12_months' }

  const totals = await writeDemo(footfall.context, property, options, quiet)
  assert.equal(totals.sessions, 400)
  assert.ok(totals.robots > 10 && totals.robots < 80)
  const first = await footfall.call('POST', '/v2/property/signals/analytics/metrics', { token, body: question })
  assert.equal(first.json.analytics.period_metrics.summary.sessions.current, 400)
  assert.ok(first.json.analytics.period_metrics.summary.value.current > 0)
  assert.ok(first.json.analytics.period_top_dimensions.dimensions.source.data.length > 5)

  assert.deepEqual(await writeDemo(footfall.context, property, options, quiet), totals)
  assert.equal((await findOrCreateDemoProperty(footfall.context)).id, property.id)
  const second = await footfall.call('POST', '/v2/property/signals/analytics/metrics', { token, body: question })
  assert.deepEqual(second.json.analytics.period_metrics.summary, first.json.analytics.period_metrics.summary)
})

const YEAR = { sessions: 20_000, days: 365, seed: 5 }

const visitsOfAYear: readonly DemoVisit[] = spreadOverDays({ ...YEAR, nowMs: NOW }).flatMap((day) => [
  ...visitsOf(day, YEAR.seed, NOW),
])

const whoIs = ({ identification: { external_id, email } }: DemoIdentification): string => external_id ?? email!

test('about three visits in a hundred say who they are, buyers always and robots never, some people on several days', () => {
  const people = peopleOf(YEAR)
  const daysOf = new Map<string, Set<number>>()
  let identified = 0
  for (const visit of visitsOfAYear) {
    const found = identificationOf(people, visit)
    assert.deepEqual(identificationOf(people, visit), found, 'the same visit, the same person')
    const hasMoney = visit.events.some((event) => event.order)
    assert.equal(found?.identification.traits?.lifecycle_stage === 'customer', hasMoney)
    if (!found) continue
    identified++
    assert.ok(!visit.isRobot)
    assert.ok(found.atMs >= visit.views[0]!.atMs && found.atMs < NOW)
    const who = whoIs(found)
    daysOf.set(who, (daysOf.get(who) ?? new Set()).add(visit.day))
  }
  assert.ok(identified > 0.025 * YEAR.sessions && identified < 0.04 * YEAR.sessions, `${identified} visits`)
  const severalDays = [...daysOf.values()].filter((days) => days.size > 1).length
  assert.ok(severalDays > 0.2 * daysOf.size && severalDays < daysOf.size, `${severalDays} of ${daysOf.size} people`)
})

test('made-up people have addresses that belong to nobody, one each', () => {
  const people = peopleOf(YEAR)
  const ownerOf = new Map<string, string>()
  for (const visit of visitsOfAYear) {
    const found = identificationOf(people, visit)
    if (!found) continue
    const address = readEmail(found.identification.email!)
    assert.match(address!.key, /^[a-z]+\.[a-z]+\.5-\d+@example\.(com|org)$/)
    const { first_name, last_name } = found.identification.traits!
    const owner = `${found.identification.external_id} ${first_name} ${last_name}`
    assert.equal(ownerOf.get(address!.key) ?? owner, owner)
    ownerOf.set(address!.key, owner)
  }
  assert.ok(ownerOf.size > 100)
})

interface ShownContact {
  readonly id: string
  readonly email: string
  readonly lifecycle_stage: string
  readonly session_count: number
}

async function listAll(footfall: Footfall, token: string): Promise<ShownContact[]> {
  const contacts: ShownContact[] = []
  for (let page = 1; page <= 20; page++) {
    const { json } = await footfall.call('GET', '/v2/property/contacts', { token, query: { page, per_page: 100 } })
    contacts.push(...(json.data.data as ShownContact[]))
    if (page >= json.data.last_page) return contacts
  }
  throw new Error('more contacts than the test wrote')
}

const sum = (contacts: readonly ShownContact[]): number => contacts.reduce((all, one) => all + one.session_count, 0)

interface Summary {
  readonly sessions: { readonly current: number }
  readonly value: { readonly current: number }
}

test('the demo has contacts with their sessions, and all money is of customers', async (t) => {
  const footfall = await startFootfall(t, { now: NOW })
  const property = await findOrCreateDemoProperty(footfall.context)
  const token = await footfall.addToken(property.id, ['signals:read', 'contacts:read'])
  const totals = await writeDemo(footfall.context, property, { sessions: 3_000, days: 60, seed: 3 }, quiet)
  const contacts = await listAll(footfall, token)
  assert.equal(sum(contacts), totals.identified)
  assert.ok(contacts.some((contact) => contact.lifecycle_stage !== 'customer'))

  const ask = async (clauses: readonly object[]): Promise<Summary> => {
    const body = { period: 'last_12_months', clauses }
    const { json } = await footfall.call('POST', '/v2/property/signals/analytics/metrics', { token, body })
    return json.analytics.period_metrics.summary as Summary
  }
  const linked = await ask([{ id: 'contact_id', op: 'is_set' }])
  assert.equal(linked.sessions.current, totals.identified)
  assert.ok(linked.value.current > 0)
  assert.deepEqual(linked.value, (await ask([])).value)
  const [customers, others] = [true, false].map((isCustomer) =>
    contacts.filter(
      ({ session_count, lifecycle_stage: stage }) => session_count > 2 && (stage === 'customer') === isCustomer,
    ),
  )
  assert.ok(customers!.length > 0 && others!.length > 0)
  for (const contact of [...customers!.slice(0, 4), ...others!.slice(0, 4)]) {
    const own = await ask([{ id: 'contact_id', op: 'equals', value: contact.id }])
    assert.equal(own.sessions.current, contact.session_count)
    if (own.value.current > 0) assert.equal(contact.lifecycle_stage, 'customer')
  }
})

test('another run changes no contact: not what its owner wrote, and nobody who was deleted comes back', async (t) => {
  const footfall = await startFootfall(t, { now: NOW })
  const property = await findOrCreateDemoProperty(footfall.context)
  const token = await footfall.addToken(property.id, ['signals:read', 'contacts:read', 'contacts:write'])
  const options = { sessions: 1_500, days: 30, seed: 3 }
  await writeDemo(footfall.context, property, options, quiet)
  const [edited, deleted] = await listAll(footfall, token)
  await footfall.call('POST', `/v2/property/contacts/${edited!.id}`, {
    token,
    body: { first_name: 'Renamed', lifecycle_stage: 'friend' },
  })
  await footfall.call('DELETE', `/v2/property/contacts/${deleted!.id}`, { token })
  const before = await listAll(footfall, token)
  assert.equal(before.length, new Set(before.map(({ id }) => id)).size)

  await writeDemo(footfall.context, property, options, quiet)
  assert.deepEqual(await listAll(footfall, token), before)
})

test('a run that was cut short between contact and facts is completed by the next one', async (t) => {
  const footfall = await startFootfall(t, { now: NOW })
  const property = await findOrCreateDemoProperty(footfall.context)
  const token = await footfall.addToken(property.id, ['signals:read', 'contacts:read'])
  const options = { sessions: 600, days: 10, seed: 4 }
  const { facts } = footfall.context
  const appendAll: typeof facts.appendAll = async (table, rows) => {
    if (rows.some((row) => 'kind' in row && row.kind === 'identify')) throw new Error('the power is out')
    return facts.appendAll(table, rows)
  }
  const cut = { ...footfall.context, facts: { ...facts, appendAll } }
  await assert.rejects(writeDemo(cut, property, options, quiet), /power is out/)
  assert.ok(sum(await listAll(footfall, token)) > 0, 'contacts are there, and nothing of them in the facts')

  const { identified } = await writeDemo(footfall.context, property, options, quiet)
  const countSessions = async (clause: object): Promise<number> => {
    const body = { period: 'last_28', clauses: [{ id: 'contact_id', ...clause }] }
    const { json } = await footfall.call('POST', '/v2/property/signals/analytics/metrics', { token, body })
    return Number(json.analytics.period_metrics.summary.sessions.current)
  }
  assert.equal(await countSessions({ op: 'is_set' }), identified)
  const contacts = await listAll(footfall, token)
  assert.equal(sum(contacts), identified)
  for (const { id, session_count } of contacts.slice(0, 5))
    assert.equal(await countSessions({ op: 'equals', value: id }), session_count)
})

test('the visitors of a minute are the same whichever process makes them, and they come as time goes on', () => {
  const options = { sessions: 100_000, days: 90, seed: 11 }
  const minute = Math.floor(NOW / 60_000)
  const atOnce = visitsOfMinute(minute, options, NOW + 3_600_000)
  assert.deepEqual(visitsOfMinute(minute, options, NOW + 3_600_000), atOnce)
  const idsAt = (nowMs: number) =>
    visitsOfMinute(minute, options, nowMs).flatMap(({ hash, views }) => views.map(({ view }) => `${hash} ${view}`))
  for (let minutes = 1; minutes < 20; minutes++) {
    const [before, later] = [idsAt(NOW + (minutes - 1) * 60_000), idsAt(NOW + minutes * 60_000)]
    assert.ok(before.every((id) => later.includes(id)))
  }
  const minutes = Array.from({ length: 200 }, (_, index) => minute - index)
  const all = minutes.flatMap((one) => visitsOfMinute(one, options, NOW)).filter(({ isRobot }) => !isRobot)
  assert.ok(all.length > 100 && all.length < 400, `${all.length}`)
  assert.ok(all.every(({ views }) => views.every(({ atMs }) => atMs < NOW)))
  assert.equal(new Set(all.map(({ hash }) => hash)).size, all.length)
  // Midnight ends every session: nothing of yesterday goes on.
  assert.deepEqual(visitsOfMinute(minute, options, NOW + DAY_MS), [])
})
