// Automations as tests make them, and what was put down for them. Nothing is sent: no worker runs in a server
// of support/server.ts.
import assert from 'node:assert/strict'
import { bodyOf } from '../../server/deliveries/body.ts'
import { openRunFacts } from '../../server/deliveries/facts.ts'
import type { DeliveryRow } from '../../server/deliveries/queue-records.ts'
import type { Footfall, TestProperty } from './server.ts'

/** Loopback, where nobody listens; WEBHOOK_ALLOW has to name it. */
export const HOOK = 'https://127.0.0.1:9/hook'
export const ALLOW_LOOPBACK = { WEBHOOK_ALLOW: '127.0.0.0/8' }

export interface TestAutomation {
  readonly id: string
  readonly actions: readonly { readonly id: string; readonly url: string }[]
}

export interface AutomationCalls {
  /** In another property when that is named. */
  add(eventType: string, eventValue?: string | null, more?: object, property?: TestProperty): Promise<TestAutomation>
  define(eventType: string, eventValue: string | null): Promise<{ readonly id: string; readonly name: string }>
  /** All that was put down since the last call, oldest first. */
  news(): Promise<DeliveryRow[]>
  /** The body of a delivery as a receiver reads it. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies of every shape
  told(row: DeliveryRow): Promise<any>
}

export function automationCalls(footfall: Footfall): AutomationCalls {
  const { context, property } = footfall
  const call: Footfall['call'] = (...asked) => footfall.call(...asked)
  let seen = 0
  return {
    add: async (event_type, event_value = null, more = {}, { id } = property) => {
      const { status, json, text } = await call('POST', `/manage/properties/${id}/automations`, {
        body: { trigger: { event_type, event_value }, actions: [{ type: 'webhook', url: HOOK }], ...more },
      })
      assert.equal(status, 200, text)
      return json.data.automation
    },
    define: async (event_type, event_value) => {
      const body = { name: `${event_type} ${event_value}`, event_type, event_value }
      const { status, json, text } = await call('POST', `/manage/properties/${property.id}/conversions`, { body })
      assert.equal(status, 200, text)
      return json.data.conversion
    },
    news: async () => {
      const rows = await context.records
        .selectFrom('deliveries')
        .selectAll()
        .where('seq', '>', seen)
        .orderBy('seq')
        .execute()
      seen = rows.at(-1)?.seq ?? seen
      return rows
    },
    told: async (row) => {
      const made = await bodyOf({ ...context, runFacts: openRunFacts(context) }, row)
      return 'body' in made ? JSON.parse(made.body) : made
    },
  }
}
