// An invitation, or a reset of the password: both are a one-time token behind #.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { ApiError } from '../../api.ts'
import { acceptInvitation, type Invitation, readInvitation } from '../../api/session.ts'
import { LinkButton } from '../../parts/button.tsx'
import { TextField } from '../../parts/fields.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { ErrorState, SkeletonLines } from '../../parts/states.tsx'
import { forgetEverything, useSession } from '../../session.tsx'
import { Entry } from '../../shell/entry.tsx'
import { PasswordField } from '../../shell/password-field.tsx'
import { common, entry as text, shell } from '../../texts/index.ts'
import { useTitle } from '../../title.ts'
import { forgetToken, readToken } from './token.ts'

export default function InvitationPage() {
  useTitle(text.invitation.title)
  const [token] = useState(readToken)
  const session = useSession()
  const invitation = useQuery({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => readInvitation(token, signal),
    enabled: token !== '',
    staleTime: Infinity,
  })
  if (token === '' || isGone(invitation.error))
    return (
      <Entry title={text.invitation.goneTitle} subtitle={text.invitation.gone}>
        <LinkButton href="/">{text.setup.toSignIn}</LinkButton>
      </Entry>
    )
  if (!invitation.data || !session.data)
    return (
      <Entry title={text.invitation.title}>
        {invitation.error ? (
          <ErrorState isSmall error={invitation.error} onRetry={invitation.refetch} />
        ) : (
          <div aria-busy="true" aria-label={common.table.loading} role="status">
            <SkeletonLines />
          </div>
        )}
      </Entry>
    )
  const isMine = session.data.user?.email.toLowerCase() === invitation.data.email.toLowerCase()
  if (invitation.data.needs_sign_in && !isMine) return <SignInFirst invitation={invitation.data} />
  return <Accept token={token} invitation={invitation.data} />
}

const isGone = (error: unknown): boolean => error instanceof ApiError && [404, 410, 422].includes(error.status)

function wordsOf({ kind, property_name, role }: Invitation): string | undefined {
  if (kind === 'reset') return undefined
  if (property_name === null || role === null) return text.invitation.toInstallation
  return text.invitation.toProperty(property_name, shell.roles[role])
}

const titleOf = ({ kind }: Invitation): string =>
  kind === 'reset' ? text.invitation.resetTitle : text.invitation.title

function SignInFirst({ invitation }: { invitation: Invitation }) {
  return (
    <Entry title={titleOf(invitation)} subtitle={wordsOf(invitation)}>
      <p>{text.invitation.signInHint(invitation.email)}</p>
      <div>
        <LinkButton href="/sign-in?next=/invitation" look="primary">
          {text.invitation.signIn}
        </LinkButton>
      </div>
    </Entry>
  )
}

function Accept({ token, invitation }: { token: string; invitation: Invitation }) {
  const [, navigate] = useLocation()
  const { kind, needs_password: needsPassword, needs_code: needsCode } = invitation
  const form = useForm({ name: '', password: '', code: '' }, async ({ name, password, code }) => {
    await acceptInvitation({
      token,
      ...(needsPassword && kind !== 'reset' && { name: name.trim() }),
      ...(needsPassword && { password }),
      ...(needsCode && { code: code.replaceAll(/\s/g, '') }),
    })
    forgetToken()
    await forgetEverything()
    navigate('/', { replace: true })
  })
  return (
    <Entry
      title={titleOf(invitation)}
      subtitle={[wordsOf(invitation), text.invitation.for(invitation.email)].join(' ')}
    >
      <Form form={form} action={kind === 'reset' ? text.invitation.setPassword : text.invitation.accept}>
        {/* Password managers keep the password under it. */}
        <input type="email" autoComplete="username" value={invitation.email} readOnly hidden />
        {needsPassword && kind !== 'reset' && (
          <TextField label={text.name} autoComplete="name" required {...form.field('name')} />
        )}
        {needsPassword && (
          <PasswordField
            label={text.newPassword}
            hint={text.passwordHint}
            autoComplete="new-password"
            required
            {...form.field('password')}
          />
        )}
        {needsCode && (
          <TextField
            label={text.invitation.code}
            autoComplete="one-time-code"
            spellCheck={false}
            required
            {...form.field('code')}
          />
        )}
      </Form>
    </Entry>
  )
}
