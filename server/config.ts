// The only reader of the environment: what the rows of settings.ts come to.
// A value that cannot be used stops the start and names its setting: nothing is corrected in silence.
import { existsSync } from 'node:fs'
import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { type Setting, settingValues, type SettingValues } from './settings.ts'

/** The value of every setting, by the key of its row. */
export interface Config extends Omit<SettingValues, 'baseUrl'> {
  /** The one thing that may change: see noteBoundPort. */
  baseUrl: string
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

function readSetting<T>(env: Environment, name: string, setting: Setting<T>): T {
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

/**
 * @throws SettingError naming the first setting that cannot be used. Values of secrets are never part of its
 * text.
 */
export function readConfig(env: Environment = process.env): Config {
  const values = settingValues((name, setting) => readSetting(env, name, setting))
  checkCluster(values)
  const { port, host, dataDir, baseUrl } = values
  return { ...values, dataDir: resolve(dataDir), baseUrl: baseUrl ?? localUrl(host, port) }
}

function checkCluster({ clickhouseUrls, clickhouseCluster }: SettingValues): void {
  if (clickhouseCluster !== null && clickhouseUrls.length === 0)
    throw new SettingError('CLICKHOUSE_CLUSTER', 'needs CLICKHOUSE_URL, with the URLs of all its nodes')
  if (clickhouseCluster === null && clickhouseUrls.length > 1)
    throw new SettingError('CLICKHOUSE_URL', 'names several servers: CLICKHOUSE_CLUSTER must name their cluster')
}

/** Where the short links of a domain live, without a trailing slash: `{linkUrl}/{code}`. */
export function linkUrl(config: Config, domain: 'link-a' | 'link-b'): string {
  const [url, path] = domain === 'link-a' ? [config.linkAUrl, '/a'] : [config.linkBUrl, '/b']
  return url ?? config.baseUrl + path
}

/**
 * The folder of the geo files: that of GEO_DIR, or the one that `footfall geo refresh` fills; null:
 * those from npm.
 */
export function geoFolder({ geoDir, dataDir }: Pick<Config, 'geoDir' | 'dataDir'>): string | null {
  const refreshed = join(dataDir, 'geo')
  return geoDir ?? (existsSync(refreshed) ? refreshed : null)
}

/** Without a trailing slash. */
export function dashboardUrl(config: Config): string {
  return config.dashboardUrl ?? `${config.baseUrl}/dashboard`
}

/** Whether a hit is acknowledged before it is in the facts store: see FACTS_ACKNOWLEDGE. */
export const acknowledgesFromLog = ({ factsAcknowledge, clickhouseUrls }: Config): boolean =>
  (factsAcknowledge ?? (clickhouseUrls.length === 0 ? 'log' : 'insert')) === 'log'
/** Enough for a load balancer that looks every second; nobody else could take the calls of a single node. */
const NOTICE_SECONDS = 5

/** How long a node that stops still takes new connections, while it says that it is not ready. */
export const noticeSeconds = ({ stopNoticeSeconds, databaseUrl, clickhouseUrls }: Config): number =>
  stopNoticeSeconds ?? (databaseUrl !== null && clickhouseUrls.length > 0 ? NOTICE_SECONDS : 0)

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
