// Exports of facts that are spread over two nodes: the lists and tables have the rows of both, each once.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { parse } from 'csv-parse/sync'
import type { ClickHouse } from '../../test/support/clickhouse.ts'
import { startMigratedCluster } from '../../test/support/cluster.ts'
import { type Footfall, type Reply, startFootfall } from '../../test/support/server.ts'

const closers: (() => Promise<void>)[] = []
const lasting = { after: (close: () => Promise<void>) => closers.push(close) }
const DAY = '2026-11-10'
const SESSIONS = 2_300

let cluster: ClickHouse
let footfall: Footfall

const sessionOf = (i: number): string => String(BigInt(i + 1) * 6_700_417n)
const at = Date.UTC(2026, 10, 10, 9)

before(async () => {
  cluster = await startMigratedCluster()
  const env = { CLICKHOUSE_URL: cluster.urls.join(','), CLICKHOUSE_CLUSTER: cluster.cluster ?? '' }
  footfall = await startFootfall(lasting, { now: Date.UTC(2026, 10, 18, 12), env })
  const property = footfall.property.id
  const numbers = Array.from({ length: SESSIONS }, (_, i) => i)
  const row = (i: number) => ({ property, day: DAY, session: sessionOf(i), at: at + i })
  const { facts } = footfall.context
  await facts.appendAll(
    'views',
    numbers.map((i) => ({ ...row(i), view: 1, seen: at + i, path: `/${i}` })),
  )
  await facts.appendAll(
    'events',
    numbers.map((i) => ({ ...row(i), kind: 'event' as const, name: 'signup', id: String(i) })),
  )
  await facts.appendAll(
    'clicks',
    numbers.map((i) => ({ ...row(i), session_day: DAY, link_group: 'lg_1', link: 'ln_1', id: String(i) })),
  )
})

after(async () => {
  for (const close of closers) await close()
  await cluster.remove()
})

async function exported(body: object): Promise<Reply> {
  const path = `/manage/properties/${footfall.property.id}/exports`
  const begun = await footfall.call('POST', path, { body })
  assert.equal(begun.status, 200, begun.text)
  const one = `${path}/${begun.json.data.export.id}`
  for (;;) {
    const { json } = await footfall.call('GET', one)
    const { state, error } = json.data.export
    if (state === 'done') return footfall.call('GET', `${one}/file`)
    assert.equal(state, 'running', JSON.stringify(error))
    await new Promise((resolve) => {
      setTimeout(resolve, 20)
    })
  }
}

for (const [kind, column] of [
  ['sessions', 'entry_path'],
  ['events', 'session_id'],
  ['clicks', 'click_id'],
] as const)
  test(`the list of ${kind} has the rows of both nodes, each once`, async () => {
    const rows: Record<string, string>[] = parse((await exported({ kind })).text, { columns: true })
    assert.equal(rows.length, SESSIONS)
    assert.equal(new Set(rows.map((row) => row[column])).size, SESSIONS)
  })

for (const table of ['views', 'sessions', 'events', 'clicks'] as const)
  test(`the table ${table} comes whole as a stream from the nodes`, async () => {
    const { text, headers } = await exported({ kind: 'facts', table })
    assert.equal(text.slice(-4), 'PAR1')
    assert.ok(Number(headers.get('content-length')) > SESSIONS)
  })
