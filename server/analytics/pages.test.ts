// Sessions by the pages that they saw: of settled days their rows name these, and say what the views say.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { countAllConversions, countedOf } from '../conversions/conversions.ts'
import { DAY_MS, storedDay, dayOf } from '../kernel/days.ts'
import type { Facts } from '../stores/facts.ts'
import { NEVER_MS, type ViewRow } from '../stores/tables.ts'
import { freshProperty } from '../../test/support/facts-rows.ts'
import { openTestFacts } from '../../test/support/facts-store.ts'
import { type Clause, parseClauses, textOperators } from './clauses.ts'
import { rowsAndKeysOf, type Scope } from './facts.ts'
import { withHeld } from './held.ts'

const HOUR_MS = 3_600_000
const DAYS = 4
/** The last day is not over. */
const NOW = Date.parse('2025-06-05T20:00:00Z')
const FIRST = NOW - (DAYS - 1) * DAY_MS - 20 * HOUR_MS

const { facts, close } = await openTestFacts()
after(close)

const property = freshProperty()
const paths = ['', '/', '/a', '/A', '/a/b', '/a_b', '/Ü', '/%c3%9c', '/%C3%9C'] as const

/**
 * Of each day some sessions, of which every seventh is a bot, with the numbers of those of other days; each
 * saw some pages, some of them twice.
 */
const rows: Partial<ViewRow>[] = Array.from({ length: DAYS * 60 }, (_, session) => {
  const day = storedDay(dayOf(FIRST) + (session % DAYS))
  const enterMs = Date.parse(`${day}T00:00:00Z`) + (session % 19) * HOUR_MS
  const of = { property, day, session: `${1 + Math.floor(session / DAYS)}`, is_bot: session % 7 === 0 ? 1 : 0 }
  const seen = Array.from({ length: 1 + (session % 4) }, (_seen, view) => {
    const own = { ...of, view: view + 1, seen: enterMs + view * 60_000 }
    const path = paths[(session * (view + 1) + (view % 2)) % paths.length]!
    // What a ping adds has no page.
    return [
      { ...own, at: own.seen, path },
      { ...own, at: NEVER_MS, seconds: 9 },
    ]
  })
  return [...seen.flat(), { ...of, view: 9, at: NEVER_MS, seen: enterMs, seconds: 5 }]
}).flat()
await facts.appendAll('views', rows)
// Some are told twice.
await facts.appendAll(
  'views',
  rows.filter((_, index) => index % 5 === 0),
)
await facts.settle(NOW, false)

interface Watched {
  readonly asked: Facts
  readonly statements: string[]
}

/** The facts, and what they were asked. */
function watched(over: Partial<Facts> = {}): Watched {
  const statements: string[] = []
  const own = { ...facts, ...over }
  const query: Facts['query'] = (name, sql, params) => {
    statements.push(sql)
    return own.query(name, sql, params)
  }
  const holding: Facts['holding'] = (name, asked, work) => {
    statements.push(asked.from)
    return own.holding(name, asked, work)
  }
  return { asked: { ...own, query, holding }, statements }
}

/** Nothing is settled, and it is not known when it all began: years have more days than are named. */
const unsettled: Partial<Facts> = { settledDays: async () => new Map() }

const whole = { fromMs: FIRST, toMs: NOW + 1 }
const spans = [whole, { fromMs: FIRST, toMs: FIRST + 2 * DAY_MS }, { fromMs: FIRST + 5 * HOUR_MS, toMs: NOW }]
const years = { fromMs: FIRST - 1000 * DAY_MS, toMs: NOW + 1 }

const scopeOf = (clauses: readonly Clause[], span: Scope['span']): Scope => ({ propertyId: property, span, clauses })

async function sessionsOf(asked: Facts, scope: Scope): Promise<string[]> {
  const { sql, params } = await rowsAndKeysOf(asked, scope, ['day', 'session'])
  const select = `SELECT concat(toString(day), ' ', toString(session)) AS own FROM ${sql} ORDER BY own`
  const found = await asked.query<{ own: string }>('test', select, params)
  return found.map(({ own }) => own)
}

const clause = fc.record({
  id: fc.constant('page_path'),
  op: fc.constantFrom(...textOperators),
  value: fc.oneof(fc.constantFrom(...paths), fc.array(fc.constantFrom(...paths), { minLength: 1, maxLength: 3 })),
})

const parse = (asks: readonly { readonly id: string; readonly op: string; readonly value?: unknown }[]) =>
  parseClauses(asks.map(({ value, ...ask }) => (ask.op.endsWith('_set') ? ask : { ...ask, value })))

const ofPaths = parse([{ id: 'page_path', op: 'contains', value: '/a' }])

test('a filter by pages chooses the sessions whose views it describes, settled or not', async () => {
  const [settled, folded] = [watched(), watched(unsettled)]
  let found = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(clause, { minLength: 1, maxLength: 3 }),
      fc.constantFrom(...spans, years),
      fc.boolean(),
      async (asks, span, ofBots) => {
        const scope = { ...scopeOf(parse(asks), span), ofBots }
        const expected = await sessionsOf(folded.asked, scope)
        assert.deepEqual(await sessionsOf(settled.asked, scope), expected, JSON.stringify([asks, span]))
        found += expected.length
      },
    ),
    { numRuns: 150 },
  )
  assert.ok(found > 500, `${found} sessions were chosen`)
  assert.ok(folded.statements.some((sql) => sql.includes('folded_days')))
  folded.statements.length = 0
  await sessionsOf(folded.asked, scopeOf(ofPaths, years))
  assert.doesNotMatch(folded.statements.join(), /folded_days/, 'so many days are not named')
})

test('views are looked at of those days alone that are not settled', async () => {
  const { asked, statements } = watched()
  const scope = scopeOf(parse([{ id: 'page_path', op: 'equals', value: '/a' }]), whole)
  const past = { ...scope, span: spans[1]! }
  assert.ok((await sessionsOf(asked, past)).length > 0)
  assert.doesNotMatch(statements.at(-1)!, /\bviews\b/)
  assert.ok((await sessionsOf(asked, scope)).length > 0)
  assert.match(statements.at(-1)!, /FROM views WHERE[^()]+\([^()]+\)[^()]+day IN \{folded_days:Array\(Date\)\}/)
})

const goals = [
  { id: 'any', event_type: 'page_view', event_value: null },
  { id: 'one', event_type: 'page_view', event_value: '/a' },
  { id: 'some', event_type: 'page_view', event_value: '/a*' },
  { id: 'encoded', event_type: 'page_view', event_value: '/%C3%9c' },
] as const

test('goals of pages are met as often by what rows name as by views', async () => {
  for (const span of [...spans, years])
    for (const clauses of [ofPaths, parse([{ id: 'page_path', op: 'not_equals', value: '/' }])]) {
      const counted = async ({ asked }: Watched, isHeld: boolean) => {
        const columns = countedOf(goals)
        const count = async (scope: Scope) =>
          countAllConversions(asked, goals, { sessions: await rowsAndKeysOf(asked, scope, columns) }, NOW - DAY_MS)
        const scope = scopeOf(clauses, span)
        return isHeld ? withHeld(asked, { name: 'test', scope, columns }, count) : count(scope)
      }
      const expected = await counted(watched(unsettled), false)
      assert.ok(expected.past.every(({ count, sessions }) => count >= sessions && sessions > 0))
      for (const isHeld of [false, true]) {
        const settled = watched()
        assert.deepEqual(await counted(settled, isHeld), expected, JSON.stringify([span, clauses, isHeld]))
        assert.ok(settled.statements.some((sql) => sql.includes('paths')))
      }
    }
})
