// A process that serves: stores → app → listen → graceful stop. What was acknowledged is stored, however
// it ends.
import { removeSetupLink, writeSetupLink } from './accounts/setup-link.ts'
import { setupUrl } from './accounts/setup.ts'
import { type Config, dashboardUrl, noticeSeconds } from './config.ts'
import { openApp } from './app.ts'
import { logConsole } from './console.ts'
import { openContext, type OpenContext } from './context.ts'
import { greeting } from './greeting.ts'
import { findIpNotice } from './submissions/ip-records.ts'
import { noticeWords } from './submissions/ip-retention.ts'
import { jobsOf, startJob } from './jobs.ts'
import { countProperties } from './properties/properties.ts'
import { settledWithin } from './queues/deadline.ts'
import { openSending } from './sending.ts'
import { drain, endConnections } from './serving/closing.ts'
import type { Team } from './workers/workers.ts'

/**
 * After the notice (STOP_NOTICE_SECONDS) the process ends anyway; supervisors wait longer before they kill
 * it.
 */
const STOP_DEADLINE_MS = 12_000
/**
 * Requests that are open, and webhooks and mail that are being sent, end within it; what is left is answered
 * 503.
 */
const OPEN_MS = 5_000
const LAST_WORD_MS = 250
/**
 * The backlog of new connections; with Node's 511, further ones of a rush wait a second or more before they
 * are retried.
 */
const BACKLOG = 4_096

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

/**
 * Serves until SIGTERM or SIGINT.
 * @param command how the command line was started, for the first words.
 * @param team the other processes of the service, where there are some.
 * @throws when a setting or a store is not usable.
 */
export async function serveHere(config: Config, command: string, team: Team | undefined): Promise<void> {
  const context = await openContext(config, { team })
  logConsole(context.log)
  await context.enrich.preload() // or the first visitor would wait for the geo files
  const app = await openApp(context).catch(async (error: unknown) => {
    await context.close()
    throw error
  })
  const stops = jobsOf(context).map((job) => startJob(job, context.log, () => context.pause.isOn))
  const sending = openSending(context)
  const stop = async (): Promise<void> => {
    for (const stopJob of stops) stopJob()
    // No new connections; open requests finish, and webhooks that are being sent as well.
    const sent = settledWithin(sending.close(), OPEN_MS)
    await drain(app, context.stopping)
    const closed = app.close()
    await settledWithin(closed, OPEN_MS)
    context.stopping.giveUp()
    await settledWithin(closed, LAST_WORD_MS)
    endConnections(app)
    await Promise.all([closed, sent])
    await context.close() // rows that wait are written
  }
  stopOnSignal(stop, context)
  const address = await app
    .listen({ port: config.port, host: config.host, backlog: BACKLOG })
    .catch(async (error: unknown) => {
      await stop()
      throw error
    })
  // After it: webhooks carry links to this address.
  await sending.start()
  if (team?.isFirst ?? true) await greet(context, address, command)
}

/** The first lines that a new user sees; where there is no terminal, everything after them is JSON. */
async function greet(context: OpenContext, address: string, command: string): Promise<void> {
  const { isDemo } = context.config
  const [total, setup] = [await countProperties(context), isDemo ? undefined : await setupUrl(context)]
  const notice = await findIpNotice(context.records)
  // Also in the log: who starts the service by a supervisor reads that alone.
  if (notice) context.log.warn(notice, noticeWords(notice))
  if (process.stdout.isTTY) {
    removeSetupLink(context.config.dataDir)
    const dashboard = dashboardUrl(context.config)
    return say(greeting({ url: address, dashboard, setup, notice: notice && noticeWords(notice) }))
  }
  const next = `There is no property yet. Next: ${command} property create --name 'My site' --domain example.com`
  if (setup === undefined) removeSetupLink(context.config.dataDir)
  // At once: who waits for the address has read all of it.
  const lines = [
    `Footfall serves ${address} (documentation: ${address}/docs)`,
    ...(setup === undefined ? [] : [writeSetupLink(context.config.dataDir, setup)]),
    ...(total === 0 && !isDemo ? [next] : []),
    ...(notice ? [noticeWords(notice)] : []),
  ]
  say(lines.join('\n'))
}

/** A second signal ends the notice. */
function stopOnSignal(stop: () => Promise<void>, { config, log, stopping, team }: OpenContext): void {
  const end = async (): Promise<void> => {
    await stopping.announce(noticeSeconds(config) * 1000)
    setTimeout(() => {
      log.error('stopping took too long')
      process.exit(1)
    }, STOP_DEADLINE_MS).unref()
    await stop()
  }
  const onSignal = (signal: NodeJS.Signals): void => {
    if (stopping.isAnnounced) return stopping.hurry()
    log.info({ signal }, 'stopping')
    end().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'stopping failed')
        process.exit(1)
      },
    )
  }
  if (team) return team.onStop(onSignal)
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
}
