// The thread in which the files of facts logs are written and read, so that nobody else waits for the disk. One for all logs of a process, begun
// when it is first needed.
import { Worker } from 'node:worker_threads'
import type { LogFileOptions } from './facts-log-file.ts'
import type { Answer, Ask, Given, Work, WorkName } from './facts-log-worker.ts'

interface Waiting {
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
}

let worker: Worker | undefined
let lastId = 0
const waiting = new Map<number, Waiting>()

function start(): Worker {
  // The flags of the process are about its own program.
  const started = new Worker(new URL('./facts-log-worker.ts', import.meta.url), { execArgv: [] })
  const end = (error: Error): void => {
    if (worker === started) worker = undefined
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }
  started.on('message', (answer: Answer) => {
    const asked = waiting.get(answer.id)
    waiting.delete(answer.id)
    if (waiting.size === 0) started.unref()
    if ('error' in answer) asked?.reject(Object.assign(answer.error as Error, { errcode: answer.errcode }))
    else asked?.resolve(answer.result)
  })
  started.on('error', (error) => end(error as Error))
  started.on('exit', () => end(new Error('The thread of the facts log has ended.')))
  return started
}

/** The process does not end while it waits for an answer, and does not wait for the thread otherwise. */
export function onLogThread<Key extends WorkName>(
  name: Key,
  options: LogFileOptions,
  ...given: Given<Key>
): Promise<ReturnType<Work[Key]>> {
  worker ??= start()
  worker.ref()
  const id = ++lastId
  const { promise, resolve, reject } = Promise.withResolvers<ReturnType<Work[Key]>>()
  waiting.set(id, { resolve: resolve as Waiting['resolve'], reject })
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  worker.postMessage({ id, name, options, given } satisfies Ask)
  return promise
}
