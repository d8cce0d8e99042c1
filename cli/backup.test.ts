// A backup is everything: a server on what was restored answers as the one before did, with the ids that the
// first one gave out.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { run, tell } from '../test/support/cli.ts'
import { newDataDir } from '../test/support/records.ts'
import { callService, createServiceProperty, loadPage, type Service, startService } from '../test/support/service.ts'

const metrics = async (service: Service, property: { readonly key: string; readonly token: string }) => {
  const { json } = await callService(service, property, 'POST', '/v2/property/signals/analytics/metrics', {
    period: 'today',
  })
  return json.analytics.period_metrics.summary.sessions.current
}

test('what was backed up and restored goes on where it was, and the first ids are good there', async (t) => {
  const [one, other] = [newDataDir(t), join(newDataDir(t), 'restored')]
  const folder = join(newDataDir(t), 'kept')
  const first = await startService(t, one)
  const property = await createServiceProperty(first)
  const session = await loadPage(first, property, '203.0.113.7')
  await loadPage(first, property, '203.0.113.8')

  const held = await run(['backup', folder], { DATA_DIR: one })
  assert.equal(held.code, 1)
  assert.match(held.err, /another process/)
  assert.ok(!existsSync(folder), 'nothing half is left')

  await first.end('SIGTERM')
  const made = await run(['backup', folder, '--json'], { DATA_DIR: one })
  assert.equal(made.code, 0, made.err)
  assert.deepEqual(readdirSync(folder).toSorted(), ['backup.json', 'facts', 'records.sqlite', 'secret'])
  assert.equal(statSync(folder).mode & 0o777, 0o700)
  assert.deepEqual(existsSync(join(one, 'backups')), false)

  const restored = await run(['restore', folder, '--json'], { DATA_DIR: other })
  assert.equal(restored.code, 0, restored.err)
  const second = await startService(t, other)
  assert.equal(await metrics(second, property), 2)
  const visitor = { key: property.key, token: null }
  const from = { 'x-forwarded-for': '203.0.113.7' }
  const event = await callService(second, visitor, 'POST', `/v2/signal/${session}/event`, { event: 'signup' }, from)
  assert.equal(event.json.success, true, event.text)
  assert.equal(await loadPage(second, property, '203.0.113.7'), session, 'the salt of the day came along')
})

test('nothing is written over, and half a backup is none', async (t) => {
  const [dataDir, folder] = [newDataDir(t), newDataDir(t)]
  writeFileSync(join(folder, 'mine'), 'x')
  const refused: readonly (readonly [args: readonly string[], env: string, code: number, says: RegExp])[] = [
    [['backup'], dataDir, 2, /one FOLDER/],
    [['restore', 'a', 'b'], dataDir, 2, /one FOLDER/],
    [['backup', folder], dataDir, 1, /is not empty/],
    [['backup', join(folder, 'new')], join(dataDir, 'none'), 1, /There is nothing in/],
    [['restore', folder], dataDir, 1, /no whole backup/],
  ]
  for (const [args, env, code, says] of refused) {
    const ended = await tell(args, { DATA_DIR: env })
    assert.equal(ended.code, code, ended.err)
    assert.match(ended.err, says)
  }
  const used = join(dataDir, 'used')
  mkdirSync(used)
  writeFileSync(join(used, 'records.sqlite'), 'mine')
  const whole = join(dataDir, 'whole')
  mkdirSync(whole)
  writeFileSync(join(whole, 'backup.json'), '{"version":"0.1.0","created_ts":1,"facts":true,"records":true}')
  const ended = await tell(['restore', whole], { DATA_DIR: used })
  assert.match(ended.err, /DATA_DIR .* is not empty/)
  assert.ok(existsSync(join(used, 'records.sqlite')))
  rmSync(used, { recursive: true })
  const broken = await tell(['restore', whole], { DATA_DIR: used })
  assert.equal(broken.code, 1)
  assert.ok(!existsSync(used), 'what could not be restored is not left half')
})

test('a folder that was there before stays when it fails, empty, and the answer names the true reason', async (t) => {
  const [dataDir, target, folder] = [newDataDir(t), newDataDir(t), newDataDir(t)]
  const whole = join(newDataDir(t), 'whole')
  mkdirSync(whole)
  writeFileSync(join(whole, 'backup.json'), '{"version":"0.1.0","created_ts":1,"facts":true,"records":true}')
  // As mount points do, and not only they, it has its place: nobody else can make it again.
  const { ino } = statSync(target)
  const restored = await tell(['restore', whole], { DATA_DIR: target })
  assert.equal(restored.code, 1)
  assert.match(restored.err, /records\.sqlite/)
  assert.deepEqual([statSync(target).ino, readdirSync(target)], [ino, []])

  writeFileSync(join(dataDir, 'records.sqlite'), 'this is no database at all')
  const before = statSync(folder).ino
  const made = await tell(['backup', folder], { DATA_DIR: dataDir })
  assert.equal(made.code, 1, made.out)
  assert.deepEqual([statSync(folder).ino, readdirSync(folder)], [before, []])
})
