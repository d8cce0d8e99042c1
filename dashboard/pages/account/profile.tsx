// Name, email and password. Changes that could hand the account to somebody else ask for the current
// password.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { changeAccount } from '../../api/accounts.ts'
import type { User } from '../../api/session.ts'
import { spoken } from '../../field-errors.ts'
import { toast } from '../../parts/announce.tsx'
import { TextField } from '../../parts/fields.tsx'
import { useForm } from '../../parts/form.tsx'
import { SaveForm } from '../../parts/save-form.tsx'
import { refreshSession } from '../../session.tsx'
import { PasswordField } from '../../shell/password-field.tsx'
import { account as all, entry } from '../../texts/index.ts'
import styles from './page.module.css'

const rethrow = (error: unknown): never => {
  throw spoken(error)
}

export function Profile({ user }: { user: User }) {
  const text = all.profile
  const form = useForm(
    { name: user.name, email: user.email, current_password: '' },
    async ({ email, current_password }, { changed: { name } }) => {
      const isMoved = email.trim() !== user.email
      const asked = {
        ...(name !== undefined && { name: name.trim() }),
        ...(isMoved && { email: email.trim(), current_password }),
      }
      await changeAccount(asked).catch(rethrow)
      await refreshSession()
      toast(text.saved)
    },
  )
  const isMoved = form.values.email.trim() !== user.email
  return (
    <div className={styles.narrow}>
      <SaveForm form={form} label={text.save} isPrimary>
        <TextField label={text.name} autoComplete="name" {...form.field('name')} />
        <TextField
          label={text.email}
          hint={user.is_owner ? text.emailHint : text.emailAsk}
          readOnly={!user.is_owner}
          type="email"
          autoComplete="username"
          {...form.field('email')}
        />
        {isMoved && (
          <TextField
            label={text.current}
            type="password"
            autoComplete="current-password"
            {...form.field('current_password')}
          />
        )}
      </SaveForm>
    </div>
  )
}

/** Empty again after each change. */
export function NewPassword({ user }: { user: User }) {
  const [changes, setChanges] = useState(0)
  return <PasswordForm key={changes} user={user} isAgain={changes > 0} onChanged={() => setChanges(changes + 1)} />
}

interface PasswordFormProps {
  readonly user: User
  /** The focus stays in the form that takes the place of the one before. */
  readonly isAgain: boolean
  readonly onChanged: () => void
}

function PasswordForm({ user, isAgain, onChanged }: PasswordFormProps) {
  const text = all.password
  const client = useQueryClient()
  const form = useForm({ current_password: '', password: '' }, async (asked) => {
    await changeAccount(asked).catch(rethrow)
    toast(text.saved)
    onChanged()
    await client.invalidateQueries({ queryKey: ['devices'] })
  })
  return (
    <div className={styles.narrow}>
      <SaveForm form={form} label={text.save}>
        {/* Password managers keep the password under it. */}
        <input type="email" autoComplete="username" value={user.email} readOnly hidden />
        <TextField
          label={text.current}
          type="password"
          autoComplete="current-password"
          autoFocus={isAgain}
          {...form.field('current_password')}
        />
        <PasswordField
          label={text.next}
          hint={entry.passwordHint}
          autoComplete="new-password"
          {...form.field('password')}
        />
      </SaveForm>
    </div>
  )
}
