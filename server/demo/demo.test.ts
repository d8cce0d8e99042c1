// The demo's traffic is repeatable, believable in its shape, and stored as exactly what was announced.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { DAY_MS } from '../kernel/days.ts'
import { startFootfall } from '../../test/support/server.ts'
import { spreadOverDays } from './calendar.ts'
import { findOrCreateDemoProperty, writeDemo } from './demo.ts'
import { visitsOf } from './traffic.ts'

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
