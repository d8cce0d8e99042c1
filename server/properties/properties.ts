// Properties: the tracked sites. Their rules, and the directory in which every request finds its property.
import { Problem } from '../kernel/problem.ts'
import type { Deps } from '../kernel/deps.ts'
import type { PageAsk } from '../kernel/page.ts'
import { scrubDeleted, type Tx } from '../stores/records.ts'
import { openDirectory } from '../queues/directory.ts'
import { openLoader } from '../queues/loader.ts'
import {
  closePropertyRow,
  countProperties as countRows,
  deletePropertyRow,
  findSampleRow,
  insertProperty,
  listPropertyRows,
  markSample,
  type PropertyChange,
  raiseErasures,
  type PropertyFilter,
  type SampleRow,
  selectErasures,
  selectProperties,
  selectPropertyIds,
  swapSampleRunOf,
  updatePropertyRow,
} from './records.ts'
import { randomText, secretHash } from '../kernel/secrets.ts'

export const contentPolicies = ['standard', 'wide'] as const
export type ContentPolicy = (typeof contentPolicies)[number]

export interface Property {
  /** `pr_…` */
  readonly id: string
  /** `ff_…`, public: the tracker's X-SVC-ID. */
  readonly key: string
  readonly name: string
  /** Hosts in the spelling of hosts.ts. */
  readonly domains: string[]
  /** One of the periods but `custom`; null: `last_7`. */
  readonly default_period: string | null
  readonly plan: 'free' | 'paid'
  /** SHA-256 of the key by which a forwarding proxy proves itself (X-PROXY-KEY). */
  readonly proxy_key_hash: string | null
  /** How far the HTML of its content may go: server/html/content-html.ts. */
  readonly content_policy: ContentPolicy
  /** Whose visits, and which pages, are not counted: exclusions.ts. */
  readonly excluded_addresses: string[]
  readonly excluded_paths: string[]
  /** Of browsers it takes neither revenue nor names: these need an access token. */
  readonly is_token_only: boolean
  /** It takes page views of its domains, and of hosts below them, alone; without domains those of any host. */
  readonly is_listed_only: boolean
  /** The most that one call of a browser may report, in whole US dollars. */
  readonly browser_max_usd: number
  /** What it holds is made up, to look at. */
  readonly is_sample: boolean
  /** Unix seconds. */
  readonly created_ts: number
}

export interface PropertyDirectory {
  /** By the tracker's key. A promise only when the answer is not in memory. */
  byKey(key: string): Promise<Property | undefined> | Property | undefined
  byId(id: string): Promise<Property | undefined> | Property | undefined
  /** Those of all properties, as the records have them now. While the records are away, as they were last read. */
  ids(): Promise<readonly string[]>
  /** After a change on this node; other nodes notice within two seconds. */
  forget(id: string): void
}

export type PropertyDeps = Pick<Deps, 'records' | 'now' | 'randomBytes'>

/** More than nearly anybody is paid at once, and little enough that one made-up call does not hide a year of real ones. */
const USUAL_BROWSER_USD = 1_000_000
const ID_LENGTH = 20
const KEY_LENGTH = 20
const PROXY_KEY_LENGTH = 40
/** Anything else needs no look-up. */
const keyShape = /^ff_[0-9A-Za-z]{16,64}$/
const idShape = /^pr_[0-9A-Za-z]{16,64}$/
/** A pattern alone would take a list of one text for that text, whatever the types say of what came from outside. */
const hasShape = (shape: RegExp, text: unknown): boolean => typeof text === 'string' && shape.test(text)

/** Ten minutes without the records are survived by the tracker: a property that was there is most likely there still. */
const STALE_MS = 600_000

/** However many ask at a time, the records are asked once. */
function openIds({ records, now }: Pick<Deps, 'records' | 'now'>): () => Promise<readonly string[]> {
  const all = 'all'
  let known: { readonly row: readonly string[]; readonly readMs: number } | undefined
  const loader = openLoader<readonly string[]>({
    load: async () => new Map([[all, await selectPropertyIds(records)]]),
    begin: now,
    loaded: (_text, row = [], readMs) => {
      known = { row, readMs }
    },
    failed: () => (known && Math.abs(now() - known.readMs) <= STALE_MS ? known : undefined),
  })
  return async () => (await loader.ask(all)) ?? []
}

export function openPropertyDirectory({ records, now }: Pick<Deps, 'records' | 'now'>): PropertyDirectory {
  const open = (column: 'key' | 'id') =>
    openDirectory<Property>({ now, staleMs: STALE_MS, load: (texts) => selectProperties(records, column, texts) })
  const keys = open('key')
  const ids = open('id')
  return {
    byKey: (key) => (hasShape(keyShape, key) ? keys.get(key) : undefined),
    byId: (id) => (hasShape(idShape, id) ? ids.get(id) : undefined),
    ids: openIds({ records, now }),
    forget(id) {
      keys.forget((property) => property.id === id)
      ids.forget((property) => property.id === id)
    },
  }
}

/** False from the moment in which its removal began: what is still kept for it is no longer served. */
export const isOpenProperty = ({ key }: Pick<Property, 'key'>): boolean => keyShape.test(key)

/** The hash of the proxy key stays inside; that there is one is worth knowing. */
export function shownProperty({ proxy_key_hash: hash, ...property }: Property) {
  return { ...property, has_proxy_key: hash !== null }
}

export interface PropertyDraft {
  readonly name: string
  readonly domains: string[]
  readonly default_period: string | null
  readonly plan: 'free' | 'paid'
  /** Default: `standard`. */
  readonly content_policy?: ContentPolicy
  /** Default: nothing is excluded. */
  readonly excluded_addresses?: string[]
  readonly excluded_paths?: string[]
  /** Default: everything is taken. */
  readonly is_token_only?: boolean
  readonly is_listed_only?: boolean
  /** Default: USUAL_BROWSER_USD. */
  readonly browser_max_usd?: number
  /** Default: no. */
  readonly is_sample?: boolean
}

export async function createProperty(deps: PropertyDeps, draft: PropertyDraft): Promise<Property> {
  const property: Property = {
    id: `pr_${randomText(deps.randomBytes, ID_LENGTH)}`,
    key: `ff_${randomText(deps.randomBytes, KEY_LENGTH)}`,
    content_policy: 'standard',
    excluded_addresses: [],
    excluded_paths: [],
    is_token_only: false,
    is_listed_only: false,
    browser_max_usd: USUAL_BROWSER_USD,
    is_sample: false,
    ...draft,
    proxy_key_hash: null,
    created_ts: Math.floor(deps.now() / 1000),
  }
  await insertProperty(deps.records, property)
  return property
}

const notFound = () => new Problem('not_found', 'Property not found.')

/** Read from the database, not from memory: for management. */
export async function getProperty({ records }: Pick<Deps, 'records'>, id: string): Promise<Property> {
  const property = idShape.test(id) ? (await selectProperties(records, 'id', [id])).get(id) : undefined
  if (!property) throw notFound()
  return property
}

export async function countProperties({ records }: Pick<Deps, 'records'>): Promise<number> {
  return countRows(records)
}

/** One page of a list, and how many rows the whole list has. */
export interface Listed<Row> {
  readonly rows: Row[]
  readonly total: number
}

/** Newest first. @param filter `ids`: those of whoever asks. */
export async function listProperties(
  { records }: Pick<Deps, 'records'>,
  ask: PageAsk,
  filter?: PropertyFilter,
): Promise<Listed<Property>> {
  return { rows: await listPropertyRows(records, ask, filter), total: await countRows(records, filter) }
}

/** The property with made-up data, when there is one. */
export async function findSample({ records }: Pick<Deps, 'records'>): Promise<SampleRow | undefined> {
  return findSampleRow(records)
}

/** Whether it is written to its end. */
export async function noteSample({ records }: Pick<Deps, 'records'>, id: string, isWhole: boolean): Promise<void> {
  await markSample(records, id, isWhole)
}

/** @returns false when somebody else was quicker, or the property is going. */
export async function swapSampleRun(
  { records }: Pick<Deps, 'records'>,
  id: string,
  before: string,
  after: string,
): Promise<boolean> {
  return swapSampleRunOf(records, id, before, after)
}

/** In the transaction that erases somebody of it, or a submission: from its commit on, every node knows. */
export async function noteErasure(tx: Tx, id: string): Promise<void> {
  await raiseErasures(tx, id)
}

/** How often that was, by property; one that is removed is not in it. */
export async function countErasures(
  { records }: Pick<Deps, 'records'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  return selectErasures(records, ids)
}

export async function updateProperty(
  deps: Pick<Deps, 'records'>,
  directory: Pick<PropertyDirectory, 'forget'>,
  id: string,
  change: PropertyChange,
): Promise<Property> {
  const property = idShape.test(id) ? await updatePropertyRow(deps.records, id, change) : undefined
  if (!property) throw notFound()
  directory.forget(id)
  return property
}

/** @returns the key, which is kept nowhere; the one before it stops working. */
export async function renewProxyKey(
  deps: PropertyDeps,
  directory: Pick<PropertyDirectory, 'forget'>,
  id: string,
): Promise<{ property: Property; proxyKey: string }> {
  const proxyKey = `ffp_${randomText(deps.randomBytes, PROXY_KEY_LENGTH)}`
  const property = await updateProperty(deps, directory, id, { proxy_key_hash: secretHash(proxyKey) })
  return { property, proxyKey }
}

/** What other capabilities keep for a property, emptied by them. */
export interface PropertyContents {
  /** Returns when nothing of it is left, and may be called again after a failure. */
  emptyProperty(id: string): Promise<void>
}

/**
 * Removes the property, its tokens and what others keep for it, which may take a while; nothing reaches it from the first moment. A call
 * that failed half-way may be repeated. Its facts stay where they are: no id can reach them any more, they name no person, and
 * rewriting history for them would cost every other property; RETENTION_DAYS ends them like all others.
 */
export async function removeProperty(
  deps: Pick<Deps, 'records'> & PropertyContents,
  directories: {
    readonly properties: Pick<PropertyDirectory, 'forget'>
    readonly tokens: { forgetProperty(id: string): void }
  },
  id: string,
): Promise<void> {
  const closed = idShape.test(id) && (await closePropertyRow(deps.records, id))
  if (!closed) throw notFound()
  directories.properties.forget(id)
  directories.tokens.forgetProperty(id)
  await deps.emptyProperty(id)
  await deletePropertyRow(deps.records, id)
  directories.properties.forget(id)
  // What went with it, people among it, stands in the files no longer.
  await scrubDeleted(deps.records)
}
