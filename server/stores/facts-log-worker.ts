// What runs in the thread of the facts logs (facts-log-thread.ts): one message there, one back, in the order in which they came.
import { parentPort } from 'node:worker_threads'
import { codeOf } from './records-sqlite-lanes.ts'
import { LogFile, type LogFileOptions, type LogPiece, type LogRows, type LogState } from './facts-log-file.ts'

/** What is done to a file, by name; each in one message there and one back. */
const work = {
  open: (log: LogFile): LogState => log.state(),
  append: (log: LogFile, rows: readonly LogRows[], done: readonly number[]): number[] => log.append(rows, done),
  refuse: (log: LogFile, seq: number, lines: string): void => log.refuse(seq, lines),
  read: (log: LogFile, after: number, mostBytes: number): LogPiece => log.read(after, mostBytes),
  close: (log: LogFile): void => log.close(),
}

export type Work = typeof work
export type WorkName = keyof Work
export type Given<Key extends WorkName> = Work[Key] extends (log: LogFile, ...given: infer Rest) => unknown
  ? Rest
  : never

export interface Ask {
  readonly id: number
  readonly name: WorkName
  readonly options: LogFileOptions
  readonly given: readonly unknown[]
}

export type Answer =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: unknown; readonly errcode: unknown }

function serve(port: NonNullable<typeof parentPort>): void {
  const logs = new Map<string, LogFile>()
  const doIt = ({ name, options, given }: Ask): unknown => {
    const log = logs.get(options.file) ?? LogFile.open(options)
    logs.set(options.file, log)
    if (name === 'close') logs.delete(options.file)
    const run = work[name] as (log: LogFile, ...given: readonly unknown[]) => unknown
    return run(log, ...given)
  }
  port.on('message', (ask: Ask) => {
    try {
      port.postMessage({ id: ask.id, result: doIt(ask) } satisfies Answer)
    } catch (error) {
      // A copy of an error keeps its words alone.
      port.postMessage({ id: ask.id, error, errcode: codeOf(error) } satisfies Answer)
    }
  })
}

if (parentPort) serve(parentPort)
