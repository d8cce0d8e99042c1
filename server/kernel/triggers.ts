// How facts trigger automations, without knowing them: the deliveries that follow from a fact are enqueued
// before the call that makes it is acknowledged, so that no consequence of an acknowledged fact is lost.
import type { Payload } from './payloads.ts'
import type { Records, Tx } from '../stores/records.ts'
import type { SessionRef } from './ids.ts'
import type { TriggerType } from './trigger-table.ts'

/** `data.event` of the envelope (docs/webhooks.md), as it was when it happened. */
export interface TriggerEvent {
  readonly type: TriggerType
  /** Of `event` and `contact`, else null. */
  readonly name: string | null
  readonly value: string | null
  readonly meta: readonly { readonly key: string; readonly value: string }[]
  readonly page_path: string | null
  readonly page_url: string | null
  readonly form_id: string | null
  readonly form_submit_id: string | null
  /** Unix seconds. */
  readonly created_ts: number
  readonly id: string
}

export interface Trigger {
  readonly event: TriggerEvent
  /**
   * What an automation's event_value is compared with: the name of an event, the path of a page, the id of a
   * form, the transitions of a contact (`created`, `updated`, `unsubscribed`, `lifecycle_stage:customer` …).
   * Empty for the others.
   */
  readonly subjects: readonly string[]
  readonly session?: SessionRef | undefined
  readonly contactId?: string | undefined
  /**
   * True when it came from a page, which anybody may call, and not from the owner's server: then it has a
   * lower priority.
   */
  readonly isAnonymous?: boolean | undefined
  /**
   * It may have been enqueued before: automations that were notified of this event are not notified again.
   */
  readonly isRepeat?: boolean | undefined
}

/** An automation that waits for one type of trigger. */
export interface Listener {
  readonly automationId: string
  readonly propertyId: string
  readonly eventType: TriggerType
  readonly eventValue: string | null
  readonly conversionId: string | null
  readonly actions: readonly {
    readonly id: string
    readonly url: string
    readonly payload: Payload
  }[]
}

export interface Triggers {
  /**
   * Active automations of the property for the type; mostly none, and then at once. To be called before a
   * transaction.
   */
  listeners(propertyId: string, type: TriggerType): readonly Listener[] | Promise<readonly Listener[]>
  /**
   * Writes one delivery for each action of those that match; with a Tx, together with all else in it.
   * @returns whether there were any.
   * @throws Problem('not_found') when the property was removed meanwhile.
   */
  enqueue(records: Tx | Records, listeners: readonly Listener[], trigger: Trigger): Promise<boolean>
  /** To be called once what was enqueued is committed: deliveries set out now and not at the next look. */
  wake(): void
}

/** For imports and made-up traffic, which nothing follows from. */
export const noTriggers: Triggers = { listeners: () => [], enqueue: async () => false, wake: () => {} }

export interface FireDeps {
  readonly records: Records
  readonly triggers: Triggers
}

/** Enqueues what follows from the trigger, outside of any transaction. */
export async function enqueueAlone(
  { records, triggers }: FireDeps,
  listeners: readonly Listener[],
  trigger: Trigger,
): Promise<void> {
  if (await triggers.enqueue(records, listeners, trigger)) triggers.wake()
}

/**
 * For a fact that is stored: enqueues what follows from it. When no automation waits, it returns at once and
 * makes no trigger.
 * @throws Problem('unavailable') when the records do not answer: then nothing may be acknowledged.
 */
export function fire(deps: FireDeps, propertyId: string, type: TriggerType, make: () => Trigger): void | Promise<void> {
  const listeners = deps.triggers.listeners(propertyId, type)
  if (listeners instanceof Promise)
    return listeners.then((found) => (found.length > 0 ? enqueueAlone(deps, found, make()) : undefined))
  return listeners.length > 0 ? enqueueAlone(deps, listeners, make()) : undefined
}
