// Writing a note at a moment of the graph, changing it, and taking it away.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../../api.ts'
import {
  addAnnotation,
  type Annotation,
  changeAnnotation,
  type Overview,
  removeAnnotation,
} from '../../api/overview.ts'
import { fieldsOfTs, tsOfFields, zoneName } from '../../format.ts'
import { toast, toastError } from '../../parts/announce.tsx'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/fields.tsx'
import { Form, FormRow, useForm } from '../../parts/form.tsx'
import { useCan, useProperty } from '../../session.tsx'
import { common, overview as text } from '../../texts/index.ts'
import type { SetView } from './view.ts'

interface NoteDialogProps {
  readonly overview: Overview
  /** `new`, or an id. */
  readonly note: string
  readonly setView: SetView
}

const MAX_TEXT = 200

/** Said here, before anything is sent. */
const wrong = (field: 'ts' | 'text', words: string): ApiError =>
  new ApiError(422, 'validation_failed', words, { errors: { [field]: [words] } })

interface NoteValues {
  readonly text: string
  readonly date: string
  readonly time: string
}

/** The time is shown to the minute: as long as nobody changes it, the seconds of what is stored stay. */
function noteValues(ts: number, words: string): NoteValues {
  return { text: words, ...fieldsOfTs(ts) }
}

function readWords(words: string): string {
  if (words.trim() === '') throw wrong('text', text.graph.noteMissing)
  return words.trim()
}

function readTs(date: string, time: string): number {
  const ts = tsOfFields(`${date}T${time === '' ? '12:00' : time}`)
  if (ts === undefined) throw wrong('ts', text.graph.noteDay)
  return ts
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
  // Where a new one begins stays while the window goes on.
  const [fresh] = useState(() => noteValues(endTs, ''))
  const done = async (words: string): Promise<void> => {
    await client.invalidateQueries({ queryKey: ['overview', property.id] })
    toast(words)
  }
  const initial = known ? noteValues(known.ts, known.text) : fresh
  const form = useForm(initial, async ({ text: words, date, time }, { changed, hasMore }) => {
    const note = { text: readWords(words), ts: readTs(date, time) }
    const isMoved = changed.date !== undefined || changed.time !== undefined
    const change = { ...(changed.text !== undefined && { text: note.text }), ...(isMoved && { ts: note.ts }) }
    await (known ? changeAnnotation(property.id, { ...change, id: known.id }) : addAnnotation(property.id, note))
    await done(common.actions.saved)
    if (!known || !hasMore()) onClose()
  })
  const remove = async (id: string): Promise<void> => {
    setRemoving(true)
    try {
      await removeAnnotation(property.id, id)
      await done(text.graph.noteRemoved)
      onClose()
    } catch (error) {
      toastError(error)
      setRemoving(false)
    }
  }
  return (
    <Form
      form={form}
      action={common.actions.save}
      actions={
        known && (
          <Button look="danger" isBusy={isRemoving} onClick={() => void remove(known.id)}>
            {text.graph.removeNote}
          </Button>
        )
      }
    >
      <TextField label={text.graph.noteText} maxLength={MAX_TEXT} {...form.field('text')} />
      <FormRow>
        <TextField type="date" label={text.graph.noteDate} {...form.field('date', 'ts')} />
        <TextField type="time" label={text.graph.noteTime(zoneName())} {...form.field('time')} />
      </FormRow>
    </Form>
  )
}
