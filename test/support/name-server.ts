// A name server on loopback that says what a test tells it to, or nothing at all.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { Ending } from './server.ts'

/** Addresses of either family; the name is unknown, the question fails, or it is never answered. */
export type Answer = readonly string[] | 'unknown' | 'failure' | 'silence'

export interface NameServer {
  /** As `address:port`. */
  readonly address: string
  /** The questions so far, as `A name` or `AAAA name`. */
  readonly asked: string[]
}

const A = 1
const AAAA = 28
const codes = { unknown: 3, failure: 2 } as const

/** The question begins after twelve bytes: labels, each after its length, then type and class. */
function questionOf(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}

/** Full or shortened in the middle, without an IPv4 tail. */
function bytesOf(address: string): Buffer {
  if (address.includes('.')) return Buffer.from(address.split('.').map(Number))
  const [head = '', tail = ''] = address.split('::')
  const [before, after] = [head, tail].map((part) => (part === '' ? [] : part.split(':'))) as [string[], string[]]
  const groups = [...before, ...Array.from({ length: 8 - before.length - after.length }, () => '0'), ...after]
  return Buffer.from(groups.map((group) => group.padStart(4, '0')).join(''), 'hex')
}

/** A name that points back at the question, class IN, no time to live. */
function record(type: number, address: string): Buffer {
  const bytes = bytesOf(address)
  return Buffer.concat([Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, bytes.length]), bytes])
}

function replyTo(query: Buffer, end: number, code: number, records: readonly Buffer[]): Buffer {
  const head = Buffer.from([query[0]!, query[1]!, 0x81, 0x80 | code, 0, 1, 0, records.length, 0, 0, 0, 0])
  return Buffer.concat([head, query.subarray(12, end), ...records])
}

/** @param answer is asked for every question, so it may change its mind. */
export async function openNameServer(
  t: Ending,
  answer: (name: string, family: 'A' | 'AAAA') => Answer,
): Promise<NameServer> {
  const asked: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = questionOf(query)
    const family = type === AAAA ? 'AAAA' : 'A'
    asked.push(`${family} ${name}`)
    const said = answer(name, family)
    if (said === 'silence') return
    const isOurs = (one: string): boolean => one.includes(':') === (type === AAAA)
    const records =
      typeof said === 'string' ? [] : said.filter(isOurs).map((one) => record(type === AAAA ? AAAA : A, one))
    socket.send(replyTo(query, end, typeof said === 'string' ? codes[said] : 0, records), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  t.after(async () => {
    socket.close()
  })
  return { address: `127.0.0.1:${socket.address().port}`, asked }
}
