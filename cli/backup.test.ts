// A backup is everything: a service on what was restored answers as the one before did, with the ids that the
// first one gave out.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { tell } from '../test/support/cli.ts'
import { newDataDir } from '../test/support/records.ts'
import { startS3 } from '../test/support/s3.ts'
import { until } from '../test/support/delivery-nodes.ts'
import { ADMIN_TOKEN } from '../test/support/server.ts'
import { callService, createServiceProperty, loadPage, type Service, startService } from '../test/support/service.ts'

const PASSPHRASE = 'a passphrase of this test'

interface Kept {
  /** What restored, and what the service says of it. */
  readonly env: Readonly<Record<string, string>>
  readonly target: string
}

/** The names of all files below a folder. */
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

async function goesOn(t: Parameters<typeof newDataDir>[0], { env, target }: Kept): Promise<void> {
  const [one, other] = [newDataDir(t), join(newDataDir(t), 'restored')]
  const first = await startService(t, one, env)
  const property = await createServiceProperty(first)
  const session = await loadPage(first, property, '203.0.113.7')
  const while_ = await tell(['backup', target, '--json'], { DATA_DIR: one, ...env })
  assert.equal(while_.code, 0, while_.err)
  await loadPage(first, property, '203.0.113.8')
  await first.end('SIGTERM')
  const after = await tell(['backup', target, '--json'], { DATA_DIR: one, ...env })
  assert.equal(after.code, 0, after.err)
  const { backups } = JSON.parse((await tell(['backup', 'list', target, '--json'], { DATA_DIR: one, ...env })).out)
  const [newest, oldest] = [JSON.parse(after.out).backup, JSON.parse(while_.out).backup]
  assert.deepEqual(
    backups.map(({ id }: { id: string }) => id),
    [newest, oldest],
  )
  assert.ok(backups[0].new_bytes < backups[0].bytes, 'what was there is not kept twice')
  const checked = await tell(['backup', 'check', target], { DATA_DIR: one, ...env })
  assert.match(checked.out, /can be restored/)

  const restored = await tell(['restore', target, '--json'], { DATA_DIR: other, ...env })
  assert.equal(restored.code, 0, restored.err)
  assert.ok(!existsSync(join(one, 'backup-work')) && !existsSync(join(one, 'facts', 'shadow', 'footfall_backup')))
  const second = await startService(t, other, env)
  const { json } = await callService(second, property, 'POST', '/v2/property/signals/analytics/metrics', {
    period: 'last_7',
  })
  assert.equal(json.analytics.period_metrics.summary.sessions.current, 2)
  const visitor = { key: property.key, token: null }
  const from = { 'x-forwarded-for': '203.0.113.7' }
  const event = await callService(second, visitor, 'POST', `/v2/signal/${session}/event`, { event: 'signup' }, from)
  assert.equal(event.json.success, true, event.text)
  assert.equal(await loadPage(second, property, '203.0.113.7'), session, 'the salt of the day came along')
  // And the next one adds to what is there.
  const next = await tell(['backup', target, '--json'], { DATA_DIR: other, ...env })
  assert.equal(next.code, 0, next.err)
}

test('what was backed up, by a running service and by a stopped one, goes on where it was', async (t) => {
  const target = join(newDataDir(t), 'kept')
  await goesOn(t, { env: {}, target })
  assert.equal(statSync(target).mode & 0o777, 0o700)
  assert.ok(filesIn(target).every((path) => (statSync(path).mode & 0o077) === 0))
})

test('so does an encrypted one in S3-compatible storage, in which nothing can be read', async (t) => {
  const s3 = await startS3(t)
  await goesOn(t, {
    env: { ...s3.env, BACKUP_PASSPHRASE: PASSPHRASE },
    target: 's3://bucket/a prefix'.replace(' ', '-'),
  })
  assert.ok(s3.failed() > 0, 'requests that failed were sent again')
  assert.equal(s3.refused(), 0)
  const whole = Buffer.concat([...s3.objects.values()]).toString('latin1')
  for (const word of ['example.com', 'records.sqlite', 'sessions', 'SQLite format'])
    assert.ok(!whole.includes(word), word)
  const without = await tell(['backup', 'list', 's3://bucket/a-prefix'], { DATA_DIR: newDataDir(t), ...s3.env })
  assert.match(without.err, /are encrypted/)
  const wrong = { ...s3.env, BACKUP_PASSPHRASE: `${PASSPHRASE}!` }
  assert.match(
    (await tell(['backup', 'list', 's3://bucket/a-prefix'], { DATA_DIR: newDataDir(t), ...wrong })).err,
    /passphrase is not/,
  )
})

test('a piece that is damaged or missing is told, and nothing is restored from it', async (t) => {
  const [dataDir, target] = [newDataDir(t), join(newDataDir(t), 'kept')]
  const service = await startService(t, dataDir)
  await loadPage(service, await createServiceProperty(service), '203.0.113.7')
  await service.end('SIGTERM')
  assert.equal((await tell(['backup', target], { DATA_DIR: dataDir })).code, 0)
  const [piece, other] = filesIn(join(target, 'pieces'))
  const bytes = readFileSync(piece!)
  writeFileSync(piece!, bytes.with(bytes.length - 1, bytes.at(-1)! ^ 1))
  rmSync(other!)
  const checked = await tell(['backup', 'check', target, '--json'], { DATA_DIR: dataDir })
  assert.equal(checked.code, 1)
  const found = JSON.parse(checked.out)
  assert.deepEqual([found.damaged.length, found.missing.length], [1, 1])
  const { out } = await tell(['doctor', '--json'], { DATA_DIR: dataDir, BACKUP_TO: target, GEO_DIR: '/nonexistent' })
  const doctor = JSON.parse(out).checks.find(({ name }: { name: string }) => name === 'backups')
  assert.equal(doctor.state, 'wrong')
  assert.match(doctor.says, /cannot be restored: 1 pieces are missing, 1 damaged/)
  const to = join(newDataDir(t), 'to')
  const restored = await tell(['restore', target], { DATA_DIR: to })
  assert.equal(restored.code, 1)
  assert.match(restored.err, /is (?:damaged|missing)/)
  assert.ok(!existsSync(to), 'what could not be restored is not left half')
})

test('only the newest BACKUP_KEEP are kept, and what they need', async (t) => {
  const [dataDir, target] = [newDataDir(t), join(newDataDir(t), 'kept')]
  const env = { DATA_DIR: dataDir, BACKUP_TO: target, BACKUP_KEEP: '1' }
  const service = await startService(t, dataDir, env)
  await loadPage(service, await createServiceProperty(service), '203.0.113.7')
  for (let n = 0; n < 3; n++) assert.equal((await tell(['backup'], env)).code, 0)
  const { backups } = JSON.parse((await tell(['backup', 'list', '--json'], env)).out)
  assert.equal(backups.length, 1)
  assert.match((await tell(['backup', 'check'], env)).out, /can be restored/)
  await service.end('SIGTERM')
})

test('a schedule takes one of each time, also over a restart, and says what is missing for it', async (t) => {
  const [dataDir, target] = [newDataDir(t), join(newDataDir(t), 'kept')]
  const admin = { key: '', token: ADMIN_TOKEN }
  const without = await startService(t, dataDir)
  assert.equal((await callService(without, admin, 'POST', '/manage/backup')).status, 409)
  await without.end('SIGTERM')
  const env = { BACKUP_TO: target, BACKUP_SCHEDULE: 'weekly mon 00:00' }
  const listed = async (service: Service) => (await callService(service, admin, 'GET', '/manage/backups')).json.data
  const first = await startService(t, dataDir, env)
  await until(async () => (await listed(first)).runs[0]?.state === 'done')
  const { runs } = await listed(first)
  assert.deepEqual([runs.length, runs[0].is_scheduled], [1, true])
  await first.end('SIGKILL')
  const second = await startService(t, dataDir, env)
  // One that somebody asks for comes after whatever was due at the start.
  const asked = (await callService(second, admin, 'POST', '/manage/backup')).json.data.run
  await until(async () =>
    (await listed(second)).runs.some(
      (run: { id: string; state: string }) => run.id === asked.id && run.state === 'done',
    ),
  )
  const after = await listed(second)
  assert.deepEqual(
    [after.backups.length, after.runs.map((run: { is_scheduled: boolean }) => run.is_scheduled)],
    [2, [false, true]],
  )
  await second.end('SIGTERM')
})

test('with both stores on servers there is nothing to copy, which a script can tell', async (t) => {
  const env = {
    DATA_DIR: newDataDir(t),
    CLICKHOUSE_URL: 'http://127.0.0.1:9/none',
    DATABASE_URL: 'postgres://u:p@127.0.0.1:9/none',
  }
  const ended = await tell(['backup', join(newDataDir(t), 'kept')], env)
  assert.equal(ended.code, 3)
  assert.match(ended.out, /nothing to back up/)
})

test('nothing is written over, and half a backup is none', async (t) => {
  const [dataDir, folder] = [newDataDir(t), newDataDir(t)]
  writeFileSync(join(dataDir, 'mine'), 'x')
  writeFileSync(join(folder, 'mine'), 'x')
  const refused: readonly (readonly [args: readonly string[], env: string, code: number, says: RegExp])[] = [
    [['backup'], dataDir, 2, /one TARGET/],
    [['restore', 'a', 'b'], dataDir, 2, /one TARGET/],
    [['backup', folder], dataDir, 1, /is not empty, and holds no backups/],
    [['backup', join(folder, 'new')], join(dataDir, 'none'), 1, /There is nothing in/],
    [['backup', 's3://bucket/x'], dataDir, 1, /needs BACKUP_S3_KEY_ID/],
    [['restore', folder], dataDir, 1, /no backups in/],
  ]
  for (const [args, env, code, says] of refused) {
    const ended = await tell(args, { DATA_DIR: env })
    assert.equal(ended.code, code, ended.err)
    assert.match(ended.err, says)
  }
  assert.deepEqual(readdirSync(folder), ['mine'])
})

test('a DATA_DIR that is in use is not restored into, nor are the backups of another installation added to', async (t) => {
  const [dataDir, other, target] = [newDataDir(t), newDataDir(t), join(newDataDir(t), 'kept')]
  const service = await startService(t, dataDir)
  await service.end('SIGTERM')
  assert.equal((await tell(['backup', target], { DATA_DIR: dataDir })).code, 0)
  const into = await tell(['restore', target], { DATA_DIR: dataDir })
  assert.match(into.err, /DATA_DIR .* is not empty/)
  assert.ok(existsSync(join(dataDir, 'records.sqlite')))
  const second = await startService(t, other)
  await second.end('SIGTERM')
  const added = await tell(['backup', target], { DATA_DIR: other })
  assert.equal(added.code, 1)
  assert.match(added.err, /another installation/)
})

test('a folder that was there before stays when it fails, empty, and the answer names the true reason', async (t) => {
  const [dataDir, folder] = [newDataDir(t), newDataDir(t)]
  writeFileSync(join(dataDir, 'records.sqlite'), 'this is no database at all')
  mkdirSync(join(dataDir, 'facts'))
  const before = statSync(folder).ino
  const made = await tell(['backup', folder], { DATA_DIR: dataDir })
  assert.equal(made.code, 1, made.out)
  assert.deepEqual([statSync(folder).ino, readdirSync(folder)], [before, []])
})
