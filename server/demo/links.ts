// Creates the demo's groups and links, when its property has no group yet, and finds them again by their
// names. Those that the owner renamed or deleted get no more clicks from another run.
import type { Parts } from '../context.ts'
import type { Clicked } from '../clicks/clicks.ts'
import { linkBatches, everyGroup, newGroup, type LinkGroup, createLinks, withUtm } from '../links/links.ts'
import { type DemoGroup, demoGroups, type DemoLink } from './shortlinks.ts'

function groupOf(context: Parts, { name, description, purpose, tracksClicks, isArchived }: DemoGroup): LinkGroup {
  const group = newGroup(context, { name, description, purpose, track_clicks: tracksClicks ?? true })
  return isArchived ? { ...group, state: 'archived' } : group
}

/** In one transaction: an interrupted run has created all of them or none. */
async function makeLinks(context: Parts, propertyId: string): Promise<void> {
  const made = demoGroups.map((demoGroup) => ({ links: demoGroup.links, group: groupOf(context, demoGroup) }))
  const drafts = made.flatMap(({ group, links }) =>
    links.map(({ name, domain, destination, utm }) => ({
      group_id: group.id,
      name,
      domain,
      destination_url: destination,
      utm,
    })),
  )
  await createLinks(context, propertyId, { drafts, groups: made.map(({ group }) => group) })
}

const keyOf = (group: string, link: string): string => JSON.stringify([group, link])

/** Stored links by the names of group and link. */
async function storedLinks(context: Parts, propertyId: string, groups: readonly LinkGroup[]) {
  const names = new Map(groups.map(({ id, name }) => [id, name]))
  const stored = new Map<string, { readonly id: string; readonly groupId: string }>()
  for await (const batch of linkBatches(context, { propertyId, groupId: null })) {
    for (const { id, group_id, name } of batch) {
      stored.set(keyOf(names.get(group_id) ?? '', name ?? ''), { id, groupId: group_id })
    }
  }
  return stored
}

/** The targets of clicks on the demo's links; without links that are gone. */
export async function openDemoLinks(context: Parts, propertyId: string): Promise<Map<DemoLink, Clicked>> {
  if ((await everyGroup(context.records, propertyId)).length === 0) await makeLinks(context, propertyId)
  const groups = await everyGroup(context.records, propertyId)
  const stored = await storedLinks(context, propertyId, groups)
  const clicked = new Map<DemoLink, Clicked>()
  for (const group of demoGroups) {
    for (const link of group.links) {
      const found = stored.get(keyOf(group.name, link.name))
      const location = withUtm(link.destination, link.utm)
      if (found) clicked.set(link, { linkId: found.id, location, group: { id: found.groupId, propertyId } })
    }
  }
  return clicked
}
