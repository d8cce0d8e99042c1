// Endpoints for webhooks on loopback, with certificates of their own: well-behaved ones over HTTPS, and raw
// ones that answer as they please.
import { once } from 'node:events'
import { createServer as createHttpsServer, type Server } from 'node:https'
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer as createTlsServer, type TLSSocket } from 'node:tls'
import { generate } from 'selfsigned'
import type { Ending } from './server.ts'

export interface Certificate {
  readonly key: string
  readonly cert: string
}

/** Self-signed, so that trusting it is trusting that one certificate. */
export async function certificateFor(names: readonly string[], days = 2): Promise<Certificate> {
  const altNames = names.map((name) =>
    /^[\d.]+$/.test(name) ? ({ type: 7, ip: name } as const) : ({ type: 2, value: name } as const),
  )
  const now = Date.now()
  const pem = await generate([{ name: 'commonName', value: names[0] ?? 'localhost' }], {
    keyType: 'ec',
    notBeforeDate: new Date(now - 10 * 86_400_000),
    notAfterDate: new Date(now + days * 86_400_000),
    extensions: [{ name: 'subjectAltName', altNames }],
  })
  return { key: pem.private, cert: pem.cert }
}

export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
  /** The name the TLS handshake asked for. */
  readonly servername: string | false
}

export interface Endpoint {
  readonly port: number
  readonly ca: string
  readonly received: Received[]
  /** TCP connections so far. */
  connections(): number
  /** TCP connections that are open now. */
  open(): number
}

type AnyServer = Server | ReturnType<typeof createTlsServer> | ReturnType<typeof createHttpServer>

function counted(server: AnyServer): Pick<Endpoint, 'connections' | 'open'> {
  let connections = 0
  let open = 0
  server.on('connection', (socket) => {
    connections += 1
    open += 1
    socket.on('close', () => {
      open -= 1
    })
    socket.on('error', () => {})
  })
  return { connections: () => connections, open: () => open }
}

async function listening(server: AnyServer): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

function receivedFrom(request: IncomingMessage, body: Buffer): Received {
  const { servername = false } = request.socket as Partial<TLSSocket> & { servername?: string | false }
  const { method = '', url: path = '', headers } = request
  return { method, path, headers, body: body.toString(), servername }
}

type Answer = (response: ServerResponse, received: Received, request: IncomingMessage) => void
const ok: Answer = (response) => void response.end('ok')

const noting = (received: Received[], answer: Answer) => (request: IncomingMessage, response: ServerResponse) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const one = receivedFrom(request, Buffer.concat(chunks))
    received.push(one)
    answer(response, one, request)
  })
}

/** The same without TLS. */
export async function openPlainEndpoint(t: Ending, answer = ok): Promise<Omit<Endpoint, 'ca'>> {
  const received: Received[] = []
  const server = createHttpServer(noting(received, answer))
  const counts = counted(server)
  const port = await listening(server)
  t.after(async () => {
    server.closeAllConnections()
    server.close()
  })
  return { port, received, ...counts }
}

/** An HTTPS server that notes what it gets and answers as told. */
export async function openEndpoint(t: Ending, certificate: Certificate, answer = ok): Promise<Endpoint> {
  const received: Received[] = []
  const server = createHttpsServer(certificate, noting(received, answer))
  const counts = counted(server)
  const port = await listening(server)
  t.after(async () => {
    server.closeAllConnections()
    server.close()
  })
  return { port, ca: certificate.cert, received, ...counts }
}

/**
 * A TLS server that leaves everything after the handshake to `speak`, which is called when the first bytes
 * have come.
 */
export async function openRawEndpoint(
  t: Ending,
  certificate: Certificate,
  speak: (socket: TLSSocket) => void,
): Promise<Endpoint> {
  const sockets = new Set<TLSSocket>()
  const server = createTlsServer(certificate, (socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('data', () => speak(socket))
  })
  const counts = counted(server)
  const port = await listening(server)
  t.after(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { port, ca: certificate.cert, received: [], ...counts }
}

/** Returns when the endpoint has seen the last connection go. */
export async function allGone(endpoint: Pick<Endpoint, 'open'>): Promise<void> {
  while (endpoint.open() > 0) await new Promise((resolve) => setTimeout(resolve, 5))
}

/** Writes the same again and again, as fast as it is taken. */
export function flood(socket: TLSSocket, piece: string): void {
  const more = (): void => {
    while (!socket.destroyed) if (!socket.write(piece)) return
  }
  socket.on('drain', more)
  more()
}

/** Writes a piece every few milliseconds. */
export function trickle(socket: TLSSocket, piece: string): void {
  const timer = setInterval(() => socket.write(piece), 20)
  socket.on('close', () => clearInterval(timer))
}
