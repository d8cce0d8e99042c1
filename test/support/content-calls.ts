// Content as visitors get it, over HTTP; and blocks put straight into the records, so that they can be what
// no rule lets through today.
import { randomBytes } from 'node:crypto'
import type { Cta, Version } from '../../server/content/content-model.ts'
import type { Records } from '../../server/stores/records.ts'
import { CHROME, type Footfall, type Reply } from './server.ts'

/** The letters of an id: lower-case hex is among them. */
const letters = (): string => randomBytes(10).toString('hex')

const CREATED_TS = 1_790_000_000

export type TestVersion = Partial<Omit<Version, 'id'>>

export interface BlockOptions {
  readonly key?: string
  readonly phase?: number
  readonly isArchived?: boolean
  /** Two of equal weight, `A` and `B`, when left out. */
  readonly versions?: readonly TestVersion[]
}

export interface TestBlock {
  readonly id: string
  readonly key: string
  /** Ids, in the order in which they were made. */
  readonly versions: readonly string[]
}

const twoVersions: readonly TestVersion[] = ['A', 'B'].map((label) => ({ label, html: `<p>${label}</p>` }))

async function addVersion(
  records: Records,
  block: { readonly id: string; readonly property_id: string },
  version: TestVersion,
): Promise<string> {
  const id = `ve_${letters()}`
  const ctas: readonly Cta[] = version.ctas ?? []
  const row = {
    id,
    property_id: block.property_id,
    block_id: block.id,
    label: version.label ?? 'A',
    html: version.html ?? '<p>Hello</p>',
    ctas: JSON.stringify(ctas),
    weight: version.weight ?? 1,
    is_active: Number(version.is_active ?? true),
    is_deleted: 0,
    created_ts: CREATED_TS,
    updated_ts: CREATED_TS,
  }
  await records.insertInto('content_versions').values(row).execute()
  return id
}

export async function addBlock(
  records: Records,
  propertyId: string,
  { key = `ck_${letters()}`, phase = 1, isArchived = false, versions = twoVersions }: BlockOptions = {},
): Promise<TestBlock> {
  const block = {
    id: `cb_${letters()}`,
    property_id: propertyId,
    key,
    name: 'Banner',
    salt: randomBytes(16).toString('hex'),
    goal: '{"type":"click","value":null}',
    is_archived: Number(isArchived),
    phase,
    created_ts: CREATED_TS,
    updated_ts: CREATED_TS,
  }
  await records.insertInto('content_blocks').values(block).execute()
  const ids: string[] = []
  for (const version of versions) ids.push(await addVersion(records, block, version))
  return { id: block.id, key, versions: ids }
}

export interface From {
  readonly address?: string
  readonly agent?: string
  readonly language?: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface RenderFrom extends From {
  /** `https://example.com/` when left out; null: none. */
  readonly referer?: string | null
}

const headersOf = ({ address, agent, language, headers }: From): Record<string, string> => ({
  'x-forwarded-for': address ?? '203.0.113.7',
  'user-agent': agent ?? CHROME,
  'accept-language': language ?? 'en-GB,en;q=0.9',
  ...headers,
})

export type Node = Pick<Footfall, 'call'>

export function render({ call }: Node, key: string, from: RenderFrom = {}): Promise<Reply> {
  const { referer = 'https://example.com/' } = from
  const headers = { ...(referer !== null && { referer }), ...headersOf(from) }
  return call('GET', `/v2/content/${encodeURIComponent(key)}/render`, { headers })
}

/** @param body as it is sent when it is a text. */
export function track({ call }: Node, body: unknown, from: From = {}): Promise<Reply> {
  return call('POST', '/v2/content/track', { headers: headersOf(from), body })
}

export interface Ids {
  readonly request_id: string
  readonly content_id: string
  readonly version_id: string
}

/** A render that has to succeed. */
export async function renderIds(node: Node, key: string, from: RenderFrom = {}): Promise<Ids> {
  const { json, text } = await render(node, key, from)
  if (json?.success !== true) throw new Error(text)
  const { request_id, content_id, version_id } = json
  return { request_id, content_id, version_id }
}

/** The stored rows of a block, oldest first. */
export async function impressionsOf({ context }: Footfall, blockId: string): Promise<Record<string, unknown>[]> {
  return context.facts.query(
    'test.impressions',
    'SELECT *, toUnixTimestamp64Milli(at) AS at_ms FROM impressions FINAL WHERE block = {block:String} ORDER BY at, kind DESC, id',
    { block: blockId },
  )
}
