// The steps of signing in, on their own page and over another: the password, then the second factor if there
// is one.
import { type ReactNode, useState } from 'react'
import { ApiError } from '../api.ts'
import { signIn } from '../api/session.ts'
import { Button } from '../parts/button.tsx'
import { TextField } from '../parts/fields.tsx'
import { Form, useForm } from '../parts/form.tsx'
import { entry as text } from '../texts/index.ts'

export interface Credentials {
  readonly email: string
  readonly password: string
}

const needsCode = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code === 'second_factor_required'

/** @returns false when a code is needed as well. @throws ApiError */
export async function passwordStep({ email, password }: Credentials): Promise<boolean> {
  try {
    await signIn(email, password)
    return true
  } catch (error) {
    if (needsCode(error)) return false
    throw error
  }
}

async function codeStep({ email, password }: Credentials, code: string): Promise<void> {
  try {
    await signIn(email, password, code)
  } catch (error) {
    if (!needsCode(error)) throw error
    throw new ApiError(error.status, error.code, text.signIn.wrongCode, { errors: { code: [text.signIn.wrongCode] } })
  }
}

export interface CodeFormProps {
  readonly credentials: Credentials
  readonly onDone: () => Promise<void>
  /** Places the form, under the words about the code that it asks for. */
  readonly children: (form: ReactNode, hint: string) => ReactNode
}

/** A code of the authenticator, or a recovery code. */
export function CodeForm({ credentials, onDone, children }: CodeFormProps) {
  const [isRecovery, setRecovery] = useState(false)
  const form = useForm({ code: '' }, async ({ code }) => {
    await codeStep(credentials, code.replaceAll(/\s/g, ''))
    await onDone()
  })
  const change = (): void => {
    setRecovery(!isRecovery)
    form.reset({ code: '' })
  }
  const actions = (
    <>
      <Button type="submit" look="primary" isBusy={form.isBusy}>
        {text.signIn.verify}
      </Button>
      <Button look="quiet" onClick={change}>
        {isRecovery ? text.signIn.toCode : text.signIn.toRecovery}
      </Button>
    </>
  )
  const fields = (
    <Form form={form} actions={actions}>
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
  )
  return children(fields, isRecovery ? text.signIn.recoveryHint : text.signIn.codeHint)
}
