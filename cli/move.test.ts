// An installation that is carried to servers and back: while it serves, killed in the middle, and done again.
// In the last step it goes on reading, and writes nothing.
// Every figure stays what it was, and the ids that were given out are good everywhere.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { start, tell } from '../test/support/cli.ts'
import { startClickHouse } from '../test/support/clickhouse.ts'
import { figuresOf } from '../test/support/figures.ts'
import { type LedgerSite, openLedger, openSite, sendOn } from '../test/support/ledger.ts'
import { openLedgerRun, untilTold } from '../test/support/ledger-run.ts'
import { rounds } from '../test/support/long.ts'
import { startPostgres } from '../test/support/postgres.ts'
import { ADMIN_TOKEN } from '../test/support/server.ts'
import { callService, type Service, startService } from '../test/support/service.ts'
import { untilEqual } from '../test/support/until.ts'
import { visit } from '../test/support/visits.ts'

const { folder, scope, endpoint, hookUrl, env } = await openLedgerRun('move')
const postgres = await startPostgres(scope)

const plain = (figures: object): unknown => JSON.parse(JSON.stringify(figures).replaceAll('null', '0'))

/** Without what goes on where they are now: webhooks are sent, and answers kept. */
const unsent = (figures: object): unknown =>
  Object.entries(plain(figures) as Record<string, unknown>)
    .filter(([asked]) => !asked.includes('/automations'))
    .map(([asked, figure]) => [asked, JSON.stringify(figure).replaceAll('"is_cached":true', '"is_cached":false')])

function write(name: string, settings: Readonly<Record<string, string>>): string {
  const file = join(folder, name)
  writeFileSync(
    file,
    Object.entries(settings)
      .map(([key, value]) => `${key}=${value}\n`)
      .join(''),
  )
  return file
}

/** Of a single node nothing is read otherwise than of two. */
const shardCounts = rounds(1, 2) === 1 ? [2] : [1, 2]

/** Keeps whoever carries records into this database waiting. */
async function holdRecords(url: string): Promise<() => Promise<void>> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query('begin')
  await client.query('lock table properties in access exclusive mode')
  return async () => {
    await client.query('rollback')
    await client.end()
  }
}

/** One of several processes answers each time. */
const statusOfView = async (service: Service, site: LedgerSite): Promise<number> => {
  const page = { 'x-svc-lib': '1.1.0', 'x-svc-page': encodeURIComponent('https://example.com/paused') }
  const headers = { ...page, connection: 'close', 'x-forwarded-for': '203.0.113.9' }
  const caller = { key: site.property.key, token: null }
  return (await callService(service, caller, 'GET', '/v2/signal/load', undefined, headers)).status
}

const untilStatus = (service: Service, site: LedgerSite, status: number): Promise<void> =>
  untilEqual(async () => {
    const seen = await Promise.all(Array.from({ length: 8 }, () => statusOfView(service, site)))
    return [...new Set(seen)]
  }, [status])

async function assertReads(service: Service, site: LedgerSite): Promise<void> {
  const seen = await visit(service.url, `/a/${site.code}`, { address: '203.0.113.9' })
  assert.equal(seen.status, 302, 'who follows a link is sent on')
  for (const path of ['/readyz', '/dashboard']) assert.ok((await fetch(service.url + path)).ok, path)
  await figuresOf(service, site.property, [today(), today()])
}

const today = (): string => new Date().toISOString().slice(0, 10)

for (const shards of shardCounts) {
  test(
    `what is carried to ${shards} ClickHouse and PostgreSQL, and back, has every figure`,
    { skip: !postgres },
    async (t) => {
      const clickhouse = await startClickHouse({ shards })
      t.after(() => clickhouse.remove())
      const [home, away, back] = ['home', 'away', 'back'].map((name) => join(folder, `${name}${shards}`))
      const there = {
        DATA_DIR: away!,
        CLICKHOUSE_URL: clickhouse.urls.join(','),
        ...(clickhouse.cluster !== null && { CLICKHOUSE_CLUSTER: clickhouse.cluster }),
        DATABASE_URL: await postgres!.freshUrl(),
      }
      const service = await startService(scope, home!, { ...env, WORKERS: '2' })
      const site = await openSite(service, hookUrl)
      const ledger = openLedger()
      const sendSome = async (name: string, node: Service, visits = 7) => {
        let sent = 0
        await sendOn({ site, ledger, name, address: '203.0.113.1', first: 0, node: () => node }, () => ++sent < visits)
      }
      await sendSome('a', service)
      const target = write(`there${shards}.env`, there)
      const from = { ...env, DATA_DIR: home!, PORT: new URL(service.url).port }
      const first = await tell(['move', '--to', target, '--json'], { ...from, ADMIN_TOKEN })
      assert.equal(first.code, 0, first.err)
      assert.equal(JSON.parse(first.out).is_final, false)
      await sendSome('b', service)

      // Killed while writes are paused: they go on by themselves.
      const letKilledGo = await holdRecords(there.DATABASE_URL)
      const killed = start(['move', '--to', target, '--pause'], from)
      await untilStatus(service, site, 503)
      await assertReads(service, site)
      killed.child.kill('SIGKILL')
      await killed.ended
      await letKilledGo()
      await untilStatus(service, site, 200)
      await sendSome('killed', service)

      // Ended by somebody else: the move says that it has failed.
      const letLostGo = await holdRecords(there.DATABASE_URL)
      const lost = start(['move', '--to', target, '--pause'], from)
      await untilStatus(service, site, 503)
      const resumed = await tell(['move', '--resume', '--json'], from)
      assert.equal(resumed.out, '{"is_resumed":true}\n', resumed.err)
      await untilStatus(service, site, 200)
      await letLostGo()
      const failed = await lost.ended
      assert.equal(failed.code, 1, failed.out)
      assert.match(failed.err, /pause ended before everything was copied/)

      // While others write: what they were told is stored is carried, and the rest is refused.
      // Facts alone: what is in the records before it is in the facts, a submission or a person, is noted in
      // these later, and may be on the other side.
      let isOver = false
      const meanwhile = sendOn(
        { site, ledger, name: 'meanwhile', address: '203.0.113.2', first: 0, step: 3, node: () => service },
        () => !isOver,
      )
      const last = await tell(['move', '--to', target, '--pause', '--json'], from)
      isOver = true
      await meanwhile
      assert.equal(last.code, 0, last.err)
      const told = JSON.parse(last.out)
      assert.deepEqual([told.is_final, told.paused_seconds > 0], [true, true])
      assert.deepEqual(ledger.faults, [])
      await untilStatus(service, site, 503)
      await assertReads(service, site)
      const command = await tell(['property', 'create', '--name', 'New', '--domain', 'new.example'], from)
      assert.equal(command.code, 1)
      assert.match(command.err, /is being moved/)
      const figures = await figuresOf(service, site.property, [today(), today()])
      await service.end('SIGTERM')

      const served = await startService(scope, away!, { ...env, ...there })
      assert.deepEqual(unsent(await figuresOf(served, site.property, [today(), today()])), unsent(figures))
      // What waited in the outbox is sent from there.
      await untilTold(endpoint, ledger)
      await sendSome('c', served)
      const contact = { email: 'new@example.com' }
      const made = await callService(served, site.property, 'POST', '/v2/property/contacts/identify', contact)
      assert.equal(made.status, 200, 'new rows come after those that were carried')
      const later = await figuresOf(served, site.property, [today(), today()])
      await served.end('SIGTERM')

      const home2 = write(`back${shards}.env`, { DATA_DIR: back! })
      const cut = start(['move', '--to', home2], { ...env, ...there })
      await sleep(1500 * shards)
      cut.child.kill('SIGKILL')
      await cut.ended
      const returned = await tell(['move', '--to', home2, '--json'], { ...env, ...there })
      assert.equal(returned.code, 0, returned.err)
      assert.equal(JSON.parse(returned.out).is_final, true)
      const again = JSON.parse((await tell(['move', '--to', home2, '--json'], { ...env, ...there })).out)
      assert.equal(again.facts.carried, 0, 'what is the same is left alone')
      const final = await startService(scope, back!, env)
      assert.deepEqual(plain(await figuresOf(final, site.property, [today(), today()])), plain(later))
      await final.end('SIGTERM')
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
  const target = write('other.env', { DATA_DIR: other })
  const ended = await tell(['move', '--to', target], { ...env, DATA_DIR: one })
  assert.equal(ended.code, 1)
  assert.match(ended.err, /another SECRET/)
  const same = await tell(['move', '--to', write('same.env', { DATA_DIR: one })], { ...env, DATA_DIR: one })
  assert.match(same.err, /the same stores/)
})
