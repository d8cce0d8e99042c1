// Sessions of a running day that are kept as rows say what the folds say, whatever is added to the day, by
// whom, and in which order.
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pino } from 'pino'
import { factsSettings, readConfig } from '../../config.ts'
import { readTopEvents } from '../../lists/event-facts.ts'
import { laterVisitsOf, readParts, type Scope } from '../../analytics/facts.ts'
import { readTopLists } from '../../analytics/tops-facts.ts'
import { figureNames } from '../../analytics/metrics.ts'
import { knownOf, everySession, sessionRows } from '../../sessions/sessions.ts'
import { runningColumns as columns } from '../running-columns.ts'
import type { Span } from '../../kernel/window.ts'
import { type Facts, openFacts } from '../facts.ts'
import { type TouchColumn, touchColumns } from '../visit-columns.ts'
import { seeded } from '../../../test/oracle/random.ts'
import { freshProperty } from '../../../test/support/facts-rows.ts'
import { openTestFacts } from '../../../test/support/facts-store.ts'
import { testEnvironment } from '../../../test/support/server.ts'
import { eventually } from '../../../test/support/site.ts'
import { migrateFacts } from '../migrations/facts.ts'

const DAY = '2025-06-04'
const NEXT = '2025-06-05'
const at = (hour: number) => Date.parse(`${DAY}T00:00:00Z`) + hour * 3_600_000
const span = { fromMs: at(0), toMs: at(24) }
const SESSIONS = 12
const ROUNDS = 12
/** More than statements name; and eight times their half is more than a table gets. */
const MANY = 1_100

/** Where processes are files. */
const skip = process.platform === 'linux' ? false : 'there is no /proc'

const { facts, close } = await openTestFacts()
after(close)

const noRunningDay: Facts['runningDay'] = async () => undefined
const tableOf = async (property: string) => (await facts.runningDay(property, DAY))?.table

const view = (property: string, session: string, hour: number, more: object = {}) =>
  facts.append('views', { property, day: DAY, session, view: 1, at: at(hour), seen: at(hour), path: '/', ...more })

/** Numbers of both ways have types of different lengths. */
const texts = columns.map((name) => `toString(${name}) AS ${name}_text`).join(', ')

/** The first touch of each visit after the first one of its session, and the links of them alone. */
async function visitsOf(asked: Facts, property: string, within: Span) {
  const scope: Scope = { propertyId: property, span: within, clauses: [] }
  const ask = async (names: readonly TouchColumn[], isLinked: boolean) => {
    const { sql, params } = await laterVisitsOf(asked, scope, names, { isLinked })
    assert.equal(/\brunning\./.test(sql), asked === facts, sql)
    const shown = `SELECT session, ${names.join(', ')} FROM ${sql}`
    return facts.query<Record<TouchColumn, string>>(
      'test',
      `${shown} ${isLinked ? "AND entry_link != ''" : ''} ORDER BY ALL`,
      params,
    )
  }
  const [visits, linked] = [await ask(touchColumns, false), await ask(['entry_link'], true)]
  assert.deepEqual(
    linked.map(({ entry_link }) => entry_link).toSorted(),
    visits.flatMap(({ entry_link }) => (entry_link === '' ? [] : [entry_link])).toSorted(),
  )
  return { visits, linked }
}

/** Each column of each session, and its later visits, with and without the rows that are kept. */
async function bothWays(property: string, within: Span = span) {
  const ask = async (asked: Facts) => {
    const from = sessionRows({ ...(await knownOf(asked, property, within)), columns, condition: everySession })
    assert.equal(/\brunning\./.test(from.sql), asked === facts, from.sql)
    assert.equal(/FROM sessions FINAL/.test(from.sql), asked !== facts, from.sql)
    const sessions = await facts.query(
      'test',
      `SELECT ${texts} FROM ${from.sql} ORDER BY day_text, session_text`,
      from.params,
    )
    return { sessions, ...(await visitsOf(asked, property, within)) }
  }
  return [await ask(facts), await ask({ ...facts, runningDay: noRunningDay })] as const
}

/** What may happen to a session of the day. */
const happenings: readonly ((property: string, session: string, pick: (most: number) => number) => Promise<void>)[] = [
  (property, session, pick) =>
    view(property, session, pick(23), { view: pick(4), path: `/${pick(3)}`, country_code: 'DE', city: 'Bonn' }),
  (property, session, pick) =>
    facts.append('views', {
      property,
      day: DAY,
      session,
      view: pick(4),
      seen: at(pick(23)),
      seconds: pick(90),
      scroll: 9,
    }),
  (property, session) => view(property, session, 3, { view: 9, is_bot: 1 }),
  (property, session, pick) =>
    facts.append('events', {
      property,
      day: DAY,
      session,
      kind: pick(2) === 0 ? 'event' : 'acquisition',
      name: `e${pick(2)}`,
      id: `${pick(99)}`,
      at: at(pick(23)),
      by_visitor: 1,
      amount: 100,
      amount_usd: pick(500),
    }),
  (property, session, pick) =>
    facts.append('form_events', {
      property,
      form: 'f',
      kind: 'submit',
      day: NEXT,
      session_day: DAY,
      session,
      id: `${pick(99)}`,
      at: at(25),
    }),
  (property, session, pick) =>
    facts.append('clicks', {
      property,
      day: DAY,
      session_day: DAY,
      session,
      id: `${pick(99)}`,
      at: at(pick(23)),
      link: `l${pick(2)}`,
    }),
  (property, session, pick) => facts.append('marks', { property, day: DAY, session, mark: pick(9) }),
]

const seed = Number(process.env['RUNNING_SEED'] ?? Math.floor(Math.random() * 1e9))

test(`rows that are kept are what the folds say, whatever is added (RUNNING_SEED=${seed})`, async () => {
  const random = seeded(seed)
  const pick = (most: number): number => Math.floor(random.next() * most)
  const property = freshProperty()
  await view(property, '1', 1)
  for (let round = 0; round < ROUNDS; round++) {
    const some = Array.from({ length: 1 + pick(7) }, () =>
      happenings[pick(happenings.length)]!(property, `${1 + pick(SESSIONS)}`, pick),
    )
    await Promise.all(some)
    const [kept, folded] = await bothWays(property)
    assert.deepEqual(kept, folded, `round ${round}`)
  }
})

test('a visit through a link after a pause is told by the rows that are kept', async () => {
  const property = freshProperty()
  await view(property, '1', 1)
  await view(property, '2', 1)
  await view(property, '2', 4, { view: 2, path: '/later' })
  const through = (link: string, hour: number) =>
    facts.append('clicks', { property, day: DAY, session_day: DAY, session: '1', id: `${hour}`, at: at(hour), link })
  await through('first', 1)
  await through('second', 5)
  await view(property, '1', 5, { view: 2, path: '/again' })
  const [kept] = await bothWays(property)
  assert.deepEqual(kept.linked, [{ session: '1', entry_link: 'second' }])
  assert.deepEqual(
    kept.visits.map(({ entry_path }) => entry_path),
    ['/again', '/later'],
  )
})

test('after a view only its session is folded again, in the same table', async () => {
  const property = freshProperty()
  await view(property, '1', 1)
  const table = await tableOf(property)
  assert.ok(table)
  await view(property, '2', 2)
  const day = await facts.runningDay(property, DAY)
  assert.equal(day?.table, table)
  assert.deepEqual(day?.sessions, [2n])
  assert.deepEqual(await facts.runningDay(property, DAY), day, 'nothing was added')
})

test('sessions of another day, and of another property, touch nothing', async () => {
  const property = freshProperty()
  await view(property, '1', 1)
  const before = await facts.runningDay(property, DAY)
  await facts.append('views', { property, day: NEXT, session: '1', view: 1, at: at(25), seen: at(25) })
  await view(freshProperty(), '1', 2)
  assert.deepEqual(await facts.runningDay(property, DAY), before)
})

test('rows that pile up are put into another table, which says what the folds say', async () => {
  const property = freshProperty()
  const sessions = Array.from({ length: MANY }, (_, session) => `${session + 1}`)
  const viewAll = (some: readonly string[], hour: number) =>
    facts.appendAll(
      'views',
      some.map((session) => ({ property, day: DAY, session, view: hour, at: at(hour), seen: at(hour), path: '/' })),
    )
  await viewAll(sessions, 1)
  const first = await tableOf(property)
  await view(property, '7', 2, { view: 2 })
  assert.equal(await tableOf(property), first)
  await viewAll(sessions.slice(1), 3)
  const second = await facts.runningDay(property, DAY)
  assert.notEqual(second?.table, first, 'too many sessions to name')
  assert.deepEqual(second?.sessions, [])
  assert.deepEqual(...(await bothWays(property)))
  for (let round = 0; round < 8; round++) {
    await viewAll(sessions.slice(0, MANY / 2), 4 + round)
    assert.equal((await facts.runningDay(property, DAY))?.sessions.length, round < 7 ? MANY / 2 : 0)
  }
  assert.notEqual(await tableOf(property), second?.table, 'too many rows of the same sessions')
  assert.deepEqual(...(await bothWays(property)))
})

test('the day before has rows as well until it is settled, each day with its own rounds', async () => {
  const property = freshProperty()
  const earlier = { day: new Date(at(-24)).toISOString().slice(0, 10) }
  const days = { fromMs: at(-24), toMs: at(24) }
  for (const session of ['1', '2']) {
    await view(property, session, 1)
    await view(property, session, -3, earlier)
  }
  const [kept, folded] = await bothWays(property, days)
  assert.equal(kept.sessions.length, 4)
  assert.deepEqual(kept, folded)
  // One session of each day, told apart by nothing but the day.
  await view(property, '1', 2, { view: 2 })
  await view(property, '2', -1, { ...earlier, view: 2 })
  assert.deepEqual(...(await bothWays(property, days)))
})

test('a table that is lost is made anew, and so is one after a change of the store', async (t) => {
  const property = freshProperty()
  await view(property, '1', 1)
  await view(property, '2', 2)
  const lost = await tableOf(property)
  await t.test('lost', async () => {
    await facts.command('test', `DROP TABLE IF EXISTS ${lost}`)
    assert.notEqual(await tableOf(property), lost)
  })
  await t.test('changed', async () => {
    await facts.command(
      'test',
      `ALTER TABLE sessions DELETE WHERE property = '${property}' AND session = 2 SETTINGS mutations_sync = 2`,
    )
    const [kept, folded] = await bothWays(property)
    assert.deepEqual(kept.sessions, folded.sessions)
    assert.equal(kept.sessions.length, 1)
  })
})

const childProcesses = (): number[] =>
  readdirSync('/proc').flatMap((name) => {
    try {
      return readFileSync(`/proc/${name}/status`, 'utf8').includes(`\nPPid:\t${process.pid}\n`) ? [Number(name)] : []
    } catch {
      return [] // no process, or one that has just ended
    }
  })

test('an engine that is killed takes the rows with it: they are folded anew', { skip }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'footfall-running-'))
  const config = readConfig({ ...testEnvironment, DATA_DIR: folder })
  const log = pino({ level: 'silent' })
  const others = childProcesses()
  const own = await openFacts({ ...factsSettings(config), lingerMs: 5, log })
  t.after(async () => {
    await own.close()
    rmSync(folder, { recursive: true, force: true })
  })
  await migrateFacts(own)
  const property = freshProperty()
  const add = (session: string) =>
    own.append('views', { property, day: DAY, session, view: 1, at: at(1), seen: at(1), path: '/' })
  await add('1')
  const before = await own.runningDay(property, DAY)
  assert.ok(before)
  const engines = childProcesses().filter((pid) => !others.includes(pid))
  assert.equal(engines.length, 1)
  process.kill(engines[0]!, 'SIGKILL')
  await add('2')
  const count = async () => {
    const { sql, params } = sessionRows({ ...(await knownOf(own, property, span)), columns, condition: everySession })
    const [row] = await own.query<{ count: string }>('test', `SELECT count() AS count FROM ${sql}`, params)
    return Number(row?.count)
  }
  // Meanwhile it is told that the store does not answer.
  assert.equal(await eventually(() => count().catch(() => undefined), Boolean), 2)
})

test('figures, lists and events of the day read the rows, and say what they say of the folds', async () => {
  const property = freshProperty()
  for (let session = 1; session <= 5; session++) {
    await view(property, `${session}`, session, { country_code: 'DE', city: 'Bonn', seconds: session * 5, scroll: 50 })
    await facts.append('events', {
      property,
      day: DAY,
      session: `${session}`,
      kind: 'event',
      name: 'e',
      id: `${session}`,
      at: at(6),
    })
  }
  const scope: Scope = { propertyId: property, span, clauses: [] }
  const ofAll = async (asked: Facts) => ({
    parts: await readParts(asked, scope, { name: 'test', edges: [at(0), at(3)], figures: figureNames }),
    tops: await readTopLists(asked, scope),
    events: await readTopEvents(asked, scope, 10),
  })
  await tableOf(property)
  const kept = await ofAll(facts)
  assert.equal(
    kept.parts.reduce((sum, { sessions }) => sum + sessions, 0),
    5,
  )
  assert.deepEqual(kept, await ofAll({ ...facts, runningDay: noRunningDay }))
})
