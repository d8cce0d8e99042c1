// Starts what is measured in processes of its own and reads their memory from outside. All end with the
// bench.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { buildServer } from '../tools/build-server.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

/** A server that has not printed its URL by then never will. */
const START_MS = 60_000

export interface Service {
  readonly url: string
  /** Megabytes now, and at most so far. */
  memory(): { readonly now: number; readonly most: number }
  /** Megabytes now; of pages that several processes share, each has its part. */
  proportional(): number
  /** CPU time so far, on all threads. */
  cpuMs(): number
  stop(): Promise<void>
}

export type Environment = Readonly<Record<string, string>>

function start(script: string, args: readonly string[], env: Environment): ChildProcess {
  const child = spawn(process.execPath, [script, ...args], {
    cwd: root,
    // With the allocator's arenas that tools/setup.mjs gives the service.
    env: { MALLOC_ARENA_MAX: '2', ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const end = (): boolean => child.kill('SIGKILL')
  process.once('exit', end)
  child.once('exit', () => process.off('exit', end))
  return child
}

async function addressFrom(child: ChildProcess): Promise<string> {
  const timer = setTimeout(() => child.kill('SIGKILL'), START_MS)
  try {
    for await (const line of createInterface(child.stdout!)) {
      const [url] = /http:\/\/[\w.:[\]]+/.exec(line) ?? []
      if (url) return url
    }
    throw new Error('a server ended before it said its address')
  } finally {
    clearTimeout(timer)
  }
}

const statusOf = (pid: number | string): string => {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8')
  } catch {
    return '' // it has just ended
  }
}

/** The process and those that it has started: the embedded ClickHouse is one of its own. */
function familyOf(pid: number): number[] {
  const ofIt = `\nPPid:\t${pid}\n`
  const others = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && statusOf(name).includes(ofIt))
  return [pid, ...others.map(Number)]
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)

/**
 * Added up: pages that two of them share are counted twice, and each may have been largest at another moment.
 */
function memoryOf(pid: number): { now: number; most: number } {
  const statuses = familyOf(pid).map(statusOf)
  const megabytes = (name: string): number =>
    sum(statuses.map((status) => Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024)))
  return { now: megabytes('VmRSS'), most: megabytes('VmHWM') }
}

function proportionalOf(pid: number): number {
  const rollups = familyOf(pid).map((one) => readFileSync(`/proc/${one}/smaps_rollup`, 'utf8'))
  return sum(rollups.map((text) => Math.round(Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0) / 1024)))
}

/** The kernel counts in hundredths of a second. */
const TICK_MS = 10

function cpuMsOf(pid: number): number {
  // Before the last bracket is the name of the program, which may contain anything.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
  const [user = 0, system = 0] = fields.slice(11, 13).map(Number)
  return (user + system) * TICK_MS
}

/** A script that prints its URL and then serves. */
export async function startService(script: string, env: Environment): Promise<Service> {
  const child = start(script, [], env)
  const url = await addressFrom(child)
  child.stdout!.resume() // a full pipe would stop the server
  return {
    url,
    memory: () => memoryOf(child.pid!),
    proportional: () => proportionalOf(child.pid!),
    cpuMs: () => sum(familyOf(child.pid!).map(cpuMsOf)),
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** The service as people run it. */
export const startFootfall = async (env: Environment): Promise<Service> =>
  startService(join(await buildServer(), 'main.js'), env)

/** A script that does its work and prints one line of JSON. */
export async function askScript<Answer>(script: string, args: readonly string[], env: Environment): Promise<Answer> {
  const child = start(script, args, env)
  let text = ''
  child.stdout!.on('data', (chunk: Buffer) => (text += chunk.toString()))
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`${script} ${args.join(' ')} ended with ${code}`)
  const last = text.trim().split('\n').at(-1) ?? ''
  return JSON.parse(last) as Answer
}
