// Which workers have something that others need to know: rows that are acknowledged and not inserted yet (a
// byte for each worker), and news of what they have changed (a byte for each worker and each other one). They
// are in a file without a name that all have open: to look takes a microsecond, where asking every other
// process before each question would take a message there and back. The system lets go of the file with its
// last process; what a worker had written when it was killed stays.
import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** Of the file, in every worker: standard streams and the channel to the primary come first. */
export const WAITING_FD = 4

/** @returns what workers are handed as WAITING_FD. */
export function openWaiting(dataDir: string, workers: number): number {
  const path = join(dataDir, `.workers-${process.pid}`)
  rmSync(path, { force: true })
  const file = openSync(path, 'wx+', 0o600)
  try {
    // Of those who have begun nothing is known.
    writeSync(file, Buffer.alloc(lineOf(workers) * (lineOf(workers) + 1)))
  } catch (error) {
    closeSync(file)
    throw error
  } finally {
    rmSync(path, { force: true })
  }
  return file
}

/** A place for each worker, whose numbers begin at 1. */
const lineOf = (workers: number): number => workers + 1

const bytes = { yes: Buffer.of(1), no: Buffer.of(0) } as const

/** To be called before the change is acknowledged, and when the other one has taken what there was. */
export function setNews(file: number, workers: number, from: number, to: number, has: boolean): void {
  writeSync(file, has ? bytes.yes : bytes.no, 0, 1, (to + 1) * lineOf(workers) + from)
}

/** The numbers of those that have news for this one. */
export const listNews = (file: number, workers: number, own: number): number[] =>
  listSet(file, (own + 1) * lineOf(workers), workers).filter((slot) => slot !== own)

/** To be called before the rows are acknowledged. */
export function setWaiting(slot: number, isWaiting: boolean, file: number): void {
  writeSync(file, isWaiting ? bytes.yes : bytes.no, 0, 1, slot)
}

/** The numbers of the others that have such rows. */
export const listWaiting = (own: number, workers: number, file: number): number[] =>
  listSet(file, 0, workers).filter((slot) => slot !== own)

/** Places of a line that are set. */
function listSet(file: number, at: number, workers: number): number[] {
  const line = Buffer.alloc(lineOf(workers))
  readSync(file, line, 0, line.length, at)
  return [...line.keys()].filter((slot) => line[slot] === 1)
}
