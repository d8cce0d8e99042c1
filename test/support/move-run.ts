// An installation that is carried from one set of stores to another while its ledger goes on: what the legs
// of a move have in common.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { readConfig } from '../../server/config.ts'
import { withRecordsOf } from '../../cli/with-records.ts'
import { findEngine } from '../../server/engine/address.ts'
import { dayOf, dayText } from '../../server/kernel/days.ts'
import { GONE_MS } from '../../server/pause.ts'
import { findAnyPause, listWriters } from '../../server/pause-records.ts'
import { look } from '../../server/stores/carry-digests.ts'
import { start, type Started, tell } from './cli.ts'
import { figuresOf } from './figures.ts'
import { type Ledger, type LedgerSite, openLedger, openSite, sendOn } from './ledger.ts'
import type { LedgerRun } from './ledger-run.ts'
import { callService, type Service, startService } from './service.ts'
import { pause } from './site.ts'
import { untilEqual } from './until.ts'
import { visit } from './visits.ts'
import { isRunning, openLines, workersOf } from './worker-lines.ts'

/** Settings of one side: DATA_DIR, and the servers that it has. */
export type Side = Readonly<Record<string, string>>

export interface MoveRun extends LedgerRun {
  readonly ledger: Ledger
  readonly site: LedgerSite
}

export const openMoveRun = async (run: LedgerRun, service: Service): Promise<MoveRun> => ({
  ...run,
  ledger: openLedger(),
  site: await openSite(service, run.hookUrl),
})

export const startOn = ({ scope, env }: LedgerRun, side: Side, workers = '1'): Promise<Service> =>
  startService(scope, side['DATA_DIR']!, { ...env, ...side, WORKERS: workers })

/** @returns a file of settings. */
export function settingsFile({ folder }: LedgerRun, name: string, side: Side): string {
  const file = join(folder, `${name}.env`)
  const lines = Object.entries(side).map(([key, value]) => `${key}=${value}\n`)
  writeFileSync(file, lines.join(''))
  return file
}

/** The settings of a command beside the service; of one that is stopped when there is none. */
const beside = ({ env }: LedgerRun, side: Side, service?: Service) => ({
  ...env,
  ...side,
  ...(service && { PORT: new URL(service.url).port }),
})

/** @param to a file of settings, and what else is asked for. */
export async function moveTo(run: LedgerRun, from: readonly [Side, Service?], ...to: readonly string[]) {
  const { code, out, err } = await tell(['move', '--to', ...to, '--json'], beside(run, ...from))
  assert.equal(code, 0, err)
  return JSON.parse(out)
}

/** @returns what it says instead. */
export async function refusalOf(run: LedgerRun, from: readonly [Side, Service?], ...to: readonly string[]) {
  const { code, err } = await tell(['move', '--to', ...to], beside(run, ...from))
  assert.equal(code, 1)
  return err
}

/** In a process of its own, to be killed or to fail. */
export const beginMove = (run: LedgerRun, from: readonly [Side, Service?], ...to: readonly string[]): Started =>
  start(['move', '--to', ...to], beside(run, ...from))

/** A command that changes the records, beside the service. */
export const createProperty = (run: LedgerRun, side: Side, service?: Service) =>
  tell(['property', 'create', '--name', 'New', '--domain', 'new.example'], beside(run, side, service))

export const resume = (run: LedgerRun, side: Side, service: Service) =>
  tell(['move', '--resume', '--json'], beside(run, side, service))

/** Everything one after the other, and all of it acknowledged. */
export async function sendSome({ site, ledger }: MoveRun, name: string, service: Service, visits = 7): Promise<void> {
  const before = ledger.answers.get(503) ?? 0
  let sent = 0
  const sender = { site, ledger, name, address: '203.0.113.1', first: 0, node: () => service }
  await sendOn(sender, () => ++sent < visits)
  assert.equal(ledger.answers.get(503) ?? 0, before, `${name}: changes are accepted`)
}

/** Between two visits: more would only cost time. */
const BETWEEN_MS = 50

/**
 * While the work is done: what is stored is carried, and the rest is refused. Facts alone: what is in the
 * records before it is in the facts, a submission or a person, is noted in these later, and may be on the
 * other side.
 */
export async function sendingMeanwhile<Result>(
  { site, ledger }: MoveRun,
  name: string,
  service: Service,
  work: () => Promise<Result>,
): Promise<Result> {
  let isOver = false
  const goesOn = async (): Promise<boolean> => {
    await pause(BETWEEN_MS)
    return !isOver
  }
  const sender = { site, ledger, name, address: '203.0.113.2', first: 0, step: 3, node: () => service }
  const sending = sendOn(sender, goesOn)
  try {
    return await work()
  } finally {
    isOver = true
    await sending
    // Who follows a link is sent on as quickly in a pause, and not stored.
    const { clicks } = ledger.acknowledged
    for (const click of clicks) if (click.startsWith(`${name}n`)) clicks.delete(click)
  }
}

let probes = 0

/** One of several processes answers each time. */
async function statusOfView({ site, ledger }: MoveRun, service: Service): Promise<number> {
  const name = `probe${++probes}`
  const page = { 'x-svc-lib': '1.1.0', 'x-svc-page': encodeURIComponent(`https://example.com/${name}`) }
  const headers = { ...page, connection: 'close', 'x-forwarded-for': '203.0.113.9' }
  const caller = { key: site.property.key, token: null }
  ledger.sent.views.add(name)
  const { status } = await callService(service, caller, 'GET', '/v2/signal/load', undefined, headers)
  if (status === 200) ledger.acknowledged.views.add(name)
  return status
}

/** Of every process, as far as one connection after the other can tell. */
export const untilStatus = (run: MoveRun, service: Service, status: number): Promise<void> =>
  untilEqual(async () => {
    const first = await statusOfView(run, service)
    if (first !== status) return [first]
    const seen = await Promise.all(Array.from({ length: 8 }, () => statusOfView(run, service)))
    return [...new Set(seen)]
  }, [status])

/** Midnight may come while it runs. */
const days = [0, 1].map((ahead) => dayText(dayOf(Date.now()) + ahead)) as [today: string, tomorrow: string]

export const figures = ({ site }: MoveRun, service: Service) => figuresOf(service, site.property, days)

export async function assertReads(run: MoveRun, service: Service): Promise<void> {
  const seen = await visit(service.url, `/a/${run.site.code}`, { address: '203.0.113.9' })
  assert.equal(seen.status, 302, 'who follows a link is sent on')
  for (const path of ['/readyz', '/dashboard']) assert.ok((await fetch(service.url + path)).ok, path)
}

/** Keeps whoever carries records into this database, or out of it, waiting at a table. */
export async function holdTable(url: string, table: string): Promise<() => Promise<void>> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query('begin')
  await client.query(`lock table ${table} in access exclusive mode`)
  return async () => {
    await client.query('rollback')
    await client.end()
  }
}

export const untilPaused = (side: Side): Promise<void> =>
  withRecordsOf(readConfig(side), (records) =>
    untilEqual(async () => (await findAnyPause(records)) !== undefined, true),
  )

/** One that was ended says so, or is not heard of for half a minute. */
export const untilNobodyWrites = (side: Side): Promise<void> =>
  withRecordsOf(readConfig(side), (records) =>
    untilEqual(async () => (await listWriters(records, Date.now() - GONE_MS)).length, 0),
  )

const SHOWN = ['properties', 'links', 'contacts', 'form_sessions', 'submissions', 'deliveries'] as const

/** What is on a side: facts by week and table, and what traffic changes of the records. */
export async function storedOn(side: Side): Promise<unknown> {
  const config = readConfig(side)
  const [url = await findEngine(config.dataDir)] = config.clickhouseUrls
  const facts = { url: url!, isWhole: true }
  const rows = await withRecordsOf(config, (records) =>
    Promise.all(SHOWN.map((table) => records.selectFrom(table).selectAll().execute())),
  )
  return { facts: (await look(facts, facts)).source, rows }
}

/** As the system does when memory runs out. @returns once another one is in its place. */
export async function killWorker(service: Service, index: 0 | 1): Promise<void> {
  const victim = workersOf(service)[index]!
  process.kill(victim, 'SIGKILL')
  await untilEqual(() => isRunning(victim), false)
  await untilEqual(() => workersOf(service).length, 2)
}

/** Whoever sends page views is refused, or cut off by a process that is killed. */
async function assertRefused(run: MoveRun, service: Service, work: () => Promise<void>): Promise<void> {
  let isOver = false
  const send = async (): Promise<number[]> => {
    const seen = new Set<number>()
    while (!isOver) {
      seen.add(await statusOfView(run, service).catch(() => 503))
      await pause(BETWEEN_MS / 2)
    }
    return [...seen]
  }
  const sending = send()
  await work().finally(() => (isOver = true))
  assert.deepEqual(await sending, [503])
}

/** While a worker is killed, and then, each of both refuses changes, and nothing is written. */
export async function assertNoWrites(run: MoveRun, service: Service, side: Side, killed: 0 | 1) {
  const before = await storedOn(side)
  await assertRefused(run, service, async () => {
    await killWorker(service, killed)
    await assertEachRefuses(run, service)
  })
  assert.deepEqual(await storedOn(side), before)
}

async function assertEachRefuses(run: MoveRun, service: Service): Promise<void> {
  for (const line of await openLines(run.scope, service, 2)) {
    const headers = { 'x-svc-id': run.site.property.key, 'x-svc-lib': '1.1.0', 'x-forwarded-for': '203.0.113.9' }
    const page = { 'x-svc-page': encodeURIComponent('https://example.com/refused') }
    const { status, text } = await line.call('/v2/signal/load', { headers: { ...headers, ...page } })
    assert.deepEqual([status, /is being moved/.test(text)], [503, true], text)
    assert.equal((await line.call('/readyz')).status, 200)
  }
}
