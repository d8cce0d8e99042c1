// Limits what one connection may occupy: one request at a time, and an answer only while the client reads it.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { problemBody } from '../http/answer.ts'
import { Problem } from '../kernel/problem.ts'
import { Stopping } from '../kernel/stopping.ts'
import { Admission } from './admission.ts'

/** A body of a megabyte takes seconds over a slow line; a slower client is keeping the socket busy. */
const REQUEST_TIMEOUT_MS = 30_000
/**
 * How long an idle connection is kept. Every answer says so (`Keep-Alive: timeout=60`), so that clients do
 * not send a request on a connection that is about to end.
 */
const KEEP_ALIVE_MS = 60_000
/**
 * Between two checks an answer must progress by a byte: a client that reads nothing is disconnected after
 * twice as long at most.
 */
const LOOK_MS = 25_000
/**
 * Pipelined requests that wait behind the current one. Browsers and proxies send none; each costs a few
 * kilobytes before it is counted or refused.
 */
const MOST_AHEAD = 4

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** The requests of a connection, in their order. */
interface Line {
  readonly socket: Socket
  isBusy: boolean
  /** What is being answered, or was last. */
  response: ServerResponse | undefined
  /** The time from which it has not progressed. */
  idleMs: number
  readonly ahead: (() => void)[]
  /** The count at the last check; undefined when nothing was waiting to be read. */
  taken: number | undefined
}

const newLine = (socket: Socket): Line => ({
  socket,
  isBusy: false,
  response: undefined,
  idleMs: performance.now(),
  ahead: [],
  taken: undefined,
})

/** Node's own counters: bytes in the system's queue, and bytes that the system has not taken yet. */
interface Handle {
  readonly bytesWritten: number
  readonly writeQueueSize: number
}

/**
 * The bytes of a connection that were sent. The socket's own count includes a whole answer as soon as it is
 * queued.
 */
function takenFrom(socket: Socket): number {
  const { _handle: handle } = socket as { readonly _handle?: Handle | null }
  return handle ? handle.bytesWritten - handle.writeQueueSize : socket.bytesWritten
}

/**
 * Whether the client has read nothing since the last check although something waits. While nothing waits the
 * server is working, which is not the client's fault.
 */
function isStalled(line: Line): boolean {
  const before = line.taken
  line.taken = line.socket.writableLength > 0 ? takenFrom(line.socket) : undefined
  return line.taken !== undefined && line.taken === before
}

/**
 * What the client sends meanwhile does not count: otherwise single bytes that are no request would keep the
 * connection forever.
 */
function isOver(line: Line, idleMs: number): boolean {
  return line.isBusy ? isStalled(line) : performance.now() - line.idleMs > idleMs
}

/** The parser with which Node reads a connection's requests. */
interface Parser {
  onIncoming: () => number
}

/** As after an upgrade: the following bytes are no request. */
const READ_NO_FURTHER = 2

/** At once: otherwise the rest of what has arrived is parsed first, which may be thousands of requests. */
function hangUp(socket: Socket): void {
  const { parser } = socket as { readonly parser?: Parser | null }
  if (parser) parser.onIncoming = () => READ_NO_FURTHER
  socket.destroy()
}

/** The answer says that it is the last one of its connection (`Connection: close`), which then ends. */
function beLast(response: ServerResponse | undefined): void {
  if (response && !response.headersSent) response.shouldKeepAlive = false
}

const stopped = new Problem('unavailable', 'The server is stopping.')

/** For requests that nobody waits for any more: whoever made them comes again, to another node. */
function refuse(response: ServerResponse | undefined): void {
  if (!response || response.headersSent) return
  response.writeHead(stopped.status, { 'Content-Type': 'application/json', 'Retry-After': RETRY_SECONDS })
  response.end(JSON.stringify({ ...problemBody(stopped), success: false }))
}

/** A restart takes about as long. */
const RETRY_SECONDS = 5

interface Lining {
  readonly lineOf: (socket: Socket) => Line
  readonly admission: Admission
  readonly stopping: Stopping
}

/** Node emits all requests that have arrived; here each starts when the answer before it has been sent. */
function oneAtATime(answer: Answer, { lineOf, admission, stopping }: Lining): Answer {
  const begin = (line: Line, request: IncomingMessage, response: ServerResponse): void => {
    line.isBusy = true
    line.response = response
    if (stopping.draining.aborted) beLast(response)
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

/** The state of each open connection. */
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

/** @param options tests use other times. */
export function openServer(
  answer: Answer,
  { lookMs = LOOK_MS, keepAliveMs = KEEP_ALIVE_MS, stopping = new Stopping() } = {},
): Server {
  const { lines, lineOf } = openLines()
  const admission = new Admission()
  const inLine = oneAtATime(answer, { lineOf, admission, stopping })
  const atEach = (signal: AbortSignal, work: (response: ServerResponse | undefined) => void): void =>
    signal.addEventListener('abort', () => {
      for (const { response } of lines.values()) work(response)
    })
  atEach(stopping.draining, beLast)
  atEach(stopping.givingUp, refuse)
  const server = createServer(inLine)
  // Node would answer an unknown `Expect` by itself, outside the queue and with an empty body.
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
