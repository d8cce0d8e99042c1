// A reverse proxy between visitors and several nodes: in turn, with connections kept, on to the next node
// only where the connection was refused, since anything later may have been executed, and past those that say
// they are not ready.
import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Ending } from './server.ts'
import type { Service } from './service.ts'

/** A node that refused is left alone for so long, with what connections to it are idle. */
const DOWN_MS = 10_000

/** How often nodes are asked whether they are ready. */
const CHECK_MS = 200

const isRefused = (error: NodeJS.ErrnoException): boolean => error.code === 'ECONNREFUSED'

/** @returns the proxy as callers see it: as a service. */
export async function openProxy(t: Ending, urls: readonly string[]): Promise<Pick<Service, 'url'>> {
  const agent = new Agent({ keepAlive: true })
  const downUntil = urls.map(() => 0)
  let turn = 0
  const next = (tried: ReadonlySet<number>): number | undefined => {
    const open = urls.map((_url, n) => n).filter((n) => !tried.has(n))
    const up = open.filter((n) => downUntil[n]! <= performance.now())
    const choice = up.length > 0 ? up : open
    return choice[turn++ % Math.max(1, choice.length)]
  }
  const pass = (asked: IncomingMessage, body: Buffer, answer: ServerResponse, tried = new Set<number>()): void => {
    const n = next(tried)
    // As a proxy's own 502: there is no answer of the service.
    if (n === undefined) return void answer.destroy()
    const { method, headers, url = '/' } = asked
    const far = request(new URL(url, urls[n]), { agent, method, headers }, (reply) => {
      const { connection: _own, ...rest } = reply.headers
      answer.writeHead(reply.statusCode ?? 502, rest)
      reply.pipe(answer)
    })
    far.on('error', (error: NodeJS.ErrnoException) => {
      if (!isRefused(error)) return void answer.destroy()
      downUntil[n] = performance.now() + DOWN_MS
      pass(asked, body, answer, new Set([...tried, n]))
    })
    far.end(body)
  }
  const check = async (n: number): Promise<void> => {
    const reply = await fetch(`${urls[n]}/readyz?scope=node`).catch(() => undefined)
    if (reply) downUntil[n] = reply.ok ? 0 : Number.POSITIVE_INFINITY
    else if (downUntil[n] === Number.POSITIVE_INFINITY) downUntil[n] = performance.now() + DOWN_MS
  }
  const checking = setInterval(() => urls.forEach((_url, n) => void check(n)), CHECK_MS)
  const server = createServer((asked, answer) => {
    const pieces: Buffer[] = []
    asked.on('data', (piece: Buffer) => pieces.push(piece))
    asked.on('end', () => pass(asked, Buffer.concat(pieces), answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(async () => {
    clearInterval(checking)
    agent.destroy()
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}
