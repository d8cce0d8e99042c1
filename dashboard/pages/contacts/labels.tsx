// The lists and tags of a contact: shown as pills, added by typing, with those that others have as
// suggestions.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import {
  type Contact,
  type ContactLabels,
  type LabelKind,
  readContactLabels,
  readLabels,
  setContactLabels,
} from '../../api/contacts.ts'
import { toast } from '../../parts/announce.tsx'
import { Button } from '../../parts/button.tsx'
import { Pill } from '../../parts/marks.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Loaded, SkeletonLines } from '../../parts/states.tsx'
import { useCan, useProperty } from '../../session.tsx'
import { contacts as text } from '../../texts/index.ts'
import { Memberships } from './memberships.tsx'
import styles from './notes.module.css'

const kinds = ['lists', 'tags'] as const

export function Labels({ contact }: { contact: Contact }) {
  const property = useProperty()
  const labels = useQuery({
    queryKey: ['contact-labels', property.id, contact.id],
    queryFn: ({ signal }) => readContactLabels(property.id, contact.id, signal),
  })
  return (
    <Panel title={text.labels.title}>
      <Loaded query={labels} skeleton={<SkeletonLines lines={2} />}>
        {(given) => (
          <div className={styles.kinds}>
            {kinds.map((kind) => (
              <Kind key={kind} contact={contact} kind={kind} labels={given} />
            ))}
          </div>
        )}
      </Loaded>
    </Panel>
  )
}

interface KindProps {
  readonly contact: Contact
  readonly kind: LabelKind
  readonly labels: ContactLabels
}

function useChange({ contact, kind, labels }: KindProps) {
  const property = useProperty()
  const client = useQueryClient()
  return useMutation({
    mutationFn: (next: readonly string[]) => setContactLabels(property.id, contact.id, { [kind]: next }),
    onSuccess: async (saved, next) => {
      const asked = next.filter((name) => !saved[kind].some((one) => one.toLowerCase() === name.toLowerCase()))
      if (kind === 'lists' && asked.length > 0) toast(text.memberships.asked(asked.join(', ')))
      await client.invalidateQueries({ queryKey: ['contact-memberships', property.id, contact.id] })
      client.setQueryData(['contact-labels', property.id, contact.id], { ...labels, ...saved })
      await client.invalidateQueries({ queryKey: ['labels', property.id] })
      await client.invalidateQueries({ queryKey: ['contacts', property.id] })
    },
    onError: (error) => toast(error.message, 'bad'),
  })
}

function Kind({ contact, kind, labels }: KindProps) {
  const canEdit = useCan('admin')
  const change = useChange({ contact, kind, labels })
  const own = labels[kind]
  const remove = (label: string): void => change.mutate(own.filter((one) => one !== label))
  return (
    <section>
      <h3 className={styles.kind}>{text.labels[kind]}</h3>
      {own.length === 0 && !canEdit && <p className={styles.quiet}>{text.labels.none}</p>}
      <div className={styles.pills}>
        {own.map((label) => (
          <Pill key={label} {...(canEdit && { onRemove: () => remove(label) })} removeLabel={text.labels.remove(label)}>
            {label}
          </Pill>
        ))}
      </div>
      {canEdit && kind === 'lists' && <Memberships contact={contact} />}
      {canEdit && <Add kind={kind} isBusy={change.isPending} onAdd={(label) => change.mutate([...own, label])} />}
    </section>
  )
}

interface AddProps {
  readonly kind: LabelKind
  readonly isBusy: boolean
  readonly onAdd: (label: string) => void
}

function Add({ kind, isBusy, onAdd }: AddProps) {
  const property = useProperty()
  const id = useId()
  const [written, setWritten] = useState('')
  const known = useQuery({
    queryKey: ['labels', property.id],
    queryFn: ({ signal }) => readLabels(property.id, signal),
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (written.trim() === '') return
    onAdd(written.trim())
    setWritten('')
  }
  return (
    <form className={styles.add} onSubmit={submit}>
      <input
        aria-label={text.labels.addTo[kind]}
        placeholder={text.labels.addTo[kind]}
        list={id}
        maxLength={60}
        value={written}
        onChange={(event) => setWritten(event.target.value)}
      />
      <datalist id={id}>
        {known.data?.[kind].map(({ name }) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </datalist>
      <Button type="submit" size="small" isBusy={isBusy} disabled={written.trim() === ''}>
        {text.labels.add}
      </Button>
    </form>
  )
}
