// The setup for measuring whole servers: settings for a server on loopback, and both databases for its
// records.
import { startPostgres } from '../test/support/postgres.ts'
import type { Environment } from './processes.ts'

export type Home = 'SQLite' | 'PostgreSQL'

/** As for a production server: commits wait for the disk. */
const POSTGRES = ['fsync=on', 'shared_buffers=1GB']

/** One process, without a rate limit, and with visitors of many addresses behind one proxy. */
export const settingsFor = (dataDir: string) => ({
  DATA_DIR: dataDir,
  PORT: '0',
  HOST: '127.0.0.1',
  WORKERS: '1',
  LOG_LEVEL: 'warn',
  PUBLIC_RATE_LIMIT: '0',
  TRUST_PROXY: '127.0.0.1',
})

/** One after another; only on SQLite where PostgreSQL cannot run. */
export async function onBothHomes<Measured>(
  dataDir: string,
  measure: (home: Home, env: Environment) => Promise<Measured>,
): Promise<Measured[]> {
  const env = settingsFor(dataDir)
  const endings: (() => Promise<void>)[] = []
  try {
    const onFile = await measure('SQLite', env)
    const postgres = await startPostgres({ after: (end) => endings.push(end) }, POSTGRES)
    if (!postgres) return [onFile]
    return [onFile, await measure('PostgreSQL', { ...env, DATABASE_URL: await postgres.freshUrl() })]
  } finally {
    for (const end of endings) await end()
  }
}
