// One person in a drawer: what they may, a way back in, their sign-ins, and their removal.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { changeUser, type ListedUser, removeUser, resetUser } from '../../api/accounts.ts'
import type { LeftBehind } from '../../api/members.ts'
import { rethrowSpoken } from '../../field-errors.ts'
import { date, dateTime } from '../../format.ts'
import { toast } from '../../parts/announce.tsx'
import type { AroundProps } from '../../parts/around.tsx'
import { Button } from '../../parts/button.tsx'
import { CodeBlock } from '../../parts/copy.tsx'
import { ConfirmDialog, Drawer } from '../../parts/dialog.tsx'
import { Checkbox, Switch, TextField } from '../../parts/fields.tsx'
import { useForm } from '../../parts/form.tsx'
import { SaveForm } from '../../parts/save-form.tsx'
import { isNothingLeft, LeftAccess } from '../../parts/left-access.tsx'
import { StatusDot } from '../../parts/marks.tsx'
import { Facts } from '../../parts/panel.tsx'
import { EmptyState, Note } from '../../parts/states.tsx'
import { users as text } from '../../texts/index.ts'
import { SignIns } from '../account/sign-ins.tsx'
import styles from './page.module.css'
import { nameOf, stateOf, tones } from './words.ts'

export interface PersonDrawerProps {
  /** Undefined: not on this page of the list. */
  readonly user: ListedUser | undefined
  readonly isMe: boolean
  readonly log: number
  readonly onLog: (page: number) => void
  readonly around: AroundProps | undefined
  readonly onClose: () => void
}

export function PersonDrawer({ user, isMe, log, onLog, around, onClose }: PersonDrawerProps) {
  if (!user)
    return (
      <Drawer title={text.person} onClose={onClose}>
        <EmptyState isSmall title={text.missing} />
      </Drawer>
    )
  return (
    <Drawer title={nameOf(user)} subtitle={user.email} around={around} onClose={onClose}>
      <div className={styles.drawer}>
        <Facts
          rows={[
            [text.state, <State key="state" user={user} />],
            [text.facts.since, date(user.created_ts)],
            [text.facts.password, user.has_password ? text.facts.set : text.facts.unset],
            [text.facts.security, user.has_totp ? text.on : text.off],
          ]}
        />
        {isMe ? <Myself user={user} /> : <Access user={user} />}
        {!isMe && <Address key={user.email} user={user} />}
        {user.is_active && !isMe && <Reset user={user} />}
        <section className={styles.part}>
          <h3>{text.signIns}</h3>
          <div className={styles.bleed}>
            <SignIns user={user.id} page={log} onPage={onLog} />
          </div>
        </section>
        {!isMe && <Removal user={user} onClose={onClose} />}
      </div>
    </Drawer>
  )
}

const State = ({ user }: { user: ListedUser }) => (
  <StatusDot tone={tones[stateOf(user)]}>{text.states[stateOf(user)]}</StatusDot>
)

/** Nobody shuts themselves out. */
const Myself = ({ user }: { user: ListedUser }) => (
  <section className={styles.part}>
    <h3>{text.access}</h3>
    <p>{user.is_owner ? text.ownerLong : text.member}</p>
    <p className={styles.hint}>
      {text.self} <Link href="/account">{text.toAccount}</Link>
    </p>
  </section>
)

function Access({ user }: { user: ListedUser }) {
  const client = useQueryClient()
  const change = useMutation({
    mutationFn: (asked: { is_owner?: boolean; is_active?: boolean }) => changeUser(user.id, asked),
    onSuccess: () => toast(text.saved),
    onSettled: () => client.invalidateQueries({ queryKey: ['users'] }),
  })
  /** As it will be, while it is on its way. */
  const shown = { ...user, ...(change.isPending && change.variables) }
  return (
    <section className={styles.part}>
      <h3>{text.access}</h3>
      <Switch
        label={text.isActive}
        hint={text.isActiveHint}
        isOn={shown.is_active}
        onChange={(is_active) => change.mutate({ is_active })}
      />
      <Switch
        label={text.isOwner}
        hint={text.isOwnerHint}
        isOn={shown.is_owner}
        onChange={(is_owner) => change.mutate({ is_owner })}
      />
    </section>
  )
}

function Address({ user }: { user: ListedUser }) {
  const client = useQueryClient()
  const form = useForm({ email: user.email }, async ({ email }) => {
    await changeUser(user.id, { email: email.trim() }).catch(rethrowSpoken)
    toast(text.saved)
    await client.invalidateQueries({ queryKey: ['users'] })
  })
  return (
    <section className={styles.part}>
      <h3>{text.address}</h3>
      <SaveForm form={form} label={text.addressSave}>
        <TextField
          label={text.email}
          hint={text.addressHint}
          type="email"
          autoComplete="off"
          {...form.field('email')}
        />
      </SaveForm>
    </section>
  )
}

function Reset({ user }: { user: ListedUser }) {
  const [dropsTotp, setDropsTotp] = useState(false)
  const reset = useMutation({ mutationFn: () => resetUser(user.id, dropsTotp) })
  return (
    <section className={styles.part}>
      <h3>{text.reset}</h3>
      <p className={styles.hint}>{text.resetHint}</p>
      {user.has_totp && (
        <Checkbox label={text.dropTotp} hint={text.dropTotpHint} isOn={dropsTotp} onChange={setDropsTotp} />
      )}
      <div>
        <Button isBusy={reset.isPending} onClick={() => reset.mutate()}>
          {text.resetButton}
        </Button>
      </div>
      {reset.data && (
        <div role="status" className={styles.part}>
          <Note tone="warn">{text.resetDone(dateTime(reset.data.expires_ts))}</Note>
          <CodeBlock label={text.resetLink} code={reset.data.reset_url} />
        </div>
      )}
    </section>
  )
}

function Removal({ user, onClose }: { user: ListedUser; onClose: () => void }) {
  const client = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const [left, setLeft] = useState<LeftBehind>()
  const close = async (): Promise<void> => {
    onClose()
    await client.invalidateQueries({ queryKey: ['users'] })
  }
  const confirm = async (): Promise<void> => {
    const answer = await removeUser(user.id)
    toast(text.removed(nameOf(user)))
    if (isNothingLeft(answer)) await close()
    else setLeft(answer)
  }
  return (
    <section className={styles.part}>
      <h3>{text.remove}</h3>
      <p className={styles.hint}>{text.removeHint}</p>
      <div>
        <Button look="danger" onClick={() => setAsking(true)}>
          {text.removeButton}
        </Button>
      </div>
      {isAsking && (
        <ConfirmDialog
          title={text.removeTitle(nameOf(user))}
          action={text.removeButton}
          typed={user.email}
          onConfirm={confirm}
          onClose={() => setAsking(false)}
        >
          {text.removeWords}
        </ConfirmDialog>
      )}
      {left && <LeftAccess person={nameOf(user)} left={left} onClose={() => void close()} />}
    </section>
  )
}
