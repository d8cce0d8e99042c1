// Who is here and what they may do: the session for the whole application, the property and the role for everything under it.
import { queryOptions, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext } from 'react'
import { isAtLeast } from '../server/accounts/roles.ts'
import { readProperty } from './api/properties.ts'
import { type MyProperty, readSession, type Role, type Session } from './api/session.ts'
import { queryClient } from './query.ts'

const SESSION_KEY = ['session']

export const useSession = (): UseQueryResult<Session> =>
  useQuery({ queryKey: SESSION_KEY, queryFn: readSession, staleTime: 60_000 })

/** The property with all that its settings are about. */
export const detailsOf = (id: string) =>
  queryOptions({ queryKey: ['property', id], queryFn: ({ signal }) => readProperty(id, signal) })

/** After signing in or out, and after whatever changes what one may see. */
export async function refreshSession(): Promise<Session> {
  return queryClient.fetchQuery({ queryKey: SESSION_KEY, queryFn: readSession, staleTime: 0 })
}

/** Nothing that was shown to one person stays for the next. */
export async function forgetEverything(): Promise<void> {
  await queryClient.cancelQueries()
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
  await refreshSession()
}

export interface CurrentProperty extends MyProperty {
  /** Seen through a share link: analytics alone, and nothing can be changed. */
  readonly isShared: boolean
}

const PropertyContext = createContext<CurrentProperty | undefined>(undefined)

export const PropertyProvider = ({ property, children }: { property: CurrentProperty; children: ReactNode }) => (
  <PropertyContext value={property}>{children}</PropertyContext>
)

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

/** Paths of the property: `path('/links')`. */
export function usePropertyPath(): (rest?: string) => string {
  const { id } = useProperty()
  return (rest = '') => `/properties/${id}${rest}`
}
