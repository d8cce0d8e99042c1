// A disk that takes nothing more: who writes is told to come back, and /readyz says why.
import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { startFootfall } from '../../test/support/server.ts'

test('/readyz names the disk while DATA_DIR takes no writes, and leaves nothing behind', async (t) => {
  const footfall = await startFootfall(t)
  const { dataDir } = footfall.context.config
  const before = readdirSync(dataDir)
  const ready = { status: 'OK', records: true, facts: true, disk: true, away: [] }
  assert.deepEqual((await footfall.call('GET', '/readyz')).json, ready)
  const inTheWay = join(dataDir, `.probe-${process.pid}`)
  mkdirSync(inTheWay)
  const away = await footfall.call('GET', '/readyz')
  assert.equal(away.status, 503)
  assert.deepEqual(away.json, { ...ready, status: 'Error', disk: false, away: ['disk'] })
  rmdirSync(inTheWay)
  assert.deepEqual((await footfall.call('GET', '/readyz')).json, ready)
  assert.deepEqual(readdirSync(dataDir), before)
})

test('who identifies a visitor while the disk is full is told to come back, and nobody is half identified', async (t) => {
  const footfall = await startFootfall(t)
  const { records } = footfall.context
  const identify = (name: string) => {
    const body = { email: `${name}@example.com`, meta: { note: 'x'.repeat(2_000) } }
    return footfall.call('POST', '/v2/property/contacts/identify', { body })
  }
  await sql`pragma max_page_count = 1`.execute(records)
  let made = 0
  let reply = await identify('ada0')
  while (reply.status === 200 && made < 1_000) reply = await identify(`ada${++made}`)
  assert.deepEqual([reply.status, reply.json.error_code], [503, 'unavailable'])
  assert.ok(Number(reply.headers.get('retry-after')) > 0)
  await sql`pragma max_page_count = 1000000`.execute(records)
  assert.equal((await records.selectFrom('contacts').select('id').execute()).length, made)
  assert.equal((await identify(`ada${made}`)).status, 200)
})
