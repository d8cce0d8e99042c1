// The lanes of a SQLite file as Kysely is handed them: outside a transaction each statement goes to its lane,
// inside one all of them to the writer.
import { CompiledQuery, type DatabaseConnection, type Driver, type QueryResult } from 'kysely'
import { isRead } from '../records/reads.ts'
import { busyDeadline, Lanes } from './lanes.ts'
import { openParts, type WriteParts } from './parts.ts'
import type { Begin } from './worker.ts'

/** Sets or releases a savepoint: nobody waits for what it answers. */
const isMark = ({ query, sql }: CompiledQuery): boolean =>
  query.kind === 'RawNode' && /^(?:savepoint|release) /.test(sql)

const BEGIN: Begin = 'begin immediate'
const COMMIT = CompiledQuery.raw('commit')

/** The transaction under way of a connection. */
interface Transacting {
  readonly endTurn: () => void
  /** From the moment of asking for it. */
  readonly deadline: number
  /** Goes with the next statement: a message of its own would take as long as most statements do. */
  ahead: string[]
}

class LaneConnection implements DatabaseConnection {
  readonly #lanes: Lanes
  #transaction: Transacting | undefined

  constructor(lanes: Lanes) {
    this.#lanes = lanes
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return (await this.#execute(query)) as QueryResult<Row>
  }

  async #execute(query: CompiledQuery): Promise<QueryResult<unknown>> {
    if (this.#transaction) return this.#inTransaction(this.#transaction, query)
    if (isRead(query)) return this.#lanes.read(query)
    const deadline = busyDeadline()
    const endTurn = await this.#lanes.turns.take()
    try {
      return await this.#lanes.write(query, deadline)
    } finally {
      endTurn()
    }
  }

  async #inTransaction(transaction: Transacting, query: CompiledQuery): Promise<QueryResult<unknown>> {
    const { ahead, deadline } = transaction
    if (isMark(query)) {
      ahead.push(query.sql)
      return { rows: [] }
    }
    transaction.ahead = []
    return this.#lanes.writeInTransaction(ahead, query, ahead[0] === BEGIN ? deadline : undefined)
  }

  async *streamQuery<Row>(query: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    yield await this.executeQuery<Row>(query)
  }

  /** It has its turn now, and takes the write lock with its first statement. */
  async begin(): Promise<void> {
    const deadline = busyDeadline()
    const endTurn = await this.#lanes.turns.take()
    this.#transaction = { endTurn, deadline, ahead: [BEGIN] }
  }

  /** The turn goes on when it fails: Kysely then rolls back. */
  async commit(): Promise<void> {
    const transaction = this.#transaction!
    // One without a statement has nothing to commit.
    if (transaction.ahead[0] !== BEGIN) await this.#inTransaction(transaction, COMMIT)
    this.#end()
  }

  /**
   * Never fails: Kysely would throw that instead of what the transaction failed by. What cannot be rolled
   * back now is so before the next one.
   */
  async rollback(): Promise<void> {
    await this.#lanes.rollBack().catch(() => undefined)
    this.#end()
  }

  #end(): void {
    this.#transaction?.endTurn()
    this.#transaction = undefined
  }
}

function laneOf(connection: DatabaseConnection): LaneConnection {
  if (!(connection instanceof LaneConnection)) throw new Error('not a connection of these records')
  return connection
}

export interface LaneDriver extends Driver {
  readonly write: WriteParts
}

/**
 * @param onClose is called when the driver is closed, before the handles are.
 * @throws Error of SQLite when the file cannot be opened; then nothing stays open.
 */
export async function openLanes(file: string, onClose: () => void): Promise<LaneDriver> {
  const lanes = new Lanes(file)
  await lanes.open().catch(async (error: unknown) => {
    await lanes.close()
    throw error
  })
  return {
    write: openParts(lanes),
    init: async () => undefined,
    acquireConnection: async () => new LaneConnection(lanes),
    releaseConnection: async () => undefined,
    beginTransaction: (connection) => laneOf(connection).begin(),
    commitTransaction: (connection) => laneOf(connection).commit(),
    rollbackTransaction: (connection) => laneOf(connection).rollback(),
    destroy: async () => {
      onClose()
      await lanes.close()
    },
  }
}
