// Asks for the password before something that a passer-by at an open screen should not be able to do.
import { rethrowSpoken } from '../../field-errors.ts'
import { TextField } from '../../parts/fields.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { account as text } from '../../texts/index.ts'

export interface PasswordStepProps {
  readonly words: string
  readonly action: string
  readonly isDanger?: boolean
  /** What it throws is shown at the field. */
  readonly onPassword: (password: string) => Promise<unknown>
}

export function PasswordStep({ words, action, isDanger = false, onPassword }: PasswordStepProps) {
  const form = useForm({ current_password: '' }, async ({ current_password }) =>
    onPassword(current_password).catch(rethrowSpoken),
  )
  return (
    <Form form={form} action={action} isDanger={isDanger}>
      <p>{words}</p>
      <TextField
        label={text.totp.current}
        type="password"
        autoComplete="current-password"
        {...form.field('current_password')}
      />
    </Form>
  )
}
