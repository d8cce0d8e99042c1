// An invitation, or a reset of the password: both are a one-time token behind #.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { ApiError } from '../../api.ts'
import { acceptInvitation, type Invitation, readInvitation } from '../../api/session.ts'
import { Button, LinkButton } from '../../parts/button.tsx'
import { TextField } from '../../parts/fields.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { ErrorState, SkeletonLines } from '../../parts/states.tsx'
import { forgetEverything } from '../../session.tsx'
import { Entry } from '../../shell/entry.tsx'
import { PasswordField } from '../../shell/password-field.tsx'
import { text as common } from '../../texts/en/common.ts'
import { text } from '../../texts/en/entry.ts'
import { text as shell } from '../../texts/en/shell.ts'
import { useTitle } from '../../title.ts'

export default function InvitationPage() {
  useTitle(text.invitation.title)
  const [token] = useState(() => decodeURIComponent(location.hash.slice(1)))
  const invitation = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => readInvitation(token),
    enabled: token !== '',
    staleTime: Infinity,
  })
  if (token === '' || isGone(invitation.error))
    return (
      <Entry title={text.invitation.goneTitle} subtitle={text.invitation.gone}>
        <LinkButton href="/">{text.setup.toSignIn}</LinkButton>
      </Entry>
    )
  if (invitation.data) return <Accept token={token} invitation={invitation.data} />
  return (
    <Entry title={text.invitation.title}>
      {invitation.error ? (
        <ErrorState isSmall error={invitation.error} onRetry={invitation.refetch} />
      ) : (
        <div aria-busy="true" aria-label={common.table.loading}>
          <SkeletonLines />
        </div>
      )}
    </Entry>
  )
}

const isGone = (error: unknown): boolean =>
  error instanceof ApiError && [401, 403, 404, 410, 422].includes(error.status)

function wordsOf({ property_name, role, needs_password }: Invitation) {
  if (property_name !== null && role !== null)
    return { title: text.invitation.title, words: text.invitation.toProperty(property_name, shell.roles[role]) }
  if (needs_password) return { title: text.invitation.title, words: text.invitation.toInstallation }
  return { title: text.invitation.resetTitle, words: undefined }
}

function Accept({ token, invitation }: { token: string; invitation: Invitation }) {
  const [, navigate] = useLocation()
  const { title, words } = wordsOf(invitation)
  const form = useForm({ name: '', password: '' }, async ({ name, password }) => {
    await acceptInvitation({
      token,
      ...(name.trim() !== '' && { name: name.trim() }),
      ...(invitation.needs_password && { password }),
    })
    await forgetEverything()
    navigate('/', { replace: true })
  })
  return (
    <Entry
      title={title}
      subtitle={
        <>
          {words !== undefined && `${words} `}
          {text.invitation.for(invitation.email)}
        </>
      }
    >
      <Form
        form={form}
        actions={
          <Button type="submit" look="primary" isBusy={form.isBusy}>
            {text.invitation.accept}
          </Button>
        }
      >
        {/* Password managers keep the password under it. */}
        <input type="email" autoComplete="username" value={invitation.email} readOnly hidden />
        {invitation.needs_password && (
          <>
            <TextField label={text.name} autoComplete="name" {...form.field('name')} />
            <PasswordField
              label={text.newPassword}
              hint={text.passwordHint}
              autoComplete="new-password"
              required
              {...form.field('password')}
            />
          </>
        )}
      </Form>
    </Entry>
  )
}
