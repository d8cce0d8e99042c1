// The whole service, killed while webhooks are being sent: what was acknowledged arrives, with the id and the
// bytes that were sent before.
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openRecords } from '../server/stores/records.ts'
import { until } from './support/delivery-nodes.ts'
import { certificateFor, openEndpoint, type Received } from './support/endpoint.ts'
import { openMailServer } from './support/mail-server.ts'
import { ADMIN_TOKEN } from './support/server.ts'
import { callService, createServiceProperty, loadPage, startService, type Service } from './support/service.ts'

/** Calls that hang when the service is killed; as many more wait behind them. */
const ENDPOINTS = 6
const EVENTS = 4

const folder = mkdtempSync(join(tmpdir(), 'footfall-webhooks-crash-'))
const dataDir = join(folder, 'data')
const closers: (() => Promise<void> | void)[] = []

after(async () => {
  for (const close of closers.toReversed()) await close()
  rmSync(folder, { recursive: true, force: true })
})

const admin = { key: '', token: ADMIN_TOKEN }
const idOf = ({ headers }: Received): string => String(headers['x-service-event-id'])

async function automate(service: Service, propertyId: string, url: string): Promise<void> {
  const body = { trigger: { event_type: 'event', event_value: null }, actions: [{ type: 'webhook', url }] }
  const { status, text } = await callService(
    service,
    admin,
    'POST',
    `/manage/properties/${propertyId}/automations`,
    body,
  )
  assert.equal(status, 200, text)
}

/** As if half a minute had gone by: what the dead process had taken is free. */
async function endLeases(): Promise<void> {
  const records = await openRecords({ databaseUrl: null, dataDir })
  await records.updateTable('deliveries').set({ next_attempt_ms: 0 }).where('claim', 'is not', null).execute()
  await records.destroy()
}

test('deliveries survive kill -9 while they are sent: none is lost, and each keeps its id and its bytes', async (t) => {
  const certificate = await certificateFor(['127.0.0.1'])
  const caFile = join(folder, 'ca.pem')
  writeFileSync(caFile, certificate.cert)
  let isHanging = true
  const endpoint = await openEndpoint(t, certificate, (response: ServerResponse) => {
    if (!isHanging) response.end('ok')
  })
  const env = { WEBHOOK_ALLOW: '127.0.0.0/8', NODE_EXTRA_CA_CERTS: caFile }
  const start = () => startService({ after: (close) => closers.push(close) }, dataDir, env)

  let service = await start()
  const property = await createServiceProperty(service)
  for (let n = 0; n < ENDPOINTS; n++) await automate(service, property.id, `https://127.0.0.1:${endpoint.port}/${n}`)
  const session = await loadPage(service, property, '198.51.100.7')
  for (let n = 0; n < EVENTS; n++) {
    const body = { session_id: session, name: `event ${n}` }
    assert.equal((await callService(service, property, 'POST', '/v2/property/session/event', body)).status, 200)
  }
  await until(() => endpoint.received.length === ENDPOINTS)
  await service.end('SIGKILL')
  const before = new Map(endpoint.received.map((received) => [idOf(received), received.body]))
  assert.equal(before.size, ENDPOINTS, 'one endpoint that has not answered is called once at a time')

  await endLeases()
  isHanging = false
  endpoint.received.length = 0
  service = await start()
  await until(() => new Set(endpoint.received.map(idOf)).size === ENDPOINTS * EVENTS)
  const arrived = new Map(endpoint.received.map((received) => [idOf(received), received.body]))
  for (const [id, body] of before) assert.equal(arrived.get(id), body, 'other bytes under the same id')
  assert.equal(endpoint.received.length, ENDPOINTS * EVENTS, 'one was sent twice to an endpoint that answered')
  const names = [...arrived.values()].map((body): string => JSON.parse(body).data.event.name).toSorted()
  const wanted = Array.from({ length: EVENTS }, (_, n) => Array.from({ length: ENDPOINTS }, () => `event ${n}`)).flat()
  assert.deepEqual(names, wanted)

  // A stop in an orderly way writes what has ended and leaves nothing taken.
  await service.end('SIGTERM')
  const records = await openRecords({ databaseUrl: null, dataDir })
  const rows = await records.selectFrom('deliveries').select(['state', 'attempts', 'claim']).execute()
  await records.destroy()
  assert.equal(rows.length, ENDPOINTS * EVENTS)
  for (const row of rows) assert.deepEqual(row, { state: 'delivered', attempts: 1, claim: null })
  // The log tells of nothing that was sent, signed or answered.
  assert.doesNotMatch(service.output(), /whsec_|v1=|event \d|"body"/)
})

test('a mail survives kill -9 while it is sent: it arrives after the next start, with the same id', async (t) => {
  let isStalling = true
  const server = await openMailServer(t, { stalls: () => isStalling })
  const env = { SMTP_URL: server.url(), MAIL_FROM: 'footfall@example.com' }
  const start = () => startService({ after: (close) => closers.push(close) }, join(folder, 'mail'), env)
  let service = await start()
  const to = 'owner@example.com'
  assert.equal((await callService(service, admin, 'POST', '/manage/mail/test', { to })).status, 200)
  await until(() => server.attempts() === 1)
  await service.end('SIGKILL')
  const records = await openRecords({ databaseUrl: null, dataDir: join(folder, 'mail') })
  const { id } = await records.selectFrom('mails').select('id').executeTakeFirstOrThrow()
  await records.updateTable('mails').set({ claimed_until_ms: 0 }).execute()
  await records.destroy()
  isStalling = false
  service = await start()
  const mail = await server.find(to)
  assert.equal(mail.headers.get('message-id'), `<${id}@example.com>`)
  await service.end('SIGTERM')
  assert.equal(server.received.length, 1)
})
