// What runs in the thread of the facts logs (log-thread.ts), one log after the other, by name of their
// files.
import { LogFile, type LogFileOptions, type LogPiece, type LogRows, type LogState } from './file.ts'
import { takeOver } from './take-over.ts'
import { serve } from '../threads/thread-worker.ts'

const logs = new Map<string, LogFile>()

function logOf(options: LogFileOptions): LogFile {
  const log = logs.get(options.file) ?? LogFile.open(options)
  logs.set(options.file, log)
  return log
}

const work = {
  open: (options: LogFileOptions): LogState => logOf(options).state(),
  takeOver: (options: LogFileOptions, other: LogFileOptions): LogState => {
    takeOver(logOf(options), other)
    return logOf(options).state()
  },
  append: (options: LogFileOptions, rows: readonly LogRows[], done: readonly number[]): number[] =>
    logOf(options).append(rows, done),
  refuse: (options: LogFileOptions, seq: number, lines: string): void => logOf(options).refuse(seq, lines),
  read: (options: LogFileOptions, after: number, mostBytes: number): LogPiece => logOf(options).read(after, mostBytes),
  close(options: LogFileOptions): void {
    const log = logOf(options)
    logs.delete(options.file)
    log.close()
  },
}

export type LogWork = typeof work

serve(work)
