// Nodes keep the time of the database that they share, whatever their machines say.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { startPostgres } from '../test/support/postgres.ts'
import { callService, createServiceProperty, loadPage, startService } from '../test/support/service.ts'
import { openSharedClock } from './shared-clock.ts'

const postgres = await startPostgres({ after })

const HOUR_MS = 3_600_000

test('a machine whose clock is an hour off records events at the time of the database, and says so', async (t) => {
  if (!postgres) return
  const folder = mkdtempSync(join(tmpdir(), 'footfall-clock-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const skew = join(folder, 'skew.mjs')
  writeFileSync(skew, `const { now } = Date; Date.now = () => now() + ${HOUR_MS}`)
  const env = { DATABASE_URL: await postgres.freshUrl(), NODE_OPTIONS: `--import=${skew}`, LOG_LEVEL: 'warn' }
  const service = await startService(t, folder, env)
  const property = await createServiceProperty(service)
  const session_id = await loadPage(service, property, '203.0.113.1')
  const body = { session_id, name: 'x' }
  const { json } = await callService(service, property, 'POST', '/v2/property/session/event', body)
  assert.ok(Math.abs(json.data.event.created_ts * 1000 - Date.now()) < HOUR_MS / 2)
  assert.match(service.output(), /"seconds":-3600,.*clock of this machine/)
  await service.end('SIGTERM')
})

test('the quickest answer tells the time, and while there is none the last one holds', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  let systemMs = 1_000_000
  let answers: (() => Promise<number>)[] = []
  const read = () => (answers.shift() ?? (async () => systemMs + 500))()
  const warnings: unknown[] = []
  const log = { warn: (given: unknown) => void warnings.push(given) }
  const clock = await openSharedClock({ read, systemNow: () => systemMs, log })
  assert.ok(Math.abs(clock.now() - 1_000_500) <= 5)
  systemMs += 60_000
  answers = Array.from({ length: 3 }, () => () => Promise.reject(new Error('away')))
  t.mock.timers.tick(5_000)
  await new Promise(setImmediate)
  assert.ok(Math.abs(clock.now() - 1_060_500) <= 5)
  answers = Array.from({ length: 3 }, () => async () => systemMs - 90_000)
  t.mock.timers.tick(5_000)
  await new Promise(setImmediate)
  assert.ok(Math.abs(clock.now() - (1_060_000 - 90_000)) <= 5)
  assert.deepEqual(warnings, [{ seconds: -90 }])
  clock.close()
})
