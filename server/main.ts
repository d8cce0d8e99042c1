// The process: settings → stores → app → listen → graceful stop. What was acknowledged is stored, however it
// ends.
import { removeSetupLink, announceSetupLink } from './accounts/setup-link.ts'
import { setupUrl } from './accounts/setup.ts'
import { openDelivering } from './deliveries/delivering.ts'
import { readConfig, SettingError } from './config.ts'
import { openApp } from './app.ts'
import { logConsole } from './console.ts'
import { openContext, type OpenContext } from './context.ts'
import { findIpNotice } from './submissions/ip-records.ts'
import { noticeWords } from './submissions/ip-retention.ts'
import { jobsOf, startJob } from './jobs.ts'
import { countProperties } from './properties/properties.ts'

/** After it the process ends anyway; supervisors wait at least as long before they kill it. */
const STOP_DEADLINE_MS = 10_000
/**
 * The backlog of new connections; with Node's 511, further ones of a rush wait a second or more before they
 * are retried.
 */
const BACKLOG = 4_096

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

/**
 * No access for group and others: everything the process creates is its owner's alone, including files of the
 * engine, which chooses their modes itself.
 */
const NOT_FOR_OTHERS = 0o077

/**
 * Serves until SIGTERM or SIGINT. @param footfall how the command line was started, for the first words.
 * @throws when a setting or a store is not usable.
 */
export async function serve(footfall = 'npm run -s footfall --'): Promise<void> {
  process.umask(NOT_FOR_OTHERS)
  const config = readConfig()
  const context = await openContext(config)
  logConsole(context.log)
  await context.enrich.preload() // or the first visitor would wait for the geo files
  const app = await openApp(context).catch(async (error: unknown) => {
    await context.close()
    throw error
  })
  const stops = jobsOf(context).map((job) => startJob(job, context.log))
  const delivering = openDelivering(context)
  const stop = async (): Promise<void> => {
    for (const stopJob of stops) stopJob()
    // No new connections; open requests finish, and webhooks that are being sent as well.
    await Promise.all([app.close(), delivering.close()])
    await context.close() // rows that wait are written
  }
  stopOnSignal(stop, context.log)
  const address = await app
    .listen({ port: config.port, host: config.host, backlog: BACKLOG })
    .catch(async (error: unknown) => {
      await stop()
      throw error
    })
  // After it: webhooks carry links to this address.
  await delivering.start()
  await greet(context, address, footfall)
}

/** The first lines that a new user sees; everything after them is JSON. */
async function greet(context: OpenContext, address: string, footfall: string): Promise<void> {
  const [total, setup] = [await countProperties(context), await setupUrl(context)]
  const notice = await findIpNotice(context.records)
  // Also in the log: who starts the service by a supervisor reads that alone.
  if (notice) context.log.warn(notice, noticeWords(notice))
  const next = `There is no property yet. Next: ${footfall} property create --name 'My site' --domain example.com`
  if (setup === undefined) removeSetupLink(context.config.dataDir)
  // At once: who waits for the address has read all of it.
  const lines = [
    `Footfall serves ${address} (documentation: ${address}/docs)`,
    ...(setup === undefined ? [] : [announceSetupLink(context.config.dataDir, setup, process.stdout.isTTY)]),
    ...(total === 0 ? [next] : []),
    ...(notice ? [noticeWords(notice)] : []),
  ]
  say(lines.join('\n'))
}

function stopOnSignal(stop: () => Promise<void>, log: OpenContext['log']): void {
  let isStopping = false
  const onSignal = (signal: NodeJS.Signals): void => {
    if (isStopping) return
    isStopping = true
    log.info({ signal }, 'stopping')
    setTimeout(() => {
      log.error('stopping took too long')
      process.exit(1)
    }, STOP_DEADLINE_MS).unref()
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'stopping failed')
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
}

/** An invalid setting is one line; any other error is logged in full. */
export function explain(error: unknown): string {
  if (error instanceof SettingError) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

if (import.meta.main) {
  await serve().catch((error: unknown) => {
    process.stderr.write(`Footfall cannot start: ${explain(error)}\n`)
    process.exit(1)
  })
}
