// A service that stops waits for no export and no sample: what was begun is ended, nothing half stays behind,
// and what was acknowledged is there.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { newDataDir } from '../../test/support/records.ts'
import { ADMIN_TOKEN } from '../../test/support/server.ts'
import { callService, createServiceProperty, loadPage, type Service, startService } from '../../test/support/service.ts'

const manage = (service: Service, method: string, path: string, body?: unknown) =>
  callService(service, { key: '', token: ADMIN_TOKEN }, method, `/manage/${path}`, body)

test('stopping in the middle leaves no file, and the next start knows what is missing', async (t) => {
  const dataDir = newDataDir(t)
  const folder = join(dataDir, 'exports')
  const first = await startService(t, dataDir)
  const property = await createServiceProperty(first)
  await loadPage(first, property, '203.0.113.7')
  const sample = (await manage(first, 'POST', 'sample', {})).json.data.sample
  for (const kind of ['sessions', 'records', 'links'])
    assert.equal((await manage(first, 'POST', `properties/${property.id}/exports`, { kind })).status, 200)
  const table = { kind: 'facts', table: 'views' }
  assert.equal((await manage(first, 'POST', `properties/${sample.property_id}/exports`, table)).status, 200)
  await first.end('SIGTERM')
  assert.ok(!/stopping failed|took too long/.test(first.output()), first.output())
  assert.deepEqual(existsSync(folder) ? readdirSync(folder) : [], [])

  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'ex_of_a_process_that_was_killed.csv'), 'email\r\n')
  const second = await startService(t, dataDir)
  assert.deepEqual((await manage(second, 'GET', `properties/${property.id}/exports`)).json.data, { data: [] })
  const found = (await manage(second, 'GET', 'sample')).json.data.sample
  assert.deepEqual([found.property_id, found.state], [sample.property_id, 'failed'])
  assert.equal((await manage(second, 'DELETE', 'sample')).status, 200)
  assert.deepEqual(readdirSync(folder), [])
  const metrics = await callService(second, property, 'POST', '/v2/property/signals/analytics/metrics', {})
  assert.equal(metrics.json.analytics.period_metrics.summary.sessions.current, 1)
})
