// Properties: the tracked sites. Their rules, and the directory in which every request finds its property.
import { propertyNotFound } from '../kernel/problem.ts'
import { currentTs, type Deps } from '../kernel/deps.ts'
import { DEFAULT_CURRENCY } from '../kernel/money.ts'
import type { Listed, PageQuery } from '../kernel/page.ts'
import { scrubDeleted, type Tx } from '../stores/records.ts'
import { openDirectory } from '../queues/directory.ts'
import { openLoader } from '../queues/loader.ts'
import {
  adoptCurrencyRow,
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
import { selectKeeping } from './keeping-records.ts'
import { newId, randomText, secretHash } from '../kernel/secrets.ts'
import type { WeekStart } from '../kernel/calendar.ts'
import { UTC } from '../kernel/zones.ts'
import { type ContentPolicy, keyShape, type Property } from './property-model.ts'

export { type ContentPolicy, contentPolicies, isOpenProperty, type Property } from './property-model.ts'
export { readDomains, readName } from './drafts.ts'
export { isExcludedAddress, isExcludedPath } from './exclusions.ts'
export { createToken, listTokens, type Scope, scopes } from './tokens.ts'
export { listTokensOfMaker } from './token-records.ts'

export interface PropertyDirectory {
  /** By the tracker's key. A promise only when the answer is not in memory. */
  byKey(key: string): Promise<Property | undefined> | Property | undefined
  byId(id: string): Promise<Property | undefined> | Property | undefined
  /**
   * Those of all properties, as the records have them now. While the records are away, as they were last
   * read.
   */
  ids(): Promise<readonly string[]>
  /** After a change on this node; other nodes notice within two seconds. */
  forget(id: string): void
}

export type PropertyDeps = Pick<Deps, 'records' | 'now' | 'randomBytes'>

/**
 * More than nearly any single payment, and little enough that one forged call does not distort a year of real
 * ones.
 */
const USUAL_BROWSER_USD = 1_000_000
const KEY_LENGTH = 20
const PROXY_KEY_LENGTH = 40
/** Anything else cannot exist. */
const idShape = /^pr_[0-9A-Za-z]{16,64}$/
/** A pattern alone would also accept a list of one text, whatever the types say of input. */
const hasShape = (shape: RegExp, text: unknown): boolean => typeof text === 'string' && shape.test(text)

/** The tracker works for ten minutes without the records: a property that existed most likely still does. */
const STALE_MS = 600_000

/** Concurrent callers share one query. */
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

/** In which its money is told. */
export const codeOf = ({ currency }: Pick<Property, 'currency'>): string => currency ?? DEFAULT_CURRENCY

/**
 * The currency of its first order becomes that of a property whose owner has chosen none. The order is stored
 * by then, so a failure only leaves it to the next one.
 */
export async function adoptCurrency(
  { records, properties, log }: Pick<Deps, 'records' | 'log'> & { readonly properties: PropertyDirectory },
  { id, currency }: Property,
  code: string | null | undefined,
): Promise<void> {
  if (currency !== null || !code) return
  try {
    if (await adoptCurrencyRow(records, id, code)) properties.forget(id)
  } catch (error) {
    log.warn({ err: error, property: id }, 'the currency of the first order was not noted')
  }
}

/** Without the hash of the proxy key, but with whether there is one. */
export function propertyJson({ proxy_key_hash: hash, ...property }: Property) {
  return { ...property, has_proxy_key: hash !== null }
}

export interface PropertyDraft {
  readonly name: string
  readonly domains: string[]
  readonly default_period: string | null
  /** Default: UTC. */
  readonly timezone?: string
  /** Default: monday. */
  readonly week_start?: WeekStart
  /** Default: nobody's in particular. */
  readonly client?: string
  /** Default: null. */
  readonly currency?: string | null
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
  /** Default: as RETENTION_DAYS says. */
  readonly kept_days?: number | null
  /** Default: a page says that the link leads nowhere. */
  readonly dead_link_url?: string | null
  /** Default: no. */
  readonly is_sample?: boolean
}

export async function createProperty(deps: PropertyDeps, draft: PropertyDraft): Promise<Property> {
  const property: Property = {
    id: newId(deps, 'pr'),
    key: `ff_${randomText(deps.randomBytes, KEY_LENGTH)}`,
    timezone: UTC,
    week_start: 'monday',
    client: '',
    currency: null,
    content_policy: 'standard',
    excluded_addresses: [],
    excluded_paths: [],
    is_token_only: false,
    is_listed_only: false,
    browser_max_usd: USUAL_BROWSER_USD,
    kept_days: null,
    dead_link_url: null,
    is_sample: false,
    ...draft,
    proxy_key_hash: null,
    created_ts: currentTs(deps),
  }
  await insertProperty(deps.records, property)
  return property
}

/** For management: read from the database, not from memory. */
export async function getProperty({ records }: Pick<Deps, 'records'>, id: string): Promise<Property> {
  const property = idShape.test(id) ? (await selectProperties(records, 'id', [id])).get(id) : undefined
  if (!property) throw propertyNotFound()
  return property
}

export async function countProperties({ records }: Pick<Deps, 'records'>): Promise<number> {
  return countRows(records)
}

/** Newest first. @param filter `ids`: those of the caller. */
export async function listProperties(
  { records }: Pick<Deps, 'records'>,
  query: PageQuery,
  filter?: PropertyFilter,
): Promise<Listed<Property>> {
  return { rows: await listPropertyRows(records, query, filter), total: await countRows(records, filter) }
}

/** The property with sample data, when there is one. */
export async function findSample({ records }: Pick<Deps, 'records'>): Promise<SampleRow | undefined> {
  return findSampleRow(records)
}

/** Whether it was written completely. */
export async function noteSample({ records }: Pick<Deps, 'records'>, id: string, isWhole: boolean): Promise<void> {
  await markSample(records, id, isWhole)
}

/** @returns false when another process was first, or the property is being removed. */
export async function swapSampleRun(
  { records }: Pick<Deps, 'records'>,
  id: string,
  before: string,
  after: string,
): Promise<boolean> {
  return swapSampleRunOf(records, id, before, after)
}

/** Properties that keep their facts for a time of their own. */
export async function listKeeping({ records }: Pick<Deps, 'records'>) {
  return selectKeeping(records)
}

/** Part of the transaction that erases a contact or a submission: after its commit every node knows. */
export async function noteErasure(tx: Tx, id: string): Promise<void> {
  await raiseErasures(tx, id)
}

/** The number of erasures by property; without removed ones. */
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
  if (!property) throw propertyNotFound()
  directory.forget(id)
  return property
}

/** @returns the key, of which only a hash is stored; the previous one stops working. */
export async function renewProxyKey(
  deps: PropertyDeps,
  directory: Pick<PropertyDirectory, 'forget'>,
  id: string,
): Promise<{ property: Property; proxyKey: string }> {
  const proxyKey = `ffp_${randomText(deps.randomBytes, PROXY_KEY_LENGTH)}`
  const property = await updateProperty(deps, directory, id, { proxy_key_hash: secretHash(proxyKey) })
  return { property, proxyKey }
}

/** What short links know of URLs: into which of them no dead link may lead. */
export interface DeadLinkRules {
  /** @param id undefined for a property that is not stored yet. @throws Problem('validation_failed') */
  readDeadLinkUrl(id: string | undefined, written: string): Promise<string>
}

/** What other capabilities store for a property; they remove it themselves. */
export interface PropertyContents {
  /** Returns when everything is removed, and may be called again after a failure. */
  emptyProperty(id: string): Promise<void>
}

/**
 * Removes the property, its tokens and what others store for it, which may take a while; nothing reaches it
 * from the first moment. A failed call may be repeated. Its facts, which no id can reach any more, go in the
 * background (server/removals/).
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
  if (!closed) throw propertyNotFound()
  directories.properties.forget(id)
  directories.tokens.forgetProperty(id)
  await deps.emptyProperty(id)
  await deletePropertyRow(deps.records, id)
  directories.properties.forget(id)
  // Overwrites the freed pages of the database files: they held personal data.
  await scrubDeleted(deps.records)
}
