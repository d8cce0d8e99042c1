// What was merged into a contact: by what else it is known, and the way back.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Contact, type ContactMerge, listMerges, undoMerge } from '../../api/contacts.ts'
import { date, dateTime } from '../../format.ts'
import { toast } from '../../parts/announce.tsx'
import { Button } from '../../parts/button.tsx'
import { ConfirmDialog } from '../../parts/dialog.tsx'
import { editorWords } from '../../parts/edit-list.tsx'
import { Facts, Panel } from '../../parts/panel.tsx'
import { useCan, useProperty } from '../../session.tsx'
import { contacts as text } from '../../texts/index.ts'
import styles from './merge.module.css'
import { forgetContacts } from './merge.tsx'
import { nameOf } from './words.ts'

const words = text.merge

/** Only where there is something to tell. */
export function Merged({ contact, className }: { contact: Contact; className?: string | undefined }) {
  const property = useProperty()
  const { data } = useQuery({
    queryKey: ['contact-merges', property.id, contact.id],
    queryFn: ({ signal }) => listMerges(property.id, contact.id, signal),
  })
  const aliases = data?.aliases.filter(({ kind }) => kind !== 'id') ?? []
  const merges = data?.merges ?? []
  if (aliases.length + merges.length === 0) return null
  const known = (['email', 'external_id'] as const).flatMap((kind) => {
    const values = [...new Set(aliases.filter((one) => one.kind === kind).map(({ value }) => value))]
    return values.length === 0 ? [] : [[words.aliases[kind], values.join(', ')] as const]
  })
  return (
    <Panel title={words.merged} className={className}>
      {known.length > 0 && <Facts rows={known} />}
      {merges.length > 0 && (
        <ul className={styles.merged}>
          {merges.map((merge, at) => (
            <OneMerge key={merge.id} contact={contact} merge={merge} isLast={at === 0} />
          ))}
        </ul>
      )}
    </Panel>
  )
}

interface OneMergeProps {
  readonly contact: Contact
  readonly merge: ContactMerge
  /** The others follow it. */
  readonly isLast: boolean
}

function OneMerge({ contact, merge, isLast }: OneMergeProps) {
  const property = useProperty()
  const client = useQueryClient()
  const mayUndo = useCan('admin') && isLast
  const [isAsking, setAsking] = useState(false)
  const name = nameOf(merge.other)
  return (
    <li>
      <div>
        <p>{name}</p>
        <p>
          {editorWords(merge.edited_by)} · {dateTime(merge.merged_ts)}
        </p>
      </div>
      {mayUndo && (
        <Button size="small" onClick={() => setAsking(true)}>
          {words.undo}
        </Button>
      )}
      {isAsking && (
        <ConfirmDialog
          title={words.undoTitle}
          action={words.undo}
          onConfirm={async () => {
            await undoMerge(property.id, contact.id, merge.id)
            toast(words.undone(name))
            await forgetContacts(client, property.id)
          }}
          onClose={() => setAsking(false)}
        >
          <p>{words.undoWords(name)}</p>
          <p>{words.undoUntil(date(merge.undo_until_ts))}</p>
        </ConfirmDialog>
      )}
    </li>
  )
}
