// Creates the first owner by the link that was printed at the start; its token is in the fragment, never in a
// URL that is sent.
import { useState } from 'react'
import { Redirect } from 'wouter'
import { setUp } from '../../api/session.ts'
import { LinkButton } from '../../parts/button.tsx'
import { TextField } from '../../parts/fields.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { forgetEverything, useSession } from '../../session.tsx'
import { Entry } from '../../shell/entry.tsx'
import { PasswordField } from '../../shell/password-field.tsx'
import { entry as text } from '../../texts/index.ts'
import { useTitle } from '../../title.ts'

export default function SetupPage() {
  useTitle(text.setup.title)
  const [token] = useState(() => location.hash.slice(1))
  const session = useSession()
  if (session.data?.user) return <Redirect to="/" replace />
  if (session.data && !session.data.is_setup_open)
    return (
      <Entry title={text.setup.doneTitle} subtitle={text.setup.done}>
        <LinkButton href="/sign-in" look="primary">
          {text.setup.toSignIn}
        </LinkButton>
      </Entry>
    )
  if (token === '')
    return (
      <Entry title={text.setup.noTokenTitle}>
        <p>{text.setup.noToken}</p>
      </Entry>
    )
  return <SetupForm token={token} />
}

function SetupForm({ token }: { token: string }) {
  const form = useForm({ name: '', email: '', password: '' }, async ({ name, email, password }) => {
    await setUp({ token, name: name.trim(), email: email.trim(), password })
    await forgetEverything() // and then the page sees that somebody is signed in
  })
  return (
    <Entry title={text.setup.title} subtitle={text.setup.subtitle}>
      <Form form={form} action={text.setup.submit}>
        <TextField label={text.name} autoComplete="name" required autoFocus {...form.field('name')} />
        <TextField label={text.email} type="email" autoComplete="username" required {...form.field('email')} />
        <PasswordField
          label={text.newPassword}
          hint={text.passwordHint}
          autoComplete="new-password"
          required
          {...form.field('password')}
        />
      </Form>
    </Entry>
  )
}
