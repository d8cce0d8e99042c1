// The thread in which the files of facts logs are written and read, so that nobody else waits for the disk.
// One for all logs of a process, begun when it is first needed.
import type { LogWork } from './facts-log-worker.ts'
import { Thread } from './thread.ts'

export const logThread = new Thread<LogWork>(new URL('./facts-log-worker.ts', import.meta.url))
