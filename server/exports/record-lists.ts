// Lists of records as CSV: contacts, links, submissions, deliveries. Each capability writes its own rows;
// here they become a file.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { listAutomations } from '../automations/automations.ts'
import { deliveryBatches, listDeliveries, type DeliveryJson } from '../deliveries/deliveries.ts'
import { listContacts } from '../contacts/contacts.ts'
import { exportContacts } from '../contact-files/contact-files.ts'
import { exportSubmissions, listSubmissions } from '../submissions/submissions.ts'
import { type Form, getForm } from '../forms/forms.ts'
import { safeCell, toCsv } from '../csv/cells.ts'
import type { Deps } from '../kernel/deps.ts'
import { everyRow, type PageQuery } from '../kernel/page.ts'
import { exportLinks, listLinks } from '../links/links.ts'
import type { Part, Text } from './export.ts'

/** For the number of rows alone. */
export const counting: PageQuery = { page: 1, perPage: 1 }

export async function openContacts(deps: Deps, propertyId: string): Promise<Text> {
  const { total } = await listContacts(deps, propertyId, {}, counting)
  async function* parts(): AsyncGenerator<Part> {
    for await (const { text, contacts } of exportContacts(deps.records, propertyId)) yield { text, rows: contacts }
  }
  return { total, parts: parts() }
}

export async function openLinks(deps: Deps, propertyId: string): Promise<Text> {
  const { total } = await listLinks(deps, { propertyId, groupId: null }, counting)
  async function* parts(): AsyncGenerator<Part> {
    for await (const { text, links } of exportLinks(deps, { propertyId, groupId: null })) yield { text, rows: links }
  }
  return { total, parts: parts() }
}

/** What is kept of it, spam included: the columns say what it was taken for. */
const everything = { show: 'all' } as const

async function* submissionParts(deps: Deps, form: Form): AsyncGenerator<Part> {
  for await (const { text, submissions } of exportSubmissions(deps.records, form, everything))
    yield { text, rows: submissions }
}

/** @throws Problem('not_found') when the form is not in the property. */
export async function openSubmissions(deps: Deps, propertyId: string, formId: string): Promise<Text> {
  const form = await getForm(deps, propertyId, formId)
  const { total } = await listSubmissions(deps, form, everything, counting)
  return { total, parts: submissionParts(deps, form) }
}

const moment = (ts: number | null): string => (ts === null ? '' : new Date(ts * 1000).toISOString())

const deliveryColumns: Readonly<Record<string, (delivery: DeliveryJson) => string | number | null>> = {
  id: (delivery) => delivery.id,
  automation_id: (delivery) => delivery.automation_id,
  url: (delivery) => delivery.url,
  payload: (delivery) => delivery.payload,
  event_type: (delivery) => delivery.trigger.event_type,
  event_value: (delivery) => delivery.trigger.event_value,
  conversion_id: (delivery) => delivery.conversion_id,
  session_id: (delivery) => delivery.session_id,
  contact_id: (delivery) => delivery.contact_id,
  form_submit_id: (delivery) => delivery.form_submit_id,
  is_test: (delivery) => (delivery.is_test ? 'yes' : 'no'),
  state: (delivery) => delivery.state,
  attempts: (delivery) => delivery.attempts,
  last_status: (delivery) => delivery.last_status,
  last_error: (delivery) => delivery.last_error,
  created_at: (delivery) => moment(delivery.created_ts),
  finished_at: (delivery) => moment(delivery.finished_ts),
}

const deliveryRow = (delivery: DeliveryJson): string[] =>
  Object.values(deliveryColumns).map((cell) => safeCell(String(cell(delivery) ?? '')))

async function* deliveryParts(deps: Deps, propertyId: string, automations: readonly string[]): AsyncGenerator<Part> {
  yield { text: toCsv([Object.keys(deliveryColumns)]), rows: 0 }
  for (const automationId of automations) {
    for await (const batch of deliveryBatches(deps, { propertyId, automationId })) {
      yield { text: toCsv(batch.map(deliveryRow)), rows: batch.length }
      await nextTurn()
    }
  }
}

export async function openDeliveries(deps: Deps, propertyId: string): Promise<Text> {
  const automations = (await everyRow((ask) => listAutomations(deps, propertyId, ask))).map(({ id }) => id)
  let total = 0
  for (const automationId of automations)
    total += (await listDeliveries(deps, { propertyId, automationId }, undefined, counting)).total
  return { total, parts: deliveryParts(deps, propertyId, automations) }
}
