// `footfall contact erase`: erases a person and prints a receipt. Uses only the records, so it works while
// the server runs.
import { createInterface } from 'node:readline/promises'
import { openForgetting } from '../server/deliveries/forget.ts'
import { openOutbox } from '../server/automations/outbox.ts'
import type { Contact } from '../server/contacts/contact-model.ts'
import { eraseContact } from '../server/contacts/erase.ts'
import { listNamedContacts } from '../server/contacts/named.ts'
import { findContact } from '../server/contacts/records.ts'
import type { ReceiptJson } from '../server/contacts/schema.ts'
import { Problem } from '../server/kernel/problem.ts'
import { answer, counted, readOptions, UsageError, write } from './command.ts'
import { propertyFor } from './which-property.ts'
import { type Recorded, withRecords } from './with-records.ts'

const usage = `footfall contact erase (CONTACT_ID | --email ADDRESS | --external-id ID) [--property ID] [--yes] [--json]

Erases everything that identifies a contact: external id, email, name, all other text and custom fields, and form
submissions with that email or from one of the contact's sessions. What stays: the id, timestamps and anonymous sessions. This cannot be undone, and it works while the server runs.
--email erases every contact with that email address. You are asked to confirm; --yes skips this and is required in scripts.
The receipt says what was erased without repeating it. --property is optional when there is only one.`

const options = {
  email: { type: 'string' },
  'external-id': { type: 'string' },
  property: { type: 'string' },
  yes: { type: 'boolean', default: false },
} as const

type Values = ReturnType<typeof readOptions<typeof options>>['values']

type Wanted = { readonly id: string } | { readonly email: string } | { readonly external_id: string }

/** @throws UsageError unless exactly one way of finding them is given. */
function readWanted(values: Values, id: string | undefined): Wanted {
  const ways: Wanted[] = []
  if (id !== undefined) ways.push({ id })
  if (values.email !== undefined) ways.push({ email: values.email })
  if (values['external-id'] !== undefined) ways.push({ external_id: values['external-id'] })
  const [way] = ways
  if (way && ways.length === 1) return way
  throw new UsageError('name the contact by one of: CONTACT_ID, --email, --external-id')
}

/** Never empty. @throws Problem('not_found') */
async function findWanted(deps: Recorded, propertyId: string, wanted: Wanted): Promise<Contact[]> {
  const ids = 'id' in wanted ? [wanted.id] : await listNamedContacts(deps.records, propertyId, wanted)
  const found = await Promise.all(ids.map(async (id) => findContact(deps.records, propertyId, id)))
  const contacts = found.filter((contact) => contact !== undefined)
  if (contacts.length > 0) return contacts
  throw new Problem('not_found', 'There is no such contact in this property.')
}

/** On standard error: standard output is for the receipt. */
async function isConfirmed(contacts: readonly Contact[], propertyName: string): Promise<boolean> {
  const ids = contacts.map(({ id }) => id).join(', ')
  const prompt = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const reply = await prompt.question(`Erase ${ids} of the property ${propertyName}? It cannot be undone. [y/N] `)
    return /^y(?:es)?$/iu.test(reply.trim())
  } finally {
    prompt.close()
  }
}

function receiptLines(erasure: ReceiptJson): string[] {
  const { contact_id, was_deleted, fields, meta_entries, sessions, submissions, erased_ts } = erasure
  const sent = submissions > 0 ? [counted(submissions, 'submission')] : []
  if (was_deleted) {
    const left = sent[0] === undefined ? 'there was nothing left to remove' : `removed ${sent[0]} sent since`
    return [`${contact_id} was erased already; ${left}.`]
  }
  const removed = [...fields, ...(meta_entries > 0 ? [counted(meta_entries, 'custom field')] : []), ...sent]
  return [
    `Erased ${contact_id} at ${new Date(erased_ts * 1000).toISOString()}.`,
    `  removed  ${removed.join(', ') || 'nothing: there was nothing to remove'}`,
    `  stays    the id, its times and ${counted(sessions, 'session')}, which lead to nobody any more`,
  ]
}

async function eraseAll(deps: Recorded, values: Values, wanted: Wanted): Promise<ReceiptJson[] | undefined> {
  const property = await propertyFor(deps, values.property)
  const contacts = await findWanted(deps, property.id, wanted)
  const isAsking = !values.yes && contacts.some(({ state }) => state !== 'deleted')
  if (isAsking && !(await isConfirmed(contacts, property.name))) return undefined
  const erasures: ReceiptJson[] = []
  // The server delivers the consequences by itself.
  const eraseDeps = { ...deps, ...openForgetting(deps), triggers: openOutbox(deps) }
  for (const { id } of contacts) erasures.push(await eraseContact(eraseDeps, property.id, id))
  return erasures
}

async function erase(values: Values, id: string | undefined): Promise<number> {
  const wanted = readWanted(values, id)
  if (!values.yes && !process.stdin.isTTY) throw new UsageError('no terminal to confirm on: add --yes')
  const erasures = await withRecords((deps) => eraseAll(deps, values, wanted))
  if (!erasures) {
    process.stderr.write('Nothing was erased.\n')
    return 1
  }
  answer(values.json, { erasures }, erasures.flatMap(receiptLines))
  return 0
}

export async function contact(args: string[]): Promise<number> {
  const { values, positionals } = readOptions(args, options)
  const [action, id, ...rest] = positionals
  if (values.help) write(usage)
  else if (action === 'erase' && rest.length === 0) return erase(values, id)
  else throw new UsageError('contact takes one of: erase CONTACT_ID')
  return 0
}
