// What a server that stops still waits for: requests, and never connections that nobody is asking anything over.
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

const SWEEP_MS = 50

/**
 * From the close on, connections without a request are ended, again and again: one whose request ends after the close would stay for as long as
 * its client likes. Browsers also open connections ahead of need; Node does not count those as idle, for no request ever came over them.
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
