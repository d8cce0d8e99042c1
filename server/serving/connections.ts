// What one connection may keep busy: one request at a time, and an answer only for as long as somebody takes it.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Admission } from './admission.ts'

/** A body of a megabyte over a slow line takes seconds; a client that needs longer is holding the socket. */
const REQUEST_TIMEOUT_MS = 30_000
/** Without a request. Every answer says it (`Keep-Alive: timeout=60`), so that a client does not begin one on a connection that is about to end. */
const KEEP_ALIVE_MS = 60_000
/** From one look to the next an answer must get on by a byte: a reader that takes nothing is let go of after twice as long at most. */
const LOOK_MS = 25_000
/**
 * Requests that were sent ahead and wait behind the one that is being answered. Browsers and proxies send none; each costs a few kilobytes
 * before anything has been counted or refused.
 */
const MOST_AHEAD = 4

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** The requests of a connection, in their order. */
interface Line {
  readonly socket: Socket
  isBusy: boolean
  /** Since when it has not been. */
  idleMs: number
  readonly ahead: (() => void)[]
  /** At the last look; undefined when nothing waited to be taken. */
  taken: number | undefined
}

const newLine = (socket: Socket): Line => ({
  socket,
  isBusy: false,
  idleMs: performance.now(),
  ahead: [],
  taken: undefined,
})

/** What Node counts for itself: bytes that were handed to the system's queue, and those that it has not taken yet. */
interface Handle {
  readonly bytesWritten: number
  readonly writeQueueSize: number
}

/** The bytes of a connection that went out. A socket's own counts take a whole answer for written as soon as it is handed over. */
function takenFrom(socket: Socket): number {
  const { _handle: handle } = socket as { readonly _handle?: Handle | null }
  return handle ? handle.bytesWritten - handle.writeQueueSize : socket.bytesWritten
}

/** Whether nothing was taken since the last look of what waits. While nothing waits the work takes long, which is not the client's fault. */
function isStalled(line: Line): boolean {
  const before = line.taken
  line.taken = line.socket.writableLength > 0 ? takenFrom(line.socket) : undefined
  return line.taken !== undefined && line.taken === before
}

/** What a client sends meanwhile changes nothing: a byte now and then, which is no request, would otherwise keep it for ever. */
function isOver(line: Line, idleMs: number): boolean {
  return line.isBusy ? isStalled(line) : performance.now() - line.idleMs > idleMs
}

/** What Node reads a connection's requests with. */
interface Parser {
  onIncoming: () => number
}

/** As after an upgrade: what follows is no request. */
const READ_NO_FURTHER = 2

/** At once: the rest of what has arrived would be made into requests first, thousands of them to a piece of the upload. */
function hangUp(socket: Socket): void {
  const { parser } = socket as { readonly parser?: Parser | null }
  if (parser) parser.onIncoming = () => READ_NO_FURTHER
  socket.destroy()
}

/** Node hands over all requests that have arrived; here each begins when the answer before it has gone out. */
function oneAtATime(lineOf: (socket: Socket) => Line, answer: Answer, admission: Admission): Answer {
  const begin = (line: Line, request: IncomingMessage, response: ServerResponse): void => {
    line.isBusy = true
    response.once('close', () => {
      line.isBusy = false
      line.idleMs = performance.now()
      line.taken = undefined
      const next = line.ahead.shift()
      if (!line.socket.destroyed) next?.()
    })
    const admitted = admission.wait()
    if (admitted) void admitted.then(() => answer(request, response))
    else answer(request, response)
  }
  return (request, response) => {
    const line = lineOf(request.socket)
    if (!line.isBusy) begin(line, request, response)
    else if (line.ahead.length < MOST_AHEAD) line.ahead.push(() => begin(line, request, response))
    else hangUp(line.socket)
  }
}

/** Of the connections that are open. */
function openLines(): { readonly lines: Map<Socket, Line>; readonly lineOf: (socket: Socket) => Line } {
  const lines = new Map<Socket, Line>()
  const lineOf = (socket: Socket): Line => {
    const known = lines.get(socket)
    if (known) return known
    const line = newLine(socket)
    lines.set(socket, line)
    socket.once('close', () => lines.delete(socket))
    return line
  }
  return { lines, lineOf }
}

/** @param times other ones in tests. */
export function openServer(answer: Answer, { lookMs = LOOK_MS, keepAliveMs = KEEP_ALIVE_MS } = {}): Server {
  const { lines, lineOf } = openLines()
  const admission = new Admission()
  const inLine = oneAtATime(lineOf, answer, admission)
  const server = createServer(inLine)
  // Node would answer an `Expect` that it does not know by itself, past the line and with an empty body.
  server.on('checkExpectation', inLine)
  server.requestTimeout = REQUEST_TIMEOUT_MS
  server.keepAliveTimeout = keepAliveMs
  server.on('connection', (socket) => {
    admission.accepted()
    lineOf(socket)
  })
  server.once('listening', () => {
    const look = setInterval(() => {
      for (const line of lines.values()) if (isOver(line, keepAliveMs)) line.socket.destroy()
    }, lookMs).unref()
    server.once('close', () => clearInterval(look))
  })
  return server
}
