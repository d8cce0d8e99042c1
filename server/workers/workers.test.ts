// Two workers of one service in this process, on a clock of the test: what holds for nodes holds for them.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { FactTable } from '../stores/tables.ts'
import { asAsker } from '../queues/asker.ts'
import type { Footfall } from '../../test/support/server.ts'
import { startTwoWorkers } from '../../test/support/two-workers.ts'
import { visitorContract } from '../../test/support/visitor-contract.ts'

const MINUTE = 60_000
const midnight = Date.parse('2026-05-05T00:00:00Z')

const closers: (() => Promise<void>)[] = []
let one: Footfall
let two: Footfall
let key: string
let id: string
let token: string

before(async () => {
  ;[one, two] = await startTwoWorkers({ after: (close) => closers.push(close) }, midnight)
  ;({ key, id, token } = await one.addProperty())
})
after(async () => {
  for (const close of closers) await close()
})

function setClocks(minutes: number): void {
  for (const worker of [one, two]) worker.clock.set(midnight + minutes * MINUTE)
}

const countViews = async ({ context }: Footfall): Promise<number> => {
  const sql = 'SELECT toUInt32(count()) AS views FROM views FINAL WHERE property = {id:String}'
  const [row] = await context.facts.query<{ views: number }>('test.views', sql, { id })
  return row!.views
}

test('a question to one finds the rows of the other, which wait in a log of its own', async () => {
  setClocks(-120)
  await one.track.load({ key, address: '203.0.113.20' })
  await two.track.load({ key, address: '203.0.113.21' })
  assert.ok(existsSync(join(one.context.config.dataDir, 'facts-log.sqlite')))
  assert.ok(existsSync(join(one.context.config.dataDir, 'facts-log-2.sqlite')))
  assert.equal(await countViews(one), 2)
  await one.track.load({ key, address: '203.0.113.22' })
  assert.equal(await countViews(two), 3)
})

test('nothing is asked of the other one while it has no rows that wait', async () => {
  await countViews(one)
  const { beside } = one.context.team!
  assert.equal(beside.flushOthers(['views']), undefined)
  await two.track.load({ key, address: '203.0.113.23' })
  assert.ok(beside.flushOthers(['views']) !== undefined)
})

test('what changes the store waits until nothing is left in the log of either', async () => {
  await two.track.load({ key, address: '203.0.113.24' })
  await one.context.facts.command('test.change', 'OPTIMIZE TABLE views')
  assert.equal(two.context.facts.stats().entries, 0)
})

visitorContract('workers', () => ({ one, two, key }), setClocks)

test('a session that is marked as invalid on one is in no answer of the other, and comes back', async () => {
  setClocks(60)
  const { json } = await one.track.load({ key, address: '203.0.113.50' })
  const count = async (footfall: Footfall) => {
    const answer = await footfall.call('POST', '/v2/property/signals/analytics/metrics', {
      token,
      body: { period: 'today' },
    })
    return answer.json.analytics.period_metrics.summary.sessions.current
  }
  const before = await count(two)
  const mark = (isInvalid: boolean) =>
    one.call('POST', `/manage/properties/${id}/sessions/${json.session_id}/mark`, { body: { is_invalid: isInvalid } })
  const { status, text } = await mark(true)
  assert.equal(status, 200, text)
  assert.equal(await count(two), before - 1)
  await mark(false)
  assert.equal(await count(two), before)
})

test('an answer that one has kept holds until the other one writes, and days that one has settled are so for the other', async () => {
  const day = '2026-05-04'
  setClocks(3 * 60)
  const version = (tables?: readonly FactTable[]) => two.context.facts.version(id, undefined, tables)
  const versions = () => Promise.all([version(), version(['views']), version(['clicks', 'marks'])])
  const [all, ofViews, ofOthers] = await versions()
  assert.deepEqual(await versions(), [all, ofViews, ofOthers])
  await one.track.load({ key, address: '203.0.113.60' })
  const after = await versions()
  assert.notEqual(after[0], all)
  assert.notEqual(after[1], ofViews)
  assert.equal(after[2], ofOthers, 'what is told of a row names its table')

  const isSettled = async ({ context }: Footfall) => (await context.facts.settledDays()).has(day)
  assert.equal(await isSettled(two), false)
  await one.context.facts.settle(one.clock.now(), false)
  assert.deepEqual([await isSettled(one), await isSettled(two)], [true, true])
  const row = { property: id, day, session: '7', view: 7 }
  await one.context.facts.append('views', row)
  assert.deepEqual([await isSettled(two), await isSettled(one)], [false, false])
})

test('workers take turns with their questions, and a caller that gives up leaves the turn to others', async () => {
  const asking = { propertyId: id, caller: 'somebody', isShared: true }
  const slow = ({ context }: Footfall, signal: AbortSignal) =>
    asAsker({ ...asking, signal }, () =>
      context.facts.query('test.slow', 'SELECT count() FROM (SELECT sleepEachRow(0.1) FROM numbers(300))'),
    )
  // Of share links one question runs at a time, whichever worker has it.
  const [first, second] = [new AbortController(), new AbortController()]
  const [running, waiting] = [slow(one, first.signal), slow(two, second.signal)]
  const ended: string[] = []
  running.catch(() => ended.push('running'))
  waiting.catch(() => ended.push('waiting'))
  second.abort(new Error('gone'))
  await assert.rejects(waiting, /gone/)
  assert.deepEqual(ended, ['waiting'])
  first.abort(new Error('gone too'))
  await assert.rejects(running, /gone too/)
  const quick = asAsker({ ...asking, signal: undefined }, () => two.context.facts.query('test.quick', 'SELECT 1 AS n'))
  assert.deepEqual(await quick, [{ n: 1 }])
})
