// What every facts store promises of weeks that are settled: a copy is only ever read while it holds what the
// folds hold.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Facts } from '../../server/stores/facts.ts'
import { storedName } from '../../server/stores/migrations/facts.ts'
import { freshProperty } from './facts-rows.ts'

const DAY_MS = 86_400_000
/** Weeks of their own for these tests, begun on Mondays. */
const MONDAYS = ['1997-03-03', '1997-03-10', '1997-03-17', '1997-03-24'] as const
const at = (day: string, hour: number) => Date.parse(`${day}T00:00:00Z`) + hour * 3_600_000

export function settledContract(where: string, facts: () => Facts): void {
  const view = (property: string, day: string, session: string, hour: number, more: object = {}) =>
    facts().append('views', { property, day, session, view: 1, at: at(day, hour), seen: at(day, hour), ...more })
  /** Other tests have left rows of 1970. */
  const settle = async (now: string | number, isPatient = false) => {
    const weeks = await facts().settle(typeof now === 'string' ? Date.parse(now) : now, isPatient)
    return weeks.filter((week) => week > '1990')
  }
  const isSettled = async (week: string) => (await facts().settledWeeks()).has(week)
  const copied = async (week: string, property: string) => {
    const copy = (await facts().settledWeeks()).get(week)?.copy
    const sql =
      'SELECT session, seconds_sum, country_at FROM settled WHERE copy = {copy:UInt64} AND property = {property:String} ORDER BY session'
    return facts().query<{ session: string; seconds_sum: string; country_at: string }>('test', sql, { copy, property })
  }

  test(`${where}: a week is settled once it is over, and holds the sessions of people`, async () => {
    const [property, week] = [freshProperty(), MONDAYS[0]]
    await view(property, week, '1', 9, { seconds: 7, country_code: 'CH', city: 'Bern' })
    await view(property, week, '1', 9, { seconds: 12 })
    await view(property, week, '2', 10, { is_bot: 1 })
    await view(property, '1997-03-09', '3', 23)
    // Money without a view: no session that anybody counts.
    await facts().append('events', { property, day: week, kind: 'acquisition', session: '4', id: '1', at: at(week, 3) })
    assert.deepEqual(await settle('1997-03-10'), [])
    assert.equal(await isSettled(week), false)
    assert.deepEqual(await settle('1997-03-11'), [week])
    assert.deepEqual(await copied(week, property), [
      { session: '1', seconds_sum: '12', country_at: 'CH ' },
      { session: '3', seconds_sum: '0', country_at: ' ' },
    ])
    const { firstMs, lastMs } = (await facts().settledWeeks()).get(week)!
    assert.deepEqual([firstMs, lastMs], [at(week, 9), at('1997-03-09', 23)])
    assert.deepEqual(await settle('1997-03-11'), [])
  })

  const late: Readonly<Record<string, (property: string, day: string) => Promise<void>>> = {
    'a view': (property, day) => view(property, day, '9', 8),
    'an event': (property, day) =>
      facts().append('events', { property, day, kind: 'event', name: 'late', session: '1', id: '7', at: at(day, 20) }),
    'a form that is sent days later': (property, day) =>
      facts().append('form_events', {
        property,
        form: 'f',
        kind: 'submit',
        day: '1997-05-05',
        session_day: day,
        session: '1',
        id: '3',
        at: at('1997-05-05', 1),
      }),
    'a click': (property, day) =>
      facts().append('clicks', { property, day, session_day: day, session: '1', id: '5', at: at(day, 1), link: 'l' }),
  }
  for (const [name, write] of Object.entries(late)) {
    test(`${where}: ${name} that comes late takes the copy of its week away before it is acknowledged, and no other`, async () => {
      const property = freshProperty()
      const [, week, next] = MONDAYS
      for (const monday of [week, next]) await view(property, monday, '1', 9)
      await settle('1997-04-01')
      assert.deepEqual([await isSettled(week), await isSettled(next)], [true, true])
      await write(property, '1997-03-12')
      assert.deepEqual([await isSettled(week), await isSettled(next)], [false, true])
      assert.deepEqual(await settle('1997-04-01'), [week])
      assert.equal(await isSettled(week), true)
    })
  }

  test(`${where}: a week that still changes is left alone, and copies that nobody needs go after an hour`, async () => {
    const [property, week] = [freshProperty(), MONDAYS[3]]
    const now = Date.parse('1997-05-01')
    const isThere = async (copy: number) =>
      (await facts().query('test', 'SELECT 1 FROM settled WHERE copy = {copy:UInt64} LIMIT 1', { copy })).length > 0
    await view(property, week, '1', 9)
    assert.equal((await settle(now, true)).includes(week), false)
    await view(property, week, '2', 9)
    assert.equal((await settle(now, true)).includes(week), false)
    assert.equal((await settle(now, true)).includes(week), true)
    const { copy } = (await facts().settledWeeks()).get(week)!
    await view(property, week, '3', 9)
    await settle(now)
    assert.equal((await copied(week, property)).length, 3)
    await settle(now + DAY_MS / 24 - 1)
    assert.equal(await isThere(copy), true)
    await settle(now + DAY_MS / 24)
    assert.equal(await isThere(copy), false)
    assert.equal((await copied(week, property)).length, 3)
  })

  test(`${where}: a copy made by a clock that ran ahead is replaced by the next one`, async () => {
    const [property, week] = [freshProperty(), '1997-06-02']
    const ledger = storedName('settled_weeks', facts().layout)
    await view(property, week, '1', 9)
    await settle('1997-07-01')
    // Each node of a cluster has a clock of its own.
    await facts().command(
      'test',
      `INSERT INTO ${ledger} (day, copy, mark, first_ms, last_ms, at) SELECT day, copy, mark, first_ms, last_ms, now64(3) + INTERVAL 1 DAY + toIntervalSecond(tcpPort() % 1000) FROM ${ledger} FINAL WHERE day = '${week}'`,
    )
    await view(property, week, '2', 9)
    assert.deepEqual(await settle('1997-07-01'), [week])
    await facts().command('test', 'SELECT 1') // nothing is known by heart any more
    assert.equal((await copied(week, property)).length, 2)
    assert.deepEqual(await settle('1997-07-01'), [])
  })
}
