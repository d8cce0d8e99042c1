// Starts the sending of webhooks on this node, and refuses to when the address guard is not in the path of the very client that sends.
import type { Context } from '../context.ts'
import { openWebhookClient } from '../webhooks/client.ts'
import { testGuard } from '../webhooks/self-test.ts'
import { bodyOf } from './body.ts'
import type { Ending } from './outcome-records.ts'
import type { CountedOutcome } from './stats.ts'
import { openRunFacts } from './run-facts.ts'
import { openWorker, type WorkerDeps, type WorkerOptions } from './worker.ts'

export interface DeliveringOptions extends WorkerOptions {
  /** PEM certificates that endpoints are trusted by; the system's when left out. */
  readonly ca?: string
  /** The guard's test; its own when left out. */
  readonly isGuarded?: () => Promise<boolean>
}

export interface Delivering {
  /** Once; after it webhooks are sent, unless the guard is not there. */
  start(): Promise<void>
  /** Lets attempts under way end, and gives back what was not sent. */
  close(): Promise<void>
}

const countedAs: Readonly<Partial<Record<Ending['kind'], CountedOutcome>>> = {
  delivered: 'delivered',
  failed: 'failed',
  retry: 'retried',
  skipped: 'skipped',
}

function openBodies(context: Context): WorkerDeps['makeBody'] {
  const deps = { ...context, runFacts: openRunFacts(context) }
  return (row) => bodyOf(deps, row)
}

const workerDeps = (context: Context): WorkerDeps => ({
  ...context,
  makeBody: openBodies(context),
  disabled({ automationId, propertyId }) {
    context.log.warn({ automation: automationId, property: propertyId }, 'an automation failed too often: switched off')
    context.triggers.forget(propertyId)
  },
  counted(kind) {
    const outcome = countedAs[kind]
    if (outcome) context.deliveryStats.totals[outcome]++
  },
})

export function openDelivering(context: Context, options: DeliveringOptions = {}): Delivering {
  const { config, log, triggers, deliveryStats } = context
  const { isGuarded = testGuard, ca, ...workerOptions } = options
  let isClosed = false
  let close = async (): Promise<void> => undefined

  const start = (): void => {
    const client = openWebhookClient({ allow: config.webhookAllow, ca })
    const worker = openWorker(workerDeps(context), client, workerOptions)
    triggers.onWake(() => worker.wake())
    deliveryStats.isSending = true
    close = async () => {
      deliveryStats.isSending = false
      await worker.close()
      client.close()
    }
  }

  return {
    async start() {
      const isSafe = await isGuarded()
      if (!isSafe)
        log.error('webhooks are not sent: a call to this machine itself was let through, so there is no guard')
      else if (!isClosed) start()
    },
    async close() {
      isClosed = true
      await close()
    },
  }
}
