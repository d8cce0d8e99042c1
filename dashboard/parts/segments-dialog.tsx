// Segments in a dialog: one is chosen as a filter, saved from the filters of the page, changed and deleted.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Bookmark, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { changeSegment, createSegment, deleteSegment, listSegments, SEGMENT, type Segment } from '../api/segments.ts'
import { rethrowSpoken } from '../field-errors.ts'
import { anyOf } from '../format.ts'
import { useCan, useProperty } from '../session.tsx'
import { common, segments as text } from '../texts/index.ts'
import { useValueNames } from '../value-names.ts'
import { asksOf, type Clause, useWindow } from '../window.ts'
import { toast } from './announce.tsx'
import { Button, IconButton } from './button.tsx'
import { ConfirmDialog, Dialog } from './dialog.tsx'
import { Checkbox, TextField } from './fields.tsx'
import { clauseWords } from '../clause-words.ts'
import { FormDialog } from './form-dialog.tsx'
import { useForm } from './form.tsx'
import { Badge } from './marks.tsx'
import styles from './segments-dialog.module.css'
import { EmptyState, Loaded, SkeletonLines } from './states.tsx'

const MAX_NAME = 120

const valuesOf = (value: unknown): string[] => (value === undefined || value === null ? [] : [value].flat().map(String))
const clausesOf = ({ clauses }: Segment): readonly Clause[] =>
  clauses.map(({ id, op, value }) => ({ id, op, values: valuesOf(value) }))

const isSegment = ({ id }: Clause): boolean => id === SEGMENT

/** What is shown in the dialog: the list, or one that is made, changed or deleted. */
type Mode = 'list' | 'new' | { readonly edited: Segment } | { readonly deleted: Segment }

export function SegmentsDialog({ onClose }: { onClose: () => void }) {
  const property = useProperty()
  const client = useQueryClient()
  const [mode, setMode] = useState<Mode>('list')
  const back = (): void => setMode('list')
  const forget = async (): Promise<void> => {
    await client.invalidateQueries({ queryKey: ['segments', property.id] })
    await client.invalidateQueries({ queryKey: ['value-names', property.id] })
    await client.invalidateQueries({ queryKey: ['overview', property.id] })
  }
  if (mode === 'list') return <SegmentList onClose={onClose} onMode={setMode} />
  if (mode === 'new') return <SegmentForm segment={undefined} onSaved={forget} onClose={back} />
  if ('edited' in mode) return <SegmentForm segment={mode.edited} onSaved={forget} onClose={back} />
  const { id, name } = mode.deleted
  return (
    <ConfirmDialog
      title={text.deleteTitle(name)}
      action={text.deleteAction}
      onConfirm={async () => {
        await deleteSegment(property.id, id)
        await forget()
      }}
      onClose={back}
    >
      {text.deleteHint}
    </ConfirmDialog>
  )
}

function SegmentList({ onClose, onMode }: { onClose: () => void; onMode: (mode: Mode) => void }) {
  const property = useProperty()
  const [{ f: clauses }, setWindow] = useWindow()
  const segments = useQuery({
    queryKey: ['segments', property.id],
    queryFn: ({ signal }) => listSegments(property.id, signal),
  })
  const chosen = clauses.find(isSegment)?.values[0]
  const canSave = clauses.some((clause) => !isSegment(clause))
  const choose = (id: string): void => {
    const others = clauses.filter((clause) => !isSegment(clause))
    setWindow({ f: id === chosen ? others : [...others, { id: SEGMENT, op: 'equals', values: [id] }] })
    onClose()
  }
  return (
    <Dialog
      title={text.title}
      subtitle={text.subtitle}
      onClose={onClose}
      actions={
        <Button look="primary" disabled={!canSave} onClick={() => onMode('new')}>
          {text.save}
        </Button>
      }
    >
      <Loaded query={segments} skeleton={<SkeletonLines lines={4} />}>
        {({ segments: all }) =>
          all.length === 0 ? (
            <EmptyState icon={<Bookmark />} title={text.emptyTitle} isSmall>
              {text.empty}
            </EmptyState>
          ) : (
            <ul className={styles.list} aria-label={text.list}>
              {all.map((segment) => (
                <Row
                  key={segment.id}
                  segment={segment}
                  isChosen={segment.id === chosen}
                  onChoose={() => choose(segment.id)}
                  onMode={onMode}
                />
              ))}
            </ul>
          )
        }
      </Loaded>
      {!canSave && <p className={styles.hint}>{text.saveHint}</p>}
    </Dialog>
  )
}

interface RowProps {
  readonly segment: Segment
  readonly isChosen: boolean
  readonly onChoose: () => void
  readonly onMode: (mode: Mode) => void
}

function Row({ segment, isChosen, onChoose, onMode }: RowProps) {
  const { name, is_personal: isPersonal } = segment
  const canEdit = useCan('admin') || isPersonal
  return (
    <li className={styles.row}>
      <button type="button" className={styles.choice} aria-pressed={isChosen} onClick={onChoose}>
        <span className={styles.name}>
          {name} <Badge>{isPersonal ? text.personal : text.everybody}</Badge>
        </span>
        <Filters clauses={clausesOf(segment)} />
      </button>
      {canEdit && (
        <>
          <IconButton
            label={text.edit(name)}
            icon={<Pencil />}
            size="small"
            onClick={() => onMode({ edited: segment })}
          />
          <IconButton
            label={text.delete(name)}
            icon={<Trash2 />}
            size="small"
            onClick={() => onMode({ deleted: segment })}
          />
        </>
      )}
    </li>
  )
}

function Filters({ clauses }: { clauses: readonly Clause[] }) {
  const namesOf = useValueNames(clauses)
  const words = clauses.map((clause) => {
    const names = namesOf(clause)
    return clauseWords(clause, names && anyOf(names))
  })
  return <span className={styles.filters}>{words.join(' · ')}</span>
}

interface SegmentFormProps {
  /** Undefined for a new one. */
  readonly segment: Segment | undefined
  readonly onSaved: () => Promise<void>
  readonly onClose: () => void
}

function SegmentForm({ segment, onSaved, onClose }: SegmentFormProps) {
  const property = useProperty()
  const isAdmin = useCan('admin')
  const [{ f }] = useWindow()
  const plain = f.filter((clause) => !isSegment(clause))
  const [replaces, setReplaces] = useState(segment === undefined)
  const [isShared, setShared] = useState(segment !== undefined && !segment.is_personal)
  const form = useForm({ name: segment?.name ?? '' }, async ({ name }) => {
    const asked = { name: name.trim(), is_personal: !isShared }
    const filters = replaces ? { clauses: asksOf(plain) } : {}
    const saved = segment
      ? changeSegment(property.id, segment.id, { ...asked, ...filters })
      : createSegment(property.id, { ...asked, clauses: asksOf(plain) })
    await saved.catch(rethrowSpoken)
    await onSaved()
    toast(text.saved)
    onClose()
  })
  return (
    <FormDialog
      form={form}
      action={common.actions.save}
      title={segment ? text.change : text.new}
      isOff={form.values.name.trim() === ''}
      onClose={onClose}
    >
      <TextField label={text.name} maxLength={MAX_NAME} autoComplete="off" autoFocus {...form.field('name')} />
      <div className={styles.shown}>
        <strong>{text.filters}</strong>
        <Filters clauses={replaces || !segment ? plain : clausesOf(segment)} />
      </div>
      {segment && plain.length > 0 && <Checkbox label={text.replaces} isOn={replaces} onChange={setReplaces} />}
      {isAdmin && <Checkbox label={text.isShared} hint={text.isSharedHint} isOn={isShared} onChange={setShared} />}
    </FormDialog>
  )
}
