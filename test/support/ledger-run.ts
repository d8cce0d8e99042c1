// What the long runs with a ledger share: a folder with the certificate that the service trusts, the endpoint
// of the webhooks, and the stores read at the end.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { pino } from 'pino'
import { type FactsOptions, openFacts } from '../../server/stores/facts.ts'
import { openRecords, type RecordsOptions } from '../../server/stores/records.ts'
import { until } from './delivery-nodes.ts'
import { certificateFor, type Endpoint, openEndpoint } from './endpoint.ts'
import { heldIn, type Kind, type Ledger, toldTo } from './ledger.ts'
import { PATIENCE_MS } from './patience.ts'
import type { Ending } from './server.ts'

export interface LedgerRun {
  readonly folder: string
  /** Ends what is left of a run, last things first. */
  readonly scope: Ending
  readonly endpoint: Endpoint
  readonly hookUrl: string
  /** Lets a service call the endpoint. */
  readonly env: Readonly<Record<string, string>>
}

/** For a whole file. */
export async function openLedgerRun(name: string): Promise<LedgerRun> {
  const folder = mkdtempSync(join(tmpdir(), `footfall-${name}-`))
  const closers: (() => Promise<void>)[] = []
  after(async () => {
    for (const close of closers.toReversed()) await close()
    rmSync(folder, { recursive: true, force: true })
  })
  const scope: Ending = { after: (close) => closers.push(close) }
  const certificate = await certificateFor(['127.0.0.1'])
  const caFile = join(folder, 'ca.pem')
  writeFileSync(caFile, certificate.cert)
  const endpoint = await openEndpoint(scope, certificate)
  const env = { LOG_LEVEL: 'warn', WEBHOOK_ALLOW: '127.0.0.0/8', NODE_EXTRA_CA_CERTS: caFile }
  return { folder, scope, endpoint, hookUrl: `https://127.0.0.1:${endpoint.port}/hook`, env }
}

/** As if half a minute had gone by, while no service runs: what the dead ones had taken is free. */
export async function endLeases(options: RecordsOptions): Promise<void> {
  const records = await openRecords(options)
  await records.updateTable('deliveries').set({ next_attempt_ms: 0 }).where('state', '!=', 'delivered').execute()
  await records.destroy()
}

/**
 * Until the endpoint was told of every event that was acknowledged; who waits in vain is ended by the runner.
 */
export async function untilTold(endpoint: Endpoint, { acknowledged }: Ledger): Promise<void> {
  await until(() => {
    const told = new Set(toldTo(endpoint))
    return [...acknowledged.webhooks].every((name) => told.has(name))
  })
}

export type StoreOptions = RecordsOptions & Pick<FactsOptions, 'urls' | 'cluster'>

/** While no service runs. */
export async function readHeld(options: StoreOptions, endpoint: Endpoint): Promise<Record<Kind, string[]>> {
  const log = pino({ level: 'silent' })
  const facts = await openFacts({ ...options, memoryMb: 512, threads: 2, fsync: true, patienceMs: PATIENCE_MS, log })
  const records = await openRecords(options)
  const held = await heldIn(facts, records)
  await facts.close()
  await records.destroy()
  return { ...held, webhooks: toldTo(endpoint) }
}
