// A share link: opens the property at once, or asks for the link's password first.
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { ApiError } from '../../api.ts'
import { enterShare } from '../../api/session.ts'
import { Form, useForm } from '../../parts/form.tsx'
import { ErrorState, SkeletonLines } from '../../parts/states.tsx'
import { openShare, type Share } from '../../share.ts'
import { Entry } from '../../shell/entry.tsx'
import { PasswordField } from '../../shell/password-field.tsx'
import { entry as text } from '../../texts/index.ts'
import { useTitle } from '../../title.ts'

export default function SharePage({ token }: { token: string }) {
  useTitle(text.share.title)
  const [, navigate] = useLocation()
  const [problem, setProblem] = useState<unknown>()
  const asked = useRef('')
  const open = (share: Share): void => {
    openShare(share)
    navigate(`/properties/${share.property.id}${location.search}`, { replace: true })
  }
  const tryOpen = (): void => {
    setProblem(undefined)
    enterShare(token).then(open, setProblem)
  }
  useEffect(() => {
    if (asked.current === token) return
    asked.current = token
    tryOpen()
  })

  if (problem === undefined)
    return (
      <Entry title={text.share.title}>
        <div aria-busy="true">
          <SkeletonLines />
        </div>
      </Entry>
    )
  if (problem instanceof ApiError && problem.code === 'password_required')
    return <PasswordStep token={token} onOpen={open} />
  if (problem instanceof ApiError && [401, 404, 422].includes(problem.status))
    return (
      <Entry title={text.share.goneTitle} subtitle={text.share.gone}>
        {null}
      </Entry>
    )
  return (
    <Entry title={text.share.title}>
      <ErrorState isSmall error={problem} onRetry={tryOpen} />
    </Entry>
  )
}

function PasswordStep({ token, onOpen }: { token: string; onOpen: (share: Share) => void }) {
  const form = useForm({ password: '' }, async ({ password }) => {
    try {
      onOpen(await enterShare(token, password))
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error
      throw new ApiError(401, error.code, text.share.wrong, { errors: { password: [text.share.wrong] } })
    }
  })
  return (
    <Entry title={text.share.title} subtitle={text.share.passwordHint}>
      <Form form={form} action={text.share.submit}>
        <PasswordField label={text.password} autoComplete="off" required autoFocus {...form.field('password')} />
      </Form>
    </Entry>
  )
}
