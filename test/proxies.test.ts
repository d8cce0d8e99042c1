// The recipes of docs/proxies.md, run as they stand there by the proxies that this machine has: visitors keep
// their address, nobody speaks for another one, short domains are known by their host, and nothing that is
// for the machine itself can be had from outside.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, request } from 'node:https'
import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { after, before, test, type TestContext } from 'node:test'
import { findProxies } from '../tools/proxies.mjs'
import { CHROME, startFootfall, type Footfall } from './support/server.ts'
import { startProxy } from './support/reverse-proxy.ts'
import { addGroup, addLink, type TestLink } from './support/visits.ts'

/** Any address of the loopback network is this machine: the proxy sees a client that is not itself. */
const VISITOR = '127.0.0.5'
const HOST = 'stats.example.com'
const SHORT_HOST = 'go.example.com'
const REPEATS = 60

const closers: (() => Promise<void>)[] = []
let footfall: Footfall
let link: TestLink

before(async () => {
  const env = { TRUST_PROXY: '127.0.0.1', BASE_URL: `https://${HOST}`, LINK_A_URL: `https://${SHORT_HOST}` }
  footfall = await startFootfall({ after: (close) => closers.push(close) }, { env })
  link = await addLink(footfall, { group_id: await addGroup(footfall), destination_url: 'https://example.com/a%2Fb?c' })
})
after(async () => {
  for (const close of closers.toReversed()) await close()
})

interface Call {
  readonly method?: string
  readonly host?: string
  readonly headers?: Record<string, string>
  readonly body?: string
  readonly agent?: Agent
}

async function call(port: number, path: string, { method = 'GET', host = HOST, headers, body, agent }: Call = {}) {
  const asked = request({
    host: '127.0.0.1',
    localAddress: VISITOR,
    port,
    path,
    method,
    servername: host,
    rejectUnauthorized: false,
    headers: { 'user-agent': CHROME, host, ...headers },
    ...(agent && { agent }),
  })
  asked.end(body)
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  return { status: answer.statusCode, headers: answer.headers, text: await text(answer) }
}

/** What every recipe holds to. */
async function checkProxy(port: number): Promise<void> {
  const lies = { 'x-forwarded-for': '203.0.113.9', 'x-proxy-ip': '203.0.113.10', 'x-proxy-user-agent': 'somebody else' }
  const seen = JSON.parse((await call(port, '/v2/ping-me', { headers: lies })).text) as { ip: string; browser: string }
  assert.deepEqual([seen.ip, seen.browser], [VISITOR, 'Chrome'])

  const page = { 'x-svc-id': footfall.property.key, 'x-svc-page': 'https%3A%2F%2Fexample.com%2F', 'x-svc-lib': '1.1.0' }
  const load = JSON.parse((await call(port, '/v2/signal/load', { headers: page })).text) as Record<string, string>
  assert.equal(load['message'], 'ok')
  const body = JSON.stringify({ event: 'hide', tos: 5, max: 50, site_id: footfall.property.key })
  const ping = await call(port, `/v2/signal/${load['view_id']}/ping`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body,
  })
  assert.equal(ping.status, 200)

  const led = await call(port, `/${link.code}`, { host: SHORT_HOST })
  assert.deepEqual([led.status, led.headers.location], [302, 'https://example.com/a%2Fb?c'])
  assert.equal((await call(port, '/dashboard', { host: SHORT_HOST })).status, 404)

  for (const path of ['/metrics', '/tls-host?domain=stats.example.com'])
    assert.notEqual((await call(port, path)).status, 200, path)

  const large = JSON.stringify({ email: 'ann@example.com', note: 'x'.repeat(1_000_000) })
  const authorization = `Bearer ${footfall.property.token}`
  const headers = { authorization, 'content-type': 'application/json' }
  const told = await call(port, '/v2/property/contacts/identify', { method: 'POST', headers, body: large })
  assert.match(told.text, /"code":/, 'the service answers a large body, not the proxy')

  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  const answers = await Promise.all(Array.from({ length: REPEATS }, () => call(port, '/healthz', { agent })))
  agent.destroy()
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
}

/** nginx has a path of the owner's site as well. */
async function checkPath(port: number): Promise<void> {
  const script = await call(port, '/site/signals.js')
  assert.match(String(script.headers['content-type']), /^text\/javascript/)
  const seen = await call(port, '/site/v2/ping-me', { headers: { 'x-forwarded-for': '203.0.113.9' } })
  assert.equal((JSON.parse(seen.text) as { ip: string }).ip, VISITOR)
}

const isRefused = async (t: TestContext, port: number, host: string): Promise<boolean> => {
  try {
    await call(port, '/healthz', { host })
    return false
  } catch (error) {
    t.diagnostic(String(error))
    return true
  }
}

for (const [name, path] of findProxies()) {
  test(`${name}: the recipe serves visitors as if there were no proxy`, async (t) => {
    if (path === undefined) return t.diagnostic(`${name} is not installed: its recipe has not been run`)
    const port = await startProxy(t, { name, path, service: footfall.url })
    await checkProxy(port)
    if (name === 'nginx') await checkPath(port)
  })
}

test('Caddy gets a certificate for the hosts of the service, and for no other', async (t) => {
  const path = new Map(findProxies()).get('Caddy')
  if (path === undefined) return t.diagnostic('Caddy is not installed: its recipe has not been run')
  const port = await startProxy(t, { name: 'Caddy', path, service: footfall.url, block: 1 })
  await checkProxy(port)
  assert.equal(await isRefused(t, port, 'example.org'), true)
})
