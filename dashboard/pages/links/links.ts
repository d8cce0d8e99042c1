// Links and groups as they are kept while they are shown, and what is asked again after a change.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createGroup, type LinkGroup, listAllGroups, listLinkDomains } from '../../api/links.ts'
import type { QrFormat } from '../../api/qr.ts'
import { useProperty } from '../../session.tsx'
import { links as text } from '../../texts/index.ts'

export const linkKey = (property: string, id: string) => ['link', property, id] as const
export const rulesKey = (property: string, id: string) => ['link-rules', property, id] as const
export const cardKey = (property: string, id: string) => ['link-card', property, id] as const
export const groupKey = (property: string, id: string) => ['link-group', property, id] as const

/** All groups of the property, the newest first. */
export function useGroups() {
  const property = useProperty()
  return useQuery({
    queryKey: ['link-groups', property.id, 'all'],
    queryFn: ({ signal }) => listAllGroups(property.id, signal),
  })
}

/** The short domains with their addresses; none while they are on their way. */
export function useLinkDomains() {
  const property = useProperty()
  const domains = useQuery({
    queryKey: ['link-domains', property.id],
    queryFn: ({ signal }) => listLinkDomains(property.id, signal),
  })
  return domains.data?.domains ?? []
}

/** Where a link goes when nobody says more: the group that is shown, the usual one, or the newest. */
export function usualGroup(groups: readonly LinkGroup[], looked: string): string {
  const active = groups.filter(({ state }) => state === 'active')
  const found = [
    active.find(({ id }) => id === looked),
    active.find(({ name }) => name === text.group.usual),
    active[0],
  ].find((group) => group !== undefined)
  return found?.id ?? ''
}

/** Without any group, one is created for the first link. */
export function useUsualGroup() {
  const property = useProperty()
  const client = useQueryClient()
  return {
    idFor: async (looked: string): Promise<string> => {
      const groups = await client.fetchQuery({
        queryKey: ['link-groups', property.id, 'all'],
        queryFn: ({ signal }) => listAllGroups(property.id, signal),
        staleTime: 0, // a group that was created for a link that was refused is there
      })
      return usualGroup(groups, looked) || (await createGroup(property.id, { name: text.group.usual })).group.id
    },
  }
}

/** Whatever lists links or counts them. */
/** Of how the codes of a property look. */
export const qrLookKey = (property: string) => ['qr-look', property] as const

export const qrFormats = ['svg', 'png', 'pdf'] as const satisfies readonly QrFormat[]

export function useRefresh(): () => Promise<void> {
  const { id } = useProperty()
  const client = useQueryClient()
  return async () => {
    await Promise.all(
      ['links', 'link', 'link-groups', 'link-group', 'link-tags', 'link-rules', 'link-split'].map((name) =>
        client.invalidateQueries({ queryKey: [name, id] }),
      ),
    )
  }
}

/** Whether it leads anywhere, and whether it is in the list. */
export const stateWords = ({ is_active, is_archived }: { is_active: boolean; is_archived: boolean }): string =>
  is_active ? (is_archived ? text.states.archived : text.states.active) : text.states.inactive

/** What a link is called where it has no name: its short address without the scheme. */
export const shortName = (url: string): string => url.replace(/^https?:\/\//, '')
