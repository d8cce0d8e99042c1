// An installation that is carried to servers and back: while it serves, killed in the middle, and done again.
// Every figure stays what it was, and the ids that were given out are good everywhere.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { start, tell } from '../test/support/cli.ts'
import { startClickHouse } from '../test/support/clickhouse.ts'
import { figuresOf } from '../test/support/figures.ts'
import { openLedger, openSite, sendOn } from '../test/support/ledger.ts'
import { openLedgerRun } from '../test/support/ledger-run.ts'
import { rounds } from '../test/support/long.ts'
import { startPostgres } from '../test/support/postgres.ts'
import { ADMIN_TOKEN } from '../test/support/server.ts'
import { callService, startService } from '../test/support/service.ts'

const { folder, scope, hookUrl, env } = await openLedgerRun('move')
const postgres = await startPostgres(scope)

const plain = (figures: object): unknown => JSON.parse(JSON.stringify(figures).replaceAll('null', '0'))

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
      const service = await startService(scope, home!, env)
      const site = await openSite(service, hookUrl)
      const ledger = openLedger()
      const sendSome = async (name: string, node: typeof service) => {
        let visits = 0
        await sendOn({ site, ledger, name, address: '203.0.113.1', first: 0, node: () => node }, () => ++visits < 7)
      }
      await sendSome('a', service)
      const target = write(`there${shards}.env`, there)
      const from = { ...env, DATA_DIR: home!, PORT: new URL(service.url).port }
      const first = await tell(['move', '--to', target, '--json'], { ...from, ADMIN_TOKEN })
      assert.equal(first.code, 0, first.err)
      assert.equal(JSON.parse(first.out).is_final, false)
      await sendSome('b', service)
      const day = new Date().toISOString().slice(0, 10)
      const figures = await figuresOf(service, site.property, [day, day])
      await service.end('SIGTERM')

      const killed = start(['move', '--to', target], from)
      await sleep(1500 * shards)
      killed.child.kill('SIGKILL')
      await killed.ended
      const second = await tell(['move', '--to', target, '--json'], from)
      assert.equal(second.code, 0, second.err)
      const told = JSON.parse(second.out)
      assert.equal(told.is_final, true)
      const again = JSON.parse((await tell(['move', '--to', target, '--json'], from)).out)
      assert.equal(again.facts.carried, 0, 'what is the same is left alone')
      const served = await startService(scope, away!, { ...env, ...there })
      assert.deepEqual(plain(await figuresOf(served, site.property, [day, day])), plain(figures))
      await sendSome('c', served)
      const contact = { email: 'new@example.com' }
      const made = await callService(served, site.property, 'POST', '/v2/property/contacts/identify', contact)
      assert.equal(made.status, 200, 'new rows come after those that were carried')
      const later = await figuresOf(served, site.property, [day, day])
      await served.end('SIGTERM')

      const home2 = write(`back${shards}.env`, { DATA_DIR: back! })
      const returned = await tell(['move', '--to', home2, '--json'], { ...env, ...there })
      assert.equal(returned.code, 0, returned.err)
      const final = await startService(scope, back!, env)
      assert.deepEqual(plain(await figuresOf(final, site.property, [day, day])), plain(later))
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
