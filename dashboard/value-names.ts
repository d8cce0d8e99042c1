// What values of filters are called that are ids: goals, forms, links, contacts.
import { useQuery } from '@tanstack/react-query'
import { later } from './later.ts'
import { useProperty } from './session.tsx'
import type { Clause } from './window.ts'

const named: ReadonlySet<string> = new Set(['conversion', 'form', 'link', 'link_group', 'contact_id', 'segment'])

export const isNamed = (id: string): boolean => named.has(id)

const load = later(() => import('./named-values.ts'))

/** For what shows a clause: its values by name, or undefined where they are words themselves. */
export function useValueNames(clauses: readonly Clause[]): (clause: Clause) => readonly string[] | undefined {
  const property = useProperty()
  const asked = clauses.filter(({ id, values }) => isNamed(id) && values.length > 0 && !property.isShared)
  const kinds = asked.map(({ id, values }) => ({ id, values }))
  const { data } = useQuery({
    queryKey: ['value-names', property.id, kinds],
    queryFn: async ({ signal }) => {
      const { namesOf } = await load()
      return Promise.all(kinds.map((clause) => namesOf(property.id, clause, signal)))
    },
    enabled: kinds.length > 0,
  })
  return (clause) => {
    const names = data?.[asked.indexOf(clause)]
    return names && clause.values.map((value) => names[value] ?? value)
  }
}
