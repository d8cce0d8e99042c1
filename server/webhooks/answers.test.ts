// Endpoints that answer badly, slowly, endlessly or not at all: the outcome is told by the deadline, and the
// connection is gone.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { test, type TestContext } from 'node:test'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import {
  allGone,
  certificateFor,
  openEndpoint,
  openRawEndpoint,
  trickle,
  type Endpoint,
} from '../../test/support/endpoint.ts'
import { KEPT_ANSWER_BYTES } from './answer.ts'
import { openWebhookClient, type Outcome } from './client.ts'

const certificate = await certificateFor(['hooks.example'])
/** The deadline of the cases that run into it. */
const SOON_MS = 400
const AMPLE_MS = 30_000

function postTo(t: TestContext, { port }: Pick<Endpoint, 'port'>, deadlineMs = AMPLE_MS): Promise<Outcome> {
  const options = { allow: ['127.0.0.0/8'], ca: certificate.cert, lookup: async () => ['127.0.0.1'] }
  const client = openWebhookClient({ ...options, deadlineMs })
  t.after(() => client.close())
  return client.post(`https://hooks.example:${port}/`, '{"a":1}', {})
}

/** What comes of an answer given as the bytes on the wire, after which the server ends. */
async function outcomeOf(t: TestContext, wire: string | Buffer): Promise<Outcome> {
  const endpoint = await openRawEndpoint(t, certificate, (socket) => socket.end(wire))
  return postTo(t, endpoint)
}

test('2xx is delivered and nothing else is', async (t) => {
  for (const status of [200, 201, 202, 204, 206, 299])
    assert.equal((await outcomeOf(t, `HTTP/1.1 ${status} X\r\ncontent-length: 0\r\n\r\n`)).error, null, `${status}`)
  for (const status of [400, 401, 404, 410, 429, 500, 503, 599]) {
    const outcome = await outcomeOf(t, `HTTP/1.1 ${status} X\r\ncontent-length: 2\r\n\r\nno`)
    assert.deepEqual([outcome.status, outcome.error, outcome.body], [status, `status ${status}`, 'no'])
  }
})

test('a redirect is a failure, and is not followed', async (t) => {
  const target = await openEndpoint(t, certificate)
  for (const status of [301, 302, 303, 307, 308]) {
    const location = `location: https://hooks.example:${target.port}/\r\n`
    const outcome = await outcomeOf(t, `HTTP/1.1 ${status} X\r\n${location}content-length: 0\r\n\r\n`)
    assert.deepEqual([outcome.status, outcome.error], [status, `redirect ${status}`])
  }
  assert.equal(target.connections(), 0)
})

test('old and odd but valid answers are understood', async (t) => {
  const answers: Readonly<Record<string, string>> = {
    'HTTP/1.0, until the connection ends': 'HTTP/1.0 200 OK\r\n\r\nold',
    'until the connection ends': 'HTTP/1.1 200 OK\r\n\r\nold',
    'after early hints': 'HTTP/1.1 103 Early Hints\r\nlink: <x>\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nold',
    'after 102': 'HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nold',
    chunked: 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nold\r\n0\r\n\r\n',
  }
  for (const [name, wire] of Object.entries(answers)) {
    const outcome = await outcomeOf(t, wire)
    assert.deepEqual([outcome.status, outcome.error, outcome.body], [200, null, 'old'], name)
  }
})

test('an answer that comes before the body was read counts', async (t) => {
  const endpoint = await openEndpointThatDoesNotRead(t)
  const options = { allow: ['127.0.0.0/8'], ca: certificate.cert, lookup: async () => ['127.0.0.1'] }
  const client = openWebhookClient(options)
  t.after(() => client.close())
  const outcome = await client.post(`https://hooks.example:${endpoint.port}/`, 'x'.repeat(500_000), {})
  assert.equal(outcome.status, 202)
})

function openEndpointThatDoesNotRead(t: TestContext): Promise<Endpoint> {
  return openRawEndpoint(t, certificate, (socket) => {
    socket.pause()
    socket.write('HTTP/1.1 202 Accepted\r\ncontent-length: 0\r\n\r\n')
  })
}

test('what is no HTTP answer is a failure with its reason', async (t) => {
  const answers: Readonly<Record<string, string>> = {
    'SSH-2.0-OpenSSH_9.9\r\n': 'answer is not HTTP',
    'HTTP/1.1 abc\r\n\r\n': 'answer is not HTTP',
    'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nx': 'answer is not HTTP',
    'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\n': '100 Continue, which was not asked for',
    'HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n': 'connection closed before an answer',
    '': 'connection closed before an answer',
    'HTTP/1.1 200 OK\r\nx: ': 'connection closed before an answer',
  }
  for (const [wire, reason] of Object.entries(answers)) {
    const outcome = await outcomeOf(t, wire)
    assert.deepEqual([outcome.status, outcome.error], [null, reason], JSON.stringify(wire))
  }
})

test('interim answers without end are over at the deadline', async (t) => {
  const endpoint = await openRawEndpoint(t, certificate, (socket) => trickle(socket, 'HTTP/1.1 102 Processing\r\n\r\n'))
  assert.equal((await postTo(t, endpoint, SOON_MS)).error, 'timeout')
  await allGone(endpoint)
})

test('an endpoint that says nothing is over at the deadline', async (t) => {
  const endpoint = await openRawEndpoint(t, certificate, () => {})
  const outcome = await postTo(t, endpoint, SOON_MS)
  assert.deepEqual([outcome.status, outcome.error], [null, 'timeout'])
  await allGone(endpoint)
})

test('a handshake that never ends is over at the deadline', async (t) => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    socket.resume()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  assert.equal((await postTo(t, { port }, SOON_MS)).error, 'timeout')
  await allGone({ open: () => sockets.size })
})

test('a look-up that never ends is over at the deadline', async (t) => {
  const client = openWebhookClient({ allow: [], lookup: () => new Promise(() => {}), deadlineMs: SOON_MS })
  t.after(() => client.close())
  assert.equal((await client.post('https://hooks.example/', '{}', {})).error, 'timeout')
})

test('a server that speaks no TLS is told as such', async (t) => {
  const server = createServer((socket) => socket.on('error', () => {}).end('HTTP/1.1 200 OK\r\n\r\n'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  assert.equal((await postTo(t, { port })).error, 'TLS: handshake failed')
})

test('a body of a byte at a time is cut off at the deadline; the status was told in time and counts', async (t) => {
  for (const status of [200, 500]) {
    const endpoint = await openRawEndpoint(t, certificate, (socket) => {
      socket.write(`HTTP/1.1 ${status} X\r\ncontent-length: 100000\r\n\r\nbegin`)
      trickle(socket, '.')
    })
    const outcome = await postTo(t, endpoint, SOON_MS)
    assert.deepEqual([outcome.status, outcome.error], [status, status === 200 ? null : 'status 500'])
    assert.ok(outcome.body.startsWith('begin'))
    await allGone(endpoint)
  }
})

const withBody = (encoding: string, body: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(`HTTP/1.1 200 OK\r\ncontent-encoding: ${encoding}\r\ncontent-length: ${body.length}\r\n\r\n`),
    body,
  ])

test('compressed answers are unpacked though none was asked for', async (t) => {
  const text = Buffer.from('packed, with ümlaut')
  const packed = {
    gzip: gzipSync(text),
    'x-gzip': gzipSync(text),
    deflate: deflateSync(text),
  }
  for (const [encoding, body] of Object.entries(packed))
    assert.equal((await outcomeOf(t, withBody(encoding, body))).body, 'packed, with ümlaut', encoding)
  assert.equal((await outcomeOf(t, withBody('GZIP ', gzipSync(text)))).body, 'packed, with ümlaut')
  assert.equal((await outcomeOf(t, withBody('rot13', text))).body, 'packed, with ümlaut')
})

test('a bomb is unpacked no further than what is kept, and a broken one harms nobody', async (t) => {
  const bomb = gzipSync(Buffer.alloc(50_000_000, 'b'))
  const before = process.memoryUsage().arrayBuffers
  const outcome = await outcomeOf(t, withBody('gzip', bomb))
  assert.deepEqual([outcome.status, outcome.error, outcome.body], [200, null, 'b'.repeat(KEPT_ANSWER_BYTES)])
  assert.ok(process.memoryUsage().arrayBuffers - before < 10_000_000, 'the whole was unpacked')
  for (const encoding of ['gzip', 'deflate']) {
    const broken = await outcomeOf(t, withBody(encoding, Buffer.from('not packed at all')))
    assert.deepEqual([broken.status, broken.error, broken.body], [200, null, ''], encoding)
  }
  const text = Array.from({ length: 2000 }, (_, at) => `${at * 7919} `).join('')
  for (const [encoding, packed] of Object.entries({ gzip: gzipSync(text), deflate: deflateSync(text) })) {
    const { error, body } = await outcomeOf(t, withBody(encoding, packed.subarray(0, packed.length / 2)))
    assert.deepEqual([error, body.slice(0, 20)], [null, '0 7919 15838 23757 3'], encoding)
  }
})

test("what would take a window of its sender's choice is not unpacked, and the run log says so", async (t) => {
  const packed = brotliCompressSync(Buffer.alloc(1_000_000, 'b'))
  for (const encoding of ['br', 'BR ', 'zstd']) {
    const outcome = await outcomeOf(t, withBody(encoding, packed))
    const text = `(${packed.length} bytes packed with ${encoding.trim().toLowerCase()}, not unpacked here)`
    assert.deepEqual([outcome.status, outcome.error, outcome.body], [200, null, text])
  }
})

test('what is kept is text that any store takes', async (t) => {
  const euro = '€'.repeat(KEPT_ANSWER_BYTES)
  const cut = await outcomeOf(
    t,
    `HTTP/1.1 200 OK\r\nx-a: 1\r\nX-A: 2\r\ncontent-length: ${Buffer.byteLength(euro)}\r\n\r\n${euro}`,
  )
  assert.equal(cut.body, '€'.repeat(Math.floor(KEPT_ANSWER_BYTES / 3)))
  assert.equal(cut.headers['x-a'], '1, 2')
  const odd = await outcomeOf(t, Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\na\0\xffb', 'latin1'))
  assert.equal(odd.body, 'a\uFFFD\uFFFDb')
  const long = await outcomeOf(t, `HTTP/1.1 200 OK\r\nx-long: ${'h'.repeat(9000)}\r\ncontent-length: 0\r\n\r\n`)
  assert.equal(long.headers['x-long']?.length, 1024)
  const names = '__proto__: a\r\n__proto__: b\r\nconstructor: c\r\ntoString: d\r\n'
  const strange = await outcomeOf(t, `HTTP/1.1 200 OK\r\n${names}content-length: 2\r\n\r\nok`)
  assert.deepEqual([strange.status, strange.error, strange.body], [200, null, 'ok'])
  for (const value of Object.values(strange.headers)) assert.equal(typeof value, 'string')
  assert.equal(Object.getPrototypeOf(strange.headers), Object.prototype)
})
