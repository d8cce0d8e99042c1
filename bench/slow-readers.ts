// Clients that request the documentation, many requests in advance, and never read a byte: what they cost,
// and when the service disconnects them.
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { settingsFor } from './homes.ts'
import { type Service, startFootfall } from './processes.ts'
import type { Row } from './table.ts'

const READERS = 1_000
const FILE = '/docs/reference'
/**
 * Requests on each connection: clients that send one stay the longest, those that send sixty request the
 * most.
 */
const AHEAD = [1, 60] as const
const WATCH_MS = 120_000
const LOOK_MS = 250

export interface SlowReaders {
  readonly rows: readonly Row[]
  readonly [detail: string]: unknown
}

function read(url: URL, requests: number): Socket {
  const socket = connect(Number(url.port), url.hostname)
  socket.on('error', () => undefined) // being let go of is what is waited for
  socket.pause()
  socket.write(`GET ${FILE} HTTP/1.1\r\nHost: bench\r\n\r\n`.repeat(requests))
  return socket
}

/**
 * A socket that reads nothing notices its end only when it writes: a byte now and then, which is no request.
 */
function countOpen(sockets: readonly Socket[]): number {
  const open = sockets.filter((socket) => !socket.destroyed)
  for (const socket of open) socket.write('\r')
  return open.length
}

async function measure(service: Service, requests: number) {
  await fetch(new URL(FILE, service.url)).then((answer) => answer.arrayBuffer())
  const idleMb = service.memory().now
  const began = performance.now()
  const sockets = Array.from({ length: READERS }, () => read(new URL(service.url), requests))
  let [mostMb, open] = [idleMb, READERS]
  while (open > 0 && performance.now() - began < WATCH_MS) {
    await pause(LOOK_MS)
    mostMb = Math.max(mostMb, service.memory().now)
    open = countOpen(sockets)
  }
  const seconds = (performance.now() - began) / 1000
  const asked = Date.now()
  await fetch(new URL('/healthz', service.url))
  const answerMs = Date.now() - asked
  for (const socket of sockets) socket.destroy()
  return { requests, idleMb, mostMb, left: open, seconds, answerMs }
}

/**
 * @returns a row for each kind: the largest memory they cost, and as `refused` how many are still connected
 * after two minutes.
 */
export async function measureSlowReaders(dataDir: string): Promise<SlowReaders> {
  const service = await startFootfall(settingsFor(dataDir))
  try {
    const kinds = []
    for (const requests of AHEAD) kinds.push(await measure(service, requests))
    const rows = kinds.map(({ requests, idleMb, mostMb, left, seconds }): Row => {
      const name = `${READERS} readers, ${requests} requests each: over after ${seconds.toFixed(0)} s`
      return { name, refused: left, memoryMb: mostMb - idleMb }
    })
    return { rows, kinds }
  } finally {
    await service.stop()
  }
}
