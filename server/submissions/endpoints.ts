// The endpoints of what was sent through a form, for its owner: the list, one, its mark, its end, and all of
// them as CSV.
import { Readable } from 'node:stream'
import { personPage, readPerson } from '../contact-files/contact-files.ts'
import { contactIdOf } from '../contacts/contacts.ts'
import type { Context } from '../context.ts'
import { role } from '../http/access.ts'
import { okInParts } from '../http/answer.ts'
import { get, getRaw, post, remove } from '../http/endpoint.ts'
import { deleted, deletedFields, type JsonOf, pageFields } from '../http/shapes.ts'
import { linkedPage, readInteger, refusePages, unlessEmpty } from '../kernel/page.ts'
import { listContactSubmissions } from './contact-submissions.ts'
import { type CsvPart, exportSubmissions } from './export.ts'
import type { Form } from '../forms/form-model.ts'
import { getForm } from '../forms/forms.ts'
import { applyToEarlier } from './leads.ts'
import { setAllRead } from './change-records.ts'
import type { Submission, SubmissionFilter } from './list-records.ts'
import * as schema from './schema.ts'
import {
  filesBySubmission,
  getSubmission,
  listSubmissions,
  markRead,
  markSubmission,
  removeSubmission,
  shownSubmission,
} from './submissions.ts'
import { openFile } from '../uploads/uploads.ts'

/** Ten digits: any time there is. */
const MAX_TS = 9_999_999_999

function readTs(field: string, text: string | undefined): number | undefined {
  const given = unlessEmpty(text)
  return given === undefined ? undefined : readInteger(field, given, { min: 0, max: MAX_TS, default: 0 })
}

/** Whoever asks for a verdict is not asking for what is kept of it. */
function readFilter({ show, verdict, search, from_ts, to_ts }: JsonOf<typeof schema.ExportQuery>): SubmissionFilter {
  const [fromTs, toTs] = [readTs('from_ts', from_ts), readTs('to_ts', to_ts)]
  return {
    show: show || (verdict ? 'all' : 'kept'),
    ...(verdict && { verdict }),
    ...(search?.trim() && { search: search.trim() }),
    ...(fromTs !== undefined && { fromMs: fromTs * 1000 }),
    ...(toTs !== undefined && { toMs: (toTs + 1) * 1000 }),
  }
}

interface Ask {
  readonly context: Context
  readonly property: { readonly id: string }
  readonly params: { readonly form: string }
}

const formOf = ({ context, property, params }: Ask): Promise<Form> => getForm(context, property.id, params.form)
const scopeOf = ({ id, property_id }: Form) => ({ propertyId: property_id, formId: id })

async function* textsOf(first: string, parts: AsyncGenerator<CsvPart>): AsyncGenerator<string> {
  yield first
  for await (const { text } of parts) yield text
}

const streamOf = (texts: AsyncIterable<string>): Readable => Readable.from(texts, { objectMode: false })

const answered = async ({ keys, records }: Context, form: Form, submission: Submission) =>
  shownSubmission(keys, form, submission, (await filesBySubmission(records, [submission])).get(submission.id))

const submissionFields = { submission: schema.SubmissionShape }

export const submissions = [
  getRaw(
    '/manage/properties/:property/forms/:form/submissions',
    role('viewer'),
    {
      summary: 'List the submissions of a form, newest first',
      query: schema.SubmissionsQuery,
      answer: pageFields(schema.SubmissionShape),
    },
    async (call) => {
      const { context, query, address, reply } = call
      const page = await linkedPage(query, address, async (ask) => {
        const filter = readFilter(query)
        return listSubmissions(context, await formOf(call), filter, ask)
      })
      return reply.type('application/json; charset=utf-8').send(streamOf(okInParts(page)))
    },
  ),
  get(
    '/manage/properties/:property/forms/:form/submissions/:submission',
    role('viewer'),
    { summary: 'Get a submission', answer: submissionFields },
    async (call) => {
      const { context, params } = call
      const form = await formOf(call)
      const submission = await getSubmission(context.records, scopeOf(form), params.submission)
      return { submission: await answered(context, form, submission) }
    },
  ),
  getRaw(
    '/manage/properties/:property/forms/:form/submissions/:submission/files/:file',
    role('viewer'),
    { summary: 'Download a file of a submission', produces: ['application/octet-stream'] },
    async (call) => {
      const { context, params, reply } = call
      const { property_id: propertyId, id: formId } = await formOf(call)
      const submission = await getSubmission(context.records, { propertyId, formId }, params.submission)
      const file = await openFile(context, params.file, { propertyId, submissionId: submission.id })
      return reply.headers(file.headers).send(file.content)
    },
  ),
  post(
    '/manage/properties/:property/forms/:form/submissions/:submission',
    role('admin'),
    {
      summary: 'Mark a submission as spam or not spam, or leave it to its score',
      body: schema.MarkBody,
      answer: submissionFields,
    },
    async (call) => {
      const { context, params, body } = call
      const form = await formOf(call)
      const submission = await markSubmission(context, scopeOf(form), params.submission, body.mark)
      return { submission: await answered(context, form, submission) }
    },
  ),
  post(
    '/manage/properties/:property/forms/:form/submissions/:submission/read',
    role('viewer'),
    {
      summary: 'Mark a submission as read or unread, for the whole team',
      body: schema.ReadBody,
      answer: schema.readFields,
    },
    async (call) => {
      const { context, params, body } = call
      await markRead(context.records, scopeOf(await formOf(call)), params.submission, body.is_read)
      return { is_read: body.is_read }
    },
  ),
  post(
    '/manage/properties/:property/forms/:form/submissions/read',
    role('viewer'),
    { summary: 'Mark all submissions of a form as read', answer: schema.allReadFields },
    async (call) => ({ read: await setAllRead(call.context.records, scopeOf(await formOf(call))) }),
  ),
  remove(
    '/manage/properties/:property/forms/:form/submissions/:submission',
    role('admin'),
    { summary: 'Permanently delete a submission', answer: deletedFields },
    async (call) => {
      await removeSubmission(call.context, scopeOf(await formOf(call)), call.params.submission)
      return deleted
    },
  ),
  post(
    '/manage/properties/:property/forms/:form/contacts',
    role('admin'),
    { summary: 'Create contacts from earlier submissions, in the background', answer: schema.EarlierAnswer },
    async (call) => ({ submissions: await applyToEarlier(call.context, call.property, await formOf(call)) }),
  ),
  // All of it at once, to be carried away: for who keeps the property, as with its other exports.
  getRaw(
    '/manage/properties/:property/forms/:form/submissions/export',
    role('admin'),
    {
      summary: 'Export the submissions of a form as CSV',
      query: schema.ExportQuery,
      produces: ['text/csv'],
      rows: [schema.SubmissionRow],
    },
    async (call) => {
      const { context, query, reply } = call
      refusePages({ ...query })
      const filter = readFilter(query)
      const form = await formOf(call)
      const parts = exportSubmissions(context.records, form, filter)
      // The header first: until it is there, what goes wrong can still be answered.
      const head = await parts.next()
      reply.header('content-disposition', `attachment; filename="submissions-${form.id}.csv"`)
      reply.header('cache-control', 'no-store')
      const texts = textsOf(head.done ? '' : head.value.text, parts)
      return reply.type('text/csv; charset=utf-8').send(streamOf(texts))
    },
  ),
]

/** Where the dashboard shows a contact. */
export const contactSubmissions = get(
  '/manage/properties/:property/contacts/:contact/submissions',
  role('viewer'),
  {
    summary: 'List the latest submissions of a contact, by email or session',
    answer: { submissions: schema.LatestSubmissions },
  },
  async ({ context, property, params }) => ({
    submissions: await listContactSubmissions(context, property.id, contactIdOf(params)),
  }),
)

/** More than anybody sends; each may be long. */
const MOST_OF_A_PERSON = 500

/** Everything about one person, to be carried away: for who keeps the property, as with its other exports. */
export const personExport = getRaw(
  '/manage/properties/:property/contacts/:contact/export',
  role('admin'),
  {
    summary: 'Export everything about a contact as JSON, or as a page with format=html',
    query: schema.PersonQuery,
    produces: ['application/json', 'text/html'],
  },
  async ({ context, property, params, query, reply }) => {
    const id = contactIdOf(params)
    const sent = await listContactSubmissions(context, property.id, id, MOST_OF_A_PERSON)
    const person = await readPerson(context, property, id, sent)
    const isPage = query.format === 'html'
    const name = `${person.contact.id}.${isPage ? 'html' : 'json'}`
    void reply.header('content-disposition', `attachment; filename="${name}"`).header('cache-control', 'no-store')
    if (!isPage) return reply.type('application/json; charset=utf-8').send(JSON.stringify(person, null, 2))
    const page = personPage(person)
    return reply.headers(page.headers).send(page.html)
  },
)
