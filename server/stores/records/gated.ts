// Records behind a gate (stores/gate.ts): what only reads goes by it, a transaction goes through as a whole.
import type {
  CompiledQuery,
  DatabaseConnection,
  Driver,
  KyselyPlugin,
  QueryResult,
  RootOperationNode,
  UnknownRow,
} from 'kysely'
import type { WriteGate } from '../gate.ts'
import type { Records } from '../records.ts'
import { isRead } from './reads.ts'

const exempt = new WeakSet<RootOperationNode>()

const exempting: KyselyPlugin = {
  transformQuery({ node }) {
    exempt.add(node)
    return node
  },
  transformResult: async ({ result }): Promise<QueryResult<UnknownRow>> => result,
}

/** It goes by the gate. */
export function exempted(statement: CompiledQuery): CompiledQuery {
  exempt.add(statement.query)
  return statement
}

/** The same records, for the few statements that say whether writes are let through; no transactions. */
export const besideGate = (records: Records): Records => records.withPlugin(exempting)

class GatedConnection implements DatabaseConnection {
  readonly inner: DatabaseConnection
  readonly #gate: WriteGate
  /** Of the transaction under way. */
  leave: (() => void) | undefined

  constructor(inner: DatabaseConnection, gate: WriteGate) {
    this.inner = inner
    this.#gate = gate
  }

  executeQuery<Row>(...given: Parameters<DatabaseConnection['executeQuery']>): Promise<QueryResult<Row>> {
    if (this.#passes(given[0])) return this.inner.executeQuery<Row>(...given)
    return this.#gate.pass(() => this.inner.executeQuery<Row>(...given))
  }

  async *streamQuery<Row>(
    ...given: Parameters<DatabaseConnection['streamQuery']>
  ): AsyncIterableIterator<QueryResult<Row>> {
    if (!this.#passes(given[0])) throw new Error('what is streamed only reads')
    yield* this.inner.streamQuery<Row>(...given)
  }

  #passes = (query: CompiledQuery): boolean => this.leave !== undefined || isRead(query) || exempt.has(query.query)

  end(): void {
    this.leave?.()
    this.leave = undefined
  }
}

function gatedOf(connection: DatabaseConnection): GatedConnection {
  if (!(connection instanceof GatedConnection)) throw new Error('not a connection of these records')
  return connection
}

export function gatedDriver(driver: Driver, gate: WriteGate): Driver {
  return {
    init: (options) => driver.init(options),
    acquireConnection: async (options) => new GatedConnection(await driver.acquireConnection(options), gate),
    beginTransaction: async (connection, settings) => {
      const gated = gatedOf(connection)
      const leave = await gate.enter()
      try {
        await driver.beginTransaction(gated.inner, settings)
      } catch (error) {
        leave()
        throw error
      }
      gated.leave = leave
    },
    commitTransaction: async (connection) => {
      const gated = gatedOf(connection)
      // One that fails is rolled back.
      await driver.commitTransaction(gated.inner)
      gated.end()
    },
    rollbackTransaction: async (connection) => {
      const gated = gatedOf(connection)
      await driver.rollbackTransaction(gated.inner).finally(() => gated.end())
    },
    releaseConnection: async (connection, options) => {
      const gated = gatedOf(connection)
      gated.end()
      await driver.releaseConnection(gated.inner, options)
    },
    destroy: (options) => driver.destroy(options),
  }
}
