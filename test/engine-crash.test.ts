// The process of the embedded ClickHouse, killed while visitors come: the service goes on, every hit is
// acknowledged and counted once, and questions are answered again soon. It never outlives the service.
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { EngineProcess } from '../server/engine/engine.ts'
import { rounds } from './support/long.ts'
import {
  callService,
  createServiceProperty,
  startService,
  type Service,
  type ServiceProperty,
} from './support/service.ts'
import { eventually } from './support/site.ts'
import { visit } from './support/visits.ts'

const ROUNDS = rounds(3, 50)
const VISITORS = 6
/** The blow falls at a random moment of so long. */
const MORE_MS = 300

function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'footfall-engine-'))
  t.after(() => rmSync(path, { recursive: true, force: true }))
  return path
}

const read = (pid: string, file: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return '' // it has just ended
  }
}

/** The process of the engine; undefined when there is none. */
function engineOf({ pid }: Service): number | undefined {
  const isChild = (one: string): boolean => read(one, 'status').includes(`\nPPid:\t${pid}\n`)
  const found = readdirSync('/proc').find((one) => /^\d+$/.test(one) && isChild(one))
  return found === undefined ? undefined : Number(found)
}

const isThere = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function killEngine(service: Service): Promise<void> {
  const pid = engineOf(service)
  assert.ok(pid !== undefined)
  process.kill(pid, 'SIGKILL')
}

async function untilReady(service: Service): Promise<void> {
  const read = async () => (await fetch(`${service.url}/readyz`)).status
  assert.equal(await eventually(read, (status) => status === 200), 200)
}

async function createLink(service: Service, property: ServiceProperty): Promise<string> {
  const made = await callService(service, property, 'POST', '/v2/property/link-groups', { name: 'Engine' })
  const body = { group_id: made.json.data.group.id, domain: 'link-a', destination_url: 'https://example.com/' }
  return (await callService(service, property, 'POST', '/v2/property/links', body)).json.data.link.code
}

const pageView = ({ key }: ServiceProperty, path: string): Record<string, string> => ({
  'x-svc-id': key,
  'x-svc-lib': '1.1.0',
  'x-svc-page': encodeURIComponent(`https://example.com${path}`),
})

/** Page views of one visitor, one after the other, and a short link after each. @returns how many. */
async function visitOn(
  { service, property, code }: { service: Service; property: ServiceProperty; code: string },
  visitor: number,
  signal: AbortSignal,
): Promise<number> {
  const address = `203.0.113.${visitor}`
  let count = 0
  for (; !signal.aborted; count++) {
    const headers = { ...pageView(property, `/${visitor}/${count}`), 'x-forwarded-for': address }
    const { json } = await callService(
      service,
      { ...property, token: null },
      'GET',
      '/v2/signal/load',
      undefined,
      headers,
    )
    assert.equal(json.success, true, JSON.stringify(json))
    assert.equal((await visit(service.url, `/a/${code}`, { address })).status, 302)
  }
  return count
}

async function countViews(service: Service, property: ServiceProperty): Promise<number> {
  const path = '/v2/property/signals/analytics/metrics'
  const { json } = await callService(service, property, 'POST', path, { period: 'last_7' })
  return json.analytics.period_metrics.summary.views.current
}

/** Where processes are files. */
const skip = process.platform === 'linux' ? false : 'there is no /proc'

test(`an engine that is killed ${ROUNDS} times loses nothing and stops nobody`, { skip }, async (t) => {
  const service = await startService(t, folder(t))
  const property = await createServiceProperty(service)
  const code = await createLink(service, property)
  const over = new AbortController()
  const site = { service, property, code }
  const visiting = Array.from({ length: VISITORS }, (_, visitor) => visitOn(site, visitor + 1, over.signal))
  for (let round = 0; round < ROUNDS; round++) {
    await sleep(randomInt(MORE_MS))
    const before = engineOf(service)
    await killEngine(service)
    await eventually(
      async () => engineOf(service),
      (pid) => pid !== undefined && pid !== before,
    )
    await untilReady(service)
  }
  over.abort()
  const counts = await Promise.all(visiting)
  const sent = counts.reduce((sum, count) => sum + count, 0)
  assert.equal(await countViews(service, property), sent)
  assert.match(service.output(), /the facts engine stopped, and is started again/)
})

test('it ends with the service, however that ends, and the next one finds everything', { skip }, async (t) => {
  const dataDir = folder(t)
  let property: ServiceProperty | undefined
  for (const [round, signal] of (['SIGKILL', 'SIGTERM'] as const).entries()) {
    const service = await startService(t, dataDir)
    property ??= await createServiceProperty(service)
    const headers = pageView(property, `/${round}`)
    const { json } = await callService(
      service,
      { ...property, token: null },
      'GET',
      '/v2/signal/load',
      undefined,
      headers,
    )
    assert.equal(json.success, true)
    assert.equal(await countViews(service, property), round + 1)
    const engine = engineOf(service)
    assert.ok(engine !== undefined)
    await service.end(signal)
    assert.ok(
      !(await eventually(
        async () => isThere(engine),
        (is) => !is,
      )),
    )
  }
})

test('whoever has no password is told nothing by it', { skip }, async (t) => {
  const dataDir = folder(t)
  const service = await startService(t, dataDir)
  const port = Number(
    read(String(engineOf(service)), 'cmdline')
      .split('\0')
      .at(-2),
  )
  const ask = async (user: string, body: string, headers: Record<string, string> = {}): Promise<string> => {
    const answer = await fetch(`http://127.0.0.1:${port}/${user}`, { method: 'POST', body, headers })
    return `${answer.status} ${await answer.text()}`
  }
  const named = (name: string) => ({ authorization: `Basic ${Buffer.from(`${name}:`).toString('base64')}` })
  const strangers: readonly (readonly [string, Record<string, string>?])[] = [
    [''],
    ['?user=default'],
    ['?user=footfall'],
    ['?user=footfall&password=footfall'],
    ['', named('default')],
    ['', named('footfall')],
    ['', { 'x-clickhouse-user': 'default' }],
    ['play'],
  ]
  for (const [user, headers] of strangers) {
    for (const sql of [
      'SELECT 1',
      'SELECT * FROM default.views',
      'SELECT * FROM system.users',
      'DROP DATABASE default',
      // To whoever may ask anything, this function reads every file of ours.
      `SELECT file('${dataDir}/secret')`,
      `SELECT * FROM file('/etc/passwd', 'LineAsString')`,
      `SELECT * FROM url('http://127.0.0.1:1/', 'LineAsString')`,
    ])
      assert.match(await ask(user, sql, headers), /^404 There is no handle/, `${user} ${sql}`)
  }
})

async function openEngine(t: TestContext, options: { readonly memoryMb: number; readonly port?: number }) {
  const dataDir = folder(t)
  const log = pino({ level: 'silent' })
  const engine = await EngineProcess.open({ dataDir, backupDir: dataDir, log, ...options })
  t.after(() => engine.close())
  const { port, origin, username, password } = new URL(engine.url)
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  const ask = async (body: string) => (await fetch(origin, { method: 'POST', headers: { authorization }, body })).text()
  return { port: Number(port), ask }
}

test('a port that somebody else has taken is left to them', async (t) => {
  const stranger = createServer((_request, response) => response.end('Ok.'))
  stranger.listen(0, '127.0.0.1')
  await once(stranger, 'listening')
  t.after(() => stranger.close())
  const { port } = stranger.address() as AddressInfo
  const engine = await openEngine(t, { port, memoryMb: 512 })
  assert.notEqual(engine.port, port)
  assert.equal(await engine.ask('SELECT 1'), '1\n')
})

test('a statement runs on the threads that it may take, in the memory of the default', async (t) => {
  const engine = await openEngine(t, { memoryMb: 1024 })
  const threadsOf = async (threads: number) => {
    const sql = `EXPLAIN PIPELINE SELECT sum(number) FROM numbers_mt(100000000) SETTINGS max_threads = ${threads}`
    return Number(/AggregatingTransform(?: × (\d+))?/.exec(await engine.ask(sql))?.[1] ?? 1)
  }
  assert.deepEqual([await threadsOf(1), await threadsOf(2), await threadsOf(4)], [1, 2, 4])
})

test('rows that are to be kept in memory are all there or none, so a statement that failed can be asked again', async (t) => {
  const engine = await openEngine(t, { memoryMb: 1024 })
  await engine.ask('CREATE DATABASE kept ENGINE = Memory')
  await engine.ask('CREATE TABLE kept.rows (n UInt64) ENGINE = Memory')
  const insert = (last: number) =>
    engine.ask(
      `INSERT INTO kept.rows SELECT number + throwIf(number = ${last}) FROM numbers_mt(4000000) SETTINGS max_threads = 2`,
    )
  assert.match(await insert(3_999_999), /throwIf|FUNCTION_THROW_IF/)
  assert.equal(await engine.ask('SELECT count() FROM kept.rows'), '0\n')
  await insert(4_000_000)
  assert.equal(await engine.ask('SELECT count() FROM kept.rows'), '4000000\n')
})
