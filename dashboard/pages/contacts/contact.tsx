// One contact: their details and what they did. A drawer edits it; deleting it asks to type the name.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Eraser, Merge, Pencil } from 'lucide-react'
import { useEffect } from 'react'
import { Link, useLocation } from 'wouter'
import { type Contact, type ContactText, eraseContact, listConsents, readContact } from '../../api/contacts.ts'
import { dateTime, number } from '../../format.ts'
import { toast } from '../../parts/announce.tsx'
import { Button } from '../../parts/button.tsx'
import { Copyable } from '../../parts/copy.tsx'
import { ConfirmDialog } from '../../parts/dialog.tsx'
import { Badge, OutsideLink, RelativeTime } from '../../parts/marks.tsx'
import { Facts, PageHeader, Panel, Stack } from '../../parts/panel.tsx'
import { Loaded, Note, Skeleton, SkeletonLines } from '../../parts/states.tsx'
import { useCan, useProperty, usePropertyPath } from '../../session.tsx'
import { contacts as text } from '../../texts/index.ts'
import { useTitle } from '../../title.ts'
import { choiceParam, useUrlState } from '../../url.ts'
import { Activity } from './activity.tsx'
import styles from './contact.module.css'
import { EditDrawer } from './edit.tsx'
import { contactTexts } from './fields.ts'
import { Labels } from './labels.tsx'
import { MergeDialog } from './merge.tsx'
import { Merged } from './merged.tsx'
import { Notes } from './notes.tsx'
import { PersonExport } from './person-export.tsx'
import { isOfContacts } from './queries.ts'
import { Up } from './up.tsx'
import { nameOf, stageName, valueWords } from './words.ts'
import { useWorth, worthRows } from './worth.tsx'

const words = text.one
const codecs = { open: choiceParam(['edit', 'erase', 'merge'], null) }

export default function ContactPage({ id }: { id: string }) {
  const property = useProperty()
  const contact = useQuery({
    queryKey: ['contact', property.id, id],
    queryFn: ({ signal }) => readContact(property.id, id, signal),
  })
  const [, navigate] = useLocation()
  const path = usePropertyPath()
  const known = contact.data?.contact.id ?? id
  // The id of one that was merged leads to the contact that was kept.
  useEffect(() => {
    if (known !== id) navigate(path(`/contacts/${known}`), { replace: true })
  }, [known, id, navigate, path])
  useTitle(contact.data ? nameOf(contact.data.contact) : text.title, property.name)
  return (
    <Loaded query={contact} skeleton={<ContactSkeleton />}>
      {(answer) => <Shown contact={answer.contact} />}
    </Loaded>
  )
}

function ContactSkeleton() {
  return (
    <>
      <PageHeader title={<Skeleton width="14rem" />} subtitle={<Skeleton width="10rem" />} back={<Up />} />
      <div className={styles.both}>
        <Panel title={words.details}>
          <SkeletonLines lines={9} />
        </Panel>
        <Panel title={words.activity}>
          <SkeletonLines lines={9} />
        </Panel>
      </div>
    </>
  )
}

function Shown({ contact }: { contact: Contact }) {
  const [{ open }, setState] = useUrlState(codecs)
  const mayChange = useCan('admin') && contact.state !== 'deleted'
  const close = (): void => setState({ open: null }, { replace: true })
  return (
    <>
      <PageHeader
        title={nameOf(contact)}
        subtitle={contact.full_name === null ? undefined : contact.email}
        back={<Up />}
        actions={mayChange && <Actions contact={contact} onOpen={(next) => setState({ open: next })} />}
      />
      <Stack>
        {contact.state === 'deleted' && <Note tone="warn">{words.erasedNote}</Note>}
        <div className={styles.both}>
          <Stack>
            <Panel title={words.details} className={styles.details}>
              <Details contact={contact} />
            </Panel>
            {contact.state !== 'deleted' && (
              <Panel title={words.custom} className={styles.details}>
                <Custom contact={contact} />
              </Panel>
            )}
            {contact.state !== 'deleted' && <Labels contact={contact} />}
            {contact.state !== 'deleted' && <Merged contact={contact} className={styles.details} />}
            {contact.state !== 'deleted' && <Consents contact={contact} />}
          </Stack>
          <Stack>
            {contact.state !== 'deleted' && <Notes contact={contact} />}
            <Panel title={words.activity} subtitle={words.activityHint}>
              <Activity contact={contact} />
            </Panel>
          </Stack>
        </div>
      </Stack>
      {mayChange && open === 'edit' && <EditDrawer contact={contact} onClose={close} />}
      {mayChange && open === 'merge' && <MergeDialog contact={contact} onClose={close} />}
      {mayChange && open === 'erase' && <Erase contact={contact} onClose={close} />}
    </>
  )
}

interface ActionsProps {
  readonly contact: Contact
  readonly onOpen: (open: 'edit' | 'erase' | 'merge') => void
}

const Actions = ({ contact, onOpen }: ActionsProps) => (
  <>
    <PersonExport contact={contact} />
    <Button look="quiet" icon={<Merge />} onClick={() => onOpen('merge')}>
      {text.merge.button}
    </Button>
    <Button look="quiet" icon={<Eraser />} onClick={() => onOpen('erase')}>
      {words.erase}
    </Button>
    <Button icon={<Pencil />} onClick={() => onOpen('edit')}>
      {words.edit}
    </Button>
  </>
)

function Details({ contact }: { contact: Contact }) {
  const worth = useWorth([contact.id])?.[contact.id]
  const known = contact.state === 'deleted' ? [] : contactTexts.filter((field) => contact[field] !== null)
  const { lifecycle_stage, state, first_seen_ts, identified_ts, last_seen_ts, session_count } = contact
  return (
    <Facts
      rows={[
        ...known.map(
          (field) => [words.fields[field], <TextValue key={field} contact={contact} field={field} />] as const,
        ),
        [words.stage, <Badge key="stage">{stageName(lifecycle_stage)}</Badge>],
        [words.state, text.states[state]],
        ...worthRows(worth),
        [words.sessions, number(session_count)],
        [words.firstSeen, dateTime(first_seen_ts)],
        [words.identified, dateTime(identified_ts)],
        [words.lastSeen, <RelativeTime key="last" ts={last_seen_ts} />],
        [words.id, <Copyable key="id" words={contact.id} />],
      ]}
    />
  )
}

function TextValue({ contact, field }: { contact: Contact; field: ContactText }) {
  const value = contact[field] ?? ''
  if (field === 'website') return <OutsideLink url={value} />
  return value
}

/** Only where there are some: most people were never asked. */
function Consents({ contact }: { contact: Contact }) {
  const property = useProperty()
  const path = usePropertyPath()
  const query = useQuery({
    queryKey: ['contact-consents', property.id, contact.id],
    queryFn: ({ signal }) => listConsents(property.id, contact.id, signal),
  })
  const consents = query.data?.consents ?? []
  if (consents.length === 0) return null
  return (
    <Panel title={words.consents} subtitle={words.consentsHint} className={styles.details}>
      <ul className={styles.consents}>
        {consents.map(({ words: said, given_ts, form, submission_id }) => (
          <li key={submission_id}>
            <q>{said}</q>
            <span className={styles.none}>
              {dateTime(given_ts)} ·{' '}
              <Link href={path(`/forms/${form.id}?submission=${submission_id}`)}>{form.name}</Link>
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function Custom({ contact: { meta } }: { contact: Contact }) {
  if (meta.length === 0) return <p className={styles.none}>{words.noCustom}</p>
  return <Facts rows={meta.map(({ key, value }) => [key, valueWords(value)])} />
}

function Erase({ contact, onClose }: { contact: Contact; onClose: () => void }) {
  const property = useProperty()
  const queryClient = useQueryClient()
  const erase = async (): Promise<void> => {
    await eraseContact(property.id, contact.id)
    toast(text.erase.done)
    // Nothing of what was shown of this person stays in the browser's memory.
    await queryClient.resetQueries({ predicate: (query) => isOfContacts(query, property.id) })
  }
  return (
    <ConfirmDialog
      title={text.erase.title(nameOf(contact))}
      action={text.erase.action}
      typed={contact.email ?? contact.external_id ?? contact.id}
      onConfirm={erase}
      onClose={onClose}
    >
      <p>{text.erase.what}</p>
      <p className={styles.second}>{text.erase.copies}</p>
    </ConfirmDialog>
  )
}
