// What one connection may keep busy: one request at a time, and an answer only for as long as somebody takes it.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** A body of a megabyte over a slow line takes seconds; a client that needs longer is holding the socket. */
const REQUEST_TIMEOUT_MS = 30_000
/** Longer than the idle time of the usual load balancers, so that it is never the server that hangs up first. Nothing is kept for such a connection. */
const KEEP_ALIVE_MS = 72_000
/** Node looks twice at an answer that is taken slowly: after a minute without a byte taken it is over. */
const STALL_MS = 30_000
/**
 * Requests that were sent ahead and wait behind the one that is being answered. Browsers and proxies send none; each costs a few kilobytes
 * before anything has been counted or refused.
 */
const MOST_AHEAD = 4

type Handle = (request: IncomingMessage, response: ServerResponse) => void

/** The requests of a connection, in their order. */
interface Line {
  isBusy: boolean
  readonly ahead: (() => void)[]
}

function openLines() {
  const lines = new WeakMap<Socket, Line>()
  return (socket: Socket): Line => {
    const known = lines.get(socket)
    if (known) return known
    const line: Line = { isBusy: false, ahead: [] }
    lines.set(socket, line)
    return line
  }
}

/** Node hands over all requests that have arrived; here each begins when the answer before it has gone out. */
function oneAtATime(lineOf: (socket: Socket) => Line, handle: Handle): Handle {
  const begin = (line: Line, request: IncomingMessage, response: ServerResponse): void => {
    line.isBusy = true
    response.once('close', () => {
      line.isBusy = false
      const next = line.ahead.shift()
      if (!request.socket.destroyed) next?.()
    })
    handle(request, response)
  }
  return (request, response) => {
    const line = lineOf(request.socket)
    if (!line.isBusy) begin(line, request, response)
    else if (line.ahead.length < MOST_AHEAD) line.ahead.push(() => begin(line, request, response))
    else request.socket.destroy()
  }
}

/** @param stallMs without a byte taken, twice; shorter in tests. */
export function openServer(handle: Handle, stallMs = STALL_MS): Server {
  const lineOf = openLines()
  const server = createServer(oneAtATime(lineOf, handle))
  server.requestTimeout = REQUEST_TIMEOUT_MS
  server.keepAliveTimeout = KEEP_ALIVE_MS
  server.setTimeout(stallMs, (socket: Socket) => {
    // Nothing waits to be taken: the work on the answer takes long, and that is not the client's fault.
    const isWorking = lineOf(socket).isBusy && socket.writableLength === 0
    if (isWorking) socket.setTimeout(stallMs)
    else socket.destroy()
  })
  return server
}
