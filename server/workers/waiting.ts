// Which workers have rows that are acknowledged and not inserted yet: a byte for each, in a file without a
// name that all of them have open. To look takes a microsecond, where asking every other process before each
// question would take a message there and back. The system lets go of the file with its last process; what a
// worker had written when it was killed stays.
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
    writeSync(file, Buffer.alloc(workers + 1), 0, workers + 1, 0)
  } catch (error) {
    closeSync(file)
    throw error
  } finally {
    rmSync(path, { force: true })
  }
  return file
}

const bytes = { yes: Buffer.of(1), no: Buffer.of(0) } as const

/** To be called before the rows are acknowledged. */
export function setWaiting(slot: number, isWaiting: boolean, file: number): void {
  writeSync(file, isWaiting ? bytes.yes : bytes.no, 0, 1, slot)
}

/** The numbers of the others that have such rows. */
export function listWaiting(own: number, workers: number, file: number): number[] {
  const found = Buffer.alloc(workers + 1)
  readSync(file, found, 0, found.length, 0)
  const slots: number[] = []
  for (let slot = 1; slot <= workers; slot++) if (slot !== own && found[slot] === 1) slots.push(slot)
  return slots
}
