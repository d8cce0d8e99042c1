// The only reader of the environment: what the rows of settings.ts come to.
// A value that cannot be used stops the start and names its setting: nothing is corrected in silence.
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { type Setting, type SettingName, settings } from './settings.ts'

export interface Config {
  readonly port: number
  readonly host: string
  readonly dataDir: string
  /** The one thing that may change: see noteBoundPort. */
  baseUrl: string
  /** The two short domains; null: under BASE_URL. Read through linkUrl(). */
  readonly linkAUrl: string | null
  readonly linkBUrl: string | null
  /** Where links of webhook bodies into the dashboard lead; null: BASE_URL/dashboard. Read through dashboardUrl(). */
  readonly dashboardUrl: string | null
  readonly databaseUrl: string | null
  readonly clickhouseUrls: string[]
  readonly clickhouseCluster: string | null
  readonly redisUrl: string | null
  readonly secret: string | null
  readonly adminToken: string | null
  readonly trustProxy: string[]
  readonly publicRateLimit: number
  readonly factsMemoryMb: number
  readonly factsThreads: number
  readonly fsync: boolean
  readonly factsAcknowledge: 'log' | 'insert' | null
  readonly factsLogMb: number
  readonly skipsFactsLogDamage: boolean
  readonly retentionDays: number | null
  /** Seconds before the second attempt of a delivery, the third, and so on. */
  readonly webhookRetryDelays: number[]
  readonly webhookAllow: string[]
  readonly deliveryDays: number
  readonly geoDir: string | null
  readonly logLevel: string
}

/** The settings as text, the way `process.env` holds them. */
export type Environment = Readonly<Record<string, string | undefined>>

/** A setting that cannot be used; shown without a stack. */
export class SettingError extends Error {
  constructor(name: string, reason: string) {
    super(`${name} ${reason}`)
    this.name = 'SettingError'
  }
}

function readSetting<T>(env: Environment, name: SettingName, setting: Setting<T>): T {
  const text = env[name]?.trim()
  // An empty value means not set: compose files and unit files can only say it that way.
  if (text === undefined || text === '') return setting.fallback
  try {
    return setting.read(text)
  } catch (error) {
    throw new SettingError(name, error instanceof Error ? error.message : String(error))
  }
}

function localUrl(host: string, port: number): string {
  return `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`
}

/** PORT=0 without BASE_URL: the address of the links in answers is known once the server listens. */
export function noteBoundPort(config: Config, port: number): void {
  if (config.baseUrl === localUrl(config.host, 0)) config.baseUrl = localUrl(config.host, port)
}

/** @throws SettingError naming the first setting that cannot be used. Values of secrets are never part of its text. */
export function readConfig(env: Environment = process.env): Config {
  const port = readSetting(env, 'PORT', settings.PORT)
  const host = readSetting(env, 'HOST', settings.HOST)
  const clickhouseUrls = readSetting(env, 'CLICKHOUSE_URL', settings.CLICKHOUSE_URL)
  const clickhouseCluster = readSetting(env, 'CLICKHOUSE_CLUSTER', settings.CLICKHOUSE_CLUSTER)
  if (clickhouseCluster !== null && clickhouseUrls.length === 0) {
    throw new SettingError('CLICKHOUSE_CLUSTER', 'needs CLICKHOUSE_URL, with the URLs of all its nodes')
  }
  if (clickhouseCluster === null && clickhouseUrls.length > 1) {
    throw new SettingError('CLICKHOUSE_URL', 'names several servers: CLICKHOUSE_CLUSTER must name their cluster')
  }
  return {
    port,
    host,
    clickhouseUrls,
    clickhouseCluster,
    dataDir: resolve(readSetting(env, 'DATA_DIR', settings.DATA_DIR)),
    baseUrl: readSetting<string | null>(env, 'BASE_URL', settings.BASE_URL) ?? localUrl(host, port),
    dashboardUrl: readSetting(env, 'DASHBOARD_URL', settings.DASHBOARD_URL),
    linkAUrl: readSetting(env, 'LINK_A_URL', settings.LINK_A_URL),
    linkBUrl: readSetting(env, 'LINK_B_URL', settings.LINK_B_URL),
    databaseUrl: readSetting(env, 'DATABASE_URL', settings.DATABASE_URL),
    redisUrl: readSetting(env, 'REDIS_URL', settings.REDIS_URL),
    secret: readSetting(env, 'SECRET', settings.SECRET),
    adminToken: readSetting(env, 'ADMIN_TOKEN', settings.ADMIN_TOKEN),
    trustProxy: readSetting(env, 'TRUST_PROXY', settings.TRUST_PROXY),
    publicRateLimit: readSetting(env, 'PUBLIC_RATE_LIMIT', settings.PUBLIC_RATE_LIMIT),
    webhookRetryDelays: readSetting(env, 'WEBHOOK_RETRY_DELAYS', settings.WEBHOOK_RETRY_DELAYS),
    webhookAllow: readSetting(env, 'WEBHOOK_ALLOW', settings.WEBHOOK_ALLOW),
    deliveryDays: readSetting(env, 'DELIVERY_DAYS', settings.DELIVERY_DAYS),
    retentionDays: readSetting(env, 'RETENTION_DAYS', settings.RETENTION_DAYS),
    factsMemoryMb: readSetting(env, 'FACTS_MEMORY_MB', settings.FACTS_MEMORY_MB),
    factsThreads: readSetting(env, 'FACTS_THREADS', settings.FACTS_THREADS),
    fsync: readSetting(env, 'FSYNC', settings.FSYNC),
    factsAcknowledge: readSetting(env, 'FACTS_ACKNOWLEDGE', settings.FACTS_ACKNOWLEDGE),
    factsLogMb: readSetting(env, 'FACTS_LOG_MB', settings.FACTS_LOG_MB),
    skipsFactsLogDamage: readSetting(env, 'FACTS_LOG_DAMAGED', settings.FACTS_LOG_DAMAGED),
    geoDir: readSetting(env, 'GEO_DIR', settings.GEO_DIR),
    logLevel: readSetting(env, 'LOG_LEVEL', settings.LOG_LEVEL),
  }
}

/**
 * Node has one pool of threads for files, names and the embedded engine, and a statement holds one of them until it ends: of the usual four, four
 * long questions would leave none to a page view that is put on the disk. It counts before the pool is first used. What the operator set stays.
 */
export function widenThreadPool(threads: number): void {
  process.env['UV_THREADPOOL_SIZE'] ??= String(threads)
}

/** Where the short links of a domain live, without a trailing slash: `{linkUrl}/{code}`. */
export function linkUrl(config: Config, domain: 'link-a' | 'link-b'): string {
  const [url, path] = domain === 'link-a' ? [config.linkAUrl, '/a'] : [config.linkBUrl, '/b']
  return url ?? config.baseUrl + path
}

/** Without a trailing slash. */
export function dashboardUrl(config: Config): string {
  return config.dashboardUrl ?? `${config.baseUrl}/dashboard`
}

/** The settings of the facts store, by the names that it gives them. */
export function factsSettings(config: Config) {
  return {
    dataDir: config.dataDir,
    urls: config.clickhouseUrls,
    cluster: config.clickhouseCluster,
    memoryMb: config.factsMemoryMb,
    threads: config.factsThreads,
    fsync: config.fsync,
    acknowledge: config.factsAcknowledge,
    logMb: config.factsLogMb,
    skipsLogDamage: config.skipsFactsLogDamage,
  }
}
