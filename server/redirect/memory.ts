// Links in use, stored compactly so that a million fit: one text per link, parsed only when it is requested;
// the latest parsed targets are cached.
import type { GroupState, Place, Utm } from '../links/link-model.ts'
import { compiledRules, type LinkRules, parseRules } from '../links/rules-model.ts'
import { withUtm } from '../links/utm.ts'
import { PackedLinks } from './packed-links.ts'

/** What the redirect needs of a link. */
export interface Target {
  readonly linkId: string
  readonly group: TargetGroup
  /** The destination with its UTM values: what the Location header says. */
  readonly location: string
  readonly isActive: boolean
  /** Left out for a link that leads everybody to the same place at any time. */
  readonly rules?: LinkRules
  /** The hash of the password that visitors are asked for; such a link has rules, if only empty ones. */
  readonly password?: string
}

export interface TargetGroup {
  readonly id: string
  readonly propertyId: string
  readonly state: GroupState
  readonly tracksClicks: boolean
}

/**
 * `isActive`, link id, group id, destination, UTM as JSON; where there are any, rules as JSON and the hash of
 * the password. None of them can contain a line break.
 */
export const PACKED_SEPARATOR = '\n'

export interface PackedLink {
  /** Where the code lives. */
  readonly domain: Place
  readonly code: string
  readonly is_deleted: number
  readonly packed: string
}

export interface LinkMemory {
  /** Undefined for a link that is not in memory, and for one whose group is not. */
  find(place: Place, code: string): Target | undefined
  putGroup(group: TargetGroup): void
  /** Removes deleted groups. */
  putLink(link: PackedLink): void
  /** Many at once: place, code and packed text of each in lines, with LINK_END between them. */
  putLines(bytes: Buffer): void
  /** Removes the groups at once; their links, slice by slice, until it resolves. */
  removeGroups(ids: readonly string[]): Promise<void>
  clear(): void
  /** Links. */
  readonly size: number
}

/** Few links get most requests: parsing one again takes some microseconds. */
const MAX_OPENED = 10_000
type PerPlace<Value> = Map<Place, Map<string, Value>>

function codesAt<Value>(all: PerPlace<Value>, place: Place): Map<string, Value> {
  const known = all.get(place)
  if (known) return known
  const codes = new Map<string, Value>()
  all.set(place, codes)
  return codes
}

function unpack(packed: string, groups: ReadonlyMap<string, TargetGroup>): Target | undefined {
  const [isActive, linkId = '', groupId = '', destination = '', utm = '{}', rules, password] =
    packed.split(PACKED_SEPARATOR)
  const group = groups.get(groupId)
  if (!group) return undefined
  const values = JSON.parse(utm) as Utm
  const target = { linkId, group, location: withUtm(destination, values), isActive: isActive === '1' }
  if (rules === undefined) return target
  const ruled = { ...target, rules: compiledRules(parseRules(rules || null), values) }
  return password === undefined ? ruled : { ...ruled, password }
}

const groupIdOf = (packed: string): string => packed.split(PACKED_SEPARATOR, 3)[2] ?? ''

export function openLinkMemory(): LinkMemory {
  const groups = new Map<string, TargetGroup>()
  const links = new PackedLinks()
  const opened: PerPlace<Target> = new Map()
  const closeAll = () => opened.clear()
  return {
    find(place, code) {
      const known = opened.get(place)?.get(code)
      if (known) return known
      const packed = links.find(place, code)
      const target = packed === undefined ? undefined : unpack(packed, groups)
      if (!target) return undefined
      const targets = codesAt(opened, place)
      if (targets.size >= MAX_OPENED) targets.clear()
      targets.set(code, target)
      return target
    },
    putGroup(group) {
      groups.set(group.id, group)
      closeAll()
    },
    putLink({ domain, code, is_deleted, packed }) {
      opened.get(domain)?.delete(code)
      if (is_deleted === 0) links.put(domain, code, packed)
      else links.delete(domain, code)
    },
    putLines(bytes) {
      links.putAll(bytes)
      closeAll()
    },
    async removeGroups(ids) {
      for (const id of ids) groups.delete(id)
      closeAll()
      const gone = new Set(ids)
      await links.removeWhere((packed) => gone.has(groupIdOf(packed)))
    },
    clear() {
      groups.clear()
      closeAll()
      links.clear()
    },
    get size() {
      return links.size
    },
  }
}
