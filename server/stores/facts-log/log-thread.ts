// The thread in which the files of facts logs are written and read, so that nobody else waits for the disk.
// One for all logs of a process, begun when it is first needed.
import type { LogWork } from './log-worker.ts'
import { Thread } from '../threads/thread.ts'

export const logThread = new Thread<LogWork>(new URL('./log-worker.ts', import.meta.url))
