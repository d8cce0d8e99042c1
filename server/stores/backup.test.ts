// A backup of the embedded facts: what comes back says what was said before, also of days that had been
// settled.
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { pino } from 'pino'
import { newDataDir } from '../../test/support/records.ts'
import { backUpFacts, restoreFacts } from './backup.ts'
import { type Facts, openFacts } from './facts.ts'
import { migrateFacts } from './migrations/facts.ts'

const WEEKS = ['2026-01-05', '2026-01-12', '2026-01-19']
/** Of these weeks, all of them. */
const DAYS = Array.from({ length: 21 }, (_, day) => new Date(Date.UTC(2026, 0, 5 + day)).toISOString().slice(0, 10))
const NOW = Date.UTC(2026, 5, 1)
const options = { urls: [], cluster: null, memoryMb: 512, threads: 2, fsync: false, log: pino({ level: 'silent' }) }

interface Store {
  readonly dataDir: string
  readonly facts: Facts
}

async function open(t: TestContext): Promise<Store> {
  const dataDir = newDataDir(t)
  return { dataDir, facts: await openFacts({ ...options, dataDir }) }
}

/** The store as it comes out of a backup of it; the one it was is closed, since a process has one. */
async function restored(t: TestContext, { facts, dataDir }: Store): Promise<Store> {
  const folder = join(newDataDir(t), 'backup')
  mkdirSync(folder)
  await backUpFacts(facts, dataDir, folder)
  await facts.close()
  const store = await open(t)
  await restoreFacts(store.facts, store.dataDir, folder)
  await migrateFacts(store.facts)
  return store
}

const at = (day: string) => Date.parse(`${day}T12:00:00Z`)

const addView = (facts: Facts, day: string, session: string) =>
  facts.append('views', { property: 'p', day, session, view: 1, at: at(day), seen: at(day) })

const addOrder = (facts: Facts, day: string) =>
  facts.append('events', {
    property: 'p',
    day,
    session: '1',
    kind: 'acquisition',
    id: '1',
    at: at(day),
    amount: 5000,
    currency: 'USD',
    amount_usd: 5000,
  })

/** What the copies say, of the days that have one that counts; the others are folded. */
async function valueOf(facts: Facts): Promise<number> {
  const copies = [...(await facts.settledDays())]
  const sum = async (sql: string, params: object) =>
    Number((await facts.query<{ value: string }>('test', sql, { ...params }))[0]?.value)
  const copied = await sum(
    'SELECT sum(value_usd_sum) AS value FROM settled WHERE copy IN {copies:Array(UInt64)} AND day IN {days:Array(Date)}',
    { copies: copies.map(([, { copy }]) => copy), days: copies.map(([day]) => day) },
  )
  const folded = await sum(
    'SELECT sum(arraySum(mapValues(value_usd))) AS value FROM sessions FINAL WHERE day NOT IN {days:Array(Date)}',
    { days: copies.map(([day]) => day) },
  )
  return copied + folded
}

test('an order that came after its day was settled counts after every restore', async (t) => {
  let store = await open(t)
  await migrateFacts(store.facts)
  for (const day of WEEKS) await addView(store.facts, day, '1')
  await store.facts.settle(NOW, false)
  store = await restored(t, store)
  await store.facts.settle(NOW, false)
  assert.deepEqual([...(await store.facts.settledDays()).keys()], DAYS)
  for (const day of WEEKS) await addOrder(store.facts, day)
  assert.equal(await valueOf(store.facts), 15_000)
  await store.facts.command('test', 'OPTIMIZE TABLE sessions FINAL')
  store = await restored(t, store)
  assert.equal(await valueOf(store.facts), 15_000)
  await store.facts.settle(NOW, false)
  assert.deepEqual([...(await store.facts.settledDays()).keys()], DAYS)
  assert.equal(await valueOf(store.facts), 15_000)
  await store.facts.close()
})
