// A connection as a hostile client uses it: many requests sent ahead, and answers that nobody takes.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { test, type TestContext } from 'node:test'
import { startFootfall } from '../../test/support/server.ts'
import { untilEqual } from '../../test/support/until.ts'
import { openServer } from './connections.ts'

/** Connections that ask without end, and those that come to them. */
const [OLD, FRESH] = [100, 200]

const requestFor = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`

async function listen(t: TestContext, server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

function open(t: TestContext, port: number): Socket {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined) // the other end may hang up in the middle of a line
  t.after(() => socket.destroy())
  return socket
}

/** However it ends: a reset is a close, too, where `once` of node:events would throw what the reset says. */
const closed = (socket: Socket): Promise<void> => new Promise((resolve) => void socket.once('close', () => resolve()))

test('requests that are sent ahead are answered one at a time and in their order', async (t) => {
  let [under, most] = [0, 0]
  const server = openServer((request, response) => {
    most = Math.max(most, ++under)
    setImmediate(() => {
      under--
      response.end(`${request.url};`)
    })
  })
  const socket = open(t, await listen(t, server))
  let text = ''
  socket.on('data', (bytes: Buffer) => (text += bytes.toString()))
  const paths = ['/1', '/2', '/3', '/4', '/5']
  socket.write(paths.map(requestFor).join(''))
  await untilEqual(() => text.includes('/5;'), true)
  socket.write(requestFor('/6'))
  await untilEqual(() => text.includes('/6;'), true)
  assert.deepEqual(text.match(/\/\d;/g), ['/1;', '/2;', '/3;', '/4;', '/5;', '/6;'])
  assert.equal(most, 1)
})

test('a connection with more requests ahead than anybody needs is closed, and none of them is begun', async (t) => {
  let begun = 0
  const server = openServer(() => begun++)
  const socket = open(t, await listen(t, server))
  socket.write(requestFor('/').repeat(60))
  await closed(socket)
  assert.equal(begun, 1)
})

/** More than the buffers of the system take. */
const LARGE = Buffer.alloc(64 * 1024 * 1024)

test('an answer that nobody takes is given up, with all that was sent ahead', async (t) => {
  let begun = 0
  const server = openServer(
    (_request, response) => {
      begun++
      response.end(LARGE)
    },
    { lookMs: 100 },
  )
  const socket = open(t, await listen(t, server))
  socket.pause()
  socket.write(requestFor('/').repeat(3))
  const [at] = (await once(server, 'connection')) as [Socket]
  // A byte now and then keeps nothing open.
  const sender = setInterval(() => socket.write('\r\n'), 10)
  t.after(() => clearInterval(sender))
  await closed(at)
  assert.equal(begun, 1)
})

test('a connection over which nobody asks anything is closed, whatever else it sends', async (t) => {
  const server = openServer((_request, response) => void response.end('made'), { lookMs: 20, keepAliveMs: 100 })
  const port = await listen(t, server)
  const [silent, talking] = [open(t, port), open(t, port)]
  talking.write(requestFor('/'))
  talking.resume()
  const sender = setInterval(() => talking.write('\r\n'), 10)
  t.after(() => clearInterval(sender))
  await Promise.all([closed(silent.resume()), closed(talking)])
})

test('a connection over which nobody asks anything may end with a reset', async (t) => {
  const server = openServer((_request, response) => void response.end('made'), { lookMs: 20, keepAliveMs: 100 })
  const [socket, [at]] = await Promise.all([
    listen(t, server).then((port) => open(t, port)),
    once(server, 'connection') as Promise<[Socket]>,
  ])
  at.resetAndDestroy()
  await closed(socket.resume())
})

test('every answer says that a connection without a request is kept for a minute', async (t) => {
  const socket = open(
    t,
    await listen(
      t,
      openServer((_request, response) => void response.end('made')),
    ),
  )
  let text = ''
  socket.on('data', (piece: Buffer) => (text += piece.toString()))
  socket.write(requestFor('/'))
  await untilEqual(() => text.endsWith('made'), true)
  assert.match(text, /^Keep-Alive: timeout=60\r$/im)
})

test('a request with an expectation that is not known waits in the line like any other', async (t) => {
  const server = openServer((request, response) => {
    setImmediate(() => response.end(`${request.url};`))
  })
  const socket = open(t, await listen(t, server))
  let text = ''
  socket.on('data', (piece: Buffer) => (text += piece.toString()))
  socket.write(requestFor('/1') + requestFor('/2').replace('Host', 'Expect: tea\r\nHost') + requestFor('/3'))
  await untilEqual(() => text.includes('/3;'), true)
  assert.deepEqual(text.match(/\/\d;/g), ['/1;', '/2;', '/3;'])
})

test('an answer that is taken slowly comes whole', async (t) => {
  const server = openServer((_request, response) => void response.end(LARGE), { lookMs: 1_000 })
  const socket = open(t, await listen(t, server))
  let bytes = 0
  socket.on('data', (piece: Buffer) => {
    bytes += piece.length
    socket.pause()
    setTimeout(() => socket.resume(), 2)
  })
  socket.write(requestFor('/'))
  const [at] = (await once(server, 'connection')) as [Socket]
  await Promise.race([untilEqual(() => bytes > LARGE.length, true), closed(at)])
  assert.ok(bytes > LARGE.length, `${bytes} bytes`)
})

test('an answer that takes long to make is waited for', async (t) => {
  const lookMs = 20
  const server = openServer(
    (_request, response) => {
      setTimeout(() => response.end('made'), 10 * lookMs)
    },
    { lookMs },
  )
  const socket = open(t, await listen(t, server))
  let text = ''
  socket.on('data', (piece: Buffer) => (text += piece.toString()))
  socket.write(requestFor('/'))
  await untilEqual(() => text.endsWith('made'), true)
})

test('a hundred requests for the documentation on one connection are not answered side by side', async (t) => {
  const footfall = await startFootfall(t)
  const socket = open(t, Number(new URL(footfall.url).port))
  let text = ''
  socket.on('data', (piece: Buffer) => (text += piece.toString('latin1')))
  socket.write(requestFor('/openapi.json').repeat(100))
  await closed(socket)
  assert.ok((text.match(/HTTP\/1\.1 200 /g) ?? []).length <= 1)
  assert.equal((await footfall.call('GET', '/docs')).status, 200)
})

test('who connects is let in before the open connections have had many more turns, however busy they are', async (t) => {
  const busyMs = 0.5
  const server = openServer((_request, response) => {
    const endMs = performance.now() + busyMs
    while (performance.now() < endMs);
    // As work does that ends behind a write of many: the client's next request is in the next turn of the
    // event loop.
    setImmediate(() => response.end('done;'))
  })
  const port = await listen(t, server)
  const count = { old: 0, fresh: 0 }
  const ask = (socket: Socket, kind: keyof typeof count): void => {
    socket.on('data', () => {
      count[kind]++
      if (!socket.destroyed) socket.write(requestFor('/'))
    })
    socket.write(requestFor('/'))
  }
  for (let n = 0; n < OLD; n++) ask(open(t, port), 'old')
  await untilEqual(() => count.old > 3 * OLD, true)
  const before = count.old
  const fresh = new Set<Socket>()
  for (let n = 0; n < FRESH; n++) {
    const socket = open(t, port)
    socket.once('data', () => fresh.add(socket))
    ask(socket, 'fresh')
  }
  await untilEqual(() => fresh.size, FRESH)
  const turns = (count.old - before) / OLD
  assert.ok(turns < FRESH / 4, `${turns} turns for ${FRESH} connections`)
})
