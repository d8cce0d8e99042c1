// A process that is told to stop: others notice first, nobody's request is lost, and it ends in time whatever
// is away.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test, type TestContext } from 'node:test'
import { type ClickHouse, startClickHouse } from './support/clickhouse.ts'
import { callService, createServiceProperty, loadPage, type Service, startService } from './support/service.ts'
import { until } from './support/delivery-nodes.ts'

let clickHouse: ClickHouse
before(async () => {
  clickHouse = await startClickHouse()
})
after(() => clickHouse.remove())

/** With facts on a server of its own. */
function start(t: TestContext, env: Record<string, string> = {}): Promise<Service> {
  const dataDir = mkdtempSync(join(tmpdir(), 'footfall-stopping-'))
  t.after(() => rmSync(dataDir, { recursive: true, force: true }))
  return startService(t, dataDir, { CLICKHOUSE_URL: clickHouse.urls.join(','), LOG_LEVEL: 'info', ...env })
}

interface Answered {
  readonly status: number | undefined
  readonly connection: string | undefined
  readonly text: string
}

/** A connection that is kept, as a reverse proxy does. */
function openConnection(t: TestContext) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.after(() => agent.destroy())
  return async (url: string, method = 'GET', body?: string): Promise<Answered> => {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' }
    const asked = request(url, { agent, method, headers }).end(body)
    const [answer] = (await once(asked, 'response')) as [IncomingMessage]
    let text = ''
    for await (const piece of answer) text += String(piece)
    return { status: answer.statusCode, connection: answer.headers.connection, text }
  }
}

const isGone = ({ pid }: Service): boolean => {
  try {
    return !process.kill(pid, 0)
  } catch {
    return true
  }
}

test('a node that stops is not ready at first and serves as ever, then ends each connection with an answer, and takes no new ones', async (t) => {
  const service = await start(t, { STOP_NOTICE_SECONDS: '300' })
  const [ask, askLater] = [openConnection(t), openConnection(t)]
  const ready = `${service.url}/readyz`
  assert.deepEqual((await ask(ready)).status, 200)
  assert.equal((await askLater(`${service.url}/healthz`)).connection, 'keep-alive')
  process.kill(service.pid, 'SIGTERM')
  await until(async () => (await ask(ready)).status === 503)
  const told = await ask(ready)
  assert.deepEqual(
    [told.connection, JSON.parse(told.text)],
    ['keep-alive', { status: 'Error', stopping: true, away: [] }],
  )
  assert.equal((await fetch(`${service.url}/healthz`)).status, 200, 'new connections are taken')
  process.kill(service.pid, 'SIGTERM')
  const refused = async () =>
    fetch(`${service.url}/healthz`, { headers: { connection: 'close' } }).then(
      () => false,
      () => true,
    )
  await until(refused)
  const last = await askLater(`${service.url}/healthz`)
  assert.deepEqual([last.status, last.connection], [200, 'close'])
  await until(() => isGone(service))
  assert.ok(!service.output().includes('took too long'))
})

/** Ends by itself, and not because its time was over. */
async function endsInTime(service: Service): Promise<void> {
  await service.end('SIGTERM')
  assert.ok(!/took too long|stopping failed/.test(service.output()), service.output().slice(-1000))
}

for (const trouble of ['is away', 'hangs'] as const)
  test(`while ClickHouse ${trouble} a node stops in time, and what it acknowledged is stored by the next start`, async (t) => {
    const [node] = clickHouse.nodes
    const dataDir = mkdtempSync(join(tmpdir(), 'footfall-stopping-'))
    t.after(() => rmSync(dataDir, { recursive: true, force: true }))
    const env = { CLICKHOUSE_URL: clickHouse.urls.join(',') }
    const service = await startService(t, dataDir, env)
    const property = await createServiceProperty(service)
    await loadPage(service, property, '203.0.113.1')
    if (trouble === 'hangs') await node!.pause()
    else await node!.stop()
    const waiting = Promise.all([2, 3].map((n) => loadPage(service, property, `203.0.113.${n}`)))
    const asked = callService(service, property, 'POST', '/v2/property/signals/analytics/metrics', {})
    assert.equal((await waiting).length, 2)
    const stopped = endsInTime(service)
    const { status, headers, json } = await asked
    assert.deepEqual([status, json.error_code, Number(headers.get('retry-after')) > 0], [503, 'unavailable', true])
    await stopped
    if (trouble === 'hangs') node!.resume()
    else await node!.start()
    const next = await startService(t, dataDir, env)
    const figures = async () =>
      callService(next, property, 'POST', '/v2/property/signals/analytics/metrics', { period: 'last_7' })
    await until(async () => (await figures()).status === 200)
    assert.equal((await figures()).json.analytics.period_metrics.summary.sessions.current, 3)
    await next.end('SIGTERM')
  })
