// The goals of the property, as the service calls them: conversions.
import { useQuery } from '@tanstack/react-query'
import { type Conversion, listAllConversions } from './api/conversions.ts'
import { useProperty } from './session.tsx'

/** Undefined while they are on their way. @param isWanted without it nothing is asked. */
export function useGoals(isWanted = true): readonly Conversion[] | undefined {
  const { id, isShared } = useProperty()
  const { data } = useQuery({
    queryKey: ['conversions', id, 'all'],
    queryFn: ({ signal }) => listAllConversions(id, signal),
    enabled: isWanted && !isShared,
  })
  return data
}
