// What a server that stops still waits for: requests, but no idle connections.
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

const SWEEP_MS = 50

/**
 * After close(), idle connections are ended repeatedly: one whose request ends later would otherwise stay as
 * long as its client likes. Browsers also open connections in advance; Node does not count those as idle,
 * since they never had a request.
 */
export function endConnectionsAtClose(app: FastifyInstance): void {
  const sockets = new Set<Socket>()
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
    if (!app.server.listening) clearInterval(sweep)
    done()
  })
}
