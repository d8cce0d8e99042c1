// The checks of `footfall doctor`, one function each. A check that throws has found a problem; none changes
// anything.
import { accessSync, constants, existsSync, readFileSync, statfsSync, statSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { type Config, readConfig } from '../server/config.ts'
import { isInUse } from '../server/secret.ts'
import { checkBackups } from './doctor-backups.ts'
import { checkGeo, checkRates } from './doctor-data.ts'
import { checkMail } from './doctor-mail.ts'
import { checkProxies, findService } from './doctor-service.ts'
import { checkFacts, checkFactsLog, checkRecords, otherSecret } from './doctor-stores.ts'
import { type Check, type Finding, ok, type Scene, type Verdict, warn, wrong } from './doctor-verdict.ts'

const NODE_MAJOR = 24
const GIGABYTE = 1024 ** 3
/** A week of a busy site; below it the disk is nearly full. */
const LITTLE_SPACE = 2 * GIGABYTE
/** When this was written: an earlier clock is wrong, and so are its salts and windows. */
const EARLIEST_MS = Date.UTC(2026, 0, 1)
const ANSWER_MS = 2_000

function checkNode(): Verdict {
  const major = Number(process.versions.node.split('.')[0])
  return major >= NODE_MAJOR
    ? ok(`Node ${process.versions.node}`)
    : wrong(`Node ${process.versions.node} is too old: use ${NODE_MAJOR} or newer (npm start installs it)`)
}

/** The folder, or the nearest existing one above it: the start creates the rest. */
function nearestFolder(path: string): string {
  return existsSync(path) || path === dirname(path) ? path : nearestFolder(dirname(path))
}

function checkDataDir({ config }: Scene): Verdict {
  const folder = nearestFolder(config.dataDir)
  if (!statSync(folder).isDirectory()) return wrong(`${folder} is not a folder`)
  accessSync(folder, constants.W_OK | constants.X_OK)
  const { bavail, bsize } = statfsSync(folder)
  const free = `${((bavail * bsize) / GIGABYTE).toFixed(1)} GB free`
  const says = folder === config.dataDir ? `${config.dataDir}, ${free}` : `${config.dataDir} will be created, ${free}`
  return bavail * bsize < LITTLE_SPACE ? warn(`${says}: disk space is low`) : ok(says)
}

const SECRET_CHARACTERS = 32

function checkSecretFile(config: Config, file: string): Verdict {
  if (!existsSync(file)) {
    return isInUse(config)
      ? wrong(`${file} is missing, and there are records: restore it, or set SECRET`)
      : ok(`${file} will be created on first start`)
  }
  if (readFileSync(file, 'utf8').trim().length < SECRET_CHARACTERS) return wrong(`${file} is too short: restore it`)
  return (statSync(file).mode & 0o077) === 0 ? ok(file) : warn(`${file} can be read by others: chmod 600`)
}

function checkSecretPlace(config: Config): Verdict {
  if (config.secret !== null) return ok('from SECRET')
  const isShared = config.databaseUrl !== null && config.clickhouseUrls.length > 0
  const file = checkSecretFile(config, join(config.dataDir, 'secret'))
  return isShared && file.state === 'ok' ? warn(`${file.says}; several nodes need the same SECRET`) : file
}

async function checkSecret({ config }: Scene): Promise<Verdict> {
  const place = checkSecretPlace(config)
  return place.state === 'wrong' ? place : ((await otherSecret(config)) ?? place)
}

function checkAdmin({ config }: Scene): Verdict {
  return config.adminToken === null
    ? warn('ADMIN_TOKEN is not set: scripts cannot use /manage')
    : ok('ADMIN_TOKEN is set')
}

function checkClock(): Verdict {
  const now = new Date()
  return now.getTime() < EARLIEST_MS ? wrong(`${now.toISOString()} cannot be right`) : ok(now.toISOString())
}

async function checkPort({ config, isServing }: Scene): Promise<Verdict> {
  if (config.port === 0) return ok('any free port')
  const address = `${config.host}:${config.port}`
  if (isServing) return ok(`${address}: Footfall is running`)
  const error = await tryToListen(config)
  return error === undefined ? ok(`${address} is free`) : wrong(`${address} cannot be used: ${error}`)
}

function tryToListen({ host, port }: Config): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen({ host, port }, () => server.close(() => resolve(undefined)))
  })
}

function checkRedis({ config }: Scene): Promise<Verdict> | Verdict {
  if (config.redisUrl === null) return ok('not used: rate limits are counted in the process')
  const { hostname, port } = new URL(config.redisUrl)
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port || 6379), timeout: ANSWER_MS })
    const end = (verdict: Verdict) => {
      socket.destroy()
      resolve(verdict)
    }
    socket.once('connect', () => end(ok('answers')))
    socket.once('timeout', () => end(warn('does not answer: each node counts alone')))
    socket.once('error', () => end(warn('cannot be reached: each node counts alone')))
  })
}

/** In the order of the report. */
export const checks: Readonly<Record<string, Check>> = {
  'data folder': checkDataDir,
  secret: checkSecret,
  admin: checkAdmin,
  records: checkRecords,
  // Before the facts are opened, which empties the folder.
  'facts log': checkFactsLog,
  facts: checkFacts,
  backups: checkBackups,
  redis: checkRedis,
  mail: checkMail,
  geo: checkGeo,
  rates: checkRates,
  clock: checkClock,
  port: checkPort,
  proxies: checkProxies,
}

async function verdictOf(check: Check, scene: Scene): Promise<Verdict> {
  try {
    return await check(scene)
  } catch (error) {
    return wrong(error instanceof Error ? error.message : String(error))
  }
}

/**
 * One after another, so that a slow machine does not seem broken. Without valid settings the rest cannot be
 * checked.
 */
export async function runChecks(list: Readonly<Record<string, Check>>): Promise<Finding[]> {
  const findings: Finding[] = [{ name: 'node', ...checkNode() }]
  let config: Config
  try {
    config = readConfig()
  } catch (error) {
    return [...findings, { name: 'settings', ...wrong(error instanceof Error ? error.message : String(error)) }]
  }
  findings.push({ name: 'settings', ...ok('all valid') })
  const scene = { config, isServing: await findService(config) }
  for (const [name, check] of Object.entries(list)) findings.push({ name, ...(await verdictOf(check, scene)) })
  return findings
}
