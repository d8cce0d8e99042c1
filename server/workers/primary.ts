// The first process where there are several: starts the engine and the workers, keeps them alive, and holds
// what they share. It answers no request itself. However it ends, all of them end with it.
import cluster, { type Worker } from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { countInProcess } from '../http/limits.ts'
import { Desk } from './desk.ts'
import { HeldTurns, type TurnWanted } from './held-turns.ts'
import type { Counted, Welcome } from './join.ts'
import { Places } from './places.ts'
import { type Message, PRIMARY } from './wire.ts'

/** The service, which a worker runs. */
const mainFile = fileURLToPath(new URL('../main.ts', import.meta.url))

/** One that has run for this long and ends is started again without a pause. */
const STEADY_MS = 10_000
const FIRST_PAUSE_MS = 100
const MOST_PAUSE_MS = 5_000

export interface PrimaryOptions {
  readonly count: number
  /** Nodes of a ClickHouse server; 0: the embedded store. */
  readonly nodes: number
  /** How the command line was started. */
  readonly command: string
  readonly engineUrl: string | undefined
  /** What is acknowledged is in a log first: nothing of a worker that ends is half in the store. */
  readonly isLogFirst: boolean
  /** What workers are handed as WAITING_FD. */
  readonly waitingFile: number
  readonly log: Logger
}

export class Primary {
  readonly #options: PrimaryOptions
  readonly #desk: Desk
  readonly #places: Places
  readonly #turns: HeldTurns
  readonly #workers = new Map<number, Worker>()
  #pauseMs = 0
  #isClosing = false
  /** The first worker has served: from then on whoever ends is started again. */
  #hasBegun = false
  #hasFailed = false
  readonly #begun = Promise.withResolvers<void>()
  readonly #ended = Promise.withResolvers<boolean>()

  constructor(options: PrimaryOptions) {
    this.#options = options
    this.#places = new Places(options.count, (message) => this.#desk.take(message))
    this.#desk = new Desk((message) => this.#places.route(PRIMARY, message))
    this.#turns = new HeldTurns(options.nodes)
    this.#answer()
  }

  /**
   * Resolves once the first worker serves: it brings the stores up to date and says the first words. The
   * others follow it.
   * @throws Error when it ends before; it has said why.
   */
  open(): Promise<void> {
    // The workers have the port in common and take connections from it themselves: what waits there when one
    // of them is killed is taken by another one.
    cluster.schedulingPolicy = cluster.SCHED_NONE
    cluster.setupPrimary({
      exec: mainFile,
      args: [],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc', this.#options.waitingFile],
    })
    this.#start(1, true)
    return this.#begun.promise
  }

  get hasBegun(): boolean {
    return this.#hasBegun
  }

  /** Resolves once all workers have ended after a stop: with true when all have finished their work. */
  get ended(): Promise<boolean> {
    return this.#ended.promise
  }

  /** Each worker finishes what it has begun, and ends. */
  stop(signal: NodeJS.Signals): void {
    this.#isClosing = true
    this.#places.close()
    for (const slot of this.#workers.keys()) this.#desk.tell(slot, 'stop', signal)
    if (this.#workers.size === 0) this.#ended.resolve(true)
  }

  #answer(): void {
    const count = countInProcess()
    this.#desk.answer('count', (_from, { key, nowMs, windowMs, step }: Counted) => count(key, nowMs, windowMs, step))
    this.#desk.answer('turn', (from, wanted: TurnWanted) => this.#turns.take(from, wanted))
    this.#desk.answer('turnEnd', (from, id: number) => this.#turns.end(from, id))
  }

  #begin(): void {
    this.#hasBegun = true
    this.#begun.resolve()
    for (let slot = 2; slot <= this.#options.count; slot++) this.#start(slot, true)
  }

  /** @param isNew no other worker was in this place before. */
  #start(slot: number, isNew: boolean): void {
    if (this.#isClosing) return
    const { count, command, engineUrl, isLogFirst, log } = this.#options
    const worker = cluster.fork()
    const sinceMs = performance.now()
    this.#workers.set(slot, worker)
    const isFirst = slot === 1 && isNew
    const welcome: Welcome = { slot, count, isFirst, mends: isFirst || !(isNew || isLogFirst), command, engineUrl }
    const send = (messages: readonly Message[]): void => {
      if (worker.isConnected()) worker.send(messages)
    }
    worker.on('message', (messages: readonly Message[]) => {
      for (const message of messages) {
        if (message.kind === 'ask' && message.name === 'hello') this.#welcome(slot, message.id, welcome, send)
        else this.#places.route(slot, message)
      }
    })
    worker.on('error', (error) => log.error({ err: error, slot }, 'a worker cannot be reached'))
    if (isFirst) worker.once('listening', () => this.#begin())
    worker.once('exit', (code, signal) => void this.#end(slot, { code, signal, sinceMs }))
  }

  #welcome(slot: number, id: string, welcome: Welcome, send: (messages: readonly Message[]) => void): void {
    send([{ kind: 'answer', id, to: slot, result: welcome }])
    this.#places.fill(slot, send)
    if (this.#isClosing) this.#desk.tell(slot, 'stop', 'SIGTERM')
  }

  async #end(slot: number, last: { readonly code: number | null; signal: string | null; sinceMs: number }) {
    const { code, signal, sinceMs } = last
    this.#workers.delete(slot)
    this.#turns.endAll(slot)
    this.#places.empty(slot)
    if (this.#isClosing) {
      this.#hasFailed ||= code !== 0
      if (this.#workers.size === 0) this.#ended.resolve(!this.#hasFailed)
      return
    }
    if (!this.#hasBegun) return this.#begun.reject(new Error('The first worker has ended.'))
    this.#options.log.error({ worker: slot, code, signal }, 'a worker ended, and is started again')
    const isSteady = performance.now() - sinceMs > STEADY_MS
    this.#pauseMs = isSteady ? 0 : Math.min(MOST_PAUSE_MS, Math.max(FIRST_PAUSE_MS, this.#pauseMs * 2))
    await sleep(this.#pauseMs)
    this.#start(slot, false)
  }
}
