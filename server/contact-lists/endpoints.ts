// The endpoints of lists that contacts confirm.
import { role } from '../http/access.ts'
import { chapter, get, post } from '../http/endpoint.ts'
import { contactIdOf } from '../contacts/contacts.ts'
import { askAgain, readLists, readMemberships, saveList } from './managing.ts'
import * as schema from './schema.ts'

export const contactListEndpoints = chapter('Management', [
  get(
    '/manage/properties/:property/contact-lists',
    role('viewer'),
    { summary: 'List the contact lists with their members and who has yet to confirm', answer: schema.listsFields },
    async ({ context, property }) => readLists(context, property.id),
  ),
  post(
    '/manage/properties/:property/contact-lists',
    role('admin'),
    {
      summary: 'Create a list, or set whether its members confirm by email and which forms ask for it',
      body: schema.ListBody,
      answer: { list: schema.ListShape },
      says: 'Whoever is in the list already stays in it.',
    },
    async ({ context, property, body }) => ({ list: await saveList(context, property.id, body) }),
  ),
  get(
    '/manage/properties/:property/contacts/:contact/memberships',
    role('admin'),
    {
      summary: 'List the lists that a contact was asked to confirm, has confirmed or has left',
      answer: { memberships: schema.Memberships },
    },
    async ({ context, property, params }) => ({
      memberships: await readMemberships(context, property.id, contactIdOf(params)),
    }),
  ),
  post(
    '/manage/properties/:property/contacts/:contact/memberships/:membership/send',
    role('admin'),
    {
      summary: 'Send the confirmation email again',
      answer: { memberships: schema.Memberships },
      says: '409 without a mail server, and for who has confirmed or left; 429 within ten minutes of the last one.',
    },
    async ({ context, property, params }) => {
      await askAgain(context, property.id, { contactId: contactIdOf(params), id: params.membership })
      return { memberships: await readMemberships(context, property.id, contactIdOf(params)) }
    },
  ),
])
