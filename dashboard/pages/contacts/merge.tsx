// Two contacts that are one person: the other one is found, both stand side by side, and of each field in
// which
// they differ it is chosen which value stays.
import { keepPreviousData, type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Contact, listContacts, mergeContacts } from '../../api/contacts.ts'
import { dateTime, number } from '../../format.ts'
import { toast } from '../../parts/announce.tsx'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { SearchField } from '../../parts/fields.tsx'
import { Avatar } from '../../parts/marks.tsx'
import { Loaded, Note, SkeletonLines } from '../../parts/states.tsx'
import { TwoLines } from '../../parts/two-lines.tsx'
import { useProperty } from '../../session.tsx'
import { useSettled } from '../../typed.ts'
import { contacts as text } from '../../texts/index.ts'
import { contactTexts } from './fields.ts'
import styles from './merge.module.css'
import { isOfContacts } from './queries.ts'
import { nameOf, stageName, valueWords } from './words.ts'

const words = text.merge

export interface MergeDialogProps {
  readonly contact: Contact
  readonly onClose: () => void
}

export function MergeDialog({ contact, onClose }: MergeDialogProps) {
  const [other, setOther] = useState<Contact>()
  if (!other) return <Find contact={contact} onFound={setOther} onClose={onClose} />
  return <Compare contact={contact} other={other} onBack={() => setOther(undefined)} onClose={onClose} />
}

// ---------------------------------------------------------------- the other one

function Find({ contact, onFound, onClose }: MergeDialogProps & { onFound: (other: Contact) => void }) {
  const property = useProperty()
  const [typed, setTyped] = useState(contact.last_name ?? contact.first_name ?? '')
  const search = useSettled(typed.trim())
  const filter = { search, state: '', lifecycle_stage: '' }
  const found = useQuery({
    queryKey: ['contacts', property.id, 'merge', search],
    queryFn: ({ signal }) => listContacts(property.id, filter, 1, signal),
    placeholderData: keepPreviousData,
  })
  return (
    <Dialog title={words.title(nameOf(contact))} subtitle={words.findHint} onClose={onClose}>
      <SearchField label={text.search} value={typed} onChange={setTyped} maxLength={255} />
      <Loaded query={found} skeleton={<SkeletonLines lines={6} />}>
        {({ data }) => <Candidates contacts={data.filter((one) => isCandidate(one, contact))} onFound={onFound} />}
      </Loaded>
    </Dialog>
  )
}

const isCandidate = (one: Contact, contact: Contact): boolean => one.id !== contact.id && one.state !== 'deleted'

function Candidates({ contacts, onFound }: { contacts: readonly Contact[]; onFound: (other: Contact) => void }) {
  if (contacts.length === 0) return <p className={styles.quiet}>{words.nobody}</p>
  return (
    <ul className={styles.candidates}>
      {contacts.map((one) => (
        <li key={one.id}>
          <button type="button" onClick={() => onFound(one)}>
            <TwoLines
              mark={<Avatar name={nameOf(one)} />}
              title={nameOf(one)}
              detail={[one.email, one.company, one.external_id].filter(Boolean).join(' · ') || ' '}
            />
            <span className={styles.quiet}>{words.sessions(number(one.session_count), one.session_count)}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}

// ---------------------------------------------------------------- side by side

interface Row {
  /** As the service calls it. */
  readonly field: string
  readonly label: string
  /** Null: it says nothing. */
  readonly kept: string | null
  readonly other: string | null
}

function rowsOf(kept: Contact, other: Contact): readonly Row[] {
  const texts = contactTexts.map((field) => ({
    field,
    label: text.one.fields[field],
    kept: kept[field],
    other: other[field],
  }))
  const stage = {
    field: 'lifecycle_stage',
    label: text.one.stage,
    kept: stageName(kept.lifecycle_stage),
    other: stageName(other.lifecycle_stage),
  }
  const valueOf = ({ meta }: Contact, key: string): string | null => {
    const entry = meta.find((one) => one.key === key)
    return entry ? valueWords(entry.value) : null
  }
  const keys = [...new Set([...kept.meta, ...other.meta].map(({ key }) => key))]
  const custom = keys.map((key) => ({
    field: `meta:${key}`,
    label: key,
    kept: valueOf(kept, key),
    other: valueOf(other, key),
  }))
  return [...texts, stage, ...custom].filter((row) => row.kept !== null || row.other !== null)
}

const isContested = ({ kept, other }: Row): boolean => kept !== null && other !== null && kept !== other

interface CompareProps extends MergeDialogProps {
  readonly other: Contact
  readonly onBack: () => void
}

function Compare({ contact, other, onBack, onClose }: CompareProps) {
  const property = useProperty()
  const client = useQueryClient()
  const [taken, setTaken] = useState<ReadonlySet<string>>(new Set())
  const merging = useMutation({
    mutationFn: () => mergeContacts(property.id, contact.id, { other: other.id, take: [...taken] }),
    onSuccess: async () => {
      toast(words.done(nameOf(contact)))
      await forgetContacts(client, property.id)
      onClose()
    },
  })
  const choose = (field: string, isTaken: boolean): void => {
    const next = new Set(taken)
    if (isTaken) next.add(field)
    else next.delete(field)
    setTaken(next)
  }
  const isUnsubscribed = contact.state !== other.state
  return (
    <Dialog
      title={words.compareTitle}
      subtitle={words.compareHint}
      size="wide"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onBack}>{words.back}</Button>
          <Button look="primary" isBusy={merging.isPending} onClick={() => merging.mutate()}>
            {words.action}
          </Button>
        </>
      }
    >
      <table className={styles.both}>
        <thead>
          <tr>
            <th scope="col">{words.field}</th>
            <Head contact={contact} note={words.keeps} />
            <Head contact={other} note={words.goes} />
          </tr>
        </thead>
        <tbody>
          {rowsOf(contact, other).map((row) => (
            <CompareRow key={row.field} row={row} isTaken={taken.has(row.field)} onChoose={choose} />
          ))}
          <tr>
            <th scope="row">{text.one.sessions}</th>
            <td>{number(contact.session_count)}</td>
            <td>{number(other.session_count)}</td>
          </tr>
        </tbody>
      </table>
      {isUnsubscribed && <Note tone="warn">{words.unsubscribed}</Note>}
      <p className={styles.quiet}>{words.moves}</p>
    </Dialog>
  )
}

const Head = ({ contact, note }: { contact: Contact; note: string }) => (
  <th scope="col">
    {nameOf(contact)}
    <span className={styles.seen}>{note}</span>
    <span className={styles.seen}>{words.seen(dateTime(contact.last_seen_ts))}</span>
  </th>
)

interface CompareRowProps {
  readonly row: Row
  readonly isTaken: boolean
  readonly onChoose: (field: string, isTaken: boolean) => void
}

/** What only one of the two has stays in any case. */
function CompareRow({ row, isTaken, onChoose }: CompareRowProps) {
  const sides = ['kept', 'other'] as const
  const isChosen = (side: (typeof sides)[number]) => (side === 'other') === isTaken
  return (
    <tr>
      <th scope="row">{row.label}</th>
      {sides.map((side) => (
        <td key={side}>
          {isContested(row) ? (
            <label className={isChosen(side) ? styles.chosen : styles.left}>
              <input
                type="radio"
                name={row.field}
                checked={isChosen(side)}
                onChange={() => onChoose(row.field, side === 'other')}
                aria-label={words.choice(row.label, row[side] ?? '')}
              />
              <span>{row[side]}</span>
            </label>
          ) : (
            row[side]
          )}
        </td>
      ))}
    </tr>
  )
}

/** Whatever was read of contacts. */
export const forgetContacts = (client: QueryClient, property: string): Promise<void> =>
  client.invalidateQueries({ predicate: (query) => isOfContacts(query, property) })
