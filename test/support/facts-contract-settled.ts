// What every facts store promises of days that are settled: a copy is only ever read while it holds what the
// folds hold.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { summedGoal } from '../../server/conversions/conversions.ts'
import { dayFromText, dayText } from '../../server/kernel/days.ts'
import { boundsOf, everySession, sessionRows } from '../../server/sessions/rows.ts'
import type { Facts } from '../../server/stores/facts.ts'
import { allCopyTables } from '../../server/stores/settled/sums.ts'
import type { SettledDays } from '../../server/stores/settled/settled.ts'
import { storedName } from '../../server/stores/migrations/facts.ts'
import { freshProperty } from './facts-rows.ts'
import { settledFigures } from './settled-figures.ts'
import { eventually } from './site.ts'

const HOUR_MS = 3_600_000
/** Weeks of their own for these tests, begun on Mondays. */
const MONDAYS = ['1997-03-03', '1997-03-10', '1997-03-17', '1997-03-24', '1997-03-31'] as const
const at = (day: string, hour: number) => Date.parse(`${day}T00:00:00Z`) + hour * HOUR_MS
const weekOf = (monday: string) => [0, 1, 2, 3, 4, 5, 6].map((days) => dayText(dayFromText(monday) + days))

/** What visitors were seen with. */
const seen = [
  {
    country_code: 'DE',
    country: 'Germany',
    city: 'Berlin',
    url: 'https://example.com/a',
    path: '/a',
    language: 'de-CH',
    channel: 'Direct',
  },
  { country_code: 'US', city: 'Berlin', path: '/b', language: 'de', scroll: 40, browser: 'Firefox' },
  { country_code: 'US', path: '/a', language: 'pt-BR', referrer_domain: "o'neil.example\\", timezone: 'Europe/Berlin' },
] as const

export function settledContract(where: string, facts: () => Facts): void {
  const view = (property: string, day: string, session: string, hour: number, more: object = {}) =>
    facts().append('views', { property, day, session, view: 1, at: at(day, hour), seen: at(day, hour), ...more })
  /** @returns those of the days. Other tests have left rows of other years. */
  const settle = async (now: string | number, among: readonly string[], isPatient = false) => {
    const days = await facts().settle(typeof now === 'string' ? Date.parse(now) : now, isPatient)
    return days.filter((day) => among.includes(day))
  }
  const among = (days: readonly string[], settled: SettledDays) => days.filter((day) => settled.has(day))
  const settledNow = async (days: readonly string[]) => among(days, await facts().settledDays())
  /** Some are: while a node is slow to answer, none is said to be. */
  const told = () =>
    eventually(
      () => facts().settledDays(),
      ({ size }) => size > 0,
    )
  const settledOf = async (days: readonly string[]) => among(days, await told())
  const copiesOf = async (days: readonly string[]) => {
    const settled = await told()
    return new Set(days.map((day) => settled.get(day)?.copy))
  }
  const copied = async (day: string, property: string) => {
    const copy = (await facts().settledDays()).get(day)?.copy
    const sql =
      'SELECT session, seconds_sum, country_at FROM settled WHERE copy = {copy:UInt64} AND day = {day:Date} AND property = {property:String} ORDER BY session'
    return facts().query<{ session: string; seconds_sum: string; country_at: string }>('test', sql, {
      copy,
      day,
      property,
    })
  }
  /** Sessions of a window, as a question reads them. */
  const sessionsOf = async (property: string, settled: SettledDays, fromMs: number, toMs: number) => {
    const from = sessionRows({
      settled,
      layout: facts().layout,
      hasMarks: false,
      bounds: boundsOf(property, { fromMs, toMs }),
      columns: ['day', 'session', 'seconds_sum'],
      condition: everySession,
    })
    return facts().query('test', `SELECT day, session, seconds_sum FROM ${from.sql} ORDER BY day, session`, from.params)
  }

  const figuresOf = (property: string, settledDays: Facts['settledDays'], fromMs: number, toMs: number) =>
    settledFigures({ ...facts(), settledDays }, property, { fromMs, toMs })

  test(`${where}: a day is settled an hour after its end, and holds the sessions of people`, async () => {
    const [property, [day, next, third]] = [freshProperty(), weekOf(MONDAYS[0]) as [string, string, string]]
    await view(property, day, '1', 9, { seconds: 7, country_code: 'CH', city: 'Bern' })
    await view(property, day, '1', 9, { seconds: 12 })
    await view(property, day, '2', 10, { is_bot: 1 })
    await view(property, day, '3', 23)
    await view(property, third, '5', 3)
    // Money without a view: no session that anybody counts.
    await facts().append('events', { property, day, kind: 'acquisition', session: '4', id: '1', at: at(day, 3) })
    assert.deepEqual(await settle(at(next, 1) - 1, [day, next, third]), [])
    assert.deepEqual(await settledNow([day]), [])
    assert.deepEqual(await settle(at(next, 1), [day, next, third]), [day])
    assert.deepEqual(await copied(day, property), [
      { session: '1', seconds_sum: '12', country_at: 'CH ' },
      { session: '3', seconds_sum: '0', country_at: ' ' },
    ])
    const { firstMs, lastMs } = (await facts().settledDays()).get(day)!
    assert.deepEqual([firstMs, lastMs], [at(day, 9), at(day, 23)])
    assert.deepEqual(await settle(at(next, 1), [day, next, third]), [])
    assert.deepEqual(await settle(at(third, 1), [day, next, third]), [next], 'nothing happened on it')
    assert.deepEqual(await settledOf([day, next, third]), [day, next])
  })

  const ofNobody = (property: string, day: string) => ({ property, day, session_day: day, id: '6' })
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
    'a click of nobody': (property, day) =>
      facts().append('clicks', { ...ofNobody(property, day), at: at(day, 1), link: 'l' }),
    'a form that is shown': (property, day) =>
      facts().append('form_events', { ...ofNobody(property, day), at: at(day, 1), form: 'f', kind: 'view' }),
    'an impression of the day after': (property, day) =>
      facts().append('impressions', { ...ofNobody(property, day), at: at(day, 30), block: 'b', kind: 'click' }),
    'a mark': (property, day) => facts().append('marks', { property, day, session: '1', mark: 3, batch: 'b' }),
  }
  for (const [name, write] of Object.entries(late)) {
    test(`${where}: ${name} that comes late takes the copy of its day away before it is acknowledged, and no other`, async () => {
      const [property, week] = [freshProperty(), weekOf(MONDAYS[1])]
      // In a cluster these lie on two nodes.
      for (const day of week) for (const session of ['1', '2']) await view(property, day, session, 9)
      await settle('1997-04-20', week)
      assert.deepEqual(await settledOf(week), week)
      await write(property, week[2]!)
      const others = week.toSpliced(2, 1)
      assert.deepEqual(await settledOf(week), others)
      assert.deepEqual(await settle('1997-04-20', week), [week[2]])
      assert.deepEqual(await settledOf(week), week)
    })
  }

  test(`${where}: what no copy has anything of leaves the copy of its day alone`, async () => {
    const [property, day] = [freshProperty(), '1997-10-06']
    await view(property, day, '1', 9)
    await settle('1997-11-01', [day])
    assert.deepEqual(await settledOf([day]), [day])
    await facts().append('vitals', { property, day, session: '1', id: 1, at: at(day, 10) })
    assert.deepEqual(await settledOf([day]), [day])
  })

  test(`${where}: rows of today and merges of the week leave the days before settled`, async () => {
    const [property, week] = [freshProperty(), weekOf('1997-07-07')]
    const [monday, , today] = week as [string, string, string]
    await view(property, monday, '1', 9)
    await view(property, today, '2', 0)
    await settle(at(today, 2), week)
    const before = await copiesOf([monday])
    for (const hour of [3, 4, 5]) await view(property, today, `${hour}`, hour)
    const sessions = storedName('sessions', facts().layout)
    await facts().command('test', `OPTIMIZE TABLE ${sessions} PARTITION '${monday}' FINAL`)
    assert.deepEqual(await settledOf(week), week.slice(0, 2))
    assert.deepEqual(await copiesOf([monday]), before)
  })

  test(`${where}: the days of a week are joined once it is over, and a question reads each of them once`, async () => {
    const [property, week] = [freshProperty(), weekOf('1997-08-04')]
    const [monday, , wednesday] = week as [string, string, string]
    const now = at('1997-08-11', 1)
    for (const [index, day] of week.entries())
      for (const session of ['1', '2']) {
        const hour = 3 * index + Number(session)
        await view(property, day, session, hour, { ...seen[index % 3], seconds: index })
        // Another visit of the same session.
        await view(property, day, session, hour + 1, { view: 2 })
        const click = { property, day, session_day: day, session }
        await facts().append('clicks', { ...click, id: '1', at: at(day, hour), link: `l${index % 2}` })
        await facts().append('clicks', { ...click, id: '2', at: at(day, hour + 1), link: `l${index % 3}` })
        const form = { property, form: `f${index % 2}`, day, session_day: day, session, id: `${index}${session}` }
        await facts().append('form_events', { ...form, kind: 'view', at: at(day, hour) })
        if (index % 3 === 0) await facts().append('form_events', { ...form, kind: 'submit', at: at(day, hour + 2) })
        const content = { property, block: `b${index % 3}`, day, session_day: day, session, id: session }
        await facts().append('impressions', { ...content, kind: 'view', at: at(day, hour) })
        // Of a page that was left open over midnight.
        await facts().append('impressions', { ...content, kind: 'click', at: at(day, hour + 20) })
        const event = { property, day, session, at: at(day, 23) }
        await facts().append('events', { ...event, kind: 'event', name: `e${(index + Number(session)) % 3}`, id: '1' })
        await facts().append('events', { ...event, kind: 'event', name: 'e0', id: '2' })
        await facts().append('events', { ...event, kind: 'acquisition', id: '3', amount: 5, amount_usd: 5 + index })
      }
    // Not within its day: the sums of the day are of no use to who asks by the day.
    await view(property, wednesday, '3', 25, { country_code: 'AT', city: 'Wien', scroll: 70 })
    for (const day of [week[1]!, week[2]!, week[5]!]) await settle(at(day, 25), week)
    assert.equal((await copiesOf(week.slice(0, -1))).size, 3)
    const separate = await copiesOf(week.slice(0, -1))
    const version = await facts().version(property, '1997-12-01')
    assert.deepEqual(await settle(now, week), week.slice(-1))
    assert.equal(await facts().version(property, '1997-12-01'), version, 'answers that are kept are still right')
    assert.equal((await copiesOf(week)).size, 1)
    assert.equal(
      [...(await copiesOf(week))].some((copy) => separate.has(copy)),
      false,
    )

    const isSame = async () => {
      const settled = await facts().settledDays()
      for (const [fromMs, toMs, sums] of [
        [at(monday, 0), at('1997-08-11', 0), true],
        [at(monday, 2), at('1997-08-11', 0), true],
        [at(wednesday, 0), at(wednesday, 8), false],
        [at('1997-07-01', 0), at(wednesday, 7), true],
      ] as const) {
        const read = await sessionsOf(property, settled, fromMs, toMs)
        assert.deepEqual(read, await sessionsOf(property, new Map(), fromMs, toMs))
        assert.ok(read.length > 0)
        assert.deepEqual(await figuresOf(property, () => facts().settledDays(), fromMs, toMs), {
          ...(await figuresOf(property, async () => new Map(), fromMs, toMs)),
          sums,
        })
      }
    }
    await isSame()
    await view(property, wednesday, '1', 8, { seconds: 50 })
    assert.equal((await settledOf(week)).length, 6)
    await isSame()
    // On its own as long as another day of the week is not quiet.
    await settle(now, week, true)
    await view(property, monday, '1', 8, { seconds: 60 })
    assert.deepEqual(await settle(now, week, true), [wednesday])
    assert.equal((await copiesOf(week.slice(1))).size, 2)
    await isSame()
    assert.deepEqual(await settle(now, week), [monday])
    assert.equal((await copiesOf(week)).size, 1)
    await isSame()
  })

  test(`${where}: a copy does not count once its week was dropped, or changed in place`, async () => {
    const [property, week] = [freshProperty(), weekOf('1997-09-01')]
    const [day] = week as [string]
    const sessions = storedName('sessions', facts().layout)
    for (const session of ['1', '2', '3', '4']) await view(property, day, session, 9)
    await settle('1997-10-01', week)
    assert.deepEqual(await settledOf(week), week)
    await facts().command(
      'test',
      `ALTER TABLE ${sessions} DELETE WHERE property = '${property}' AND session IN (1, 2) SETTINGS mutations_sync = 2`,
    )
    assert.deepEqual(await settledNow(week), [])
    await settle('1997-10-01', week)
    assert.deepEqual(
      (await copied(day, property)).map(({ session }) => session),
      ['3', '4'],
    )
    const ofBlock = { property, day, session_day: day, session: '3', at: at(day, 9), kind: 'view' } as const
    for (const block of ['b1', 'b2']) await facts().append('impressions', { ...ofBlock, block, id: block.slice(1) })
    await settle('1997-10-01', week)
    assert.deepEqual(await settledOf(week), week)
    await facts().command(
      'test',
      `ALTER TABLE ${storedName('impressions', facts().layout)} DELETE WHERE property = '${property}' AND block = 'b1' SETTINGS mutations_sync = 2`,
    )
    assert.deepEqual(await settledNow(week), [])
    await settle('1997-10-01', week)
    assert.deepEqual(await settledOf(week), week)
    await facts().command('test', `ALTER TABLE ${sessions} DROP PARTITION '${day}'`)
    assert.deepEqual(await settledNow(week), [])
    await view(property, day, '3', 9)
    assert.deepEqual(await settledNow(week), [])
    await settle('1997-10-01', week)
    assert.deepEqual(
      (await copied(day, property)).map(({ session }) => session),
      ['3'],
    )
  })

  test(`${where}: a row of a day before all others is in the next answer`, async () => {
    const [property, day] = [freshProperty(), '1971-02-03']
    const asked = async () => sessionsOf(property, await facts().settledDays(), at(day, 0), at(day, 24))
    assert.deepEqual(await asked(), [])
    await view(property, day, '1', 9)
    assert.equal((await asked()).length, 1)
  })

  test(`${where}: a day that still changes is left alone, and copies that nobody needs go after an hour`, async () => {
    const [property, week] = [freshProperty(), weekOf(MONDAYS[3])]
    const [day] = week as [string]
    const now = Date.parse('1997-05-01')
    const isThere = async (copy: number) => {
      const counts = allCopyTables.map((table) => `SELECT count() > 0 FROM ${table} WHERE copy = {copy:UInt64}`)
      const [row] = await facts().query<{ found: number[] }>(
        'test',
        `SELECT [${counts.map((sql) => `(${sql})`).join(', ')}] AS found`,
        { copy },
      )
      return row!.found
    }
    await view(property, day, '1', 9, { country_code: 'DE' })
    await view(property, day, '1', 11, { country_code: 'DE', view: 2 })
    const event = { property, day, session: '1', at: at(day, 9) }
    await facts().append('events', { ...event, kind: 'event', name: 'e', id: '1' })
    await facts().append('events', { ...event, kind: 'identify', contact_id: 'ct_1', id: '2' })
    await facts().append('clicks', { property, day, session_day: day, id: '3', at: at(day, 9), link: 'l' })
    const goals = [summedGoal(property, { event_type: 'page_view', event_value: null })!]
    assert.deepEqual(await settle(now, [day], true), [])
    await view(property, day, '2', 9)
    assert.deepEqual(await settle(now, [day], true), [])
    assert.deepEqual(await settle(now, [day], true), [day])
    await facts().settle(now, true, goals)
    const { copy } = (await facts().settledDays()).get(day)!
    await view(property, day, '3', 9)
    await settle(now, week)
    assert.equal((await copied(day, property)).length, 3)
    await settle(now + HOUR_MS - 1, week)
    assert.deepEqual(
      await isThere(copy),
      allCopyTables.map(() => 1),
    )
    await settle(now + HOUR_MS, week)
    assert.deepEqual(
      await isThere(copy),
      allCopyTables.map(() => 0),
    )
    assert.equal((await copied(day, property)).length, 3)
  })

  test(`${where}: a copy made by a clock that ran ahead is replaced by the next one`, async () => {
    const [property, day] = [freshProperty(), '1997-06-02']
    const ledger = storedName('settled_days', facts().layout)
    await view(property, day, '1', 9)
    await settle('1997-07-01', [day])
    // Each node of a cluster has a clock of its own.
    await facts().command(
      'test',
      `INSERT INTO ${ledger} (day, copy, days, mark, first_ms, last_ms, at) SELECT day, copy, days, mark, first_ms, last_ms, now64(3) + INTERVAL 1 DAY + toIntervalSecond(tcpPort() % 1000) FROM ${ledger} FINAL WHERE day = '${day}'`,
    )
    await view(property, day, '2', 9)
    assert.deepEqual(await settle('1997-07-01', [day]), [day])
    await facts().command('test', 'SELECT 1') // nothing is known by heart any more
    assert.equal((await copied(day, property)).length, 2)
    assert.deepEqual(await settle('1997-07-01', [day]), [])
  })
}
