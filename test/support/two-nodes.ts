// Two nodes on one PostgreSQL and one two-shard ClickHouse, with one SECRET, for all tests of a file. To be
// asked for at its top: in a hook, they would be closed with it.
import { after } from 'node:test'
import { startClickHouse } from './clickhouse.ts'
import { startPostgres } from './postgres.ts'
import { startFootfall, type Footfall } from './server.ts'

/**
 * Started together, so that they also meet over the migrations. Undefined without PostgreSQL on this machine:
 * each would have records of its own. startPostgres has said so, or failed under CI.
 */
export async function openTwoNodes(now: number): Promise<readonly [Footfall, Footfall] | undefined> {
  const closers: (() => unknown)[] = []
  const lasting = { after: (close: () => Promise<void>) => void closers.unshift(close) }
  after(async () => {
    // Taken one by one: a node that was still starting when the other one failed adds its own.
    for (let close = closers.shift(); close; close = closers.shift()) await close()
  })
  const postgres = await startPostgres(lasting)
  if (!postgres) return undefined
  const clickhouse = await startClickHouse({ shards: 2 })
  closers.push(() => clickhouse.remove())
  const env = {
    SECRET: 'one secret for both nodes of this test',
    CLICKHOUSE_URL: clickhouse.urls.join(','),
    CLICKHOUSE_CLUSTER: clickhouse.cluster ?? undefined,
    DATABASE_URL: await postgres.freshUrl(),
  }
  return Promise.all([startFootfall(lasting, { env, now }), startFootfall(lasting, { env, now })])
}
