// Groups and links over real records, on one node or several; clicks are counted by a stand-in, since they
// are not the point here.
import { randomBytes } from 'node:crypto'
import type { TestContext } from 'node:test'
import { pino } from 'pino'
import { readConfig } from '../../server/config.ts'
import { type LinkDirectory, openLinkDirectory } from '../../server/redirect/directory.ts'
import { createGroup, type LinkDeps } from '../../server/links/groups.ts'
import { createProperty } from '../../server/properties/properties.ts'
import type { RandomBytes } from '../../server/kernel/secrets.ts'
import type { Facts } from '../../server/stores/facts.ts'
import type { Records } from '../../server/stores/records.ts'
import { type Home, openMigrated, openNode } from './records.ts'

/** 10 November 2026, 12:00 UTC. */
const NOON = Date.UTC(2026, 10, 10, 12)

export interface LinkNode extends LinkDeps {
  readonly links: LinkDirectory
}

export interface LinkWorld {
  readonly node: LinkNode
  readonly propertyId: string
  /** A group of it. */
  readonly groupId: string
  /** What the next codes and ids are made of; random when left alone. */
  readonly chance: { bytes: RandomBytes }
  /** Clicks by link and group id, as the facts would count them. */
  readonly clicks: Map<string, number>
  readonly addProperty: () => Promise<string>
  readonly addGroup: (propertyId?: string) => Promise<string>
  /** One more node on the same records, with a directory of its own that is loaded already. */
  readonly another: () => Promise<LinkNode>
}

function countingFacts(clicks: ReadonlyMap<string, number>): Facts {
  const query = async (_name: string, _sql: string, params: Readonly<Record<string, unknown>> = {}) =>
    [params['ids']].flat().map((id) => ({ owner: id, clicks: String(clicks.get(String(id)) ?? 0) }))
  return { query, hasMarks: async () => false } as unknown as Facts
}

export async function openLinks(t: TestContext, home: Home): Promise<LinkWorld> {
  const { records, options } = await openMigrated(t, home)
  const log = pino({ level: 'silent' })
  const config = readConfig({ BASE_URL: 'https://footfall.test', DATA_DIR: options.dataDir })
  const clicks = new Map<string, number>()
  const chance = { bytes: randomBytes as RandomBytes }
  const nodeOn = async (handle: Records): Promise<LinkNode> => {
    const links = openLinkDirectory({ records: handle, log })
    t.after(() => links.close())
    await links.loaded
    const given = { config, records: handle, facts: countingFacts(clicks), log, now: () => NOON }
    return { ...given, links, randomBytes: (bytes) => chance.bytes(bytes) }
  }
  const node = await nodeOn(records)
  const draft = { name: 'Site', domains: [], default_period: null, plan: 'paid' } as const
  const addProperty = async () => (await createProperty(node, { ...draft, domains: [] })).id
  const propertyId = await addProperty()
  const addGroup = async (of = propertyId) => (await createGroup(node, of, { name: 'Group' })).id
  return {
    node,
    propertyId,
    groupId: await addGroup(),
    chance,
    clicks,
    addProperty,
    addGroup,
    another: async () => nodeOn(await openNode(t, options)),
  }
}
