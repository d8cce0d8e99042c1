// What is left of a shared view after its link was taken back, or was not used for too long.
import { Link } from 'wouter'
import { leaveShare } from '../share.ts'
import { entry as text } from '../texts/index.ts'
import { useTitle } from '../title.ts'
import { Entry } from './entry.tsx'

export function ShareEnded() {
  useTitle(text.share.endedTitle)
  return (
    <Entry
      title={text.share.endedTitle}
      subtitle={text.share.ended}
      foot={
        <Link href="/sign-in" onClick={leaveShare}>
          {text.share.toSignIn}
        </Link>
      }
    >
      {null}
    </Entry>
  )
}
