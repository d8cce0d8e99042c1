// Real ClickHouse servers over HTTP, each a child process: one alone, or several as a cluster of one shard
// each, or of several that are meant to keep copies of each other.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { PATIENCE_MS } from './patience.ts'
import { takePort } from './ports.ts'

/** One of the servers, to be disturbed alone. */
export interface ClickHouseNode {
  /** SIGKILL. */
  stop(): Promise<void>
  start(): Promise<void>
  /** Once it resolves, it hangs: connections stay open, and nothing is answered. */
  pause(): Promise<void>
  resume(): void
  /** Processor time since it started, in milliseconds. */
  cpuMs(): number
}

export interface ClickHouse {
  /** One a node, with a database of its own. */
  readonly urls: string[]
  readonly nodes: readonly ClickHouseNode[]
  readonly cluster: string | null
  /** SIGKILL to every node; what was stored stays. */
  stop(): Promise<void>
  /** The same nodes at the same addresses again. */
  start(): Promise<void>
  /** Stops and forgets: for the `after` of a test. */
  remove(): Promise<void>
}

const CLUSTER = 'footfall'

interface Node {
  readonly folder: string
  readonly http: number
  readonly tcp: number
  readonly shard: number
  readonly replica: number
}

export interface ClickHouseOptions {
  readonly shards?: number
  /** Of each shard. */
  readonly replicas?: number
  /** The port of a ZooKeeper. */
  readonly keeper?: number
  /** Begins with what the same number of nodes has in this folder. */
  readonly from?: string
  /** Where its files are; a fresh folder, when left out. */
  readonly folder?: string
}

export async function startClickHouse(options: ClickHouseOptions = {}): Promise<ClickHouse> {
  const { shards = 1, replicas = 1 } = options
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'footfall-clickhouse-')))
  if (options.from !== undefined) await cp(options.from, folder, { recursive: true, verbatimSymlinks: true })
  const nodes: Node[] = []
  for (let i = 0; i < shards * replicas; i++) {
    const place = { shard: Math.floor(i / replicas), replica: i % replicas }
    nodes.push({ ...place, folder: join(folder, `node${i}`), http: await takePort(), tcp: await takePort() })
  }
  for (const node of nodes) await writeFile(`${node.folder}.xml`, config(node, nodes, options))

  const running = nodes.map(openServer)
  const stop = async () => void (await Promise.all(running.map((server) => server.stop())))
  const start = async () => void (await Promise.all(running.map((server) => server.start())))
  const remove = async () => {
    await stop()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await start()
  } catch (error) {
    await remove()
    throw error
  }
  return {
    urls: nodes.map((node) => `http://default@127.0.0.1:${node.http}/footfall`),
    nodes: running,
    cluster: nodes.length > 1 ? CLUSTER : null,
    stop,
    start,
    remove,
  }
}

/**
 * Started again when it ends by itself, as by a supervisor: the library now and then does, in the moment in
 * which another node of its cluster is killed under load.
 */
function openServer(node: Node): ClickHouseNode {
  let child: ChildProcess | undefined
  const run = (): void => {
    const own = launch(node)
    child = own
    own.once('exit', () => {
      if (child === own) run()
    })
  }
  return {
    async stop() {
      const own = child
      child = undefined
      if (own) await kill(own)
    },
    async start() {
      run()
      await answering(node)
    },
    async pause() {
      child?.kill('SIGSTOP')
      while (child && hasRunningThreads(child.pid!)) await sleep(1)
    },
    resume: () => void child?.kill('SIGCONT'),
    cpuMs: () => cpuMsOf(child?.pid),
  }
}

/** Ticks of the system's clock are hundredths of a second. */
const TICK_MS = 10

/** Linux alone tells it. */
function cpuMsOf(pid: number | undefined): number {
  if (pid === undefined) return 0
  const [, behindName = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const fields = behindName.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}

/**
 * SIGSTOP takes hold of one thread after the other: one that is at an answer may still give it. Linux alone
 * tells it.
 */
function hasRunningThreads(pid: number): boolean {
  const threads = `/proc/${pid}/task`
  try {
    return readdirSync(threads).some((id) => !/\) T /.test(readFileSync(join(threads, id, 'stat'), 'utf8')))
  } catch {
    return existsSync('/proc') // one of them has ended meanwhile
  }
}

function launch(node: Node): ChildProcess {
  const script = join(import.meta.dirname, 'clickhouse-child.ts')
  return spawn(process.execPath, [script, `${node.folder}.xml`, node.folder, String(node.http), String(node.tcp)], {
    stdio: ['pipe', 'ignore', 'ignore'],
  })
}

/** It does not hear SIGTERM. */
async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

async function answering(node: Node): Promise<void> {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await sleep(50)) {
    const reply = await fetch(`http://127.0.0.1:${node.http}/ping`).catch(() => undefined)
    if (reply?.ok) return
  }
  throw new Error('the ClickHouse server of this test did not start')
}

/** Small, and without system logs, like the embedded one. */
function config(own: Node, nodes: readonly Node[], { replicas = 1, keeper }: ClickHouseOptions): string {
  const shards = [...Map.groupBy(nodes, ({ shard }) => shard).values()]
    .map(
      (shard) =>
        `<shard><internal_replication>${replicas > 1}</internal_replication>${shard.map(replicaOf).join('')}</shard>`,
    )
    .join('')
  const macros = `<macros><shard>${own.shard}</shard><replica>${own.replica}</replica></macros>`
  return `<clickhouse>
<max_server_memory_usage>1073741824</max_server_memory_usage>
<mark_cache_size>16777216</mark_cache_size>
<background_schedule_pool_size>4</background_schedule_pool_size>
<logger><level>none</level></logger>
${nodes.length > 1 ? `<remote_servers><${CLUSTER}>${shards}</${CLUSTER}></remote_servers>` : ''}
${replicas > 1 ? macros : ''}
${keeper === undefined ? '' : `<zookeeper><node><host>127.0.0.1</host><port>${keeper}</port></node></zookeeper>`}
</clickhouse>
`
}

const replicaOf = ({ tcp }: Node): string => `<replica><host>127.0.0.1</host><port>${tcp}</port></replica>`
