// Connections that are kept for a moment, so that a busy endpoint costs one handshake and not one for each
// delivery. One request at a time on each; what is kept was made by the connector, so it was judged; few are
// kept, and for seconds.
import type { Socket } from 'node:net'
import { Client } from 'undici'
import type { Connect, Wire } from './connector.ts'
import { AnswerTooLong } from './reasons.ts'

/** Longer, and an endpoint's own idle limit would close more of them under our hands. */
const IDLE_MS = 4000
const MAX_IDLE_PER_ORIGIN = 8
/** Each holds a socket and some 50 kB. */
export const MAX_IDLE = 256
/** Of an answer's headers, altogether. */
const MAX_HEADER_BYTES = 16 * 1024
/**
 * From the network for one request, whatever it is: head and body have limits of their own, but interim
 * answers, the extensions of chunks and TLS itself cost time without being either. Half of it is room for
 * those.
 */
export const MAX_WIRE_BYTES = 128 * 1024

export interface Connection {
  readonly origin: string
  readonly client: Client
  /** Ends the making of the connection; each request brings its own. */
  signal: AbortSignal
  /**
   * Whether it carried an answer before: then it may have been closed by the other side without our knowing.
   */
  isUsed: boolean
  isOpen: boolean
  wire: Wire | undefined
  /** Of the wire, when the request began. */
  bytesBefore: number
}

export interface Pool {
  take(origin: string, signal: AbortSignal): Connection
  /** A new one, whatever is idle. */
  make(origin: string, signal: AbortSignal): Connection
  /** For the next request. Only after an answer that was read to its end. */
  give(connection: Connection): void
  drop(connection: Connection): void
  close(): void
}

type Done = (error: Error | null, socket: Socket | null) => void

/** Heard before undici reads what has come. */
function bound(connection: Connection, wire: Wire): void {
  connection.wire = wire
  connection.bytesBefore = 0
  wire.socket.on('readable', () => {
    if (wire.bytesRead() - connection.bytesBefore > MAX_WIRE_BYTES) wire.socket.destroy(new AnswerTooLong())
  })
}

/** undici waits for a callback, which must be called for every end. */
async function handOver(connecting: Promise<Wire>, connection: Connection, done: Done): Promise<void> {
  let wire: Wire
  try {
    wire = await connecting
  } catch (error) {
    done(error instanceof Error ? error : new Error('no connection'), null)
    return
  }
  bound(connection, wire)
  done(null, wire.socket)
}

function openClient(connect: Connect, origin: string, connectionOf: () => Connection): Client {
  return new Client(origin, {
    allowH2: false,
    pipelining: 1,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: IDLE_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    // One deadline over everything is kept by the caller; none of these may end a request before it.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: ({ hostname, port, protocol }, callback) => {
      const connection = connectionOf()
      const isPlain = protocol === 'http:'
      const target = { hostname, port: Number(port || (isPlain ? 80 : 443)), isPlain }
      void handOver(connect(target, connection.signal), connection, callback as Done)
    },
  })
}

/** For good, with whatever is under way on it. */
function destroy(connection: Connection): void {
  connection.client.destroy().catch(() => {})
}

export function openPool(connect: Connect): Pool {
  const idle = new Map<string, Connection[]>()
  let isClosed = false
  let count = 0

  const forget = (connection: Connection): void => {
    const kept = idle.get(connection.origin) ?? []
    const at = kept.indexOf(connection)
    if (at === -1) return
    kept.splice(at, 1)
    count -= 1
    if (kept.length === 0) idle.delete(connection.origin)
  }

  const drop = (connection: Connection): void => {
    forget(connection)
    destroy(connection)
  }

  const make = (origin: string, signal: AbortSignal): Connection => {
    const client = openClient(connect, origin, () => connection)
    const isNew = { isUsed: false, isOpen: false, wire: undefined, bytesBefore: 0 }
    const connection: Connection = { origin, client, signal, ...isNew }
    client.on('connect', () => {
      connection.isOpen = true
    })
    client.on('disconnect', () => {
      connection.isOpen = false
      if (idle.get(origin)?.includes(connection)) drop(connection)
    })
    return connection
  }

  return {
    make,
    drop,
    take: (origin, signal) => {
      // The one used last: the others run into their idle limit.
      const connection = idle.get(origin)?.at(-1)
      if (connection === undefined) return make(origin, signal)
      forget(connection)
      connection.signal = signal
      connection.bytesBefore = connection.wire?.bytesRead() ?? 0
      return connection
    },
    give: (connection) => {
      const kept = idle.get(connection.origin) ?? []
      // One that its endpoint has closed along with the answer would hold a place for nothing.
      if (!connection.isOpen || isClosed) return drop(connection)
      if (count >= MAX_IDLE || kept.length >= MAX_IDLE_PER_ORIGIN) return drop(connection)
      connection.isUsed = true
      idle.set(connection.origin, [...kept, connection])
      count += 1
    },
    close: () => {
      isClosed = true
      for (const connection of [...idle.values()].flat()) drop(connection)
    },
  }
}
