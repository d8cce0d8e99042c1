// A whole Footfall in this process, on stores of its own: SQLite, embedded ClickHouse, real HTTP on a free
// port.
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Selectable } from 'kysely'
import { pino } from 'pino'
import { openApp } from '../../server/app.ts'
import type { PasswordCost } from '../../server/accounts/passwords.ts'
import type { DomainProbe } from '../../server/links/domain-probe.ts'
import { type Config, type Environment, readConfig } from '../../server/config.ts'
import { type Deadlines, openContext, type OpenContext } from '../../server/context.ts'
import type { RecordTables } from '../../server/stores/tables.ts'
import { checkAnswers } from './answers.ts'
import { ADMIN_TOKEN, type Call, openCall, type Track, trackOf } from './calls.ts'
import { noonClock } from './clock.ts'
import { openDatabase } from './engine.ts'
import { PATIENCE_MS } from './patience.ts'
import { fillDataDir } from './stores.ts'
import { checkStreams } from './streams.ts'
import type { Team } from '../../server/workers/workers.ts'

export const ALL_SCOPES = [
  'signals:read',
  'signals:write',
  'contacts:read',
  'contacts:write',
  'shortlinks:read',
  'shortlinks:write',
] as const
export { ADMIN_TOKEN, type CallOptions, CHROME, type Reply, type Visitor } from './calls.ts'

/** A test; or, for a server that a whole file shares, whatever keeps what its own `after` is to do. */
export interface Ending {
  after(close: () => Promise<void>): unknown
}

export interface FootfallOptions {
  /**
   * Settings over those of the tests (PORT 0, PUBLIC_RATE_LIMIT 0, TRUST_PROXY 127.0.0.1, ADMIN_TOKEN, FSYNC
   * off).
   */
  readonly env?: Environment
  /**
   * The server's clock, milliseconds; one that goes on from noon when left out (clock.ts). Processes that
   * a test starts have the system's.
   */
  readonly now?: number | (() => number)
  /** Where the stores live; a fresh folder, removed at the end, when left out. */
  readonly dataDir?: string
  /** Its facts are in its own folder, held by an engine of its own, as in production. */
  readonly ownsFacts?: boolean
  /**
   * Between the beginnings of two inserts: shorter where one thing is stored after the other; as in
   * production when left out.
   */
  readonly lingerMs?: number
  /** False: the sessions of days that are not settled are always folded. */
  readonly keepsRunningDays?: boolean | undefined
  /** It hangs now and then: whoever waits for it waits no longer than in production. */
  readonly hasHangingStore?: boolean
  /** What the world says of the domains that are added. */
  readonly domainProbe?: DomainProbe
  /** One of several processes of a service (two-workers.ts): then the folder is made for all of them. */
  readonly team?: Team
}

export interface TestProperty {
  readonly id: string
  readonly key: string
  readonly token: string
}

export interface Footfall {
  readonly context: OpenContext
  readonly app: FastifyInstance
  readonly url: string
  readonly property: TestProperty
  /** Token of `property` with all scopes. */
  readonly token: string
  readonly admin: string
  readonly clock: { now: () => number; set: (ms: number) => void; advance: (ms: number) => void }
  readonly call: Call
  /** Another property with a token of its own, straight into the records. */
  addProperty(row?: Partial<Selectable<RecordTables['properties']>>): Promise<TestProperty>
  addToken(propertyId: string, scopes: readonly string[]): Promise<string>
  readonly track: Track
  close(): Promise<void>
}

export const testEnvironment: Environment = {
  PORT: '0',
  HOST: '127.0.0.1',
  BASE_URL: 'http://footfall.test',
  PUBLIC_RATE_LIMIT: '0',
  TRUST_PROXY: '127.0.0.1',
  ADMIN_TOKEN,
  FSYNC: 'off',
  LOG_LEVEL: 'error',
  GEO_DIR: '/nonexistent',
}

/**
 * However busy the machine is, what was answered is stored and known; only the tests of lateness have the
 * real deadlines.
 */
const patient: Deadlines = {
  redirectMs: PATIENCE_MS,
  formFactsMs: PATIENCE_MS,
  newDayMs: PATIENCE_MS,
  sharedSeconds: PATIENCE_MS / 1000,
}

/**
 * The least that argon2id takes: people are made in hundreds of tests, and what a password costs is the
 * promise of one (passwords.test.ts).
 */
export const cheapPasswords: PasswordCost = { memory: 8, passes: 1, parallelism: 1 }

function openClock(now: FootfallOptions['now']): Footfall['clock'] {
  let fixed = typeof now === 'number' ? now : undefined
  const read = typeof now === 'function' ? now : noonClock
  return {
    now: () => fixed ?? read(),
    set: (ms) => {
      fixed = ms
    },
    advance: (ms) => {
      fixed = (fixed ?? read()) + ms
    },
  }
}

/** SHA-256 hex: how a token is kept. */
const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')

async function addToken(context: OpenContext, propertyId: string, scopes: readonly string[]): Promise<string> {
  const token = `fft_${randomBytes(20).toString('hex')}`
  const id = `tk_${randomBytes(10).toString('hex')}`
  await context.records
    .insertInto('tokens')
    .values({
      id,
      property_id: propertyId,
      name: 'test',
      hash: hashOf(token),
      scopes: JSON.stringify(scopes),
      created_ts: Math.floor(context.now() / 1000),
    })
    .execute()
  return token
}

async function addProperty(
  context: OpenContext,
  row: Partial<Selectable<RecordTables['properties']>> = {},
): Promise<TestProperty> {
  const values = {
    id: `pr_${randomBytes(10).toString('hex')}`,
    key: `ff_${randomBytes(10).toString('hex')}`,
    name: 'Test',
    domains: '["example.com"]',
    default_period: null,
    plan: 'paid',
    proxy_key_hash: null,
    content_policy: 'standard',
    created_ts: Math.floor(context.now() / 1000),
    ...row,
  } as const
  await context.records.insertInto('properties').values(values).execute()
  return { id: values.id, key: values.key, token: await addToken(context, values.id, ALL_SCOPES) }
}

/** Facts in the engine of all tests, where no folder of them is asked for. */
const mayShareEngine = (config: Config, { dataDir, ownsFacts = dataDir !== undefined }: FootfallOptions): boolean =>
  !ownsFacts && config.clickhouseUrls.length === 0 && !config.fsync

/** Boots in a quarter of a second; closes and removes its folder when the test ends, or by `close()`. */
export async function startFootfall(t: Ending, options: FootfallOptions = {}): Promise<Footfall> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'footfall-test-'))
  const clock = openClock(options.now)
  const env = { ...testEnvironment, DATA_DIR: dataDir, ...options.env }
  const config = readConfig(env)
  const isSharing = !options.team && mayShareEngine(config, options)
  if (options.dataDir === undefined) await fillDataDir(config, !isSharing && !options.team)
  const log = pino({ level: config.logLevel }, pino.destination({ fd: 2, sync: true }))
  const { lingerMs, keepsRunningDays, hasHangingStore = false, team, domainProbe } = options
  const database = isSharing ? await openDatabase(config) : undefined
  const engineUrl = team ? team.engineUrl : database?.url
  const given = {
    now: clock.now,
    log,
    deadlines: patient,
    passwordCost: cheapPasswords,
    lingerMs,
    ...(!hasHangingStore && { patienceMs: PATIENCE_MS }),
    keepsRunningDays,
    engineUrl,
    team,
    ...(domainProbe && { domainProbe }),
  }
  const context = await openContext(config, given)
  const app = await openApp(context, { serializing: checkAnswers, sending: checkStreams })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  const property = await addProperty(context)
  const call = openCall(url, property.token)
  let isOpen = true
  const close = async (): Promise<void> => {
    if (!isOpen) return
    isOpen = false
    await app.close()
    await context.close()
    await database?.remove()
    if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true })
  }
  t.after(close)
  return {
    context,
    app,
    url,
    property,
    token: property.token,
    admin: ADMIN_TOKEN,
    clock,
    call,
    close,
    addProperty: (row) => addProperty(context, row),
    addToken: (propertyId, scopes) => addToken(context, propertyId, scopes),
    track: trackOf(call, property),
  }
}

/**
 * The same service for another test, at that time of its clock, with a property of its own. For files whose
 * tests say nothing of the whole store.
 */
export async function startAgain(footfall: Footfall, now: number): Promise<Footfall> {
  footfall.clock.set(now)
  const property = await footfall.addProperty()
  const call = openCall(footfall.url, property.token)
  return { ...footfall, property, token: property.token, call, track: trackOf(call, property) }
}
