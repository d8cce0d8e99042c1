// Starts the sending of webhooks on this node. It refuses when the client that sends is not protected by the
// address guard.
import type { Context } from '../context.ts'
import { openWebhookClient, testGuard } from '../webhooks/webhooks.ts'
import { bodyOf } from './body.ts'
import type { CountedOutcome, Ending } from './delivery-model.ts'
import { openRunFacts } from './facts.ts'
import { DeliveryEngine, type EngineDeps, type EngineOptions } from './engine.ts'

export interface DeliveringOptions extends EngineOptions {
  /** PEM certificates to trust; those of the system when left out. */
  readonly ca?: string
  /** Replaces the test of the guard. */
  readonly isGuarded?: () => Promise<boolean>
}

export interface Delivering {
  /** To be called once. Webhooks are sent from then on, unless the guard fails its test. */
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

function openBodies(context: Context): EngineDeps['makeBody'] {
  const deps = { ...context, runFacts: openRunFacts(context) }
  return (row) => bodyOf(deps, row)
}

const engineDeps = (context: Context): EngineDeps => ({
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
  const { isGuarded = testGuard, ca, ...engineOptions } = options
  let isClosed = false
  let close = async (): Promise<void> => undefined

  const start = (): void => {
    const client = openWebhookClient({ allow: config.webhookAllow, allowHttp: config.webhookAllowHttp, ca })
    const engine = new DeliveryEngine(engineDeps(context), client, engineOptions)
    triggers.onWake(() => engine.wake())
    deliveryStats.isSending = true
    close = async () => {
      deliveryStats.isSending = false
      await engine.close()
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
