// Signing in: e-mail and password, then the second factor where there is one.
import { useState } from 'react'
import { Redirect, useLocation, useSearch } from 'wouter'
import { ApiError } from '../../api.ts'
import { signIn } from '../../api/session.ts'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/fields.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { forgetEverything, useSession } from '../../session.tsx'
import { Entry } from '../../shell/entry.tsx'
import { PasswordField } from '../../shell/password-field.tsx'
import { text } from '../../texts/en/entry.ts'
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
  const [credentials, setCredentials] = useState<{ email: string; password: string }>()
  if (session.data?.user) return <Redirect to={next} replace />
  if (session.data?.is_setup_open) return <Redirect to="/setup" replace />

  const finish = async (): Promise<void> => {
    await forgetEverything()
    navigate(next, { replace: true })
  }
  return credentials ? (
    <SecondStep credentials={credentials} onDone={finish} onBack={() => setCredentials(undefined)} />
  ) : (
    <FirstStep onSecond={setCredentials} onDone={finish} />
  )
}

interface FirstStepProps {
  readonly onSecond: (credentials: { email: string; password: string }) => void
  readonly onDone: () => Promise<void>
}

function FirstStep({ onSecond, onDone }: FirstStepProps) {
  const form = useForm({ email: '', password: '' }, async (values) => {
    try {
      await signIn(values.email.trim(), values.password)
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'second_factor_required') throw error
      return onSecond({ ...values, email: values.email.trim() })
    }
    return onDone()
  })
  return (
    <Entry title={text.signIn.title} foot={text.signIn.forgotten}>
      <Form
        form={form}
        actions={
          <Button type="submit" look="primary" isBusy={form.isBusy}>
            {text.signIn.submit}
          </Button>
        }
      >
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
  readonly credentials: { readonly email: string; readonly password: string }
  readonly onDone: () => Promise<void>
  readonly onBack: () => void
}

function SecondStep({ credentials, onDone, onBack }: SecondStepProps) {
  const [isRecovery, setRecovery] = useState(false)
  const form = useForm({ code: '' }, async ({ code }) => {
    try {
      await signIn(credentials.email, credentials.password, code.replaceAll(/\s/g, ''))
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'second_factor_required') throw error
      throw new ApiError(error.status, error.code, text.signIn.wrongCode, { errors: { code: [text.signIn.wrongCode] } })
    }
    return onDone()
  })
  const change = (): void => {
    setRecovery(!isRecovery)
    form.reset({ code: '' })
  }
  return (
    <Entry
      title={text.signIn.codeTitle}
      subtitle={isRecovery ? text.signIn.recoveryHint : text.signIn.codeHint}
      foot={
        <Button look="quiet" size="small" onClick={onBack}>
          {text.signIn.startOver}
        </Button>
      }
    >
      <Form
        form={form}
        actions={
          <>
            <Button type="submit" look="primary" isBusy={form.isBusy}>
              {text.signIn.verify}
            </Button>
            <Button look="quiet" onClick={change}>
              {isRecovery ? text.signIn.toCode : text.signIn.toRecovery}
            </Button>
          </>
        }
      >
        <TextField
          key={String(isRecovery)}
          label={isRecovery ? text.signIn.recovery : text.signIn.code}
          autoComplete="one-time-code"
          inputMode={isRecovery ? 'text' : 'numeric'}
          spellCheck={false}
          autoFocus
          {...form.field('code')}
        />
      </Form>
    </Entry>
  )
}
