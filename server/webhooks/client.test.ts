// What is sent, and over which connections: through the production client, to real HTTPS servers. Names are
// looked up by a stub.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { certificateFor, openEndpoint, openRawEndpoint } from '../../test/support/endpoint.ts'
import { openWebhookClient, type WebhookClient, type WebhookClientOptions } from './client.ts'
import { MAX_IDLE } from './pool.ts'

const certificate = await certificateFor(['hooks.example', 'localhost', '127.0.0.1'])
const loopback = ['127.0.0.0/8']

function openClient(t: TestContext, options: Partial<WebhookClientOptions> = {}): WebhookClient {
  const client = openWebhookClient({
    allow: loopback,
    ca: certificate.cert,
    lookup: async () => ['127.0.0.1'],
    ...options,
  })
  t.after(() => client.close())
  return client
}

test('the bytes, the headers and the name arrive as they were given', async (t) => {
  const endpoint = await openEndpoint(t, certificate)
  const body = '{"name":"Zoë 🦆","n":1}'
  const headers = { 'Content-Type': 'application/json', 'User-Agent': 'Service-Webhooks/1', 'X-Service-Event': 'event' }
  const outcome = await openClient(t).post(`https://hooks.example:${endpoint.port}/in/x?a=b%20c`, body, headers)
  assert.deepEqual([outcome.status, outcome.error, outcome.body], [200, null, 'ok'])
  const [received] = endpoint.received
  assert.ok(received)
  assert.deepEqual(
    [received.method, received.path, received.body, received.servername],
    ['POST', '/in/x?a=b%20c', body, 'hooks.example'],
  )
  assert.equal(received.headers.host, `hooks.example:${endpoint.port}`)
  assert.equal(received.headers['content-type'], 'application/json')
  assert.equal(received.headers['user-agent'], 'Service-Webhooks/1')
  assert.equal(received.headers['content-length'], `${Buffer.byteLength(body)}`)
})

test('an address in the URL is called, and its certificate checked, without a look-up', async (t) => {
  const endpoint = await openEndpoint(t, certificate)
  const client = openClient(t, { lookup: () => assert.fail('nothing to look up') })
  const outcome = await client.post(`https://127.0.0.1:${endpoint.port}/`, '{}', {})
  assert.deepEqual([outcome.status, endpoint.received[0]?.servername], [200, false])
})

test('no refused address is connected to, whether it stands in the URL or behind a name', async (t) => {
  const endpoint = await openEndpoint(t, certificate)
  const answers = ['127.0.0.1', '::ffff:127.0.0.1', '0.0.0.0', '::']
  for (const address of answers) {
    const client = openClient(t, { allow: [], lookup: async () => ['8.8.8.8', address] })
    const outcome = await client.post(`https://hooks.example:${endpoint.port}/`, '{}', {})
    assert.deepEqual([outcome.status, outcome.error], [null, 'refused address'], address)
  }
  const client = openClient(t, { allow: [] })
  for (const host of ['127.0.0.1', '127.1', '0x7f.1', '2130706433', '0177.0.0.1', '[::ffff:127.0.0.1]', '[::1]', '0']) {
    const outcome = await client.post(`https://${host}:${endpoint.port}/`, '{}', {})
    assert.equal(outcome.error, 'refused address', host)
  }
  assert.equal(endpoint.connections(), 0)
})

test('a name is looked up once for a connection: what it answers later cannot matter', async (t) => {
  const endpoint = await openEndpoint(t, certificate, (response) => {
    response.setHeader('connection', 'close')
    response.end('ok')
  })
  const asked: string[] = []
  const client = openClient(t, {
    lookup: async (hostname) => {
      asked.push(hostname)
      return asked.length === 1 ? ['127.0.0.1'] : ['169.254.169.254']
    },
  })
  const url = `https://hooks.example:${endpoint.port}/`
  assert.equal((await client.post(url, '{}', {})).status, 200)
  assert.equal((await client.post(url, '{}', {})).error, 'refused address')
  assert.deepEqual(asked, ['hooks.example', 'hooks.example'])
  assert.equal(endpoint.received.length, 1)
})

test('a connection that ends up at a refused address is given up before a byte is sent', async (t) => {
  let bytes = 0
  const server = createServer((socket) => socket.on('error', () => {}).on('data', (chunk) => (bytes += chunk.length)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const client = openClient(t, {
    allow: [],
    lookup: async () => ['8.8.8.8'],
    dial: () => connect({ host: '127.0.0.1', port }),
  })
  const outcome = await client.post('https://hooks.example/', '{}', {})
  assert.deepEqual([outcome.error, bytes], ['refused address', 0])
})

test('of several addresses one that answers is enough', async (t) => {
  const endpoint = await openEndpoint(t, certificate)
  const client = openClient(t, { lookup: async () => ['127.0.0.9', '127.0.0.1'] })
  const outcome = await client.post(`https://hooks.example:${endpoint.port}/`, '{}', {})
  assert.equal(outcome.status, 200)
})

test('a certificate must be trusted, for the name, and in its time', async (t) => {
  const other = await openEndpoint(t, await certificateFor(['other.example']))
  const expired = await openEndpoint(t, await certificateFor(['hooks.example'], -1))
  const good = await openEndpoint(t, certificate)
  const ask = async (port: number, ca: string | undefined) =>
    (await openClient(t, { ca }).post(`https://hooks.example:${port}/`, '{}', {})).error
  assert.equal(await ask(other.port, other.ca), 'TLS: certificate is for another name')
  assert.equal(await ask(expired.port, expired.ca), 'TLS: certificate has expired')
  assert.equal(await ask(good.port, other.ca), 'TLS: certificate is not trusted')
  assert.equal(await ask(good.port, undefined), 'TLS: certificate is not trusted')
  assert.equal(await ask(good.port, good.ca), null)
  assert.deepEqual([other.received.length, expired.received.length], [0, 0])
})

test('a dot at the end of a name is none of the certificate', async (t) => {
  const endpoint = await openEndpoint(t, certificate)
  const outcome = await openClient(t).post(`https://hooks.example.:${endpoint.port}/`, '{}', {})
  assert.deepEqual([outcome.status, endpoint.received[0]?.servername], [200, 'hooks.example'])
})

test('proxies of the environment are not used', async (t) => {
  const endpoint = await openEndpoint(t, certificate)
  let proxied = 0
  const proxy = createServer((socket) => {
    proxied += 1
    socket.destroy()
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  t.after(() => proxy.close())
  const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const code = `
    const { openWebhookClient } = await import(process.argv[1])
    const client = openWebhookClient({ allow: ['127.0.0.0/8'] })
    console.log((await client.post(process.argv[2], '{}', {})).status)
    client.close()`
  const args = ['--input-type=module', '-e', code, new URL('client.ts', import.meta.url).href]
  const env = { HTTPS_PROXY: address, https_proxy: address, ALL_PROXY: address, NODE_USE_ENV_PROXY: '1' }
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...args, `https://127.0.0.1:${endpoint.port}/`],
    // The way in which an installation trusts certificates of its own, seen to work along the way.
    { env: { ...env, NODE_EXTRA_CA_CERTS: await writtenCa(t) }, timeout: 30_000 },
  )
  assert.deepEqual([stdout.trim(), proxied, endpoint.received.length], ['200', 0, 1])
})

async function writtenCa(t: TestContext): Promise<string> {
  const { mkdtemp, rm, writeFile } = await import('node:fs/promises')
  const { tmpdir } = await import('node:os')
  const folder = await mkdtemp(`${tmpdir()}/webhook-ca-`)
  t.after(() => rm(folder, { recursive: true }))
  await writeFile(`${folder}/ca.pem`, certificate.cert)
  return `${folder}/ca.pem`
}

test('connections are used again, one request at a time on each', async (t) => {
  const endpoint = await openEndpoint(t, certificate)
  const client = openClient(t)
  const url = `https://hooks.example:${endpoint.port}/`
  for (let round = 0; round < 5; round += 1) await Promise.all([1, 2, 3].map(() => client.post(url, '{}', {})))
  assert.deepEqual([endpoint.received.length, endpoint.connections()], [15, 3])
  client.close()
  for (let round = 0; round < 2; round += 1) await client.post(url, '{}', {})
  assert.equal(endpoint.connections(), 5, 'a closed client keeps none, and what it had is gone')
})

test('connections that endpoints close take no place among those that are kept', async (t) => {
  const wildcard = await certificateFor(['*.hooks.example'])
  // Unpacking takes a moment, in which the connection goes.
  const answer = Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\n'), gzipSync('ok')])
  const closing = await openRawEndpoint(t, wildcard, (socket) => socket.end(answer))
  const endpoint = await openEndpoint(t, certificate)
  const client = openClient(t, { ca: `${closing.ca}\n${endpoint.ca}` })
  for (let at = 0; at <= MAX_IDLE; at += 1) {
    const outcome = await client.post(`https://a${at}.hooks.example:${closing.port}/`, '{}', {})
    assert.equal(outcome.status, 200)
  }
  for (let round = 0; round < 3; round += 1) await client.post(`https://hooks.example:${endpoint.port}/`, '{}', {})
  assert.equal(endpoint.connections(), 1)
})

test('no more than a few idle connections are kept for one origin', async (t) => {
  const waiting: (() => void)[] = []
  const endpoint = await openEndpoint(t, certificate, (response) => {
    waiting.push(() => response.end('ok'))
    if (waiting.length === 20) for (const answer of waiting) answer()
  })
  const client = openClient(t)
  const url = `https://hooks.example:${endpoint.port}/`
  await Promise.all(Array.from({ length: 20 }, () => client.post(url, '{}', {})))
  assert.equal(endpoint.connections(), 20)
  while (endpoint.open() > 8) await new Promise(setImmediate)
  assert.equal(endpoint.open(), 8)
})

test('a kept connection that the endpoint closes in the same moment costs no failure', async (t) => {
  let requests = 0
  const endpoint = await openRawEndpoint(t, certificate, (socket) => {
    requests += 1
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')
    // The next request on this connection is not answered but cut off.
    socket.once('data', () => socket.destroy())
  })
  const client = openClient(t)
  const url = `https://hooks.example:${endpoint.port}/`
  assert.equal((await client.post(url, '{}', {})).status, 200)
  assert.equal((await client.post(url, '{}', {})).status, 200)
  assert.deepEqual([requests, endpoint.connections()], [2, 2])
})

test('what comes along with an answer, and is none of it, costs the connection and answers nothing', async (t) => {
  const answer = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'
  const endpoint = await openRawEndpoint(t, certificate, (socket) => {
    socket.write(`${answer}${answer.replace('ok', 'no')}`)
  })
  const client = openClient(t)
  const url = `https://hooks.example:${endpoint.port}/`
  for (let at = 0; at < 3; at += 1) assert.equal((await client.post(url, '{}', {})).body, 'ok')
  assert.equal(endpoint.connections(), 3)
})

test('a new connection that is closed without an answer is a failure, and is not tried again', async (t) => {
  const endpoint = await openRawEndpoint(t, certificate, (socket) => socket.destroy())
  const outcome = await openClient(t).post(`https://hooks.example:${endpoint.port}/`, '{}', {})
  assert.deepEqual([outcome.status, outcome.error], [null, 'connection closed before an answer'])
  assert.equal(endpoint.connections(), 1)
})

test('reasons are told by their class, never with an address', async (t) => {
  const gone = createServer()
  gone.listen(0, '127.0.0.1')
  await once(gone, 'listening')
  const { port } = gone.address() as AddressInfo
  gone.close()
  await once(gone, 'close')
  const failing = (code: string) => async (): Promise<string[]> => {
    throw Object.assign(new Error('getaddrinfo 10.0.0.1'), { code })
  }
  const ask = async (url: string, options: Partial<WebhookClientOptions> = {}) =>
    (await openClient(t, options).post(url, '{}', {})).error
  const url = `https://hooks.example:${port}/`
  assert.equal(await ask(url), 'connection refused')
  assert.equal(await ask(url, { lookup: async () => ['127.0.0.1', '127.0.0.2'] }), 'connection refused')
  assert.equal(await ask(url, { lookup: failing('ENOTFOUND') }), 'name not found')
  assert.equal(await ask(url, { lookup: async () => [] }), 'name not found')
  assert.equal(await ask(url, { lookup: failing('EAI_AGAIN') }), 'name look-up failed')
  assert.equal(await ask(url, { lookup: failing('EWHATEVER') }), 'request failed')
})

test('nothing but https without credentials is called, and a post never throws', async (t) => {
  const client = openClient(t, { lookup: () => assert.fail('nobody is asked') })
  for (const url of [
    'http://127.0.0.1/',
    'ftp://x/',
    'https://a:b@hooks.example/',
    'https://a@hooks.example/',
    'x',
    '',
  ]) {
    const outcome = await client.post(url, '{}', {})
    assert.deepEqual([outcome.status, outcome.error], [null, 'refused address'], url)
  }
  const outcome = await openClient(t).post('https://hooks.example/', '{}', { 'bad name': 'x\r\ny: z' })
  assert.deepEqual([outcome.status, outcome.error], [null, 'request failed'])
})
