// A page for owners of the installation: everybody else is told so.
import type { ReactNode } from 'react'
import type { Session } from '../api/session.ts'
import { useSession } from '../session.tsx'
import { useTitle } from '../title.ts'
import { PageHeader, Panel } from './panel.tsx'
import { NoPermission } from './states.tsx'

interface OwnersOnlyProps {
  readonly title: string
  /** What only owners may do here. */
  readonly words: string
  readonly children: (me: NonNullable<Session['user']>) => ReactNode
}

export function OwnersOnly({ title, words, children }: OwnersOnlyProps) {
  const me = useSession().data?.user
  useTitle(title)
  if (me?.is_owner === true) return children(me)
  return (
    <>
      <PageHeader title={title} />
      <Panel>
        <NoPermission words={words} />
      </Panel>
    </>
  )
}
