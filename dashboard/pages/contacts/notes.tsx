// What members wrote about a contact, the latest first.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { addNote, type Contact, type ContactNote, deleteNote, listNotes } from '../../api/contacts.ts'
import { rethrowSpoken } from '../../field-errors.ts'
import { dateTime } from '../../format.ts'
import { toast } from '../../parts/announce.tsx'
import { Button, IconButton } from '../../parts/button.tsx'
import { ConfirmDialog } from '../../parts/dialog.tsx'
import { TextArea } from '../../parts/fields.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Loaded, SkeletonLines } from '../../parts/states.tsx'
import { editorWords } from '../../parts/edit-list.tsx'
import { useCan, useProperty } from '../../session.tsx'
import { contacts as text } from '../../texts/index.ts'
import styles from './notes.module.css'

export function Notes({ contact }: { contact: Contact }) {
  const property = useProperty()
  const canEdit = useCan('admin')
  const notes = useQuery({
    queryKey: ['contact-notes', property.id, contact.id],
    queryFn: ({ signal }) => listNotes(property.id, contact.id, signal),
  })
  return (
    <Panel title={text.notes.title}>
      {canEdit && <Write contact={contact} />}
      <Loaded query={notes} skeleton={<SkeletonLines lines={3} />}>
        {(answer) =>
          answer.notes.length === 0 ? (
            <p className={styles.none}>{text.notes.none}</p>
          ) : (
            <ul className={styles.notes}>
              {answer.notes.map((note) => (
                <OneNote key={note.id} contact={contact} note={note} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  )
}

function Write({ contact }: { contact: Contact }) {
  const property = useProperty()
  const client = useQueryClient()
  const form = useForm<{ text: string }>({ text: '' }, async ({ text: written }, { settle }) => {
    await addNote(property.id, contact.id, written).catch(rethrowSpoken)
    settle({ text: '' })
    await client.invalidateQueries({ queryKey: ['contact-notes', property.id, contact.id] })
  })
  return (
    <Form
      form={form}
      actions={
        <Button type="submit" isBusy={form.isBusy} disabled={form.values.text.trim() === ''}>
          {text.notes.add}
        </Button>
      }
    >
      <TextArea
        label={text.notes.write}
        hidesLabel
        placeholder={text.notes.write}
        rows={2}
        maxLength={5000}
        {...form.field('text')}
      />
    </Form>
  )
}

function OneNote({ contact, note }: { contact: Contact; note: ContactNote }) {
  const property = useProperty()
  const client = useQueryClient()
  const canEdit = useCan('admin')
  const [isAsking, setAsking] = useState(false)
  const drop = useMutation({
    mutationFn: () => deleteNote(property.id, contact.id, note.id),
    onSuccess: async () => {
      toast(text.notes.deleted)
      await client.invalidateQueries({ queryKey: ['contact-notes', property.id, contact.id] })
    },
  })
  return (
    <li>
      <p className={styles.words}>{note.text}</p>
      <p className={styles.by}>
        {editorWords(note.edited_by)} · {dateTime(note.noted_ts)}
        {canEdit && (
          <IconButton size="small" label={text.notes.delete} icon={<Trash2 />} onClick={() => setAsking(true)} />
        )}
      </p>
      {isAsking && (
        <ConfirmDialog
          title={text.notes.deleteTitle}
          action={text.notes.delete}
          onConfirm={async () => {
            await drop.mutateAsync()
          }}
          onClose={() => setAsking(false)}
        >
          {text.notes.deleteWords}
        </ConfirmDialog>
      )}
    </li>
  )
}
