// A start while others write: it does not wait for work that grows with what they have written, and does it
// all the same.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { startClickHouse } from './support/clickhouse.ts'
import { until } from './support/delivery-nodes.ts'
import { callService, createServiceProperty, loadPage, startService } from './support/service.ts'

/** ClickHouse behind a door that holds up statements with this text until it is opened. */
async function openDoor(t: TestContext, url: string, text: string) {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>()
  let held = 0
  const server = createServer((asked, answer) => {
    const pieces: Buffer[] = []
    asked.on('data', (piece: Buffer) => pieces.push(piece))
    asked.on('end', () => {
      const body = Buffer.concat(pieces)
      const pass = () => {
        const { method, headers } = asked
        const far = request(new URL(asked.url ?? '/', url), { method, headers }, (reply) => {
          answer.writeHead(reply.statusCode ?? 502, reply.headers)
          reply.pipe(answer)
        })
        far.on('error', () => answer.destroy()).end(body)
      }
      if (!body.includes(text)) return pass()
      held++
      void opened.then(pass)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { url: Object.assign(new URL(url), { port: String(port) }).href, open, held: () => held }
}

test('a node serves while the minute before it is sent through the folds again, and the sessions that a crash left out are there afterwards', async (t) => {
  const clickHouse = await startClickHouse()
  t.after(() => clickHouse.remove())
  const folder = mkdtempSync(join(tmpdir(), 'footfall-start-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const [url = ''] = clickHouse.urls
  const door = await openDoor(t, url, '/* mendFolds */ INSERT')
  const first = await startService(t, folder, { CLICKHOUSE_URL: url })
  const property = await createServiceProperty(first)
  await loadPage(first, property, '203.0.113.1')
  await first.end('SIGKILL')
  const { origin } = new URL(url)
  const lost = await fetch(`${origin}/?user=default`, { method: 'POST', body: 'TRUNCATE TABLE footfall.sessions' })
  assert.equal(lost.status, 200)
  const second = await startService(t, folder, { CLICKHOUSE_URL: door.url })
  const figures = () =>
    callService(second, property, 'POST', '/v2/property/signals/analytics/metrics', { period: 'last_7' })
  const sessions = async () => (await figures()).json.analytics.period_metrics.summary.sessions.current
  await until(() => door.held() > 0)
  assert.equal(await sessions(), 0)
  await loadPage(second, property, '203.0.113.2')
  door.open()
  await until(async () => (await sessions()) === 2)
  await second.end('SIGTERM')
})
