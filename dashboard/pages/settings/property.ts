// The property as it is kept while its settings are shown, and how it is changed.
import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { changeProperty, type Property, type PropertyChange, type PropertyDetails } from '../../api/properties.ts'
import { spokenByLine } from '../../field-errors.ts'
import { toast } from '../../parts/announce.tsx'
import { detailsOf, refreshSession, useProperty } from '../../session.tsx'
import { settings as text } from '../../texts/index.ts'

export type Details = PropertyDetails

export function useDetails(): UseQueryResult<Details> {
  const { id } = useProperty()
  return useQuery(detailsOf(id))
}

/** Takes what was answered in the place of what was known. */
export function useKnow(): (property: Property) => void {
  const client = useQueryClient()
  return (property) => client.setQueryData(detailsOf(property.id).queryKey, (known) => known && { ...known, property })
}

/** What the session knows of a property too. */
const shownEverywhere = ['name', 'timezone', 'week_start', 'currency'] as const

/** @returns what saves a change. It throws for `useForm`: errors of `domains.2` appear at `domains`. */
export function useChange(): (change: PropertyChange) => Promise<void> {
  const shown = useProperty()
  const { id } = shown
  const know = useKnow()
  const client = useQueryClient()
  return async (change) => {
    const { property } = await changeProperty(id, change).catch((error: unknown) => {
      const { domains = [], excluded_addresses = [], excluded_paths = [] } = change
      throw spokenByLine(error, { domains, excluded_addresses, excluded_paths })
    })
    know(property)
    if (shownEverywhere.some((key) => property[key] !== shown[key])) await refreshSession()
    await client.invalidateQueries({ queryKey: ['tracking', id] })
    await client.invalidateQueries({ queryKey: ['sites'] })
    toast(text.saved)
  }
}

/** A list as it is typed, one a line. */
export const linesOf = (typed: string): string[] =>
  typed
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
