// Webhooks from the triggering request to a local HTTPS endpoint, beside a bare POST: throughput, delay, and
// the effect of a dead endpoint or of a hundred thousand waiting deliveries.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { certificateFor } from '../test/support/endpoint.ts'
import { askScript } from './processes.ts'
import type { Row } from './table.ts'
import { openEndpoint } from './webhooks-endpoint.ts'
import { automate, openSite, enqueue, sendEvent, type Site } from './webhooks-site.ts'

/** The size of the measurement. */
export interface Sizes {
  /** Deliveries of one measurement of throughput. */
  readonly deliveries: number
  /** Events of one measurement of delays, each of another visitor. */
  readonly events: number
  /** Events that call all of the endpoints. */
  readonly rounds: number
  /** Contact changes that wait while an event arrives. */
  readonly waiting: number
}

const FULL: Sizes = { deliveries: 5_000, events: 200, rounds: 10, waiting: 100_000 }

/** One of them is dead. */
const ENDPOINTS = 100
/** As many concurrent calls of one endpoint as are allowed. */
const AT_ONCE = 4
const MANY_AT_ONCE = 64
/** An event waits for its disk together with others, so few of them at once would measure waiting. */
const VISITORS_AT_ONCE = 500

function timesOf(name: string, times: readonly number[]): Row {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (part: number): number => sorted[Math.floor((sorted.length - 1) * part)] ?? 0
  return { name, p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99) }
}

type Bare = Required<Pick<Row, 'perSecond' | 'p50Ms' | 'p95Ms' | 'p99Ms'>>

const bare = ({ endpoint, env }: Site, posts: number, atOnce: number): Promise<Bare> =>
  askScript<Bare>('bench/webhooks-bare.ts', [`${endpoint.url}/bare`, `${posts}`, `${atOnce}`], env)

const pathsOf = (name: string, count: number): string[] => Array.from({ length: count }, (_, n) => `/${name}/${n}`)

/** Deliveries that exist already: contact changes, which only need the records. */
async function waitingOnes(site: Site, endpoints: number, { deliveries }: Sizes): Promise<number> {
  const paths = pathsOf(`waiting-${endpoints}`, endpoints)
  const automationId = await automate(site, `never ${endpoints}`, paths.slice(0, 1))
  const coming = site.endpoint.expect(deliveries, ({ path }) => path.startsWith(`/waiting-${endpoints}/`))
  await enqueue(site, automationId, paths, deliveries)
  const arrivals = await coming
  // From the middle on: the first ones arrived while others were still being inserted.
  const half = Math.floor(deliveries / 2)
  return ((deliveries - half) / (arrivals.at(-1)!.atMs - arrivals[half - 1]!.atMs)) * 1000
}

/**
 * From the first event to the last arrival: concurrent events of many visitors, each of which calls one
 * endpoint.
 */
async function fromEvents(site: Site, { deliveries }: Sizes): Promise<number> {
  await automate(site, 'many visitors', ['/many-visitors'])
  const coming = site.endpoint.expect(deliveries, ({ path }) => path === '/many-visitors')
  const began = performance.now()
  let sent = 0
  const loop = async (): Promise<void> => {
    while (sent < deliveries) await sendEvent(site, 'many visitors', 'x', sent++)
  }
  await Promise.all([coming, ...Array.from({ length: VISITORS_AT_ONCE }, loop)])
  return (deliveries / (performance.now() - began)) * 1000
}

async function throughput(site: Site, sizes: Sizes): Promise<Row[]> {
  const few = await bare(site, sizes.deliveries, AT_ONCE)
  const one = await waitingOnes(site, 1, sizes)
  const many = await bare(site, sizes.deliveries, MANY_AT_ONCE)
  const several = await waitingOnes(site, MANY_AT_ONCE, sizes)
  const live = await fromEvents(site, sizes)
  const row = (name: string, perSecond: number, yardstick: Bare): Row => ({
    name,
    perSecond,
    ratio: perSecond / yardstick.perSecond,
  })
  return [
    { name: `bare undici POST, ${AT_ONCE} at once`, ...few, ratio: 1 },
    row('deliveries that wait, to one endpoint', one, few),
    { name: `bare undici POST, ${MANY_AT_ONCE} at once`, ...many, ratio: 1 },
    row(`deliveries that wait, to ${MANY_AT_ONCE} endpoints`, several, many),
    row('event requests with a delivery each, to one endpoint', live, few),
  ]
}

/** From the start of the triggering request to the arrival, one event after another. */
async function delays(site: Site, event: string, path: string, events: number): Promise<number[]> {
  const times: number[] = []
  for (let n = 0; n < events; n++) {
    const value = `"${event} ${n}"`
    const coming = site.endpoint.expect(1, (arrival) => arrival.path === path && arrival.body.includes(value))
    const began = performance.now()
    const [[arrival]] = await Promise.all([coming, sendEvent(site, event, `${event} ${n}`, n)])
    times.push(arrival!.atMs - began)
  }
  return times
}

/** The event's own share of the delay: it is stored durably before its consequences. */
async function answers(site: Site, events: number): Promise<number[]> {
  const times: number[] = []
  for (let n = 0; n < events; n++) {
    const began = performance.now()
    await sendEvent(site, 'nobody waits for it', 'x', n)
    times.push(performance.now() - began)
  }
  return times
}

async function delay(site: Site, { events }: Sizes): Promise<Row[]> {
  await automate(site, 'delay', ['/delay'])
  await automate(site, 'warm', ['/warm'])
  await delays(site, 'warm', '/warm', 10)
  const single = await bare(site, events, 1)
  return [
    { name: 'bare undici POST, one after the other', ...single },
    timesOf('an event request that calls nobody', await answers(site, events)),
    timesOf('from an event request to the arrival', await delays(site, 'delay', '/delay', events)),
  ]
}

/** Each event calls all endpoints; only those that answer are measured. */
async function toMany(site: Site, paths: readonly string[], name: string, rounds: number): Promise<Row> {
  const looked = new Set(paths.slice(1))
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const value = `"${name} ${round}"`
    const coming = site.endpoint.expect(looked.size, ({ path, body }) => looked.has(path) && body.includes(value))
    const began = performance.now()
    const [arrivals] = await Promise.all([coming, sendEvent(site, 'to many', `${name} ${round}`, round)])
    times.push(...arrivals.map(({ atMs }) => atMs - began))
  }
  return timesOf(name, times)
}

async function deadEndpoint(site: Site, { rounds }: Sizes): Promise<Row[]> {
  const paths = pathsOf('to-many', ENDPOINTS)
  await automate(site, 'to many', paths)
  await toMany(site, paths, 'connections are made', 2)
  const alive = await toMany(site, paths, `event to ${ENDPOINTS - 1} of ${ENDPOINTS} endpoints, all answer`, rounds)
  site.endpoint.dead = paths[0]
  const name = `event to ${ENDPOINTS - 1} of ${ENDPOINTS} endpoints, the other one is dead`
  return [alive, await toMany(site, paths, name, rounds)]
}

async function behindMany(site: Site, { waiting, rounds }: Sizes): Promise<Row[]> {
  const automationId = await automate(site, 'same', ['/busy'])
  await automate(site, 'other', ['/elsewhere'])
  await enqueue(site, automationId, ['/busy'], waiting)
  const name = (which: string) => `event while ${waiting.toLocaleString('en')} contact changes wait, ${which} endpoint`
  return [
    timesOf(name('same'), await delays(site, 'same', '/busy', rounds * 3)),
    timesOf(name('other'), await delays(site, 'other', '/elsewhere', rounds * 3)),
  ]
}

/** @param dataDir an empty folder. */
export async function measureWebhooks(dataDir: string, sizes: Sizes = FULL): Promise<Row[]> {
  const certificate = await certificateFor(['127.0.0.1'])
  const caFile = join(dataDir, 'ca.pem')
  writeFileSync(caFile, certificate.cert)
  const endpoint = await openEndpoint(certificate)
  try {
    const site = await openSite(dataDir, caFile, endpoint, sizes.events)
    try {
      const rows = await throughput(site, sizes)
      rows.push(...(await delay(site, sizes)), ...(await deadEndpoint(site, sizes)))
      return [...rows, ...(await behindMany(site, sizes))]
    } finally {
      await site.server.stop()
    }
  } finally {
    endpoint.close()
  }
}
