// Asks the person for their password and second factor over the page whose session has ended. The page stays.
import { useEffect, useState } from 'react'
import { readSession, type User } from '../api/session.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Form, useForm } from '../parts/form.tsx'
import { basePath, dashboardUrl } from '../place.ts'
import { queryClient } from '../query.ts'
import { refreshSession } from '../session.tsx'
import { finishAsking } from '../sign-in-again.ts'
import { common, entry } from '../texts/index.ts'
import { CodeForm, type Credentials, passwordStep } from './code-form.tsx'
import { PasswordField } from './password-field.tsx'
import styles from './sign-in-again.module.css'

const text = entry.again

/** Waiting calls repeat themselves after the sign-in; calls that gave up are sent again here. */
async function finish(): Promise<void> {
  finishAsking(true)
  await refreshSession()
  await queryClient.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' })
}

/** The page goes with everything on it: it belonged to another person. */
function signInAsOther(): void {
  const here = location.pathname.slice(basePath.length) + location.search
  location.assign(dashboardUrl(`/sign-in?next=${encodeURIComponent(here)}`))
}

/** Somebody may have signed in again in another tab meanwhile. */
function useOtherTab({ id }: User): void {
  useEffect(() => {
    const asking = new AbortController()
    const look = async (): Promise<void> => {
      if (document.hidden) return
      const { user } = await readSession(asking.signal)
      if (user?.id === id) await finish()
      else if (user) location.reload()
    }
    const lookQuietly = (): void => void look().catch(() => undefined) // the next look tries again
    document.addEventListener('visibilitychange', lookQuietly)
    return () => {
      asking.abort()
      document.removeEventListener('visibilitychange', lookQuietly)
    }
  }, [id])
}

export function SignInAgain({ user }: { user: User }) {
  const [credentials, setCredentials] = useState<Credentials>()
  useOtherTab(user)
  const close = (): void => finishAsking(false)
  if (!credentials)
    return (
      <Dialog title={text.title} subtitle={text.subtitle(user.name || user.email)} size="small" onClose={close}>
        <PasswordForm user={user} onSecond={setCredentials} onClose={close} />
      </Dialog>
    )
  return (
    <CodeForm credentials={credentials} onDone={finish}>
      {(fields, hint) => (
        <Dialog title={entry.signIn.codeTitle} subtitle={hint} size="small" onClose={close}>
          {fields}
        </Dialog>
      )}
    </CodeForm>
  )
}

interface PasswordFormProps {
  readonly user: User
  readonly onSecond: (credentials: Credentials) => void
  readonly onClose: () => void
}

function PasswordForm({ user, onSecond, onClose }: PasswordFormProps) {
  const form = useForm({ password: '' }, async ({ password }) => {
    const credentials = { email: user.email, password }
    if (await passwordStep(credentials)) return finish()
    return onSecond(credentials)
  })
  const actions = (
    <>
      <Button type="submit" look="primary" isBusy={form.isBusy}>
        {entry.signIn.submit}
      </Button>
      <Button onClick={onClose}>{common.actions.cancel}</Button>
    </>
  )
  return (
    <>
      <Form form={form} actions={actions}>
        {/* Tells a password manager whose password is asked for. */}
        <input
          type="email"
          autoComplete="username"
          value={user.email}
          readOnly
          tabIndex={-1}
          aria-hidden="true"
          className="visually-hidden"
        />
        <PasswordField
          label={entry.password}
          hint={user.email}
          autoComplete="current-password"
          required
          {...form.field('password')}
        />
      </Form>
      <p className={styles.other}>
        {text.otherHint}{' '}
        <Button look="quiet" size="small" onClick={signInAsOther}>
          {text.other}
        </Button>
      </p>
    </>
  )
}
