// How a server that stops lets go of its connections, so that no request is lost on one that just ended.
import { Server, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Stopping } from '../kernel/stopping.ts'

const SWEEP_MS = 50
/**
 * How long an idle connection stays open after the listener has closed. A proxy may be sending a request on
 * it at that moment, and would not repeat one that could have been executed.
 */
const IDLE_MS = 1_500
/** Turns of the event loop without a new connection: then none waits to be accepted. */
const QUIET_TURNS = 5
/** Under a rush of new connections the listener closes all the same. */
const MOST_ACCEPTING_MS = 200

/** The open connections of each server. */
const socketsOf = new WeakMap<Server, Set<Socket>>()

/**
 * After close(), idle connections are ended repeatedly: one whose request ends later would otherwise stay as
 * long as its client likes. Browsers also open connections in advance; Node does not count those as idle,
 * since they never had a request.
 */
export function endConnectionsAtClose(app: FastifyInstance): void {
  const sockets = new Set<Socket>()
  socketsOf.set(app.server, sockets)
  app.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  app.addHook('preClose', (done) => {
    const sweep = setInterval(() => {
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
      app.server.closeIdleConnections()
    }, SWEEP_MS)
    app.server.once('close', () => clearInterval(sweep))
    if (!app.server.listening && sockets.size === 0) clearInterval(sweep)
    done()
  })
}

/** Connections that wait to be accepted are reset when the listener closes, with the requests on them. */
async function acceptWaiting(server: Server): Promise<void> {
  let quietTurns = 0
  const noteNew = (): void => void (quietTurns = 0)
  server.on('connection', noteNew)
  for (const endMs = performance.now() + MOST_ACCEPTING_MS; quietTurns < QUIET_TURNS && performance.now() < endMs;) {
    quietTurns++
    await new Promise(setImmediate)
  }
  server.off('connection', noteNew)
}

/**
 * Takes no new connections, and keeps the others until they had an answer that says it was their last, or
 * were idle for long enough. To be called before close().
 */
export async function drain(app: FastifyInstance, stopping: Stopping): Promise<void> {
  const { server } = app
  stopping.drain()
  if (!server.listening) return
  await acceptWaiting(server)
  // That of net alone: the one of http also ends connections that are idle now.
  Server.prototype.close.call(server)
  const sockets = socketsOf.get(server) ?? new Set()
  for (const endMs = performance.now() + IDLE_MS; sockets.size > 0 && performance.now() < endMs;)
    await new Promise((resolve) => setTimeout(resolve, SWEEP_MS))
}

/** Of those that have not ended by themselves. */
export function endConnections(app: FastifyInstance): void {
  for (const socket of socketsOf.get(app.server) ?? []) socket.destroy()
}
