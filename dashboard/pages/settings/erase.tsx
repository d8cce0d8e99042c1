// Erasing a person: found by address or id, named in the confirmation, and shown on a receipt afterwards.
// What is looked for is in no URL: it would stay in the history of the browser.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../../api.ts'
import { type Contact, eraseWithReceipt, listContacts, readContact, type Receipt } from '../../api/contacts.ts'
import { dateTime, number } from '../../format.ts'
import { Button } from '../../parts/button.tsx'
import { ConfirmDialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/fields.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { Badge, RelativeTime } from '../../parts/marks.tsx'
import { Facts, Panel } from '../../parts/panel.tsx'
import { EmptyState, Note } from '../../parts/states.tsx'
import { type Column, DataTable } from '../../parts/table.tsx'
import { TwoLines } from '../../parts/two-lines.tsx'
import { useProperty } from '../../session.tsx'
import { data as all } from '../../texts/index.ts'
import styles from './page.module.css'

const text = all.erase

/** Finds by exact id, else by exact email: erasing must never match somebody who is merely similar. */
async function findPeople(property: string, given: string): Promise<readonly Contact[]> {
  if (!given.includes('@')) {
    try {
      return [(await readContact(property, given)).contact]
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return []
      throw error
    }
  }
  const { data } = await listContacts(property, { search: given, state: '', lifecycle_stage: '' }, 1)
  return data.filter(({ email }) => email?.toLowerCase() === given.toLowerCase())
}

export function Erasing() {
  const property = useProperty()
  const [found, setFound] = useState<readonly Contact[]>()
  const [chosen, setChosen] = useState<Contact>()
  const [receipt, setReceipt] = useState<Receipt>()
  const form = useForm({ who: '' }, async ({ who }) => {
    setReceipt(undefined)
    setFound(who.trim() === '' ? undefined : await findPeople(property.id, who.trim()))
  })
  const erased = (given: Receipt): void => {
    setReceipt(given)
    setFound(undefined)
    form.reset({ who: '' })
  }
  return (
    <Panel title={text.title} subtitle={text.subtitle}>
      <div className={styles.part}>
        <Form form={form}>
          <div className={styles.find}>
            <TextField label={text.label} autoComplete="off" spellCheck={false} {...form.field('who')} />
            <Button type="submit" isBusy={form.isBusy}>
              {text.find}
            </Button>
          </div>
        </Form>
        <div role="status" className={styles.part}>
          {receipt && <ReceiptNote receipt={receipt} />}
          {found && (
            <div className={styles.bleed}>
              <Found people={found} onErase={setChosen} />
            </div>
          )}
        </div>
      </div>
      {chosen && <Confirmation contact={chosen} onErased={erased} onClose={() => setChosen(undefined)} />}
    </Panel>
  )
}

const columnsWith = (onErase: (contact: Contact) => void): readonly Column<Contact>[] => [
  {
    id: 'person',
    header: text.person,
    cell: ({ full_name: name, email, id }) => (
      <TwoLines title={name || text.noName} detail={[email, id].filter(Boolean).join(' · ')} />
    ),
  },
  { id: 'sessions', header: text.sessions, align: 'end', cell: ({ session_count: count }) => number(count) },
  { id: 'seen', header: text.seen, cell: ({ last_seen_ts: ts }) => <RelativeTime ts={ts} />, isMinor: true },
  {
    id: 'erase',
    header: text.erase,
    align: 'end',
    isAction: true,
    cell: (contact) =>
      contact.state === 'deleted' ? (
        <Badge>{text.erased}</Badge>
      ) : (
        <Button size="small" look="danger" onClick={() => onErase(contact)}>
          {text.erase}
        </Button>
      ),
  },
]

function Found({ people, onErase }: { people: readonly Contact[]; onErase: (contact: Contact) => void }) {
  return (
    <DataTable
      caption={text.caption}
      columns={columnsWith(onErase)}
      rows={people}
      rowKey={({ id }) => id}
      empty={
        <EmptyState isSmall title={text.none}>
          {text.noneHint}
        </EmptyState>
      }
    />
  )
}

interface ConfirmationProps {
  readonly contact: Contact
  readonly onErased: (receipt: Receipt) => void
  readonly onClose: () => void
}

function Confirmation({ contact, onErased, onClose }: ConfirmationProps) {
  const property = useProperty()
  const client = useQueryClient()
  const confirm = async (): Promise<void> => {
    const { receipt } = await eraseWithReceipt(property.id, contact.id)
    onErased(receipt)
    client.removeQueries({ queryKey: ['contact', property.id, contact.id] })
    await Promise.all(
      ['contacts', 'exports'].map((name) => client.invalidateQueries({ queryKey: [name, property.id] })),
    )
  }
  return (
    <ConfirmDialog
      title={text.confirmTitle}
      action={text.erase}
      typed={contact.email ?? contact.id}
      onConfirm={confirm}
      onClose={onClose}
    >
      {text.words}
    </ConfirmDialog>
  )
}

/** It says what was there, never what it was. */
const ReceiptNote = ({ receipt }: { receipt: Receipt }) => (
  <Note tone="good">
    <p className={styles.receipt}>{text.receiptTitle}</p>
    <Facts
      rows={[
        [text.when, dateTime(receipt.erased_ts)],
        [text.who, receipt.contact_id],
        [text.gone, text.receipt(receipt.fields.length, receipt.meta_entries, receipt.submissions)],
        [text.stays, text.linked(receipt.sessions)],
      ]}
    />
  </Note>
)
