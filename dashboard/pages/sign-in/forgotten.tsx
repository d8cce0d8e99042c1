// Asking for a link for a new password by email. What is answered does not tell whether there is an account.
import { useState } from 'react'
import { askForReset } from '../../api/session.ts'
import { rethrowSpoken } from '../../field-errors.ts'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/fields.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { Entry } from '../../shell/entry.tsx'
import { entry as text } from '../../texts/index.ts'

export function Forgotten({ onBack }: { onBack: () => void }) {
  const [sentTo, setSentTo] = useState<string>()
  const form = useForm({ email: '' }, async ({ email }) => {
    await askForReset(email.trim()).catch(rethrowSpoken)
    setSentTo(email.trim())
  })
  const back = (
    <Button look="quiet" size="small" onClick={onBack}>
      {text.signIn.back}
    </Button>
  )
  if (sentTo !== undefined)
    return (
      <Entry title={text.signIn.sentTitle} foot={back}>
        <p role="status">{text.signIn.sent(sentTo)}</p>
      </Entry>
    )
  return (
    <Entry title={text.signIn.forgotTitle} subtitle={text.signIn.forgotHint} foot={back}>
      <Form form={form} action={text.signIn.forgotSubmit}>
        <TextField
          label={text.email}
          type="email"
          autoComplete="username"
          required
          autoFocus
          {...form.field('email')}
        />
      </Form>
    </Entry>
  )
}
