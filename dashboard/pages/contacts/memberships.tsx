// The lists that a contact was asked to confirm, or has left: for admins, who may ask again.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { askAgain, type Contact, listMemberships, type Membership } from '../../api/contacts.ts'
import { dateTime } from '../../format.ts'
import { toast } from '../../parts/announce.tsx'
import { Button } from '../../parts/button.tsx'
import { Badge, type Tone } from '../../parts/marks.tsx'
import { useProperty } from '../../session.tsx'
import { contacts as text } from '../../texts/index.ts'
import styles from './memberships.module.css'

const words = text.memberships
const tones: Readonly<Record<Membership['state'], Tone>> = { pending: 'warn', confirmed: 'good', unsubscribed: 'plain' }

/** When it became what it is. */
function sinceWords({ state, form, ...times }: Membership): string {
  const ts = state === 'confirmed' ? times.confirmed_ts : state === 'unsubscribed' ? times.unsubscribed_ts : null
  if (ts !== null) return dateTime(ts)
  const by = form === null ? words.byMember : words.byForm(form.name ?? words.deletedForm)
  return times.mailed_ts === null ? `${by} · ${words.notMailed}` : `${by} · ${words.mailed(dateTime(times.mailed_ts))}`
}

export function Memberships({ contact }: { contact: Contact }) {
  const property = useProperty()
  const { data } = useQuery({
    queryKey: ['contact-memberships', property.id, contact.id],
    queryFn: ({ signal }) => listMemberships(property.id, contact.id, signal),
  })
  if (!data || data.memberships.length === 0) return null
  return (
    <ul className={styles.memberships} aria-label={words.title}>
      {data.memberships.map((membership) => (
        <OneMembership key={membership.id} contact={contact} membership={membership} />
      ))}
    </ul>
  )
}

function OneMembership({ contact, membership }: { contact: Contact; membership: Membership }) {
  const property = useProperty()
  const client = useQueryClient()
  const { id, list, state, email } = membership
  const again = useMutation({
    mutationFn: () => askAgain(property.id, contact.id, id),
    onSuccess: async () => {
      toast(words.sentAgain(email))
      await client.invalidateQueries({ queryKey: ['contact-memberships', property.id, contact.id] })
    },
  })
  return (
    <li>
      <div>
        <p>
          {list} <Badge tone={tones[state]}>{words.states[state]}</Badge>
        </p>
        <p className={styles.quiet}>{sinceWords(membership)}</p>
      </div>
      {state === 'pending' && (
        <Button size="small" isBusy={again.isPending} onClick={() => again.mutate()}>
          {words.sendAgain}
        </Button>
      )}
    </li>
  )
}
