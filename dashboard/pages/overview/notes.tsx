// Notes on the graph: marks on its baseline that say what happened then; admins pin, change and remove them.
import { useQueryClient } from '@tanstack/react-query'
import { MessageSquare } from 'lucide-react'
import { useState } from 'react'
import { ApiError } from '../../api.ts'
import {
  addAnnotation,
  type Annotation,
  changeAnnotation,
  type Overview,
  removeAnnotation,
} from '../../api/overview.ts'
import { placeOf, type Spanned } from '../../charts/geometry.ts'
import { dateTime, number } from '../../format.ts'
import { toast, toastError } from '../../parts/announce.tsx'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/fields.tsx'
import { Form, FormRow, useForm } from '../../parts/form.tsx'
import { Popover } from '../../parts/popover.tsx'
import { useCan, useProperty } from '../../session.tsx'
import { text as common } from '../../texts/en/common.ts'
import { text } from '../../texts/en/overview.ts'
import styles from './notes.module.css'
import type { SetView } from './view.ts'

interface Noted {
  /** Where in the bucket the first of them is. */
  readonly part: number
  readonly all: readonly Annotation[]
}

export function notesByBucket(buckets: readonly Spanned[], notes: readonly Annotation[]): ReadonlyMap<number, Noted> {
  const found = new Map<number, Noted>()
  for (const note of notes) {
    const place = placeOf(buckets, note.ts)
    if (!place) continue
    const { part, all } = found.get(place.index) ?? { part: place.part, all: [] }
    found.set(place.index, { part, all: [...all, note] })
  }
  return found
}

/** At one place of the graph, or at neighbouring ones that are too close for a mark each. */
export function NoteMark({ notes, setView }: { notes: readonly Annotation[]; setView: SetView }) {
  const canNote = useCan('admin')
  const label = `${text.graph.noteCount(notes.length)}: ${notes.map((note) => note.text).join('; ')}`
  return (
    <Popover
      button={
        <>
          <MessageSquare aria-hidden="true" />
          {notes.length > 1 && <span>{number(notes.length)}</span>}
        </>
      }
      label={label}
      buttonClass={styles.mark}
      align="center"
      className={styles.notes}
    >
      {(close) => (
        <ul>
          {notes.map((note) => (
            <li key={note.id}>
              <p>{note.text}</p>
              <div className={styles.foot}>
                <span>{dateTime(note.ts)}</span>
                {canNote && (
                  <Button
                    size="small"
                    look="quiet"
                    onClick={() => {
                      close()
                      setView({ note: note.id })
                    }}
                  >
                    {common.actions.edit}
                  </Button>
                )}
              </div>
            </li>
          ))}
        </ul>
      )}
    </Popover>
  )
}

export interface NoteDialogProps {
  readonly overview: Overview
  /** `new`, or an id. */
  readonly note: string
  readonly setView: SetView
}

const MAX_TEXT = 200

/** Said here, before anything is sent. */
const wrong = (field: 'ts' | 'text', words: string): ApiError =>
  new ApiError(422, 'validation_failed', words, { errors: { [field]: [words] } })

function noteOf(words: string, date: string, time: string): Omit<Annotation, 'id'> {
  const ms = Date.parse(`${date}T${time === '' ? '12:00' : time}Z`)
  if (words.trim() === '') throw wrong('text', text.graph.noteMissing)
  if (Number.isNaN(ms)) throw wrong('ts', text.graph.noteDay)
  return { ts: Math.floor(ms / 1000), text: words.trim() }
}

/** An id that is not among the notes of the window shows nothing. */
export function NoteDialog({ overview, note: id, setView }: NoteDialogProps) {
  const canNote = useCan('admin')
  const known = overview.annotations.find((note) => note.id === id)
  const close = (): void => setView({ note: null }, { replace: true })
  if (!canNote || (id !== 'new' && !known)) return null
  return (
    <Dialog title={known ? text.graph.editNote : text.graph.addNote} subtitle={text.graph.noteHint} onClose={close}>
      <NoteForm known={known} endTs={overview.window.to_ts - 1} onClose={close} />
    </Dialog>
  )
}

interface NoteFormProps {
  readonly known: Annotation | undefined
  /** The last second of the window. */
  readonly endTs: number
  readonly onClose: () => void
}

function NoteForm({ known, endTs, onClose }: NoteFormProps) {
  const property = useProperty()
  const client = useQueryClient()
  const [isRemoving, setRemoving] = useState(false)
  const at = new Date((known?.ts ?? endTs) * 1000).toISOString()
  const initial = { text: known?.text ?? '', date: at.slice(0, 10), time: at.slice(11, 16) }
  const done = async (words: string): Promise<void> => {
    await client.invalidateQueries({ queryKey: ['overview', property.id] })
    toast(words)
    onClose()
  }
  const form = useForm(initial, async ({ text: words, date, time }) => {
    const note = noteOf(words, date, time)
    await (known ? changeAnnotation(property.id, { ...note, id: known.id }) : addAnnotation(property.id, note))
    await done(common.actions.saved)
  })
  const remove = async (id: string): Promise<void> => {
    setRemoving(true)
    try {
      await removeAnnotation(property.id, id)
      await done(text.graph.noteRemoved)
    } catch (error) {
      toastError(error)
      setRemoving(false)
    }
  }
  return (
    <Form
      form={form}
      actions={
        <>
          <Button type="submit" look="primary" isBusy={form.isBusy}>
            {common.actions.save}
          </Button>
          {known && (
            <Button look="danger" isBusy={isRemoving} onClick={() => void remove(known.id)}>
              {text.graph.removeNote}
            </Button>
          )}
        </>
      }
    >
      <TextField label={text.graph.noteText} maxLength={MAX_TEXT} {...form.field('text')} />
      <FormRow>
        <TextField type="date" label={text.graph.noteDate} {...form.field('date', 'ts')} />
        <TextField type="time" label={text.graph.noteTime} {...form.field('time')} />
      </FormRow>
    </Form>
  )
}
