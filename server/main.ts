// The program: settings → the service in this process, or where WORKERS asks for several, in those that
// this one leads. What it imports at once, the leading process has in memory.
import cluster from 'node:cluster'
import { readConfig, SettingError } from './config.ts'

/**
 * No access for group and others: everything the process creates is its owner's alone, including files of the
 * engine, which chooses their modes itself.
 */
const NOT_FOR_OTHERS = 0o077

/**
 * Serves until SIGTERM or SIGINT. @param command how the command line was started, for the first words.
 * @throws when a setting or a store is not usable.
 */
export async function serve(command = 'npm run -s footfall --'): Promise<void> {
  process.umask(NOT_FOR_OTHERS)
  const config = readConfig()
  if (config.workers > 1 && cluster.isPrimary) {
    const { lead } = await import('./workers/lead.ts')
    return lead(config, command)
  }
  const { serveHere } = await import('./serve.ts')
  const team = cluster.isWorker ? await (await import('./workers/join.ts')).joinTeam() : undefined
  return serveHere(config, team?.command ?? command, team)
}

/** An invalid setting is one line; any other error is logged in full. */
function explain(error: unknown): string {
  if (error instanceof SettingError) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

if (import.meta.main) {
  await serve().catch((error: unknown) => {
    process.stderr.write(`Footfall cannot start: ${explain(error)}\n`)
    process.exit(1)
  })
}
