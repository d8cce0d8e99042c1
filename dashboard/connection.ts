// Whether the service can be reached. A call without an answer is a reason to ask /healthz; only when that
// does not answer either is the connection lost. It is then asked for until it is back: queries stand still
// meanwhile, and go on by themselves.
import { onlineManager } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { apiPath } from './place.ts'
import { openStore } from './store.ts'

/** A service that lives answers this at once; a network that swallows everything is not waited for. */
const HEALTH_MS = 5_000
/** From one attempt to the next: soon at first, since most interruptions are restarts. */
const FIRST_WAIT_MS = 500
const MAX_WAIT_MS = 5_000
/** A page that asks nothing by itself notices that way. */
const LOOK_MS = 30_000

/** Since when, in milliseconds; undefined while the service answers. */
const lost = openStore<number | undefined>(undefined)
let isFollowing = false
let answeredTs = Date.now()
let lookNow = (): void => undefined

/** Whether the service itself answers, and not a proxy or a portal in its place. */
export async function isServing(): Promise<boolean> {
  try {
    const answer = await fetch(`${apiPath}/healthz`, { cache: 'no-store', signal: AbortSignal.timeout(HEALTH_MS) })
    const body = (await answer.json()) as { status?: unknown } | null
    return answer.ok && body?.status === 'OK'
  } catch {
    return false
  }
}

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    lookNow = () => {
      clearTimeout(timer)
      resolve()
    }
  })

async function follow(): Promise<void> {
  const sinceTs = Date.now()
  for (let waitMs = FIRST_WAIT_MS; !(await isServing()); waitMs = Math.min(waitMs * 2, MAX_WAIT_MS)) {
    onlineManager.setOnline(false)
    if (lost.get() === undefined) lost.set(sinceTs)
    await pause(waitMs)
  }
  isFollowing = false
  noteAnswer()
  lost.set(undefined)
  onlineManager.setOnline(true)
}

/** A call had no answer. While the connection is being looked at already, one more is no news. */
export function noteNoAnswer(): void {
  if (isFollowing) return
  isFollowing = true
  void follow()
}

/** The service has answered, whatever it said. */
export function noteAnswer(): void {
  answeredTs = Date.now()
}

/** Asks at once, instead of at the next turn. */
export function look(): void {
  if (isFollowing) lookNow()
  else noteNoAnswer()
}

/** Resolves as soon as the service answers. */
export function whenServing(): Promise<void> {
  noteNoAnswer()
  return new Promise((resolve) => {
    const unlisten = lost.subscribe(() => {
      if (lost.get() !== undefined) return
      unlisten()
      resolve()
    })
  })
}

/** Since when the connection is lost, in milliseconds; undefined while it is not. */
export const useLostTs = (): number | undefined => useSyncExternalStore(lost.subscribe, lost.get)

const lookIfSilent = (): void => {
  if (!document.hidden && Date.now() - answeredTs >= LOOK_MS) look()
}

/** Once, at the start. What the browser takes for a network says little about the service: it is asked. */
export function watchConnection(): void {
  onlineManager.setEventListener(() => undefined)
  window.addEventListener('online', look)
  window.addEventListener('offline', look)
  document.addEventListener('visibilitychange', lookIfSilent)
  setInterval(lookIfSilent, LOOK_MS)
}
