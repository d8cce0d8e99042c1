import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { pino } from 'pino'
import { newDataDir } from '../../../test/support/records.ts'
import { openFacts } from '../facts.ts'
import { migrateFacts } from '../migrations/facts.ts'
import { mendFolds } from './mend.ts'

const LATER = Date.UTC(2026, 2, 6)
const view = { property: 'p', day: '2026-03-04', session: '1', view: 1, at: Date.UTC(2026, 2, 4, 9) }
const event = { property: 'p', day: '2026-03-03', session: '2', id: '1', kind: 'event', name: 'order' } as const
const eventMs = Date.UTC(2026, 2, 3, 23)

async function open(t: TestContext) {
  const options = { urls: [], cluster: null, memoryMb: 512, threads: 2, fsync: false }
  const facts = await openFacts({
    ...options,
    dataDir: newDataDir(t),
    acknowledge: 'insert',
    log: pino({ level: 'silent' }),
  })
  t.after(() => facts.close())
  await migrateFacts(facts)
  const sessions = async () => {
    const rows = await facts.query<{ session: string }>('test', 'SELECT session FROM sessions FINAL ORDER BY session')
    return rows.map(({ session }) => session)
  }
  return { facts, sessions }
}

test('what came in the minute before the newest row, into whichever table, gets its sessions', async (t) => {
  const { facts, sessions } = await open(t)
  const newest = view.at
  await facts.appendAll('views', [
    { ...view, seen: newest },
    { ...view, session: '3', view: 3, seen: newest - 30_000 },
    { ...view, session: '4', view: 4, seen: newest - 120_000 },
  ])
  await facts.append('events', { ...event, at: newest - 30_000 })
  await facts.command('test', 'TRUNCATE TABLE sessions')
  await mendFolds(facts)
  assert.deepEqual(await sessions(), ['1', '2', '3'])
})

test('a day that is settled stays settled when another table has had rows since', async (t) => {
  const { facts } = await open(t)
  await facts.append('events', { ...event, at: eventMs })
  await facts.append('views', { ...view, seen: view.at })
  const settled = await facts.settle(LATER, false)
  assert.deepEqual(settled.slice(-2), [event.day, view.day])
  await mendFolds(facts)
  assert.deepEqual(await facts.settle(LATER, false), [view.day], 'the day of the newest row alone is copied again')
})
