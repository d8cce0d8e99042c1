// The endpoints of contacts: those of /v2/property for tokens (docs/api/contacts.md), and files, names and
// erasures for the dashboard under /manage. A contact of another property is as if it did not exist.
import type { IncomingHttpHeaders } from 'node:http'
import type { Context } from '../context.ts'
import { role, token } from '../http/access.ts'
import { chapter, get, post, remove } from '../http/endpoint.ts'
import { deleted, deletedFields, type JsonOf, pageFields } from '../http/shapes.ts'
import { linkedPage, readInteger, readPerPage, unlessEmpty } from '../kernel/page.ts'
import { invalid } from '../kernel/problem.ts'
import { cleanText } from '../kernel/text.ts'
import { getSession, givenSessionId, type NamesSession } from '../sessions/sessions.ts'
import { SessionHeaders } from '../sessions/schema.ts'
import { type ContactOrder, MAX_LIFECYCLE_STAGE, MAX_SEARCH, shownContact } from './contact-model.ts'
import {
  consentJson,
  listConsents,
  type ContactFilter,
  contactIdOf,
  getContact,
  listContacts,
  updateContact,
} from './contacts.ts'
import { eraseContact } from './erase.ts'
import { identifyContact } from '../identify/identify.ts'
import { importPart } from '../contact-files/import.ts'
import { findContactNames } from './named.ts'
import { contactLabelEndpoints } from './label-endpoints.ts'
import { labelKey } from './label-text.ts'
import { readContactWorth } from './worth.ts'
import * as schema from './schema.ts'
import { type CursorAsk, listContactSessions, MAX_CURSOR } from './session-list.ts'

function readCursor(query: JsonOf<typeof schema.SessionsQuery>): CursorAsk {
  const perPage = readPerPage(query.per_page)
  const cursor = unlessEmpty(query.cursor)
  if (cursor === undefined) return { perPage }
  return { perPage, cursor: readInteger('cursor', cursor, { min: 0, max: MAX_CURSOR, default: 0 }) }
}

/** No stored text has a NUL: left out, it would make a filter wider than it was meant, or none at all. */
function readText(field: string, text = '', max: number): string {
  if (text.includes('\0')) throw invalid(field, `${field} may not contain a NUL character.`)
  return cleanText(text, max).trim()
}

type ListQuery = JsonOf<typeof schema.ListQuery>

/** As long as labels may be, and as blanks around them. */
const MAX_LIST_NAME = 240

/** A text of blanks filters nothing. */
function readFilter(query: ListQuery): ContactFilter {
  const search = readText('search', query.search, MAX_SEARCH)
  const stage = readText('lifecycle_stage', query.lifecycle_stage, MAX_LIFECYCLE_STAGE)
  const [list, tag] = [readText('list', query.list, MAX_LIST_NAME), readText('tag', query.tag, MAX_LIST_NAME)]
  return {
    ...(search && { search }),
    ...(stage && { lifecycle_stage: stage }),
    ...(query.state && { state: query.state }),
    ...(list && { list: labelKey(list) }),
    ...(tag && { tag: labelKey(tag) }),
  }
}

/**
 * Figures and times begin with the largest, names with A. A direction alone would be taken for one that was
 * followed.
 */
function readOrder({ sort, direction }: ListQuery): ContactOrder | undefined {
  if (sort) return { sort, isDescending: direction ? direction === 'desc' : sort !== 'name' }
  if (direction) throw invalid('direction', 'direction needs sort.')
  return undefined
}

/** A contact may be known before any session of it is: none is no fault here. */
function findSession({ keys }: Context, propertyId: string, headers: IncomingHttpHeaders, body: NamesSession) {
  const id = givenSessionId(headers, body)
  return id === undefined ? undefined : { id, session: getSession(keys, propertyId, id) }
}

/** Sessions of a page, and as many again. */
const MOST_IDS = 200

/** @throws Problem('validation_failed') for too many. */
function readIds(given: string): string[] {
  const ids = [...new Set(given.split(',').filter((id) => id !== '' && !id.includes('\0')))]
  if (ids.length > MOST_IDS) throw invalid('ids', `ids may name at most ${MOST_IDS} contacts.`)
  return ids
}

const reading = token('contacts:read')
const writing = token('contacts:write')
const contactFields = { contact: schema.ContactShape }

const contacts = [
  post(
    '/v2/property/contacts/identify',
    writing,
    {
      summary: 'Identify a contact and link a session to it',
      headers: SessionHeaders,
      body: schema.IdentifyBody,
      answer: schema.identifiedFields,
    },
    async ({ context, property, body, request }) => {
      const { external_id, email, traits } = body
      const given = findSession(context, property.id, request.headers, body)
      const identification = { external_id, email, traits }
      const found = await identifyContact(context, property.id, {
        by: 'token',
        identification,
        session: given?.session,
      })
      return {
        contact: shownContact(found.contact),
        session_id: given?.id ?? null,
        linked_to_session: found.isLinked,
      }
    },
  ),
  get(
    '/v2/property/contacts',
    reading,
    {
      summary: 'List, search and sort contacts; newest first by default',
      query: schema.ListQuery,
      answer: pageFields(schema.ContactShape),
    },
    async ({ context, property, query, address }) =>
      linkedPage(query, address, async (page) => {
        const ask = { ...page, order: readOrder(query) }
        const { rows, total } = await listContacts(context, property.id, readFilter(query), ask)
        return { rows: rows.map(shownContact), total }
      }),
  ),
  get(
    '/v2/property/contacts/:contact',
    reading,
    { summary: 'Get a contact', answer: contactFields },
    async ({ context, property, params }) => ({
      contact: shownContact(await getContact(context, property.id, contactIdOf(params))),
    }),
  ),
  get(
    '/v2/property/contacts/:contact/sessions',
    reading,
    {
      summary: 'The sessions of a contact, newest first',
      query: schema.SessionsQuery,
      answer: schema.sessionsFields,
    },
    async ({ context, property, params, query }) => {
      const ask = readCursor(query)
      return listContactSessions(context, property.id, contactIdOf(params), ask)
    },
  ),
  post(
    '/v2/property/contacts/:contact',
    writing,
    { summary: 'Update a contact', body: schema.UpdateBody, answer: contactFields },
    async ({ context, property, params, body }) => ({
      contact: shownContact(await updateContact(context, property.id, contactIdOf(params), body)),
    }),
  ),
  remove(
    '/v2/property/contacts/:contact',
    writing,
    { summary: 'Delete a contact: its personal fields are permanently erased', answer: deletedFields },
    async ({ context, property, params }) => {
      await eraseContact(context, property.id, contactIdOf(params))
      return deleted
    },
  ),
]

const managed = [
  post(
    '/manage/properties/:property/contacts/import',
    role('admin'),
    {
      summary: 'Check contacts in CSV, and import them all if every row is valid',
      body: schema.ImportBody,
      answer: schema.importFields,
    },
    async ({ context, property, body }) => importPart(context, property.id, body.csv, body.is_trial ?? false),
  ),
  post(
    '/manage/properties/:property/contacts/:contact/erase',
    role('admin'),
    {
      summary: 'Erase a person: delete the contact and get a receipt',
      answer: { receipt: schema.ReceiptShape },
      says: 'It says what was there, never what it was.',
    },
    async ({ context, property, params }) => ({
      receipt: await eraseContact(context, property.id, contactIdOf(params)),
    }),
  ),
]

const worth = get(
  '/manage/properties/:property/contacts/worth',
  role('viewer'),
  {
    summary: 'Get value, orders and first source of contacts by id',
    query: schema.NamesQuery,
    answer: { worth: schema.Worth },
  },
  async ({ context, property, query }) => ({
    worth: await readContactWorth(context, property, readIds(query.ids ?? '')),
  }),
)

const consents = get(
  '/manage/properties/:property/contacts/:contact/consents',
  role('viewer'),
  { summary: 'List what a contact consented to in forms, newest first', answer: { consents: schema.Consents } },
  async ({ context, property, params }) => {
    const { id } = await getContact(context, property.id, contactIdOf(params))
    return { consents: (await listConsents(context.records, property.id, id)).map(consentJson) }
  },
)

/** Where the dashboard meets contacts: what they are called. */
const names = get(
  '/manage/properties/:property/contacts/names',
  role('viewer'),
  {
    summary: 'Get the names of contacts by id',
    query: schema.NamesQuery,
    answer: { names: schema.Names },
  },
  async ({ context, property, query }) => ({
    names: await findContactNames(context.records, property.id, readIds(query.ids ?? '')),
  }),
)

export const contactEndpoints = [
  ...chapter('Contacts', contacts),
  ...chapter('Management', [...managed, ...contactLabelEndpoints]),
  ...chapter('Dashboard', [names, worth, consents]),
]
