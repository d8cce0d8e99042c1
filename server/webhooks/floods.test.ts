// Endpoints that send without end, in every place where bytes can be: a bounded part is taken, and the
// connection is gone.
import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { after, test, type TestContext } from 'node:test'
import {
  allGone,
  certificateFor,
  flood,
  openEndpoint,
  openRawEndpoint,
  trickle,
  type Endpoint,
} from '../../test/support/endpoint.ts'
import { KEPT_ANSWER_BYTES, MAX_ANSWER_BYTES } from './answer.ts'
import { openWebhookClient, type Outcome } from './client.ts'
import { MAX_WIRE_BYTES } from './pool.ts'

const certificate = await certificateFor(['hooks.example'])
/** The deadline of the cases that run into it. */
const SOON_MS = 400
const AMPLE_MS = 30_000
/**
 * Of this process. What these have read is less than what endpoints write, since Linux lets the buffers
 * between them grow to some MiB, or some 30.
 */
const clients: Socket[] = []
const note = (message: unknown): void => void clients.push((message as { socket: Socket }).socket)
subscribe('net.client.socket', note)
after(() => void unsubscribe('net.client.socket', note))
/** The last read before the bound may be a long one. */
const MOST_TAKEN_BYTES = 8 * MAX_WIRE_BYTES

/** By the request before. */
function assertTakenInBounds(): void {
  const bytes = clients.at(-1)?.bytesRead ?? 0
  assert.ok(bytes > 0 && bytes < MOST_TAKEN_BYTES, `${bytes} bytes were taken`)
}

function postTo(t: TestContext, { port }: Pick<Endpoint, 'port'>, deadlineMs = AMPLE_MS): Promise<Outcome> {
  const options = { allow: ['127.0.0.0/8'], ca: certificate.cert, lookup: async () => ['127.0.0.1'] }
  const client = openWebhookClient({ ...options, deadlineMs })
  t.after(() => client.close())
  return client.post(`https://hooks.example:${port}/`, '{"a":1}', {})
}

test('endless or huge headers are cut off', async (t) => {
  const endless = await openRawEndpoint(t, certificate, (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n')
    flood(socket, `x-header: ${'y'.repeat(1000)}\r\n`)
  })
  assert.equal((await postTo(t, endless)).error, 'answer has too many headers')
  await allGone(endless)
  assertTakenInBounds()
  const slow = await openRawEndpoint(t, certificate, (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n')
    trickle(socket, 'x-header: y\r\n')
  })
  assert.equal((await postTo(t, slow, SOON_MS)).error, 'timeout')
  await allGone(slow)
})

test('what is neither head nor body is cut off too, however fast it comes', async (t) => {
  const chunked = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'
  const cases = [
    { begin: '', piece: 'HTTP/1.1 103 Early Hints\r\nlink: <x>\r\n\r\n'.repeat(100), status: null },
    { begin: `${chunked}1;`, piece: 'e'.repeat(16_384), status: 200 },
    { begin: chunked, piece: `1;${'e'.repeat(16_000)}\r\nx\r\n`, status: 200 },
  ]
  for (const { begin, piece, status } of cases) {
    const endpoint = await openRawEndpoint(t, certificate, (socket) => {
      socket.write(begin)
      flood(socket, piece)
    })
    const outcome = await postTo(t, endpoint)
    assert.deepEqual([outcome.status, outcome.error], [status, status === null ? 'answer is too long' : null])
    await allGone(endpoint)
    assertTakenInBounds()
  }
})

test('what one request may be answered with is counted anew for the next on the same connection', async (t) => {
  const answer = 'x'.repeat(MAX_ANSWER_BYTES)
  const endpoint = await openEndpoint(t, certificate, (response) => response.end(answer))
  const options = { allow: ['127.0.0.0/8'], ca: certificate.cert, lookup: async () => ['127.0.0.1'] }
  const client = openWebhookClient(options)
  t.after(() => client.close())
  for (let at = 0; at * MAX_ANSWER_BYTES < 3 * MAX_WIRE_BYTES; at += 1)
    assert.equal(
      (await client.post(`https://hooks.example:${endpoint.port}/`, '{}', {})).body.length,
      KEPT_ANSWER_BYTES,
    )
  assert.equal(endpoint.connections(), 1)
})

test('of an endless body a bounded part is taken, and the connection is ended', async (t) => {
  const endpoint = await openRawEndpoint(t, certificate, (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n')
    flood(socket, 'z'.repeat(16_384))
  })
  const outcome = await postTo(t, endpoint)
  assert.deepEqual([outcome.status, outcome.error, outcome.body], [200, null, 'z'.repeat(KEPT_ANSWER_BYTES)])
  await allGone(endpoint)
  assertTakenInBounds()
})

test('chunks and trailers without end are cut off too', async (t) => {
  const head = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'
  for (const piece of ['1\r\nx\r\n', `1;${'e'.repeat(500)}\r\nx\r\n`]) {
    const endpoint = await openRawEndpoint(t, certificate, (socket) => {
      socket.write(head)
      flood(socket, piece)
    })
    assert.equal((await postTo(t, endpoint, 4000)).status, 200)
    await allGone(endpoint)
  }
  const trailers = await openRawEndpoint(t, certificate, (socket) => {
    socket.write(`${head}2\r\nok\r\n0\r\n`)
    flood(socket, `t: ${'v'.repeat(500)}\r\n`)
  })
  const outcome = await postTo(t, trailers)
  assert.deepEqual([outcome.status, outcome.error, outcome.body], [200, null, 'ok'])
  await allGone(trailers)
})
