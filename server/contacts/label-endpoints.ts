// The endpoints of what owners note about contacts (/manage/properties/:property/contacts/…): lists, tags,
// notes, and contacts that are added by hand.
import { role } from '../http/access.ts'
import { editingDeps, withEditors } from '../http/editors.ts'
import { get, post, remove } from '../http/endpoint.ts'
import { deleted, deletedFields } from '../http/shapes.ts'
import { shownContact } from './contact-model.ts'
import { contactIdOf, getContact } from './contacts.ts'
import {
  addContact,
  addNote,
  listNotes,
  listPropertyLabels,
  readContactLabels,
  removeNote,
  setContactLabels,
} from './labels.ts'
import * as schema from './label-schema.ts'
import { ContactShape, UpdateBody } from './schema.ts'

interface StoredNote<By> {
  readonly id: string
  readonly text: string
  readonly noted_ms: number
  readonly edited_by: By
}

const noteJson = <By>({ id, text, noted_ms, edited_by }: StoredNote<By>) => ({
  id,
  text,
  noted_ts: Math.floor(noted_ms / 1000),
  edited_by,
})

const labels = [
  get(
    '/manage/properties/:property/contacts/labels',
    role('viewer'),
    { summary: 'List the lists and tags of contacts', answer: schema.labelCounts },
    async ({ context, property }) => listPropertyLabels(context, property.id),
  ),
  get(
    '/manage/properties/:property/contacts/:contact/labels',
    role('viewer'),
    { summary: 'Get the lists and tags of a contact', answer: schema.labelFields },
    async ({ context, property, params }) => {
      const { id } = await getContact(context, property.id, contactIdOf(params))
      return readContactLabels(context, property.id, id)
    },
  ),
  post(
    '/manage/properties/:property/contacts/:contact/labels',
    role('admin'),
    { summary: 'Set the lists or tags of a contact', body: schema.LabelsBody, answer: schema.labelFields },
    async ({ context, property, params, body }) => setContactLabels(context, property.id, contactIdOf(params), body),
  ),
]

const notes = [
  get(
    '/manage/properties/:property/contacts/:contact/notes',
    role('viewer'),
    { summary: 'List the notes about a contact, newest first', answer: { notes: schema.Notes } },
    async ({ context, property, params }) => {
      const { id } = await getContact(context, property.id, contactIdOf(params))
      return { notes: (await withEditors(context, await listNotes(context, property.id, id))).map(noteJson) }
    },
  ),
  post(
    '/manage/properties/:property/contacts/:contact/notes',
    role('admin'),
    { summary: 'Add a note to a contact', body: schema.NewNote, answer: { note: schema.NoteShape } },
    async ({ context, property, caller, params, body }) => {
      const note = await addNote(editingDeps(context, caller), property.id, contactIdOf(params), body.text)
      const [shown] = await withEditors(context, [note])
      return { note: noteJson(shown!) }
    },
  ),
  remove(
    '/manage/properties/:property/contacts/:contact/notes/:note',
    role('admin'),
    { summary: 'Permanently delete a note', answer: deletedFields },
    async ({ context, property, params }) => {
      await removeNote(context, { propertyId: property.id, contactId: contactIdOf(params), id: params.note })
      return deleted
    },
  ),
]

const byHand = post(
  '/manage/properties/:property/contacts',
  role('admin'),
  {
    summary: 'Add a contact by hand',
    body: UpdateBody,
    answer: { contact: ContactShape },
    says: 'Needs an email or an external_id. 409 when there is a contact with it.',
  },
  async ({ context, property, body }) => ({ contact: shownContact(await addContact(context, property.id, body)) }),
)

export const contactLabelEndpoints = [...labels, ...notes, byHand]
