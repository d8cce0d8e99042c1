// The records of a property as one JSON document: a key for each kind, a line for each row, as the interfaces
// show them. No secret is in it: of tokens and signing secrets there is nothing that could be used.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { listCommonSegments } from '../segments/segments.ts'
import { costBatches } from '../costs/costs.ts'
import { listAnnotations } from '../annotations/annotations.ts'
import { listAutomations, shownAutomation } from '../automations/automations.ts'
import { listConversions } from '../conversions/conversions.ts'
import {
  aliasBatches,
  consentBatches,
  consentJson,
  labelBatches,
  noteBatches,
  shownContact,
  listContacts,
} from '../contacts/contacts.ts'
import { membershipBatches, membershipFacts } from '../contact-lists/contact-lists.ts'
import { contactBatches } from '../contact-files/contact-files.ts'
import { getBlock, listBlocks, blockJson } from '../content/content.ts'
import { filesBySubmission, submissionBatches, listSubmissions, shownSubmission } from '../submissions/submissions.ts'
import { type Form, listForms, formJson } from '../forms/forms.ts'
import { currentTs, type Deps } from '../kernel/deps.ts'
import { everyRow } from '../kernel/page.ts'
import { linkBatches, listGroups, listLinks, listOwnDomains } from '../links/links.ts'
import { type Property, propertyJson, listTokens } from '../properties/properties.ts'
import { readLookBody } from '../qr/qr.ts'
import type { Part, Text } from './export.ts'
import { counting } from './record-lists.ts'

/** Rows of one kind, a batch at a time. */
type Batches = AsyncIterable<readonly object[]>

async function* once<Row>(rows: Promise<readonly Row[]>): AsyncGenerator<readonly Row[]> {
  yield await rows
}

async function* mapped<Row>(batches: AsyncIterable<readonly Row[]>, show: (row: Row) => object) {
  for await (const rows of batches) yield rows.map(show)
}

/** With the HTML of their versions, which the list leaves out. */
async function* blocksOf(deps: Deps, propertyId: string): AsyncGenerator<readonly object[]> {
  const listed = await everyRow((ask) => listBlocks(deps, propertyId, ask))
  for (const { id } of listed) yield [blockJson(await getBlock(deps, propertyId, id))]
}

async function* submissionsOf(deps: Deps, forms: readonly Form[]): AsyncGenerator<readonly object[]> {
  for (const form of forms) {
    const scope = { propertyId: form.property_id, formId: form.id }
    for await (const rows of submissionBatches(deps.records, scope, { show: 'all' })) {
      const files = await filesBySubmission(deps.records, rows)
      yield rows.map((row) => shownSubmission(deps.keys, form, row, files.get(row.id)))
    }
  }
}

function sectionsOf(deps: Deps, { id }: Property, forms: readonly Form[]): Readonly<Record<string, Batches>> {
  const nowTs = currentTs(deps)
  return {
    tokens: once(everyRow((ask) => listTokens(deps, id, ask))),
    link_groups: once(everyRow((ask) => listGroups(deps, id, ask))),
    links: linkBatches(deps, { propertyId: id, groupId: null }),
    link_domains: once(listOwnDomains(deps, id)),
    qr_look: once(readLookBody(deps, id).then((look) => [look])),
    forms: once(Promise.resolve(forms.map(formJson))),
    conversions: once(everyRow((ask) => listConversions(deps, id, ask))),
    automations: mapped(once(everyRow((ask) => listAutomations(deps, id, ask))), (automation) =>
      shownAutomation(automation, nowTs),
    ),
    content: blocksOf(deps, id),
    annotations: once(everyRow((ask) => listAnnotations(deps, id, ask))),
    costs: costBatches(deps.records, id),
    segments: once(listCommonSegments(deps, id)),
    contacts: mapped(contactBatches(deps.records, id), shownContact),
    contact_consents: mapped(consentBatches(deps.records, id), (consent) => ({
      contact_id: consent.contact_id,
      ...consentJson(consent),
    })),
    contact_aliases: mapped(aliasBatches(deps.records, id), ({ shown, ...alias }) => ({ ...alias, value: shown })),
    contact_memberships: mapped(membershipBatches(deps.records, id), (membership) => ({
      contact_id: membership.contact_id,
      ...membershipFacts(membership),
      form: membership.form_id,
    })),
    contact_labels: mapped(labelBatches(deps.records, id), ({ added_ms, ...label }) => ({
      ...label,
      added_ts: Math.floor(added_ms / 1000),
    })),
    contact_notes: mapped(noteBatches(deps.records, id), ({ noted_ms, ...note }) => ({
      ...note,
      noted_ts: Math.floor(noted_ms / 1000),
    })),
    submissions: submissionsOf(deps, forms),
  }
}

async function* partsOf(deps: Deps, property: Property, forms: readonly Form[]): AsyncGenerator<Part> {
  const head = { exported_ts: currentTs(deps), property: propertyJson(property) }
  yield { text: JSON.stringify(head).slice(0, -1), rows: 0 }
  for (const [name, batches] of Object.entries(sectionsOf(deps, property, forms))) {
    yield { text: `,\n${JSON.stringify(name)}:[`, rows: 0 }
    let isFirst = true
    for await (const rows of batches) {
      const lines = rows.map((row) => `\n${JSON.stringify(row)}`)
      if (lines.length > 0) yield { text: `${isFirst ? '' : ','}${lines.join(',')}`, rows: rows.length }
      isFirst &&= lines.length === 0
      await nextTurn()
    }
    yield { text: ']', rows: 0 }
  }
  yield { text: '}\n', rows: 0 }
}

/** Of what there may be much of; the rest takes no time. */
async function countRows(deps: Deps, { id }: Property, forms: readonly Form[]): Promise<number> {
  let total =
    (await listContacts(deps, id, {}, counting)).total +
    (await listLinks(deps, { propertyId: id, groupId: null }, counting)).total
  for (const form of forms) total += (await listSubmissions(deps, form, { show: 'all' }, counting)).total
  return total
}

export async function openRecordsJson(deps: Deps, property: Property): Promise<Text> {
  const forms = await everyRow((ask) => listForms(deps, property.id, ask))
  return { total: await countRows(deps, property, forms), parts: partsOf(deps, property, forms) }
}
