// The goals of the property, as the service calls them: conversions.
import { useQuery } from '@tanstack/react-query'
import { type Conversion, listAllConversions } from './api/conversions.ts'
import { useProperty } from './session.tsx'
import type { Clause } from './window.ts'

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

const isAboutGoals = ({ id }: Clause): boolean => id === 'conversion'

/** Names of the goals that a clause is about, for what shows it; undefined for any other clause. */
export function useGoalNames(clauses: readonly Clause[]): (clause: Clause) => readonly string[] | undefined {
  const goals = useGoals(clauses.some(isAboutGoals))
  const names = new Map(goals?.map(({ id, name }) => [id, name]))
  return (clause) => (isAboutGoals(clause) ? clause.values.map((value) => names.get(value) ?? value) : undefined)
}
