// Links and groups as they are kept while they are shown, and what is asked again after a change.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { listAllGroups } from '../../api/links.ts'
import { useProperty } from '../../session.tsx'

export const linkKey = (property: string, id: string) => ['link', property, id] as const
export const groupKey = (property: string, id: string) => ['link-group', property, id] as const

/** All groups of the property, the newest first. */
export function useGroups() {
  const property = useProperty()
  return useQuery({
    queryKey: ['link-groups', property.id, 'all'],
    queryFn: ({ signal }) => listAllGroups(property.id, signal),
  })
}

/** Whatever lists links or counts them. */
export function useRefresh(): () => Promise<void> {
  const { id } = useProperty()
  const client = useQueryClient()
  return async () => {
    await Promise.all(
      ['links', 'link', 'link-groups', 'link-group'].map((name) => client.invalidateQueries({ queryKey: [name, id] })),
    )
  }
}

/** What a link is called where it has no name: its short address without the scheme. */
export const shortName = (url: string): string => url.replace(/^https?:\/\//, '')
