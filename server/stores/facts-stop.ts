// A question that ends when nobody waits for its answer any more. The embedded engine cannot be told through
// the connection on which it runs: another connection stops it, by a mark in its text.
import { setTimeout as sleep } from 'node:timers/promises'
import type { createClient } from '@clickhouse/client'
import { bindings } from './facts-params.ts'

type Client = ReturnType<typeof createClient>

/**
 * A statement that has not begun cannot be stopped, nor one that is still being analysed: it is tried again
 * for as long as it runs.
 */
const AGAIN_MS = 100

let marks = 0

export interface Stoppable {
  readonly reader: Client
  /** Another connection. */
  readonly stopper: Client
  /** Rows of this SELECT, with what must stand before it. */
  readonly before: string
  readonly sql: string
  readonly signal: AbortSignal | undefined
}

/** @throws the reason of the signal, once the statement has ended. */
export async function readUntilStopped({ reader, stopper, before, sql, signal }: Stoppable): Promise<unknown[]> {
  signal?.throwIfAborted()
  const mark = `/* question ${++marks} */`
  const ended = new AbortController()
  const stop = (): void => void stopUntil(ended.signal, stopper, mark)
  signal?.addEventListener('abort', stop, { once: true })
  try {
    const result = await reader.query({ query: `${before}${sql} ${mark}`, format: 'JSONEachRow' })
    return await result.json<unknown>()
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  } finally {
    ended.abort()
    signal?.removeEventListener('abort', stop)
  }
}

/** What is asked here never fails the question: it ends by itself in the end. */
async function stopUntil(ended: AbortSignal, stopper: Client, mark: string): Promise<void> {
  while (!ended.aborted) {
    const query = `${bindings({ mark })}KILL QUERY WHERE position(query, {mark:String}) > 0 ASYNC`
    await stopper.command({ query }).catch(() => undefined)
    await sleep(AGAIN_MS)
  }
}
