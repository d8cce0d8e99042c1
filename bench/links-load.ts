// Loads the bench's short links into memory, in a process of its own: measures time, memory, how long the
// event loop is blocked, and a look-up meanwhile and afterwards. `node bench/links-load.ts COUNT`; prints one
// line of JSON.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { pino } from 'pino'
import { readConfig } from '../server/config.ts'
import { openLinkDirectory } from '../server/redirect/directory.ts'
import { openRecords } from '../server/stores/records.ts'
import { codeOf } from './links-rows.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const count = Number(process.argv[2])
const ASK_EVERY_MS = 5
const FINDS = 200_000

const megabytes = (): number => {
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / 2 ** 20
}

const share = (times: readonly number[], part: number): number =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0

let random = 1
/** Park and Miller: the same links on every run. */
const anyCode = (): string => {
  random = (random * 48_271) % 2_147_483_647
  return codeOf(random % count)
}

const records = await openRecords(readConfig())
const before = megabytes()
const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()
const startMs = performance.now()
const startCpu = process.cpuUsage()
const links = openLinkDirectory({ records, log: pino({ level: 'silent' }) })
let isLoading = true
const loaded = links.loaded.then(() => (isLoading = false))

const asked: number[] = []
let missed = 0
while (isLoading) {
  const askedMs = performance.now()
  if (!(await links.find('link-a', anyCode()))) missed++
  asked.push(performance.now() - askedMs)
  await pause(ASK_EVERY_MS)
}
await loaded
const loadMs = performance.now() - startMs
const { user, system } = process.cpuUsage(startCpu)
delay.disable()
const memoryMb = megabytes() - before

const codes = Array.from({ length: FINDS }, anyCode)
const findMs = performance.now()
for (const code of codes) if (!links.find('link-a', code)) missed++
const findNs = ((performance.now() - findMs) * 1e6) / FINDS

const answer = {
  links: links.size,
  missed,
  loadMs,
  cpuMs: (user + system) / 1000,
  memoryMb,
  findNs,
  asked: { p50Ms: share(asked, 0.5), p95Ms: share(asked, 0.95), p99Ms: share(asked, 0.99) },
  heldUp: { p99Ms: delay.percentile(99) / 1e6, mostMs: delay.max / 1e6 },
}
process.stdout.write(`${JSON.stringify(answer)}\n`)
await links.close()
await records.destroy()
