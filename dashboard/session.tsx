// Who is signed in and what they may do: the session of the application, and the property and role below it.
import { queryOptions, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { createContext, Fragment, type ReactNode, useContext, useEffect } from 'react'
import { isAtLeast } from '../server/kernel/roles.ts'
import { UTC } from '../server/kernel/zones.ts'
import { readProperty } from './api/properties.ts'
import { type MyProperty, readSession, type Role, type Session, signOut } from './api/session.ts'
import { setCurrency, setZone } from './format.ts'
import { basePath } from './place.ts'
import { queryClient } from './query.ts'
import { noteUser, signedInAgain, signInTurn } from './sign-in-again.ts'
import { isSharedClause } from './shared-ids.ts'

const SESSION_KEY = ['session']

/** The last session that somebody was signed in with. It is shown until they sign in again. */
let known: Session | undefined

/** Another person signed in: loads the page again, so that nothing of the first one stays. Never settles. */
function startAnew(): Promise<never> {
  location.reload()
  return new Promise(() => undefined)
}

async function readKnown({ signal }: { signal: AbortSignal }): Promise<Session> {
  const turn = signInTurn()
  const session = await readSession(signal)
  if (!known?.user || session.user?.id === known.user.id) {
    known = session
    noteUser(session.user ?? undefined)
    return session
  }
  if (session.user) return startAnew()
  return (await signedInAgain(turn, false)) ? readKnown({ signal }) : known
}

const sessionQuery = queryOptions({ queryKey: SESSION_KEY, queryFn: readKnown })

export const useSession = (): UseQueryResult<Session> => useQuery({ ...sessionQuery, staleTime: 60_000 })

/** The property with all that its settings are about. */
export const detailsOf = (id: string) =>
  queryOptions({ queryKey: ['property', id], queryFn: ({ signal }) => readProperty(id, signal) })

/** After signing in or out, and after whatever changes what one may see. */
export async function refreshSession(): Promise<Session> {
  return queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 })
}

/** Nothing that was shown to one person stays for the next. */
export async function forgetEverything(): Promise<void> {
  known = undefined
  noteUser(undefined)
  await queryClient.cancelQueries()
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
  await refreshSession()
}

const tabs = new BroadcastChannel(`footfall ${basePath}`)

/** Signing out is meant for every tab: what they show goes too. */
export async function leave(): Promise<void> {
  await signOut()
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
  tabs.postMessage('left')
  await forgetEverything()
}

/** Once, at the start. */
export function followOtherTabs(): void {
  tabs.addEventListener('message', () => {
    if (known?.user) void forgetEverything()
  })
}

export interface CurrentProperty extends MyProperty {
  /** Seen through a share link: analytics alone, and nothing can be changed. */
  readonly isShared: boolean
  /** Of an installation that is there to be looked at: nobody can change anything. */
  readonly isDemo?: boolean
}

export const PropertyContext = createContext<CurrentProperty | undefined>(undefined)

/** Times and money below are those of the property; a change of its settings shows all of them anew. */
export function PropertyProvider({ property, children }: { property: CurrentProperty; children: ReactNode }) {
  setZone(property.timezone)
  setCurrency(property.currency)
  useEffect(() => () => setZone(UTC), [])
  return (
    <PropertyContext value={property}>
      <Fragment key={`${property.timezone} ${property.currency}`}>{children}</Fragment>
    </PropertyContext>
  )
}

/** The property of the page. @throws outside of the pages of a property. */
export function useProperty(): CurrentProperty {
  const property = useContext(PropertyContext)
  if (!property) throw new Error('this is no page of a property')
  return property
}

/** Whether the reader has at least this role; what they may not do is not offered. */
export function useCan(least: Role): boolean {
  const { role, isShared } = useProperty()
  return !isShared && isAtLeast(role, least)
}

/** Whether a page can be filtered by it: of a share link the service does not take everything. */
export function useMayFilter(): (id: string) => boolean {
  const isShared = useContext(PropertyContext)?.isShared === true
  return (id) => !isShared || isSharedClause(id)
}

/** Whether filters may also leave out what they name, or ask for a part of it. */
export const useMayExclude = (): boolean => useContext(PropertyContext)?.isShared !== true

/** Paths of the property: `path('/links')`. */
export function usePropertyPath(): (rest?: string) => string {
  const { id } = useProperty()
  return (rest = '') => `/properties/${id}${rest}`
}
