import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { pino } from 'pino'
import { newDataDir } from '../../test/support/records.ts'
import { dayText } from '../kernel/days.ts'
import { type Facts, openFacts } from '../stores/facts.ts'
import { migrateFacts } from '../stores/migrations/facts.ts'
import { type OutcomeTable, outcomeTables } from '../stores/outcome-sums.ts'
import { countOutcomes, type TopQuery } from './outcome-facts.ts'
import { boundsOf } from './rows.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const FIRST_DAY = 20_000
const DAYS = 9
const options = { urls: [], cluster: null, memoryMb: 512, threads: 2, fsync: false, log: pino({ level: 'silent' }) }

const day = (n: number) => dayText(FIRST_DAY + n)
const ms = (n: number, hour: number) => (FIRST_DAY + n) * DAY_MS + hour * HOUR_MS

/** What was done, hour by hour: of content also on the day after that of its row. */
const done = outcomeTables.flatMap((table) =>
  Array.from({ length: DAYS * 8 }, (_, n) => {
    const [of, step] = [Math.floor(n / 8), n % 8]
    const late = table === 'impressions' && step % 2 === 1 ? 24 : 0
    return {
      table,
      of,
      id: n,
      atMs: ms(of, 3 * step + late),
      thing: `t${n % 3}`,
      isUsed: table === 'clicks' || n % 5 < 2,
    }
  }),
)

/** Counted here, without a store. */
function expected(table: OutcomeTable, fromMs: number, toMs: number) {
  const own = done.filter((one) => one.table === table && one.atMs >= fromMs && one.atMs < toMs)
  return [...Map.groupBy(own, ({ thing }) => thing)]
    .map(([id, all]) => {
      const used = all.filter(({ isUsed }) => isUsed).length
      return { id, shown: all.length - used, used }
    })
    .toSorted((a, b) => {
      const [used, shown] = [b.used - a.used, b.shown - a.shown]
      return (table === 'impressions' ? shown || used : used || shown) || (a.id < b.id ? -1 : 1)
    })
}

describe('what is done with links, forms and content', () => {
  let facts: Facts
  const close: (() => void)[] = []
  before(async () => {
    const dataDir = newDataDir({ after: (work: () => void) => close.push(work) })
    facts = await openFacts({ ...options, dataDir, acknowledge: 'insert', lingerMs: 0 })
    await migrateFacts(facts)
    const rowOf = ({ of, id, atMs, isUsed, thing }: (typeof done)[number]) => {
      const row = { property: 'p', day: day(of), session_day: day(of), id: `${id}`, at: atMs }
      return {
        clicks: { ...row, link: thing },
        form_events: { ...row, form: thing, kind: isUsed ? 'submit' : 'view' },
        impressions: { ...row, block: thing, kind: isUsed ? 'click' : 'view' },
      }
    }
    for (const table of outcomeTables) {
      const rows = done.filter((one) => one.table === table).map((one) => rowOf(one)[table])
      await facts.appendAll(table, rows)
      // A row that is stored twice counts once.
      await facts.appendAll(table, rows.slice(0, 5))
    }
    // Nobody had a session in this week: it is settled all the same.
    const seen = { property: 'p', day: day(-30), session_day: day(-30), block: 't9', at: ms(-30, 5) }
    await facts.appendAll('impressions', [
      { ...seen, kind: 'view', id: '1' },
      { ...seen, kind: 'click', id: '2' },
    ])
    await facts.settle(ms(DAYS + 30, 0), false)
    assert.equal([...(await facts.settledDays()).keys()].filter((one) => one >= day(0) && one < day(DAYS)).length, DAYS)
  })
  after(async () => {
    await facts.close()
    for (const work of close) work()
  })

  test('counts the same in any window, whichever of its days are read as sums', async () => {
    const all = await facts.settledDays()
    const hours = fc.integer({ min: -5, max: (DAYS + 1) * 24 })
    const windows = fc.tuple(hours, hours).map(([a, b]) => [Math.min(a, b), Math.max(a, b) + 1] as const)
    const whole = fc.tuple(fc.nat(DAYS - 1), fc.nat(DAYS)).map(([a, n]) => [a * 24, (a + n + 1) * 24] as const)
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(windows, whole),
        fc.array(fc.boolean(), { minLength: DAYS, maxLength: DAYS }),
        fc.subarray([...outcomeTables], { minLength: 1 }),
        fc.nat(DAYS),
        async ([from, to], held, tables, cut) => {
          const days = new Map([...all].filter(([one]) => held.some((is, n) => is && one === day(n))))
          const [fromMs, toMs, cutMs] = [ms(0, from), ms(0, to), ms(cut, 0)]
          const ask: TopQuery = {
            window: boundsOf('p', { fromMs, toMs }),
            hasMarks: false,
            visitors: undefined,
            settled: { days, layout: facts.layout },
            limit: 100,
          }
          const partsOf = (table: OutcomeTable) => ({
            past: expected(table, fromMs, Math.min(toMs, cutMs)),
            recent: expected(table, Math.max(fromMs, cutMs), toMs),
          })
          assert.deepEqual(
            await countOutcomes(facts, tables, ask, cutMs),
            Object.fromEntries(tables.map((table) => [table, partsOf(table)])),
          )
        },
      ),
      { numRuns: 60 },
    )
  })

  const asked = async (first: number, last: number): Promise<TopQuery> => ({
    window: boundsOf('p', { fromMs: ms(first, 0), toMs: ms(last, 0) }),
    hasMarks: false,
    visitors: undefined,
    settled: { days: await facts.settledDays(), layout: facts.layout },
    limit: 100,
  })

  test('a day on which nobody had a session is added up as well', async () => {
    const ask = await asked(-31, -20)
    assert.ok(ask.settled.days.has(day(-30)))
    const { impressions } = await countOutcomes(facts, outcomeTables, ask)
    assert.deepEqual(impressions.past, [{ id: 't9', shown: 1, used: 1 }])
  })

  test('rows are read one by one where sums do not tell who counts', async () => {
    const statements: string[] = []
    const query: Facts['query'] = (name, sql, params) => {
      statements.push(sql)
      return facts.query(name, sql, params)
    }
    const ask = await asked(0, DAYS)
    const counted = await countOutcomes({ query }, outcomeTables, ask)
    assert.deepEqual(await countOutcomes({ query }, outcomeTables, { ...ask, hasMarks: true }), counted)
    // Nobody's session of two days.
    const days = [day(0), day(4)].map((one) => `toDate('${one}')`).join(', ')
    const inSet = `(SELECT arrayJoin([${days}]) AS day, toUInt64(0) AS session) AS some WHERE 1`
    const visitors = { sql: inSet, inSet, params: {}, hasMarks: false }
    const { clicks } = await countOutcomes({ query }, outcomeTables, { ...ask, visitors })
    assert.equal(
      clicks.past.reduce((sum, { used }) => sum + used, 0),
      16,
    )
    assert.deepEqual(
      statements.map((sql) => [sql.includes('settled_outcomes'), sql.includes('FROM clicks')]),
      [
        [true, false],
        [false, true],
        [false, true],
      ],
    )
  })
})
