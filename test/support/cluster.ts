// A cluster of two shards with migrated, empty facts, as every service but the first one finds it. What is
// about migrations starts one of its own.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { openFacts } from '../../server/stores/facts.ts'
import { migrateFacts } from '../../server/stores/migrations/facts.ts'
import { type ClickHouse, startClickHouse } from './clickhouse.ts'
import { modelOf } from './models.ts'
import { ownWaits } from './patience.ts'

const SHARDS = 2

/** As the services of tests make it (FSYNC off). */
async function fillCluster(folder: string): Promise<void> {
  const cluster = await startClickHouse({ shards: SHARDS, folder })
  const dataDir = mkdtempSync(join(tmpdir(), 'footfall-cluster-'))
  const log = pino({ level: 'silent' })
  const where = { urls: cluster.urls, cluster: cluster.cluster, dataDir }
  const facts = await openFacts({ ...where, memoryMb: 512, threads: 2, fsync: false, ...ownWaits, log })
  await migrateFacts(facts)
  await facts.close()
  await cluster.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

export async function startMigratedCluster(): Promise<ClickHouse> {
  return startClickHouse({ shards: SHARDS, from: await modelOf('cluster', fillCluster) })
}
