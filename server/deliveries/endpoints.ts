// The endpoints of the run log: what an automation sent, and one more attempt
// (/manage/properties/{property}/automations/{automation}/deliveries).
import { getAutomation } from '../automations/automations.ts'
import type { Context } from '../context.ts'
import { role } from '../http/access.ts'
import { chapter, get, post } from '../http/endpoint.ts'
import { linkedPage, unlessEmpty } from '../kernel/page.ts'
import { getDelivery, listDeliveries, retryDelivery } from './deliveries.ts'
import type { AutomationKey } from './records.ts'
import * as schema from './schema.ts'

const reading = role('viewer')
const writing = role('admin')

/** @throws Problem('not_found') */
async function keyOf(context: Context, propertyId: string, id: string): Promise<AutomationKey> {
  const { id: automationId } = await getAutomation(context, propertyId, id)
  return { propertyId, automationId }
}

export const deliveryEndpoints = chapter('Management', [
  get(
    '/manage/properties/:property/automations/:automation/deliveries',
    reading,
    {
      summary: 'List the deliveries of an automation',
      query: schema.DeliveriesQuery,
      answer: schema.listFields,
      says: 'Newest first.',
    },
    async ({ context, property, params, query, address }) => {
      const key = await keyOf(context, property.id, params.automation)
      const state = unlessEmpty(query.state)
      const page = await linkedPage(query, address, (ask) => listDeliveries(context, key, state, ask))
      return { ...page, is_sending: context.deliveryStats.isSending }
    },
  ),
  get(
    '/manage/properties/:property/automations/:automation/deliveries/:delivery',
    reading,
    { summary: 'Get a delivery with its content and all attempts', answer: schema.deliveryAnswer },
    async ({ context, property, params }) => {
      const key = await keyOf(context, property.id, params.automation)
      const delivery = await getDelivery(context, key, params.delivery)
      return { delivery, is_sending: context.deliveryStats.isSending }
    },
  ),
  post(
    '/manage/properties/:property/automations/:automation/deliveries/:delivery/retry',
    writing,
    { summary: 'Retry a delivery now', answer: schema.deliveryAnswer },
    async ({ context, property, params }) => {
      const key = await keyOf(context, property.id, params.automation)
      const delivery = await retryDelivery(context, key, params.delivery)
      context.triggers.wake()
      return { delivery, is_sending: context.deliveryStats.isSending }
    },
  ),
])
