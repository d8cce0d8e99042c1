// Names of the forms and conversions that automations speak of.
import { useQuery } from '@tanstack/react-query'
import type { Conversion } from '../../api/conversions.ts'
import { listAllForms } from '../../api/forms.ts'
import { useGoals } from '../../goals.ts'
import { useProperty } from '../../session.tsx'

export interface Names {
  /** By id; undefined while they are on their way. */
  readonly forms: ReadonlyMap<string, string> | undefined
  readonly conversions: readonly Conversion[]
}

export function useNames(): Names {
  const { id } = useProperty()
  const forms = useQuery({
    queryKey: ['forms', id, 'all'],
    queryFn: ({ signal }) => listAllForms(id, signal),
    select: (rows) => new Map(rows.map((form) => [form.id, form.name])),
  })
  const conversions = useGoals() ?? []
  return { forms: forms.data ?? (forms.error ? new Map() : undefined), conversions }
}
