// What the reader waits for: requests of what is shown without an answer yet, actions, and the code of a
// page. What is brought up to date in the background is none of it.
import { useIsFetching } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { openStore } from './store.ts'

const pending = openStore(0)

/** @returns what ends the waiting. */
function beginWaiting(): () => void {
  pending.set(pending.get() + 1)
  return () => pending.set(pending.get() - 1)
}

/** The same promise, waited for until it settles. */
export function waitedFor<Answer>(answer: Promise<Answer>): Promise<Answer> {
  return answer.finally(beginWaiting())
}

/** Whether anything is waited for. */
export function useIsWaiting(): boolean {
  const questions = useIsFetching({ predicate: (query) => query.state.data === undefined && query.isActive() })
  const others = useSyncExternalStore(pending.subscribe, pending.get)
  return questions + others > 0
}
