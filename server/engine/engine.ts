// The embedded ClickHouse as a process of its own beside the service, on loopback. One that crashes, is
// killed or runs out of memory is started again at once, at the same port: whoever asks it finds a server
// that was away for a moment.
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { addressFile } from './address.ts'
import { engineConfig } from './config.ts'
import { usersConfig } from './users.ts'

export interface EngineOptions {
  /** The store is in its folder `facts`. */
  readonly dataDir: string
  /** The most memory that the engine takes for data and questions. */
  readonly memoryMb: number
  /** The only folder to which the engine writes backups, and from which it reads them. */
  readonly backupDir: string
  /** Tried first; one that is free when left out. */
  readonly port?: number
  readonly log: Logger
}

const USER = 'footfall'
/** The database in which the tables of every embedded store are. */
const DATABASE = 'default'

const ASK_MS = 10
/**
 * The engine of a service that was killed may hold the store for a moment longer, and a port that was free
 * may be taken by the time the engine listens.
 */
const PATIENCE_MS = 5_000
const PAUSE_MS = 100
/** Inserts have ended before; what else runs is given up. */
const END_MS = 5_000
/** One that has run for this long and stops is started again without a pause. */
const STEADY_MS = 10_000
const MOST_PAUSE_MS = 5_000
const FIRST_PAUSE_MS = 100
/** Of what a process printed, for its error. */
const MOST_WORDS = 2_000

const child = fileURLToPath(new URL('./child.ts', import.meta.url))
/** Little is kept by JavaScript here. */
const nodeFlags = ['--max-semi-space-size=1', '--max-old-space-size=64']
/** Nothing of the service's settings is told to it, secrets least of all. */
const kept = ['PATH', 'HOME', 'TMPDIR', 'TZ', 'LANG', 'NODE_COMPILE_CACHE', 'MALLOC_ARENA_MAX'] as const

/** Where the engine of a folder puts backups. */
export const backupFolder = (dataDir: string): string => resolve(dataDir, 'backups')

/** It could not be started: `words` is what it said. */
class StartError extends Error {
  readonly words: string
  constructor(words: string) {
    super(`The engine of the facts store ended at its start: ${words.split('\n', 1)[0]}`)
    this.words = words
  }
}

async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

async function writeOwn(file: string, text: string): Promise<void> {
  await writeFile(file, text, { mode: 0o600 })
  await chmod(file, 0o600) // it may be there from an older version
}

export class EngineProcess {
  readonly #options: EngineOptions
  /** Another one only until the first start has succeeded: clients keep its address. */
  #port: number
  readonly #password: string
  #child: ChildProcess | undefined
  #startedMs = 0
  #isClosing = false
  #restarting: Promise<void> = Promise.resolve()

  private constructor(options: EngineOptions, port: number, password: string) {
    this.#options = options
    this.#port = port
    this.#password = password
  }

  /**
   * Resolves once it answers.
   * @throws Error with a sentence for the owner when another process holds the store.
   */
  static async open(options: EngineOptions): Promise<EngineProcess> {
    const { dataDir } = options
    await mkdir(join(dataDir, 'facts'), { recursive: true, mode: 0o700 })
    await chmod(join(dataDir, 'facts'), 0o700)
    // A new one for each run, in this process and in the engine's files, which are its owner's alone.
    const engine = new EngineProcess(options, options.port ?? (await findPort()), randomBytes(32).toString('hex'))
    await engine.#writeSettings()
    await engine.#startPatiently()
    await writeOwn(addressFile(dataDir), engine.url)
    return engine
  }

  /** Of the store, for a client of ClickHouse; holds the password. */
  get url(): string {
    return `http://${USER}:${this.#password}@127.0.0.1:${this.#port}/${DATABASE}`
  }

  /** Resolves once the process has ended. */
  async close(): Promise<void> {
    this.#isClosing = true
    await rm(addressFile(this.#options.dataDir), { force: true })
    await this.#restarting
    const running = this.#child
    if (!running || isGone(running)) return
    running.ref()
    const gone = once(running, 'exit')
    await this.#askToEnd()
    const timer = setTimeout(() => running.kill('SIGKILL'), END_MS)
    await gone
    clearTimeout(timer)
  }

  #file(name: string): string {
    return resolve(this.#options.dataDir, name)
  }

  /** Derived, not configured: written at each start. */
  async #writeSettings(): Promise<void> {
    const users = this.#file('facts-users.xml')
    const authorization = `Basic ${Buffer.from(`${USER}:${this.#password}`).toString('base64')}`
    const password = createHash('sha256').update(this.#password).digest('hex')
    await writeOwn(users, usersConfig({ name: USER, passwordSha256: password }))
    await writeOwn(this.#file('facts-engine.xml'), engineConfig({ ...this.#options, usersFile: users, authorization }))
  }

  async #startPatiently(): Promise<void> {
    // From the first failure: on a busy machine one start takes longer than that.
    for (let end: number | undefined; ; await sleep(PAUSE_MS)) {
      try {
        return await this.#start()
      } catch (error) {
        const words = error instanceof StartError ? error.words : ''
        const [isHeld, isTaken] = [words.includes('Cannot lock file'), words.includes('Address already in use')]
        if (isTaken) this.#port = await findPort()
        end ??= Date.now() + PATIENCE_MS
        if ((isHeld || isTaken) && Date.now() < end) continue
        const folder = this.#file('facts')
        const question = isHeld ? ' Is another process using it?' : ''
        throw new Error(`The facts store in ${folder} cannot be opened.${question}`, { cause: error })
      }
    }
  }

  /** @throws StartError when it ends before it answers. */
  async #start(): Promise<void> {
    const args = [...nodeFlags, child, this.#file('facts-engine.xml'), this.#file('facts'), String(this.#port)]
    const env = Object.fromEntries(kept.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])))
    // Its end of the first pipe closes with this process, however that ends.
    const started = spawn(process.execPath, args, { stdio: ['pipe', 'ignore', 'pipe'], env })
    this.#child = started
    this.#startedMs = Date.now()
    let words = ''
    started.stderr?.on('data', (bytes) => (words = `${words}${bytes}`.slice(-MOST_WORDS)))
    started.stdin?.on('error', () => undefined) // it is gone: its exit says so
    started.once('error', (error) => (words = error.message))
    unref(started)
    while (!(await this.#answers())) {
      if (isGone(started)) throw new StartError(words.trim())
      await sleep(ASK_MS)
    }
    started.once('exit', (code, signal) => {
      if (this.#isClosing) return
      this.#options.log.error({ code, signal, words: words.trim() }, 'the facts engine stopped, and is started again')
      this.#restarting = this.#restart()
    })
    // It ended between its answer and now.
    if (isGone(started)) throw new StartError(words.trim())
  }

  async #restart(): Promise<void> {
    let pauseMs = Date.now() - this.#startedMs > STEADY_MS ? 0 : FIRST_PAUSE_MS
    while (!this.#isClosing) {
      await sleep(pauseMs)
      try {
        await this.#start()
        this.#options.log.info('the facts engine answers again')
        return
      } catch (error) {
        this.#options.log.error({ err: error }, 'the facts engine could not be started')
        pauseMs = Math.min(MOST_PAUSE_MS, Math.max(FIRST_PAUSE_MS, pauseMs * 2))
      }
    }
  }

  /** Only the engine that was started here knows the password. */
  async #answers(): Promise<boolean> {
    return (await this.#send('SELECT 1')) === '1\n'
  }

  /** It ends with the query by which it listens. */
  async #askToEnd(): Promise<void> {
    await this.#send(`KILL QUERY WHERE user != '${USER}'`)
  }

  /**
   * On a connection of its own: the engine would wait for one that is kept open before it ends.
   * @returns what is answered; undefined when nobody answers, or refuses.
   */
  async #send(statement: string): Promise<string | undefined> {
    const place = { host: '127.0.0.1', port: this.#port, auth: `${USER}:${this.#password}` }
    const sent = request({ ...place, method: 'POST', agent: false })
    sent.on('error', () => undefined) // also after its answer has begun
    try {
      sent.end(statement)
      const [answer] = (await once(sent, 'response')) as [IncomingMessage]
      const told = await text(answer)
      return answer.statusCode === 200 ? told : undefined
    } catch {
      return undefined
    }
  }
}

const isGone = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null

/** This process may end without it: then it ends by itself. */
function unref(running: ChildProcess): void {
  running.unref()
  for (const stream of [running.stdin, running.stderr]) {
    if (stream && 'unref' in stream && typeof stream.unref === 'function') stream.unref()
  }
}
