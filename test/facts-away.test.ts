// The service while its ClickHouse server is away, and after it was killed with hits in its log: what it
// acknowledged is there, once.
import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test, type TestContext } from 'node:test'
import { dropOldFacts } from '../server/stores/facts/retention.ts'
import { type ClickHouse, startClickHouse } from './support/clickhouse.ts'
import { type Footfall, startFootfall } from './support/server.ts'
import { eventually } from './support/site.ts'

const folder = mkdtempSync(join(tmpdir(), 'footfall-away-'))
let clickHouse: ClickHouse
before(async () => {
  clickHouse = await startClickHouse()
})
after(async () => {
  await clickHouse.remove()
  rmSync(folder, { recursive: true, force: true })
})

const start = (t: TestContext, env: Readonly<Record<string, string>> = {}): Promise<Footfall> =>
  startFootfall(t, { env: { CLICKHOUSE_URL: clickHouse.urls.join(','), ...env } })

const figuresOf = (footfall: Footfall, token = footfall.token) =>
  footfall.call('POST', '/v2/property/signals/analytics/metrics', { body: { period: 'today' }, token })
const untilAnswered = (footfall: Footfall) =>
  eventually(
    () => figuresOf(footfall),
    ({ status }) => status === 200,
  )
const visits = async (footfall: Footfall, from: number, to: number): Promise<number[]> => {
  const answers = []
  for (let visitor = from; visitor <= to; visitor++)
    answers.push(await footfall.track.load({ address: `203.0.113.${visitor}` }))
  return answers.map(({ status }) => status)
}
/** What a service leaves of its log when it is killed. */
const logFilesIn = (dir: string): string[] => readdirSync(dir).filter((name) => /^facts-log\.sqlite(-wal)?$/.test(name))
const sessionsOf = async (footfall: Footfall): Promise<unknown> => {
  const { status, json } = await figuresOf(footfall)
  assert.equal(status, 200)
  return json.analytics.period_metrics.summary.sessions.current
}

test('hits are acknowledged while ClickHouse is away, questions are not answered, and afterwards everything is there once', async (t) => {
  const footfall = await start(t)
  assert.deepEqual(await visits(footfall, 1, 2), [200, 200])
  await clickHouse.stop()
  assert.deepEqual(await visits(footfall, 3, 6), [200, 200, 200, 200])
  const { status, json, headers } = await figuresOf(footfall)
  assert.deepEqual([status, json.error_code, Number(headers.get('retry-after')) > 0], [503, 'unavailable', true])
  await clickHouse.start()
  await untilAnswered(footfall)
  assert.equal(await sessionsOf(footfall), 6)
  assert.deepEqual(await visits(footfall, 7, 7), [200])
  assert.equal(await sessionsOf(footfall), 7)
})

test('an event with an idempotency key is acknowledged while ClickHouse is away, and counts once', async (t) => {
  const footfall = await start(t)
  const { session_id } = (await footfall.track.load()).json
  const body = { session_id, name: 'kept', idempotency_key: 'k' }
  const send = async () => (await footfall.call('POST', '/v2/property/session/event', { body })).status
  const statuses = [await send()]
  await clickHouse.stop()
  statuses.push(await send(), await send())
  await clickHouse.start()
  await untilAnswered(footfall)
  statuses.push(await send())
  assert.deepEqual(statuses, [200, 200, 200, 200])
  assert.deepEqual(
    await footfall.context.facts.query('test', "SELECT count() AS events FROM events FINAL WHERE name = 'kept'"),
    [{ events: '1' }],
  )
})

test('above what the log may hold they are refused, and nothing that was acknowledged is lost', async (t) => {
  const footfall = await start(t, { FACTS_LOG_MB: '1' })
  await clickHouse.stop()
  const long = 'x'.repeat(1_500)
  let taken = 0
  let refused = false
  while (!refused) {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        footfall.track.load({
          address: `203.0.${1 + Math.floor((taken + index) / 250)}.${1 + ((taken + index) % 250)}`,
          page: `https://example.com/?utm_campaign=${long}`,
        }),
      ),
    )
    for (const { status, json } of answers) {
      if (status === 200) taken++
      else assert.deepEqual([status, json.error_code], [503, 'unavailable'])
      refused ||= status !== 200
    }
  }
  await clickHouse.start()
  await untilAnswered(footfall)
  assert.equal(await sessionsOf(footfall), taken)
  assert.deepEqual(await visits(footfall, 1, 1), [200])
})

test('what is in the log of a service that was killed is inserted by the next one, also when some of it had been inserted', async (t) => {
  const [dataDir, kept] = [join(folder, 'data'), join(folder, 'kept')]
  const first = await startFootfall(t, { dataDir, lingerMs: 3_600_000 })
  assert.deepEqual(await visits(first, 1, 5), [200, 200, 200, 200, 200])
  for (const name of logFilesIn(dataDir)) cpSync(join(dataDir, name), join(kept, name))
  // Both have them inserted: what is put back is the log of before.
  assert.equal(await sessionsOf(first), 5)
  await first.close()
  assert.deepEqual(
    readdirSync(dataDir).filter((name) => name.startsWith('facts-log')),
    [],
  )
  for (const name of logFilesIn(kept)) cpSync(join(kept, name), join(dataDir, name))
  const second = await startFootfall(t, { dataDir })
  const { status, json } = await figuresOf(second, first.token)
  assert.deepEqual(
    [status, json.analytics.period_metrics.summary.sessions.current, second.context.facts.stats().insertedRows],
    [200, 5, 5],
  )
})

test('what was erased does not come back from the log of a service that was killed right after', async (t) => {
  const [dataDir, kept] = [join(folder, 'erased'), join(folder, 'erased-kept')]
  const [visited, today] = [Date.UTC(2026, 8, 16, 12), Date.UTC(2026, 10, 18, 12)]
  const day = new Date(visited).toISOString().slice(0, 10)
  const sessionsOfDay = async (footfall: Footfall, token: string): Promise<unknown> => {
    const body = { period: 'custom', date_from: day, date_to: day }
    const { json } = await footfall.call('POST', '/v2/property/signals/analytics/metrics', { body, token })
    return json.analytics.period_metrics.summary.sessions.current
  }
  const first = await startFootfall(t, { dataDir, now: visited })
  assert.deepEqual(await visits(first, 1, 5), [200, 200, 200, 200, 200])
  first.clock.set(today)
  assert.equal(await sessionsOfDay(first, first.token), 5)
  assert.deepEqual(await dropOldFacts(first.context.facts, 30, today), ['2026-09-14'])
  for (const name of logFilesIn(dataDir)) cpSync(join(dataDir, name), join(kept, name))
  await first.close()
  for (const name of logFilesIn(kept)) cpSync(join(kept, name), join(dataDir, name))
  const second = await startFootfall(t, { dataDir, now: today })
  assert.equal(await sessionsOfDay(second, first.token), 0)
})
