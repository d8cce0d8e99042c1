// Exports that nobody fetched go: at the start those of a process that ended, then every ten minutes those of yesterday.
import type { Logger } from 'pino'
import type { Job } from './retention.ts'

/** A file outlives its day by at most this. */
const EVERY_MS = 600_000

export function startExportRemoval(sweep: () => Promise<void>, log: Logger): Job {
  const remove = (): void => {
    sweep().catch((error: unknown) => log.error({ err: error }, 'removing old exports failed'))
  }
  remove()
  const timer = setInterval(remove, EVERY_MS)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
