// The endpoints of mail: whether it is set up, what was sent, and a test (/manage/mail), for owners of the
// installation; and the mail of one property (/manage/properties/{property}/mail).
import { Type } from 'typebox'
import { owner, role } from '../http/access.ts'
import { chapter, get, post } from '../http/endpoint.ts'
import { pageFields } from '../http/shapes.ts'
import { linkedPage, unlessEmpty } from '../kernel/page.ts'
import { listMails, mailStatus, sendTest } from './log.ts'
import * as schema from './schema.ts'

export const mailEndpoints = chapter('Management', [
  get(
    '/manage/mail',
    owner,
    { summary: 'Get the email setup', answer: schema.statusFields, says: 'Nothing of the user or the password.' },
    async ({ context }) => mailStatus(context.config),
  ),
  get(
    '/manage/mail/messages',
    owner,
    {
      summary: 'List the email of the installation',
      query: schema.MailsQuery,
      answer: pageFields(schema.MailShape),
      says: 'A page, newest first; for as long as DELIVERY_DAYS says.',
    },
    async ({ context, query, address }) => {
      const filter = { propertyId: undefined, state: unlessEmpty(query.state) }
      return linkedPage(query, address, (ask) => listMails(context, filter, ask))
    },
  ),
  post(
    '/manage/mail/test',
    owner,
    {
      summary: 'Send a test email',
      body: schema.TestMail,
      answer: { enqueued: Type.Boolean() },
      says: 'What becomes of it stands in the list.',
    },
    async ({ context, body }) => {
      await sendTest(context, body.to)
      return { enqueued: true }
    },
  ),
  get(
    '/manage/properties/:property/mail',
    role('admin'),
    {
      summary: 'List the email of a property',
      query: schema.MailsQuery,
      answer: { ...pageFields(schema.MailShape), is_on: Type.Boolean({ description: 'Mail is set up.' }) },
      says: 'A page, newest first.',
    },
    async ({ context, property, query, address }) => {
      const filter = { propertyId: property.id, state: unlessEmpty(query.state) }
      const page = await linkedPage(query, address, (ask) => listMails(context, filter, ask))
      return { ...page, is_on: mailStatus(context.config).is_on }
    },
  ),
])
