// The endpoints of forms (/manage/properties/:property/forms), their figures and their history. A form of
// another property is not found.
import type { Context } from '../context.ts'
import { role } from '../http/access.ts'
import { editingDeps, withEditors } from '../http/editors.ts'
import { chapter, get, post, remove } from '../http/endpoint.ts'
import { deleted, deletedFields, pageFields } from '../http/shapes.ts'
import { settledWithin } from '../queues/deadline.ts'
import { linkedPage } from '../kernel/page.ts'
import { sortedPage, type SortValues } from '../kernel/sorting.ts'
import { findFullness } from '../submissions/eviction-records.ts'
import { countUnread } from '../submissions/change-records.ts'
import { countFormEvents } from '../form-flow/facts.ts'
import { type Form, isDraft } from './form-model.ts'
import {
  createForm,
  getForm,
  listFormEdits,
  listForms,
  removeForm,
  formJson,
  undoFormEdit,
  updateForm,
} from './forms.ts'
import * as schema from './schema.ts'
import { StatisticsQuery, StatisticsShape } from './statistics-schema.ts'
import { readFormStatistics } from '../form-flow/statistics.ts'
import { contactSubmissions, personExport, submissions } from '../submissions/endpoints.ts'

/** The list comes from the records: it does not fail when the figures cannot be read. */
const COUNT_WAIT_MS = 2000

/** Of drafts alone: a form that is published is told nothing of the time before. */
const countTries = ({ draftTries }: Context, forms: readonly Form[]) =>
  draftTries.count(forms.filter(isDraft).map(({ id }) => id))

async function withCounts(context: Context, propertyId: string, forms: readonly Form[]) {
  const ids = forms.map(({ id }) => id)
  const counts = await settledWithin(countFormEvents(context.facts, propertyId, ids), COUNT_WAIT_MS, (error) =>
    context.log.warn({ err: error }, 'form events cannot be counted'),
  )
  const unread = await countUnread(context.records, ids)
  const tried = await countTries(context, forms)
  return forms.map((form) => {
    const { views, submitted } = counts ? (counts.get(form.id) ?? { views: 0, submitted: 0 }) : {}
    const own = { unread: unread.get(form.id) ?? 0, tried: tried.get(form.id) ?? 0 }
    return { ...formJson(form), views: views ?? null, submitted: submitted ?? null, ...own }
  })
}

type CountedForm = Awaited<ReturnType<typeof withCounts>>[number]

const formValues: SortValues<CountedForm, schema.FormSort> = {
  name: ({ name }) => name,
  views: ({ views }) => views,
  submitted: ({ submitted }) => submitted,
  rate: ({ views, submitted }) => (views === null || submitted === null || views === 0 ? null : submitted / views),
}

/** A single form as it is answered: with notes for its owner. */
const answered = async (context: Context, form: Form) => ({
  form: {
    ...formJson(form),
    fullness: await findFullness(context.records, form.id),
    tried: (await countTries(context, [form])).get(form.id) ?? 0,
  },
})

const formFields = { form: schema.FormShape }

const forms = [
  get(
    '/manage/properties/:property/forms',
    role('viewer'),
    {
      summary: 'List and search the forms of a property, newest first',
      query: schema.FormsQuery,
      answer: pageFields(schema.ListedFormShape),
    },
    async ({ context, property: { id }, query, address }) =>
      linkedPage(query, address, (ask) =>
        sortedPage(ask, query, formValues, async (page) => {
          const { rows, total } = await listForms(context, id, page, query.search)
          return { rows: await withCounts(context, id, rows), total }
        }),
      ),
  ),
  post(
    '/manage/properties/:property/forms',
    role('admin'),
    { summary: 'Create a form', body: schema.NewForm, answer: formFields },
    async ({ context, property, caller, body }) =>
      answered(context, await createForm(editingDeps(context, caller), property.id, body)),
  ),
  get(
    '/manage/properties/:property/forms/:form',
    role('viewer'),
    { summary: 'Get a form', answer: formFields },
    async ({ context, property, params }) => answered(context, await getForm(context, property.id, params.form)),
  ),
  post(
    '/manage/properties/:property/forms/:form',
    role('admin'),
    {
      summary: 'Update, publish or archive a form; open form sessions keep their version',
      body: schema.ChangedForm,
      answer: formFields,
    },
    async ({ context, property, caller, params, body }) =>
      answered(context, await updateForm(editingDeps(context, caller), property.id, params.form, body)),
  ),
  remove(
    '/manage/properties/:property/forms/:form',
    role('admin'),
    { summary: 'Delete a form and its submissions; its statistics stay', answer: deletedFields },
    async ({ context, property, params }) => {
      await removeForm(context, property.id, params.form)
      return deleted
    },
  ),
  get(
    '/manage/properties/:property/forms/:form/statistics',
    role('viewer'),
    {
      summary: 'Get views, starts and submissions of a form',
      query: StatisticsQuery,
      answer: { statistics: StatisticsShape },
    },
    async ({ context, property, params, query }) => {
      const form = await getForm(context, property.id, params.form)
      return { statistics: await readFormStatistics(context, property, form.id, query) }
    },
  ),
]

const edits = [
  get(
    '/manage/properties/:property/forms/:form/edits',
    role('viewer'),
    {
      summary: 'List the edits of a form, newest first',
      query: schema.PageQuery,
      answer: pageFields(schema.EditShape),
    },
    async ({ context, property, params, query, address }) =>
      linkedPage(query, address, async (ask) => {
        const { rows, total } = await listFormEdits(context, property.id, params.form, ask)
        return { rows: await withEditors(context, rows), total }
      }),
  ),
  post(
    '/manage/properties/:property/forms/:form/edits/:edit/undo',
    role('admin'),
    { summary: 'Undo an edit of a form', answer: formFields },
    async ({ context, property, caller, params: { form, edit } }) => {
      const ref = { propertyId: property.id, id: form }
      return answered(context, await undoFormEdit(editingDeps(context, caller), ref, edit))
    },
  ),
]

export const formEndpoints = [
  ...chapter('Management', [...forms, ...edits, ...submissions]),
  ...chapter('Dashboard', [contactSubmissions, personExport]),
]
