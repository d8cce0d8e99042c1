// Signing in: e-mail and password, then the second factor where there is one.
import { useState } from 'react'
import { Redirect, useLocation, useSearch } from 'wouter'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/fields.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { forgetEverything, useSession } from '../../session.tsx'
import { CodeForm, type Credentials, passwordStep } from '../../shell/code-form.tsx'
import { Entry } from '../../shell/entry.tsx'
import { Forgotten } from './forgotten.tsx'
import { PasswordField } from '../../shell/password-field.tsx'
import { entry as text } from '../../texts/index.ts'
import { useTitle } from '../../title.ts'

/** Where one wanted to go; never away from the dashboard. */
function useNext(): string {
  const next = new URLSearchParams(useSearch()).get('next') ?? '/'
  return /^\/(?![/\\])/.test(next) ? next : '/'
}

export default function SignInPage() {
  useTitle(text.signIn.title)
  const session = useSession()
  const next = useNext()
  const [, navigate] = useLocation()
  const [credentials, setCredentials] = useState<Credentials>()
  const [isForgotten, setForgotten] = useState(false)
  if (session.data?.user) return <Redirect to={next} replace />
  if (session.data?.is_setup_open) return <Redirect to="/setup" replace />

  const finish = async (): Promise<void> => {
    await forgetEverything()
    navigate(next, { replace: true })
  }
  if (isForgotten) return <Forgotten onBack={() => setForgotten(false)} />
  return credentials ? (
    <SecondStep credentials={credentials} onDone={finish} onBack={() => setCredentials(undefined)} />
  ) : (
    <FirstStep
      onSecond={setCredentials}
      onDone={finish}
      onForgotten={session.data?.is_mail_on === true ? () => setForgotten(true) : undefined}
    />
  )
}

interface FirstStepProps {
  readonly onSecond: (credentials: Credentials) => void
  readonly onDone: () => Promise<void>
  /** Undefined where no mail is sent. */
  readonly onForgotten: (() => void) | undefined
}

function FirstStep({ onSecond, onDone, onForgotten }: FirstStepProps) {
  const form = useForm({ email: '', password: '' }, async ({ email, password }) => {
    const credentials = { email: email.trim(), password }
    if (await passwordStep(credentials)) return onDone()
    return onSecond(credentials)
  })
  return (
    <Entry
      title={text.signIn.title}
      foot={
        onForgotten ? (
          <Button look="quiet" size="small" onClick={onForgotten}>
            {text.signIn.forgot}
          </Button>
        ) : (
          text.signIn.forgotten
        )
      }
    >
      <Form form={form} action={text.signIn.submit}>
        <TextField
          label={text.email}
          type="email"
          autoComplete="username"
          required
          autoFocus
          {...form.field('email')}
        />
        <PasswordField label={text.password} autoComplete="current-password" required {...form.field('password')} />
      </Form>
    </Entry>
  )
}

interface SecondStepProps {
  readonly credentials: Credentials
  readonly onDone: () => Promise<void>
  readonly onBack: () => void
}

function SecondStep({ credentials, onDone, onBack }: SecondStepProps) {
  return (
    <CodeForm credentials={credentials} onDone={onDone}>
      {(fields, hint) => (
        <Entry
          title={text.signIn.codeTitle}
          subtitle={hint}
          foot={
            <Button look="quiet" size="small" onClick={onBack}>
              {text.signIn.startOver}
            </Button>
          }
        >
          {fields}
        </Entry>
      )}
    </CodeForm>
  )
}
