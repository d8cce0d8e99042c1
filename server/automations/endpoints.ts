// The endpoints of automations (/manage/properties/{property}/automations).
import type { Context } from '../context.ts'
import { role } from '../http/access.ts'
import { chapter, get, post, remove } from '../http/endpoint.ts'
import { deleted, deletedFields, pageFields } from '../http/shapes.ts'
import { currentTs } from '../kernel/deps.ts'
import { linkedPage } from '../kernel/page.ts'
import { sortedPage, type SortValues } from '../kernel/sorting.ts'
import {
  createAutomation,
  DEFAULT_OVERLAP_HOURS,
  enableAutomation,
  getAutomation,
  listAutomations,
  removeAutomation,
  rotateSecret,
  shownAutomation,
  testAutomation,
  updateAutomation,
} from './automations.ts'
import { readLastDeliveries } from '../deliveries/deliveries.ts'
import type { StoredAutomation } from './records.ts'
import * as schema from './schema.ts'

/** Left out when there is nothing to be known. */
const warned = (warnings: schema.WarningsJson) => (Object.keys(warnings).length > 0 ? { warnings } : {})

const shown = (context: Context, automation: StoredAutomation) => shownAutomation(automation, currentTs(context))

const reading = role('viewer')
const writing = role('admin')
const automationValues: SortValues<schema.ListedAutomationJson, schema.AutomationSort> = {
  name: ({ label }) => label,
  last: ({ last_delivery: last }) => last && last.created_ts,
}
const shownOnce = 'The secret is shown once; it is kept encrypted.'

export const automationEndpoints = chapter('Management', [
  get(
    '/manage/properties/:property/automations',
    reading,
    {
      summary: 'List the automations of a property',
      query: schema.AutomationsQuery,
      answer: pageFields(schema.ListedShape),
      says: 'Newest first, when nothing else is asked for.',
    },
    async ({ context, property, query, address }) =>
      linkedPage(query, address, (ask) =>
        sortedPage(ask, query, automationValues, async (page) => {
          const { rows, total } = await listAutomations(context, property.id, page)
          const ids = rows.map(({ id }) => id)
          const last = await readLastDeliveries(context, property.id, ids)
          return {
            rows: rows.map((row) => ({ ...shown(context, row), last_delivery: last.get(row.id) ?? null })),
            total,
          }
        }),
      ),
  ),
  post(
    '/manage/properties/:property/automations',
    writing,
    { summary: 'Create an automation', body: schema.NewAutomation, answer: schema.createdFields, says: shownOnce },
    async ({ context, property, body }) => {
      const { automation, signingSecret, warnings } = await createAutomation(context, property, body)
      return { automation: shown(context, automation), signing_secret: signingSecret, ...warned(warnings) }
    },
  ),
  get(
    '/manage/properties/:property/automations/:automation',
    reading,
    { summary: 'Get an automation', answer: schema.automationFields },
    async ({ context, property, params }) => ({
      automation: shown(context, await getAutomation(context, property.id, params.automation)),
    }),
  ),
  post(
    '/manage/properties/:property/automations/:automation',
    writing,
    { summary: 'Update an automation', body: schema.ChangedAutomation, answer: schema.changedFields },
    async ({ context, property, params, body }) => {
      const { automation, warnings } = await updateAutomation(context, property, params.automation, body)
      return { automation: shown(context, automation), ...warned(warnings) }
    },
  ),
  remove(
    '/manage/properties/:property/automations/:automation',
    writing,
    { summary: 'Delete an automation and its run log', answer: deletedFields },
    async ({ context, property, params }) => {
      await removeAutomation(context, property.id, params.automation)
      return deleted
    },
  ),
  post(
    '/manage/properties/:property/automations/:automation/enable',
    writing,
    { summary: 'Turn on an automation', answer: schema.automationFields },
    async ({ context, property, params }) => ({
      automation: shown(context, await enableAutomation(context, property, params.automation)),
    }),
  ),
  post(
    '/manage/properties/:property/automations/:automation/secret',
    writing,
    { summary: 'Create a new signing secret', body: schema.Rotation, answer: schema.secretFields, says: shownOnce },
    async ({ context, property, params, body }) => {
      const hours = body?.overlap_hours ?? DEFAULT_OVERLAP_HOURS
      const { automation, signingSecret } = await rotateSecret(context, property.id, params.automation, hours)
      return { automation: shown(context, automation), signing_secret: signingSecret }
    },
  ),
  post(
    '/manage/properties/:property/automations/:automation/test',
    writing,
    {
      summary: 'Send a test with each action',
      answer: schema.testFields,
      says: 'The test sends set out at once.',
    },
    async ({ context, property, params }) => ({
      deliveries: await testAutomation(context, property.id, params.automation),
    }),
  ),
])
