// The engine of the facts over nodes of ClickHouse: whose statement is next, with which settings, and how it
// ends with its caller.
import { randomUUID } from 'node:crypto'
import type { ClickHouseSettings, CommandParams } from '@clickhouse/client'
import type { Load } from '../../queues/fair-turns.ts'
import {
  endsWithItsCaller,
  insertSettings,
  isOutOfMemory,
  questionSettings,
  readSettings,
  theService,
  type FactsEngine,
  type QuestionOptions,
} from './engine.ts'
import { saveFromServer } from './files.ts'
import type { Client, Nodes } from './nodes.ts'
import { insertOf } from './rows.ts'
import type { QuestionTurns, ReadLane } from '../question-turns.ts'

/** What questions may take of a node. */
export interface NodeLimits {
  /** Memory of one question, and of one file that is written. */
  readonly bytes: Readonly<Record<ReadLane | 'files', number>>
  /** Of one look-up. */
  readonly lookupThreads: number
  /** How long a statement without rows may take: a migration, a backup. */
  readonly commandMs: number
}

/** A row is stored when its shard has it, not when the node that took it has it in a queue. */
const clusterWrite = { distributed_foreground_insert: 1 } as const

export interface OverOptions extends QuestionOptions {
  readonly cluster?: string | null
  readonly limits: NodeLimits
  readonly turns: QuestionTurns
}

export function engineOver(nodes: Nodes, options: OverOptions): FactsEngine {
  const { cluster = null, limits, turns } = options
  return {
    ...readerOf(nodes, options),
    insert: async (table, columns, lines, token) => {
      const query = insertOf(table, columns, lines)
      const settings = { ...insertSettings, ...(cluster && clusterWrite), insert_deduplication_token: token }
      await nodes.onAny('write', (client) => client.command({ query, clickhouse_settings: settings }))
    },
    command: (sql, each) => {
      const run = (client: Client) => client.command({ query: sql })
      return each === 'shard' ? nodes.onEachShard(run) : nodes.onEach(run)
    },
    save: (task, watch) => {
      const save = () => nodes.onAny('files', (client) => saveFromServer(client, task, watch, limits.bytes.files))
      return turns.files.run(theService, save)
    },
    ping: () => nodes.ping(),
    close: () => nodes.close(),
  }
}

function readerOf(nodes: Nodes, options: OverOptions): Pick<FactsEngine, 'read' | 'everywhere'> {
  const { limits, turns } = options
  const settingsOf = (lane: ReadLane, load: Load): ClickHouseSettings => ({
    ...readSettings(lane === 'lookup' ? limits.lookupThreads : options.threads, limits.bytes[lane]),
    ...questionSettings(lane, load, options),
  })
  return {
    read: (sql, params, lane, taker = theService) =>
      turns[lane].run(taker, (load) =>
        nodes.onAny(lane, async (client) => {
          const ask = async (settings: ClickHouseSettings) => {
            // A question that was given up is no sign of a node that is away.
            taker.signal?.throwIfAborted()
            const result = await client.query({
              query: sql,
              format: 'JSONEachRow',
              query_params: { ...params },
              ...(taker.signal && { abort_signal: taker.signal }),
              clickhouse_settings: { ...settings, ...endsWithItsCaller },
            })
            return result.json<unknown>()
          }
          return withinMemory(settingsOf(lane, load), ask)
        }),
      ),
    everywhere: (sql, params, lane, taker = theService) =>
      turns[lane].run(taker, (load) =>
        nodes.onAll(lane, (client) =>
          // One thread writes, when it has all rows: what fails has written none.
          withinMemory(settingsOf(lane, load), (settings) =>
            commandUntilStopped(client, taker.signal, {
              query: sql,
              query_params: { ...params },
              clickhouse_settings: settings,
            }),
          ),
        ),
      ),
  }
}

/** Each thread takes memory of its own: what is too much for several may be little enough for one. */
async function withinMemory<Answer>(
  settings: ClickHouseSettings,
  ask: (settings: ClickHouseSettings) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await ask(settings)
  } catch (error) {
    if (settings.max_threads === 1 || !isOutOfMemory(error)) throw error
    return ask({ ...settings, max_threads: 1 })
  }
}

/** Unlike a question, it does not end with its connection. */
async function commandUntilStopped(
  client: Client,
  signal: AbortSignal | undefined,
  command: Omit<CommandParams, 'query_id'>,
): Promise<void> {
  signal?.throwIfAborted()
  const query_id = randomUUID()
  const stop = (): void =>
    void client.command({ query: `KILL QUERY WHERE query_id = '${query_id}' ASYNC` }).catch(() => undefined)
  signal?.addEventListener('abort', stop, { once: true })
  try {
    await client.command({ ...command, query_id })
  } finally {
    signal?.removeEventListener('abort', stop)
  }
}
