// A way to the service that can be shut: while it is, connections are refused at the same port, as of a
// service that has stopped.
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import type { Ending } from './server.ts'

export interface Gate {
  readonly url: string
  /** Resolves once nothing answers any more; what was under way breaks off. */
  shut(): Promise<void>
  open(): Promise<void>
}

export async function openGate(t: Ending, service: string): Promise<Gate> {
  const { hostname, port: target } = new URL(service)
  const sockets = new Set<Socket>()
  const keep = (socket: Socket): void => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
  }
  const server = createServer((near) => {
    const far = connect(Number(target), hostname)
    for (const socket of [near, far]) keep(socket)
    near.pipe(far).pipe(near)
    near.on('close', () => far.destroy())
    far.on('close', () => near.destroy())
  })
  let port = 0
  const open = async (): Promise<void> => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  const shut = async (): Promise<void> => {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    for (const socket of sockets) socket.destroy()
    await closed
  }
  await open()
  port = (server.address() as AddressInfo).port
  t.after(shut)
  return { url: `http://127.0.0.1:${port}`, open, shut }
}
