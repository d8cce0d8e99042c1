// What every facts store promises of goals that are added up on settled days: a question has the same answer
// from sums and from rows, whatever becomes of the day.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attributions } from '../../server/analytics/credit-sql.ts'
import { addGoalCounts, type GoalCounts, noGoalCounts } from '../../server/analytics/goal-counts.ts'
import { summedGoal } from '../../server/conversions/conversions.ts'
import type { Span } from '../../server/kernel/window.ts'
import { DAY_MS, dayFromText, dayText } from '../../server/kernel/days.ts'
import type { GoalParts, GoalQuery } from '../../server/overview/goal-facts.ts'
import { readGoalApart } from '../../server/overview/goal-sums-facts.ts'
import type { Facts } from '../../server/stores/facts.ts'
import { goalComplete } from '../../server/stores/goal-sums.ts'
import { storedName } from '../../server/stores/migrations/facts.ts'
import { freshProperty } from './facts-rows.ts'
import { seededPick } from './overview-world.ts'
import { eventually } from './site.ts'

const seed = Number(process.env['GOALS_SEED'] ?? Math.floor(Math.random() * 1e9))

const WEEK = Array.from({ length: 7 }, (_, day) => dayText(dayFromText('1998-03-02') + day))
const [FIRST, , QUIET] = WEEK as [string, string, string]
/** Not settled: it is not over then. */
const LAST = '1998-03-09'
const NOW = Date.parse(`${LAST}T20:00:00Z`)
const msOf = (day: string) => dayFromText(day) * DAY_MS

/** Within a second: an edge, and somebody who comes after it. */
const ODD_MS = msOf(FIRST) + 3_600_500

const paths = ['/', '/Pricing', '/blog/a', '/blog/b', "/o'neil\\", '/%e4'] as const
const pages = ['/', '/blog/*', "/o'neil\\", '/%E4', null].map(
  (event_value) => ({ event_type: 'page_view', event_value }) as const,
)
const goals = [
  ...pages,
  { event_type: 'event', event_value: 'signup' } as const,
  { event_type: 'form_submit', event_value: null } as const,
].map((definition) => ({ id: 'cv_1', name: 'Goal', ...definition }))

/** By what it is of; what is nothing is left out. */
function told({ byEdge, values }: GoalParts): Record<string, GoalCounts> {
  const all: Record<string, GoalCounts> = {}
  const note = (key: string, counts: GoalCounts) => (all[key] = addGoalCounts(all[key] ?? noGoalCounts, counts))
  for (const [edge, counts] of byEdge) note(`edge ${edge}`, counts)
  for (const { rows } of values) for (const [key, counts] of Object.entries(rows)) note(key, counts)
  return Object.fromEntries(Object.entries(all).filter(([, { hits }]) => hits > 0))
}

/** @param facts of a store that other tests fill with rows of other years. */
export function goalsContract(where: string, facts: () => Facts): void {
  const summed = (property: string) => goals.flatMap((goal) => summedGoal(property, goal) ?? [])
  const settle = (property: string) => facts().settle(NOW, false, summed(property))
  const isSettled = (day: string) =>
    eventually(
      () => facts().settledDays(),
      (days) => days.has(day),
    )

  const visits = async (property: string, pick: (choices: number) => number) => {
    for (let session = 1; session <= 40; session++) {
      // Each page is seen on the first day by somebody without a contact.
      const isKnown = session > paths.length
      const day = isKnown ? [...WEEK.filter((one) => one !== QUIET), LAST][pick(7)]! : FIRST
      const at = session === 1 ? ODD_MS + 250 : msOf(day) + pick(20 * 3600) * 1000 + pick(1000)
      const of = { property, day, session: `${session}` }
      const seen = { country_code: ['DE', 'US'][pick(2)]!, browser: ['Firefox', 'Safari'][pick(2)]!, language: 'de' }
      for (let view = 1; view <= 1 + pick(3); view++)
        await facts().append('views', {
          ...of,
          view,
          at: at + view,
          seen: at + view,
          path: paths[isKnown ? pick(6) : session - 1]!,
          ...seen,
        })
      // So does one of these what else meets a goal.
      const isSure = session === 1
      if (isSure || pick(3) === 0)
        await facts().append('events', { ...of, kind: 'event', name: 'signup', id: `1${session}`, at })
      if (isSure || pick(3) === 0)
        await facts().append('form_events', {
          property,
          day: dayText(Math.floor(at / DAY_MS) + (isSure ? 0 : pick(2))),
          session_day: day,
          session: `${session}`,
          form: 'fo_1',
          kind: 'submit',
          id: `${session}`,
          at,
        })
      if (pick(4) === 0)
        await facts().append('form_events', { property, day, form: 'fo_1', kind: 'submit', id: `9${session}`, at })
      if (isKnown && pick(3) === 0)
        await facts().append('events', { ...of, kind: 'identify', contact_id: `ct_${pick(4)}`, id: `${session}`, at })
    }
  }

  /** Both windows of a question, cut at odd times, and what is read for them. */
  const queries = (
    pick: (choices: number) => number,
  ): readonly Pick<GoalQuery, 'edges' | 'values' | 'valuesFromMs'>[] => {
    const [fromMs, middleMs] = [msOf(FIRST), msOf(WEEK[4]!)]
    const oddSeconds = WEEK.map((day) => msOf(day) + pick(86_400) * 1000)
    return [
      { edges: [fromMs], values: 'all' },
      { edges: [fromMs, ...WEEK.map(msOf)], values: [] },
      { edges: [fromMs, ...oddSeconds], values: 'all', valuesFromMs: middleMs },
      { edges: [fromMs, ODD_MS], values: 'all', valuesFromMs: middleMs + 5 * 3_600_000 },
      { edges: [fromMs], values: [{ list: 'browser', value: 'Firefox', countryCode: '' }] },
    ]
  }

  const ALL_DAYS: Span = { fromMs: msOf(FIRST), toMs: NOW }

  /** All days, or some: cut at odd times, with conversions before and after. */
  const spanOf = (pick: (choices: number) => number): Span =>
    pick(2) === 0
      ? ALL_DAYS
      : { fromMs: msOf(WEEK[1]!) + pick(DAY_MS), toMs: [NOW, msOf(WEEK[5]!) + pick(DAY_MS)][pick(2)]! }

  const answer = async (asked: Facts, property: string, given: GoalQuery, pastUntil: string, span = ALL_DAYS) => {
    const { fromMs, toMs } = span
    const query = { ...given, edges: [fromMs, ...given.edges.filter((edge) => edge > fromMs && edge < toMs)] }
    const { past, rest } = await readGoalApart(asked, { propertyId: property, span, clauses: [] }, query, {
      pastUntil,
      today: LAST,
    })
    return { past: told(past), rest: told(rest) }
  }

  /** @returns how many questions were answered from sums. */
  const isSame = async (property: string, pick: (choices: number) => number): Promise<number> => {
    let fromSums = 0
    const query: Facts['query'] = (name, ...rest) => {
      if (name === 'analytics.goalSums') fromSums++
      return facts().query(name, ...rest)
    }
    for (const goal of goals)
      for (const one of queries(pick)) {
        const asked = { ...one, credit: { goal, attribution: attributions[pick(2)]! } }
        const pastUntil = [WEEK[3]!, WEEK[6]!][pick(2)]!
        const span = spanOf(pick)
        const found = await answer({ ...facts(), query }, property, asked, pastUntil, span)
        const rows = await answer({ ...facts(), settledDays: async () => new Map() }, property, asked, pastUntil, span)
        assert.deepEqual(found, rows, JSON.stringify([span, goal, asked.edges, asked.valuesFromMs, seed]))
      }
    return fromSums
  }
  const ALL = goals.length * 5

  test(`${where}: a goal is the same from sums of settled days as from rows (GOALS_SEED=${seed})`, async () => {
    const [property, pick] = [freshProperty(), seededPick(seed)]
    await visits(property, pick)
    await facts().settle(NOW, false)
    await isSettled(FIRST)
    assert.equal(await isSame(property, pick), 0, 'nothing is added up')
    // The days were copied before.
    await settle(property)
    assert.equal(await isSame(property, pick), ALL)
    const read = await facts().query<{ hits: string }>(
      'test',
      'SELECT sum(hits) AS hits FROM settled_goals WHERE property = {property:String}',
      { property },
    )
    assert.ok(Number(read[0]!.hits) > 0)
  })

  test(`${where}: a goal that was added up in part, or twice, is counted once (GOALS_SEED=${seed})`, async () => {
    const [property, pick] = [freshProperty(), seededPick(seed)]
    await visits(property, pick)
    await settle(property)
    await isSettled(FIRST)
    const table = storedName('settled_goals', facts().layout)
    const remove = (condition: string) =>
      facts().command(
        'test',
        `ALTER TABLE ${table} DELETE WHERE property = '${property}' AND ${condition} SETTINGS mutations_sync = 2`,
      )
    await remove(`list = '${goalComplete}'`)
    await remove(`list = 'browser' AND day > '${FIRST}'`)
    assert.equal(await isSame(property, pick), 0, 'no day is complete')
    await settle(property)
    assert.equal(await isSame(property, pick), ALL)
    // Another node has made them too.
    await facts().command('test', `INSERT INTO ${table} SELECT * FROM ${table} WHERE property = '${property}'`)
    assert.equal(await isSame(property, pick), ALL)
  })

  test(`${where}: what comes late for a settled day is in the next answer, and in its next sums`, async () => {
    const [property, pick] = [freshProperty(), seededPick(seed)]
    await visits(property, pick)
    await settle(property)
    await isSettled(FIRST)
    const at = msOf(FIRST) + 3_600_000
    const of = { property, day: FIRST, session: '77' }
    await facts().append('views', { ...of, view: 1, at, seen: at, path: '/' })
    await isSame(property, pick)
    const [linked] = await facts().query<{ day: string; session: string }>(
      'test',
      'SELECT toString(s.day) AS day, toString(s.session) AS session FROM sessions AS s WHERE s.property = {property:String} AND s.day < {last:Date} AND s.session != 77 LIMIT 1',
      { property, last: LAST },
    )
    await facts().append('events', { property, ...linked!, kind: 'identify', contact_id: 'ct_9', id: '99', at })
    await facts().append('events', { ...of, kind: 'identify', contact_id: 'ct_9', id: '98', at })
    await isSame(property, pick)
    await settle(property)
    await isSettled(FIRST)
    assert.equal(await isSame(property, pick), ALL)
  })

  test(`${where}: what is written while a goal is counted takes nothing from its answer`, async () => {
    const property = freshProperty()
    const visit = async (session: string, day: string) => {
      const at = msOf(day) + 3_600_000
      await facts().append('views', { property, day, session, view: 1, at, seen: at, path: '/' })
    }
    const identify = async (session: string, day: string) => {
      const at = msOf(day) + 3_600_000
      await facts().append('events', { property, day, session, kind: 'identify', contact_id: 'ct_1', id: session, at })
    }
    const [firstDay, laterDay] = [FIRST, WEEK[3]!]
    await visit('1', firstDay)
    await visit('2', laterDay)
    await identify('2', laterDay)
    await settle(property)
    await isSettled(FIRST)
    const edges = [msOf(firstDay), msOf(laterDay)]
    const query: GoalQuery = { edges, values: [], credit: { goal: goals[0]!, attribution: 'first' } }
    const counted = async (asked: Facts) => {
      const { past } = await answer(asked, property, query, WEEK[6]!)
      return edges.map((edge) => past[`edge ${edge}`]?.hits ?? 0)
    }
    const lookup: Facts['lookup'] = async (name, ...rest) => {
      const rows = await facts().lookup(name, ...rest)
      if (name === 'analytics.goalDays') await identify('1', firstDay)
      return rows as never
    }
    assert.deepEqual(await counted({ ...facts(), lookup }), [1, 1])
    assert.deepEqual(await counted(facts()), [2, 0])
    // Who began on the first day is known, which is neither settled now nor asked about.
    const later = await answer(facts(), property, query, WEEK[6]!, { fromMs: msOf(WEEK[1]!), toMs: NOW })
    assert.deepEqual(later, { past: {}, rest: {} })
  })
}
