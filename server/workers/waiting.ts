// Which workers have something that others need to know: rows that are acknowledged and not inserted yet (a
// byte for each worker), and news of what they have changed (a byte for each worker and each other one). They
// are in a file without a name that all have open: to look takes a microsecond, where asking every other
// process before each question would take a message there and back. The system lets go of the file with its
// last process; what a worker had written when it was killed stays.
import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** Of the file, in every worker: standard streams and the channel to the primary come first. */
export const WAITING_FD = 4

/** A place for each worker, whose numbers begin at 1. */
const lineOf = (workers: number): number => workers + 1

/** @returns what workers are handed as WAITING_FD. */
export function openWaiting(dataDir: string, workers: number): number {
  const path = join(dataDir, `.workers-${process.pid}`)
  rmSync(path, { force: true })
  const file = openSync(path, 'wx+', 0o600)
  try {
    // A line of those with rows, and one for each of what others have news for.
    writeSync(file, Buffer.alloc(lineOf(workers) * (1 + lineOf(workers))))
    return file
  } catch (error) {
    closeSync(file)
    throw error
  } finally {
    rmSync(path, { force: true })
  }
}

const bytes = { yes: Buffer.of(1), no: Buffer.of(0) } as const

/** The file as one of the workers sees it. */
export class Waiting {
  readonly #file: number
  readonly #line: number
  readonly #own: number

  constructor(file: number, workers: number, own: number) {
    this.#file = file
    this.#line = lineOf(workers)
    this.#own = own
  }

  /** To be called before the rows are acknowledged, and once none is left. */
  setRows(has: boolean): void {
    this.#set(this.#own, has)
  }

  /** To be called before the change is acknowledged, and when the other one has taken what there was. */
  setNews(to: number, has: boolean): void {
    this.#set((1 + to) * this.#line + this.#own, has)
  }

  /** The numbers of the others that have such rows. */
  listRows(): number[] {
    return this.#list(0)
  }

  /** Of those that have news for this one. */
  listNews(): number[] {
    return this.#list((1 + this.#own) * this.#line)
  }

  #set(at: number, has: boolean): void {
    writeSync(this.#file, has ? bytes.yes : bytes.no, 0, 1, at)
  }

  #list(at: number): number[] {
    const line = Buffer.alloc(this.#line)
    readSync(this.#file, line, 0, line.length, at)
    return [...line.keys()].filter((slot) => slot !== this.#own && line[slot] === 1)
  }
}
