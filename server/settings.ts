// Every setting is one row here: its key in Config, what is accepted, what holds without it, and what it is
// for. config.ts reads them, and docs/settings.md shows the same rows (test/docs.test.ts).
import { availableParallelism } from 'node:os'
import { backupSettings } from './backup-settings.ts'
import { demoSettings } from './demo-settings.ts'
import { factsSettings } from './facts-settings.ts'
import { mailSettings } from './mail-settings.ts'
import { uploadSettings } from './upload-settings.ts'
import {
  addressRange,
  asItIs,
  atLeast,
  clusterName,
  delays,
  hostName,
  httpUrl,
  list,
  oneOf,
  plainRange,
  renaming,
  url,
  whole,
} from './setting-values.ts'

export interface Setting<T> {
  /** Of the value in Config. */
  readonly key: string
  /** What is accepted, in words. */
  readonly type: string
  /** In words; left out where it is the fallback as it is written. */
  readonly default?: string
  readonly sentence: string
  /** The value without the setting. */
  readonly fallback: T
  /** @throws an Error with the reason alone; the name is added by the caller. */
  readonly read: (text: string) => T
}

/** Below this a secret could be guessed; 32 characters of base64 are 192 bits. */
const SECRET_CHARACTERS = 32
/** Without WORKERS there are no more: each takes memory, and few machines have that much to do. */
const USUAL_WORKERS = 8
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

const secretText = { type: `text of at least ${SECRET_CHARACTERS} characters`, read: atLeast(SECRET_CHARACTERS) }

/** In the order of the documentation. */
export const settings = {
  PORT: {
    key: 'port',
    fallback: 8080,
    ...whole(0, 65_535),
    sentence: 'The port to listen on. 0 picks a free one.',
  },
  HOST: {
    key: 'host',
    type: 'address or host name',
    fallback: '127.0.0.1',
    read: asItIs,
    sentence: 'The IP address to listen on. 0.0.0.0 or :: listens on all networks.',
  },
  WORKERS: {
    key: 'workers',
    default: `one for each processor, at most ${USUAL_WORKERS}`,
    fallback: Math.min(availableParallelism(), USUAL_WORKERS),
    ...whole(1, 64),
    sentence:
      'The number of processes that serve requests. They share the port and both stores, and are restarted if they stop. 1 uses the least memory.',
  },
  DATA_DIR: {
    key: 'dataDir',
    type: 'folder',
    fallback: './data',
    read: asItIs,
    sentence: 'The folder for the embedded stores and the secret, readable only by its owner.',
  },
  BASE_URL: {
    key: 'baseUrl',
    default: 'http://HOST:PORT',
    fallback: null,
    ...httpUrl,
    sentence: 'The public URL of the service; used for links in responses.',
  },
  DASHBOARD_URL: {
    key: 'dashboardUrl',
    default: 'BASE_URL/dashboard',
    fallback: null,
    ...httpUrl,
    sentence:
      'The URL of the dashboard: a path on the host of BASE_URL, or its own host. Also used for links in webhooks.',
  },
  LINK_A_URL: {
    key: 'linkAUrl',
    default: 'BASE_URL/a',
    fallback: null,
    ...httpUrl,
    sentence: 'The first short domain, link-a: its own host, or an unused path on this one. Codes are appended to it.',
  },
  LINK_B_URL: {
    key: 'linkBUrl',
    default: 'BASE_URL/b',
    fallback: null,
    ...httpUrl,
    sentence: 'The second short domain, link-b.',
  },
  DATABASE_URL: {
    key: 'databaseUrl',
    type: 'postgres:// URL',
    default: 'SQLite in DATA_DIR',
    fallback: null,
    read: url('postgres:', 'postgresql:'),
    sentence: 'The PostgreSQL database for the records. Its encoding must be UTF8.',
  },
  CLICKHOUSE_URL: {
    key: 'clickhouseUrls',
    type: 'http:// or https:// URLs, separated by commas',
    default: 'embedded',
    fallback: [] as string[],
    read: list(url('http:', 'https:')),
    sentence: 'The ClickHouse server for the facts, or all nodes of CLICKHOUSE_CLUSTER.',
  },
  CLICKHOUSE_CLUSTER: {
    key: 'clickhouseCluster',
    type: 'name',
    fallback: null,
    read: clusterName,
    sentence:
      'The name of the cluster in the servers’ remote_servers. Facts are distributed over it by session, and replicated if its servers are set up for it.',
  },
  REDIS_URL: {
    key: 'redisUrl',
    type: 'redis:// or rediss:// URL',
    default: 'each node counts on its own',
    fallback: null,
    read: url('redis:', 'rediss:'),
    sentence:
      'The Redis server on which several nodes count rate limits together. If it is unavailable, each node counts on its own.',
  },
  SECRET: {
    key: 'secret',
    default: 'the file DATA_DIR/secret, created at the first start',
    fallback: null,
    ...secretText,
    sentence:
      'Signs session and view ids. All nodes need the same secret; a node with a different one does not start. To change it, use `footfall secret change`.',
  },
  ADMIN_TOKEN: {
    key: 'adminToken',
    fallback: null,
    ...secretText,
    sentence:
      'The bearer token with which scripts access the management API and /metrics. Without it, only people who sign in can use the management API.',
  },
  TRUST_PROXY: {
    key: 'trustProxy',
    type: 'addresses or CIDR ranges, separated by commas',
    fallback: [] as string[],
    read: list(addressRange),
    sentence:
      'The proxies whose X-Forwarded-For header is trusted, and whose X-PROXY-* headers are if they send none. If empty, X-PROXY-* is trusted from this machine only. loopback, linklocal and uniquelocal stand for these ranges.',
  },
  PUBLIC_RATE_LIMIT: {
    key: 'publicRateLimit',
    fallback: 120,
    ...whole(0, 1_000_000),
    type: 'whole number',
    sentence:
      'Public requests per minute and client IP address (IPv6: per /64 network), and five times as many for scripts and other files. 0 turns both limits off.',
  },
  PUBLIC_PATHS: {
    key: 'publicPaths',
    type: 'pairs of paths, /own=/other, separated by commas',
    fallback: [] as [string, string][],
    read: list(renaming),
    sentence:
      'Additional paths for the browser libraries and the endpoints that visitors’ browsers call: /signals.js, /extras.js, /vitals.js, /form.js, /filling.js, /managed.js, /notes.js, /content.js, /tag.js, /v2/signal, /v2/form, /v2/content, /v2/lib, /f. The original paths keep working.',
  },
  WEBHOOK_RETRY_DELAYS: {
    key: 'webhookRetryDelays',
    type: 'up to ten whole numbers, 1 to 86400, separated by commas',
    fallback: [120, 900],
    read: delays,
    sentence: 'Seconds between the attempts to deliver a webhook. There is one more attempt than there are numbers.',
  },
  WEBHOOK_ALLOW: {
    key: 'webhookAllow',
    type: 'CIDR ranges or addresses, separated by commas',
    fallback: [] as string[],
    read: list(plainRange),
    sentence:
      'Private IP addresses that webhooks may call, for example on an intranet. https is required there too, except for the hosts in WEBHOOK_ALLOW_HTTP. Never called whatever is listed: link-local addresses (169.254.0.0/16, fe80::/10) and the metadata services of clouds elsewhere (fd00:ec2::254, fd20:ce::254, 100.100.100.200, 192.0.0.192).',
  },
  WEBHOOK_ALLOW_HTTP: {
    key: 'webhookAllowHttp',
    type: 'host names, separated by commas',
    fallback: [] as string[],
    read: list(hostName),
    sentence:
      'The hosts that webhooks may call over http:// instead of https://, each at IP addresses in WEBHOOK_ALLOW. For services on your own network, for example n8n in the next container.',
  },
  ...mailSettings,
  DELIVERY_DAYS: {
    key: 'deliveryDays',
    fallback: 30,
    ...whole(1, 3650),
    sentence: 'How many days webhook deliveries (with requests and responses) and the email log are kept.',
  },
  RETENTION_DAYS: {
    key: 'retentionDays',
    default: 'kept forever',
    fallback: null,
    ...whole(1, 36_500),
    sentence: 'Facts older than this many days are deleted once a day, by whole weeks.',
  },
  ...factsSettings,
  ...demoSettings,
  STOP_NOTICE_SECONDS: {
    key: 'stopNoticeSeconds',
    default: '5 with DATABASE_URL and CLICKHOUSE_URL, else 0',
    fallback: null,
    ...whole(0, 300),
    sentence:
      'How long a stopping node keeps serving while `/readyz` reports that it is not ready, so that load balancers switch to other nodes. A second signal ends the wait.',
  },
  GEO_DIR: {
    key: 'geoDir',
    type: 'folder',
    default: 'the files installed by npm',
    fallback: null,
    read: asItIs,
    sentence: 'The folder with the city and network databases.',
  },
  ...backupSettings,
  ...uploadSettings,
  LOG_LEVEL: {
    key: 'logLevel',
    type: LOG_LEVELS.join(', '),
    fallback: 'info',
    read: oneOf(Object.fromEntries(LOG_LEVELS.map((level) => [level, level]))),
    sentence:
      'How much is logged to standard output: one JSON line per event, or readable text on a terminal. IP addresses, tokens and query strings are never logged.',
  },
} as const satisfies Record<string, Setting<unknown>>

type Settings = typeof settings
export type SettingName = keyof Settings

type ValueOf<Row extends Setting<unknown>> = Row['fallback'] | ReturnType<Row['read']>
/** The value of every setting, by its key. */
export type SettingValues = { readonly [Name in SettingName as Settings[Name]['key']]: ValueOf<Settings[Name]> }

const rows: readonly (readonly [string, Setting<unknown>])[] = Object.entries(settings)

/** A value as a setting would say it. */
const written = (value: unknown): string =>
  Array.isArray(value) ? value.join(',') : typeof value === 'string' || typeof value === 'number' ? String(value) : ''

/**
 * For the documentation and `footfall doctor`: name, accepted values, default and purpose of each setting.
 */
export const settingRows = rows.map(([name, row]) => ({
  name,
  type: row.type,
  default: row.default ?? written(row.fallback),
  sentence: row.sentence,
}))

/** @param read what a setting comes to. */
export const settingValues = (read: (name: string, setting: Setting<unknown>) => unknown) =>
  Object.fromEntries(rows.map(([name, setting]) => [setting.key, read(name, setting)])) as unknown as SettingValues
