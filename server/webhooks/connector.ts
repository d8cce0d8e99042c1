// Makes the connections that webhooks are sent over. Every one goes through a guard: the host is judged, the
// judged addresses are the ones dialled, and the far end is judged once more before a byte is sent.
// Nothing of the environment (proxies) is read.
import { connect as netConnect, isIP, type LookupFunction, type Socket } from 'node:net'
import { connect as tlsConnect, createSecureContext, type SecureContext } from 'node:tls'
import { RefusedAddress, type Guard } from './guard.ts'
import type { Lookup } from './lookup.ts'

/** The handshake failed; `code` is OpenSSL's or Node's word for it. */
export class TlsFailure extends Error {
  readonly code: string
  constructor(cause: unknown) {
    super('TLS handshake failed', { cause })
    this.name = 'TlsFailure'
    // Under a name of our own: undici treats some codes of its connector in ways that leave the request
    // waiting.
    this.code = 'TLS_FAILURE'
  }
}

export interface Target {
  /** As URL has it. */
  readonly hostname: string
  readonly port: number
  /** http: without TLS. */
  readonly isPlain: boolean
}

/** A connection that is ready to be used. */
export interface Wire {
  readonly socket: Socket
  /** Everything that came over the network so far, as it was before TLS took it apart. */
  bytesRead(): number
}

export type Connect = (target: Target, signal: AbortSignal) => Promise<Wire>
/** Begins a TCP connection to one of the addresses; the caller waits for it. */
export type Dial = (addresses: readonly string[], target: Target) => Socket

/** Answers the addresses that were judged, whatever is asked; Node asks for all of them, or for one. */
function pinned(addresses: readonly string[]): LookupFunction {
  const answers = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_hostname, options, done) => {
    const [first] = answers
    if (options.all) done(null, answers)
    else if (first) done(null, first.address, first.family)
  }
}

/** Several addresses are tried as RFC 8305 has it, so a dead IPv6 route does not make an endpoint dead. */
const dialTcp: Dial = (addresses, { hostname, port }) => {
  const [only] = addresses
  return addresses.length === 1 && only !== undefined
    ? netConnect({ host: only, port, noDelay: true })
    : netConnect({ host: hostname, port, noDelay: true, lookup: pinned(addresses), autoSelectFamily: true })
}

/** Waits for the event, and leaves no half-made connection behind when it does not come. */
async function settled(socket: Socket, event: 'connect' | 'secureConnect', signal: AbortSignal): Promise<void> {
  // Stays for good: between here and the reader of the socket an error must not go unheard.
  socket.on('error', () => {})
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once(event, resolve)
      socket.once('error', reject)
      socket.once('close', () => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' })))
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      if (signal.aborted) reject(signal.reason)
    })
  } catch (error) {
    socket.destroy()
    throw error
  }
}

/** The name in the certificate's terms: without the root's dot; an address has none. */
const serverName = (hostname: string): string => hostname.replace(/\.$/, '')

async function secure(socket: Socket, hostname: string, context: SecureContext, signal: AbortSignal): Promise<Socket> {
  const host = serverName(hostname)
  const name = isIP(host) === 0 ? { servername: host } : {}
  const tls = tlsConnect({ socket, host, ...name, secureContext: context, ALPNProtocols: ['http/1.1'] })
  try {
    await settled(tls, 'secureConnect', signal)
  } catch (error) {
    throw signal.aborted ? error : new TlsFailure(error)
  }
  return tls
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    if (signal.aborted) reject(signal.reason)
  })
}

/** One for each way to call. */
export interface Guards {
  readonly tls: Guard
  readonly plain: Guard
}

/**
 * @param ca certificates trusted instead of the system's (tests)
 * @param dial how a TCP connection is begun; only a test has a reason to name another
 */
export function openConnector(guards: Guards, lookup: Lookup, ca: string | undefined, dial: Dial = dialTcp): Connect {
  const context = createSecureContext(ca === undefined ? {} : { ca })
  return async (target, signal) => {
    const guard = target.isPlain ? guards.plain : guards.tls
    // A look-up cannot be called off, but nobody has to wait for it.
    const addresses = await Promise.race([guard.vet(target.hostname, lookup), aborted(signal)])
    const socket = dial(addresses, target)
    await settled(socket, 'connect', signal)
    if (socket.remoteAddress === undefined || !guard.lets(socket.remoteAddress)) {
      socket.destroy()
      throw new RefusedAddress()
    }
    const ready = target.isPlain ? socket : await secure(socket, target.hostname, context, signal)
    return { socket: ready, bytesRead: () => socket.bytesRead }
  }
}
