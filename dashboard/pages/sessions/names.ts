// What the people of some sessions are called, once they are known. Share links get no names.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { readContactNames } from '../../api/contacts.ts'
import type { SessionDocument } from '../../api/sessions.ts'
import { useCan, useProperty } from '../../session.tsx'

export type Names = Readonly<Record<string, string>>

const nobody: Names = {}

export function useNames(sessions: readonly SessionDocument[] | undefined): Names {
  const property = useProperty()
  const mayKnow = useCan('viewer')
  const known = (sessions ?? []).map(({ contact_id }) => contact_id).filter((id) => id !== undefined)
  const ids = [...new Set(known)].toSorted()
  const names = useQuery({
    queryKey: ['contact-names', property.id, ids],
    queryFn: ({ signal }) => readContactNames(property.id, ids, signal),
    enabled: mayKnow && ids.length > 0,
    placeholderData: keepPreviousData,
  })
  return names.data?.names ?? nobody
}
