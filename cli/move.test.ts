// An installation that is carried to servers and back: while it serves, killed in the middle, and done again.
// In the last step it goes on reading, and writes nothing, whatever is killed.
// Every figure stays what it was, what was acknowledged is there once, and ids are good everywhere.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '../server/config.ts'
import { tell } from '../test/support/cli.ts'
import { type ClickHouse, startClickHouse } from '../test/support/clickhouse.ts'
import { assertKept, openSite } from '../test/support/ledger.ts'
import { endLeases, openLedgerRun, readHeld, untilTold } from '../test/support/ledger-run.ts'
import { rounds } from '../test/support/long.ts'
import {
  assertNoWrites,
  assertReads,
  beginMove,
  createProperty,
  figures,
  holdTable,
  killWorker,
  type MoveRun,
  moveTo,
  openMoveRun,
  refusalOf,
  resume,
  sendingMeanwhile,
  sendSome,
  settingsFile,
  type Side,
  startOn,
  untilNobodyWrites,
  untilPaused,
  untilStatus,
} from '../test/support/move-run.ts'
import { startPostgres } from '../test/support/postgres.ts'
import { callService, type Service, startService } from '../test/support/service.ts'

const ledgerRun = await openLedgerRun('move')
const { folder, scope, hookUrl, env, endpoint } = ledgerRun
const postgres = await startPostgres(scope)

const plain = (figures: object): unknown => JSON.parse(JSON.stringify(figures).replaceAll('null', '0'))

/** Without what goes on where they are now: webhooks are sent, and answers kept. */
const unsent = (figures: object): unknown =>
  Object.entries(plain(figures) as Record<string, unknown>)
    .filter(([asked]) => !asked.includes('/automations'))
    .map(([asked, figure]) => [asked, JSON.stringify(figure).replaceAll('"is_cached":true', '"is_cached":false')])

/** Of a single node nothing is read otherwise than of two. */
const shardCounts = rounds(1, 2) === 1 ? [2] : [1, 2]

/** @returns the service on the other side, which has every figure. @param service ends. */
async function startThere(run: MoveRun, service: Service, side: Side, workers?: string): Promise<Service> {
  const before = await figures(run, service)
  assert.equal(await service.end('SIGTERM'), 0)
  const { databaseUrl, dataDir } = readConfig(side)
  await endLeases({ databaseUrl, dataDir })
  const served = await startOn(run, side, workers)
  assert.deepEqual(unsent(await figures(run, served)), unsent(before))
  return served
}

async function failInPause(run: MoveRun, from: readonly [Side, Service], target: string, database: string) {
  const [side, service] = from
  // Killed while writes are paused, as a worker is: they go on by themselves.
  const letKilledGo = await holdTable(database, 'properties')
  const killed = beginMove(run, from, target, '--pause')
  await untilStatus(run, service, 503)
  await assertReads(run, service)
  await assertNoWrites(run, service, side, 0)
  killed.child.kill('SIGKILL')
  await killed.ended
  await letKilledGo()
  await untilStatus(run, service, 200)
  await sendSome(run, 'killed', service)

  // Ended by somebody else: the move says that it has failed.
  const letLostGo = await holdTable(database, 'properties')
  const lost = beginMove(run, from, target, '--pause')
  await untilStatus(run, service, 503)
  assert.match(await refusalOf(run, from, target, '--pause'), /Another move is under way/)
  const resumed = await resume(run, side, service)
  assert.equal(resumed.out, '{"is_resumed":true}\n', resumed.err)
  await untilStatus(run, service, 200)
  await letLostGo()
  const failed = await lost.ended
  assert.equal(failed.code, 1, failed.out)
  assert.match(failed.err, /pause ended before everything was copied/)
}

/** @returns the service that is there then. */
async function carryThere(run: MoveRun, service: Service, home: Side, there: Side): Promise<Service> {
  const from = [home, service] as const
  await sendSome(run, 'a', service)
  const target = settingsFile(run, 'there', there)
  assert.equal((await moveTo(run, from, target)).is_final, false)
  await sendSome(run, 'b', service)
  await failInPause(run, from, target, there['DATABASE_URL']!)

  const last = await sendingMeanwhile(run, 'meanwhile', service, async () => {
    const [told] = await Promise.all([
      moveTo(run, from, target, '--pause'),
      // In the moment in which it is to stop writing, with what it has acknowledged in its log.
      untilPaused(home).then(() => killWorker(service, 1)),
    ])
    return told
  })
  assert.deepEqual([last.is_final, last.paused_seconds > 0], [true, true])
  await untilStatus(run, service, 503)
  await assertReads(run, service)
  const command = await createProperty(run, home, service)
  assert.equal(command.code, 1)
  assert.match(command.err, /is being moved/)
  assert.match(await refusalOf(run, from, target, '--pause'), /has been moved.*footfall move --resume/)
  return startThere(run, service, there, '2')
}

/** To where it was, whose changes are still paused. */
async function carryBack(run: MoveRun, service: Service, there: Side, home: Side): Promise<Service> {
  const from = [there, service] as const
  await sendSome(run, 'c', service)
  const contact = { email: 'new@example.com' }
  const made = await callService(service, run.site.property, 'POST', '/v2/property/contacts/identify', contact)
  assert.equal(made.status, 200, 'new rows come after those that were carried')
  const target = settingsFile(run, 'home', home)
  const cut = beginMove(run, from, target)
  await sleep(3000)
  cut.child.kill('SIGKILL')
  await cut.ended
  await moveTo(run, from, target)
  // As from a machine on which no service runs.
  const again = await moveTo(run, [there], target)
  assert.deepEqual([again.is_final, again.facts.carried], [false, 0], 'what is the same is left alone')

  const last = await sendingMeanwhile(run, 'returning', service, async () => {
    const letGo = await holdTable(there['DATABASE_URL']!, 'contact_searches')
    const killed = beginMove(run, from, target, '--pause')
    await untilStatus(run, service, 503)
    killed.child.kill('SIGKILL')
    await killed.ended
    await letGo()
    // At once: it waits until the pause of the one that was killed is over.
    const [told] = await Promise.all([moveTo(run, from, target, '--pause'), killWorker(service, 0)])
    return told
  })
  assert.equal(last.is_final, true)
  await assertNoWrites(run, service, there, 1)
  return startThere(run, service, home)
}

/** One store at a time: what is left where it was is the same on both sides. */
async function carryEach(run: MoveRun, service: Service, home: Side, servers: Side): Promise<Service> {
  const { DATABASE_URL, CLICKHOUSE_URL } = servers as { DATABASE_URL: string; CLICKHOUSE_URL: string }
  const [records, both] = [
    { ...home, DATABASE_URL },
    { ...home, DATABASE_URL, CLICKHOUSE_URL },
  ]
  const step = async (name: string, from: readonly [Side, Service], to: Side): Promise<Service> => {
    const target = settingsFile(run, name, to)
    const told = await sendingMeanwhile(run, name, from[1], () => moveTo(run, from, target, '--pause'))
    assert.deepEqual([told.is_final, told.facts === null], [true, name === 'records'])
    await untilStatus(run, from[1], 503)
    const served = await startThere(run, from[1], to)
    await sendSome(run, `${name}After`, served, 3)
    return served
  }
  const onRecords = await step('records', [home, service], records)
  const onBoth = await step('facts', [records, onRecords], both)
  const before = await figures(run, onBoth)
  await onBoth.end('SIGTERM')
  await untilNobodyWrites(both)
  // With the service stopped, into its own folder: nothing is paused there any more.
  assert.equal((await moveTo(run, [both], settingsFile(run, 'again', records))).is_final, true)
  const final = await startOn(run, records)
  assert.deepEqual(unsent(await figures(run, final)), unsent(before))
  await sendSome(run, 'final', final, 3)
  return final
}

const sideOf = async (folder: string, { urls, cluster }: Pick<ClickHouse, 'urls' | 'cluster'>): Promise<Side> => ({
  DATA_DIR: folder,
  CLICKHOUSE_URL: urls.join(','),
  ...(cluster !== null && { CLICKHOUSE_CLUSTER: cluster }),
  DATABASE_URL: await postgres!.freshUrl(),
})

for (const shards of shardCounts) {
  test(
    `what is carried to ${shards} ClickHouse and PostgreSQL, back, and one by one has every figure`,
    { skip: !postgres },
    async (t) => {
      const clickhouse = await startClickHouse({ shards })
      t.after(() => clickhouse.remove())
      const home = { DATA_DIR: join(folder, `home${shards}`) }
      const there = await sideOf(join(folder, `there${shards}`), clickhouse)
      const service = await startOn(ledgerRun, home, '2')
      const run = await openMoveRun(ledgerRun, service)
      const away = await carryThere(run, service, home, there)
      const returned = await carryBack(run, away, there, home)
      const [url] = clickhouse.urls
      const single = await sideOf(home.DATA_DIR, { urls: [url!.replace(/footfall$/, 'alone')], cluster: null })
      const final = await carryEach(run, returned, home, single)
      await untilTold(endpoint, run.ledger)
      await final.end('SIGTERM')
      const { databaseUrl, dataDir } = readConfig(single)
      assertKept('moved', run.ledger, await readHeld({ databaseUrl, dataDir, urls: [], cluster: null }, endpoint))
    },
  )
}

test('another installation’s stores are not written over', { skip: !postgres }, async () => {
  const [one, other] = [join(folder, 'one'), join(folder, 'other')]
  const services = [await startService(scope, one, env), await startService(scope, other, env)]
  for (const service of services) {
    await openSite(service, hookUrl)
    await service.end('SIGTERM')
  }
  const target = settingsFile(ledgerRun, 'other', { DATA_DIR: other })
  const ended = await tell(['move', '--to', target], { ...env, DATA_DIR: one })
  assert.equal(ended.code, 1)
  assert.match(ended.err, /another SECRET/)
  const same = settingsFile(ledgerRun, 'same', { DATA_DIR: one })
  assert.match((await tell(['move', '--to', same], { ...env, DATA_DIR: one })).err, /the same stores/)
})
