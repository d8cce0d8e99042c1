// Notices on every page: the connection is lost, the session has ended, an answer takes long.
import { lazy, type ReactNode, Suspense, useEffect } from 'react'
import { look, useLostTs } from '../connection.ts'
import { useLasting } from '../lasting.ts'
import { later } from '../later.ts'
import { announce } from '../parts/announce.tsx'
import { Button } from '../parts/button.tsx'
import { useLostWords } from '../parts/lost.ts'
import { StatusDot } from '../parts/marks.tsx'
import { askAgain, knownUser, useEnded } from '../sign-in-again.ts'
import { common, withTexts } from '../texts/index.ts'
import { useIsWaiting } from '../waiting.ts'
import { Crash } from './crash.tsx'
import styles from './notices.module.css'

const text = common.connection

const SignInAgain = lazy(
  later(withTexts(['entry'], async () => ({ default: (await import('./sign-in-again.tsx')).SignInAgain }))),
)

/** Below this no sign is needed; after some seconds people want to know that an answer is on its way. */
const LATE_MS = 400
const SLOW_MS = 5_000

/** Once, beside the pages. */
export function Notices() {
  const isLost = useLostTs() !== undefined
  const ended = useEnded()
  const isWaiting = useIsWaiting() && !isLost && ended !== 'asked'
  const user = knownUser()
  useSpoken(isLost)
  return (
    <>
      {isWaiting && <Progress />}
      {isLost ? <Lost /> : ended === 'declined' && <Ended />}
      {ended === 'asked' && user && (
        <Crash>
          <Suspense>
            <SignInAgain user={user} />
          </Suspense>
        </Crash>
      )}
    </>
  )
}

/** What cannot be seen is said; and what is shown is grey as long as it may be out of date (theme.css). */
function useSpoken(isLost: boolean): void {
  useEffect(() => {
    if (!isLost) return undefined
    document.documentElement.dataset['connection'] = 'lost'
    announce(text.unreachable)
    return () => {
      delete document.documentElement.dataset['connection']
      announce(text.back)
    }
  }, [isLost])
}

const Notice = ({ children }: { children: ReactNode }) => (
  <aside aria-label={text.label} className={styles.notice} data-notice="">
    {children}
  </aside>
)

function Lost() {
  return (
    <Notice>
      <StatusDot>
        <span>
          {text.unreachable} <span className={styles.since}>{useLostWords()}</span>
        </span>
      </StatusDot>
      <Button size="small" look="quiet" onClick={look}>
        {text.tryNow}
      </Button>
    </Notice>
  )
}

const Ended = () => (
  <Notice>
    <StatusDot>{text.ended}</StatusDot>
    <Button size="small" look="quiet" onClick={askAgain}>
      {text.signIn}
    </Button>
  </Notice>
)

/** A line at the top of the window, and after a while a sentence. */
function Progress() {
  const isSlow = useLasting(true, SLOW_MS)
  useEffect(() => {
    if (isSlow) announce(text.slow)
  }, [isSlow])
  if (!useLasting(true, LATE_MS)) return null
  return (
    <>
      <div className={styles.line} data-progress="" aria-hidden="true" />
      {isSlow && (
        <Notice>
          <StatusDot tone="accent">{text.slow}</StatusDot>
        </Notice>
      )}
    </>
  )
}
