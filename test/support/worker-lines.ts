// Connections to each worker of a service (WORKERS): who takes a new one is up to the system, and a
// connection stays with whoever took it.
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { Agent, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { mainFile } from './programs.ts'
import { ADMIN_TOKEN, CHROME, type Ending } from './server.ts'
import type { Service } from './service.ts'

export interface LineCall {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly body?: unknown
}

export interface LineReply {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly text: string
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  readonly json: any
}

/** One connection. */
export interface Line {
  call(path: string, call?: LineCall): Promise<LineReply>
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

export function openLine(t: Ending, { url }: Service): Line {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.after(async () => agent.destroy())
  return {
    async call(path, { method = 'GET', headers, body } = {}) {
      const usual = { 'user-agent': CHROME, 'accept-language': 'en-GB,en;q=0.9' }
      const json = body === undefined ? {} : { 'content-type': 'application/json' }
      const sent = request(url + path, { agent, method, headers: { ...usual, ...json, ...headers } })
      sent.end(body === undefined ? undefined : JSON.stringify(body))
      const [answer] = (await once(sent, 'response')) as [IncomingMessage]
      const said = await text(answer)
      return { status: answer.statusCode!, headers: answer.headers, text: said, json: parse(said) }
    },
  }
}

export const asAdmin = { authorization: `Bearer ${ADMIN_TOKEN}` }

/** How many requests for /healthz each worker has answered, by its number. */
async function countByWorker(line: Line): Promise<Map<string, number>> {
  const { text: metrics } = await line.call('/metrics', { headers: asAdmin })
  const found = metrics.matchAll(
    /^footfall_http_request_duration_seconds_count\{[^}]*route="\/healthz"[^}]*worker="(\d+)"\} (\d+)$/gm,
  )
  return new Map([...found].map(([, worker = '', count]) => [worker, Number(count)]))
}

/** The number of the worker that has the connection. */
async function workerOf(line: Line): Promise<number> {
  const before = await countByWorker(line)
  await line.call('/healthz')
  const after = await countByWorker(line)
  const [worker] = [...after].find(([name, count]) => count > (before.get(name) ?? 0)) ?? []
  if (worker === undefined) throw new Error('no worker has counted the request')
  return Number(worker)
}

/** Opened at once, so that no worker by itself takes all of them. */
const AT_ONCE = 6
const TRIES = 50

/** A connection to each worker, in the order of their numbers. */
export async function openLines(t: Ending, service: Service, workers: number): Promise<Line[]> {
  const found = new Map<number, Line>()
  for (let tries = 0; tries < TRIES && found.size < workers; tries++) {
    const lines = Array.from({ length: AT_ONCE }, () => openLine(t, service))
    await Promise.all(lines.map((line) => line.call('/readyz')))
    for (const line of lines) if (found.size < workers) found.set(await workerOf(line), line)
  }
  if (found.size < workers) throw new Error(`only the workers ${[...found.keys()].join()} take connections`)
  return [...found].toSorted(([one], [other]) => one - other).map(([, line]) => line)
}

const read = (pid: string, file: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return '' // it has just ended
  }
}

const childrenOf = (pid: number): string[] =>
  readdirSync('/proc').filter((one) => /^\d+$/.test(one) && read(one, 'status').includes(`\nPPid:\t${pid}\n`))

const isWorker = (pid: string): boolean => read(pid, 'cmdline').includes(mainFile)

/** The processes of the workers. */
export const workersOf = ({ pid }: Service): number[] => childrenOf(pid).filter(isWorker).map(Number)

/** All that the service has started. */
export const processesOf = ({ pid }: Service): number[] => childrenOf(pid).map(Number)

/** The one with this text in its command line; undefined where there is no /proc. */
export const findProcess = (text: string): string | undefined =>
  existsSync('/proc')
    ? readdirSync('/proc').find((one) => /^\d+$/.test(one) && read(one, 'cmdline').includes(text))
    : undefined

/** Also false of one that has ended and nobody has asked for. */
export function isRunning(pid: number): boolean {
  const status = read(String(pid), 'status')
  return status !== '' && !/^State:\tZ/m.test(status)
}
