// Metrics of the process in Prometheus' text format. One registry per app, so that a test can open several.
import type { FastifyInstance } from 'fastify'
import { AggregatorRegistry, collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Context } from '../context.ts'
import type { Deps } from '../kernel/deps.ts'
import type { Facts } from '../stores/facts.ts'

/** From a page view to the heaviest query. */
const DURATION_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

function addStoreMetrics(registry: Registry, facts: Facts): void {
  const gauges = [
    ['footfall_facts_waiting_rows', 'Rows in memory that are not inserted yet.', 'waitingRows'],
    ['footfall_facts_log_bytes', 'What waits in the log of the facts; FACTS_LOG_MB is the most that may.', 'bytes'],
  ] as const
  for (const [name, help, stat] of gauges) {
    const gauge = new Gauge({
      name,
      help,
      collect() {
        this.set(facts.stats()[stat])
      },
      registers: [],
    })
    registry.registerMetric(gauge)
  }
  const counters = [
    ['footfall_facts_inserts_total', 'Inserts that the facts store has confirmed.', 'inserts'],
    ['footfall_facts_inserted_rows_total', 'Rows that the facts store has confirmed.', 'insertedRows'],
    ['footfall_facts_failed_inserts_total', 'Inserts that failed; those tried again are counted too.', 'failedInserts'],
  ] as const
  for (const [name, help, stat] of counters) {
    const counter = new Counter({
      name,
      help,
      collect() {
        this.reset()
        this.inc(facts.stats()[stat])
      },
      registers: [],
    })
    registry.registerMetric(counter)
  }
}

const clickResults = ['stored', 'late', 'lost', 'flood'] as const

/**
 * The outcomes of clicks on short links; plain numbers, since a counter with labels would cost more than
 * everything else about a click.
 */
export function openClickCounter(registry: Registry): (result: (typeof clickResults)[number], clicks?: number) => void {
  const counts = { stored: 0, late: 0, lost: 0, flood: 0 }
  const counter = new Counter({
    name: 'footfall_clicks_total',
    help: 'Clicks on short links: stored before the answer, late: not stored by the deadline, lost: never stored, which a late one and one of a flood may become, or flood: one of too many of a minute, stored later in a row that counts them. The visitor was sent on in each case.',
    labelNames: ['result'],
    collect() {
      this.reset()
      for (const result of clickResults) this.inc({ result }, counts[result])
    },
    registers: [],
  })
  registry.registerMetric(counter)
  return (result, clicks = 1) => {
    counts[result] += clicks
  }
}

export function addPauseMetric(registry: Registry, pause: { readonly isOn: boolean }): void {
  const gauge = new Gauge({
    name: 'footfall_writes_paused',
    help: '1 while every write is refused, because the installation is moved to other databases.',
    collect() {
      this.set(Number(pause.isOn))
    },
    registers: [],
  })
  registry.registerMetric(gauge)
}

interface Deliveries {
  readonly isSending: boolean
  readonly totals: Readonly<Record<string, number>>
}

/** @param countWaiting queries the records: while they are away the figure keeps its last value. */
export function addDeliveryMetrics(
  registry: Registry,
  deliveries: Deliveries,
  countWaiting: () => Promise<number>,
): void {
  const up = new Gauge({
    name: 'footfall_webhooks_up',
    help: '1 while webhooks are sent; 0 when the address guard failed its test at the start.',
    collect() {
      this.set(Number(deliveries.isSending))
    },
    registers: [],
  })
  const waiting = new Gauge({
    name: 'footfall_deliveries_waiting',
    help: 'Deliveries of webhooks that wait for an attempt, on all nodes; counted up to 100000.',
    async collect() {
      const count = await countWaiting().catch(() => undefined)
      if (count !== undefined) this.set(count)
    },
    registers: [],
  })
  const totals = new Counter({
    name: 'footfall_deliveries_total',
    help: 'Deliveries of webhooks: delivered, failed permanently, skipped because the condition was not met; retried: attempts followed by another one.',
    labelNames: ['outcome'],
    collect() {
      this.reset()
      for (const [outcome, count] of Object.entries(deliveries.totals)) this.inc({ outcome }, count)
    },
    registers: [],
  })
  for (const metric of [up, waiting, totals]) registry.registerMetric(metric)
}

/**
 * When a backup ended; 0: none is known. While the records are away the figures keep their last values.
 * @param times unix seconds.
 */
export function addBackupMetrics(
  registry: Registry,
  times: () => Promise<{ readonly done: number | null; readonly failed: number | null }>,
): void {
  const rows = [
    [
      'footfall_backup_last_success_timestamp_seconds',
      'When the newest whole backup was ready; 0: there is none.',
      'done',
    ],
    ['footfall_backup_last_failure_timestamp_seconds', 'When a backup failed last; 0: never.', 'failed'],
  ] as const
  for (const [name, help, end] of rows) {
    const gauge = new Gauge({
      name,
      help,
      async collect() {
        const found = await times().catch(() => undefined)
        if (found) this.set(found[end] ?? 0)
      },
      registers: [],
    })
    registry.registerMetric(gauge)
  }
}

/** The header that `footfall doctor` sends and looks for. Anybody may send it: it is a hint, and no proof. */
function addProxyMetric(registry: Registry, app: FastifyInstance, trustProxy: readonly string[]): void {
  const counter = new Counter({
    name: 'footfall_unknown_proxy_requests_total',
    help: 'Requests with X-Forwarded-For while TRUST_PROXY is not set: whoever comes through a proxy counts as one client.',
    registers: [registry],
  })
  if (trustProxy.length > 0) return
  app.addHook('onResponse', (request, _reply, done) => {
    if (request.headers['x-forwarded-for'] !== undefined) counter.inc()
    done()
  })
}

/**
 * Requests are counted by route pattern, not by path: paths contain ids, and anybody could invent new ones.
 */
export function openMetrics(app: FastifyInstance, { facts, config }: Pick<Deps, 'facts' | 'config'>): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  addStoreMetrics(registry, facts)
  addProxyMetric(registry, app, config.trustProxy)
  const durations = new Histogram({
    name: 'footfall_http_request_duration_seconds',
    help: 'Time until the answer was sent, by route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: DURATION_SECONDS,
    registers: [registry],
  })
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none'
    durations.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
    done()
  })
  return registry
}

/**
 * What /metrics says. Where WORKERS says that there are several processes, whichever is asked answers for
 * all: each series says of which worker it is, so that one that was started again counts from 0 as Prometheus
 * expects it.
 */
export function gatheredMetrics(registry: Registry, team: Context['team']): () => Promise<string> {
  if (!team) return () => registry.metrics()
  registry.setDefaultLabels({ worker: String(team.slot) })
  team.answer('metrics', () => registry.getMetricsAsJSON())
  return async () => {
    const all = (await team.askAll('metrics')) as object[]
    return AggregatorRegistry.aggregate(all).metrics()
  }
}
