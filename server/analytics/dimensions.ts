// What sessions are told apart by, each said once: filters, top lists, full lists, session documents, files
// and the dashboard's tabs and filters are made of this table. It imports no code, since the dashboard is
// built with it.
import type { SessionColumn } from '../stores/session-columns.ts'

/** What an id looks at. Event columns of one request are looked for in one and the same event. */
export type ClauseTarget =
  | { readonly on: 'session'; readonly column: SessionColumn }
  | { readonly on: 'event'; readonly column: string; readonly kind: 'text' | 'number' | 'pairs' }
  | { readonly on: 'view'; readonly column: string }
  | { readonly on: 'tags' }
  /** Forms that the session sent. */
  | { readonly on: 'forms'; readonly column: string }
  /** Conversions that a fact of the session meets. */
  | { readonly on: 'conversion' }

type Category = 'Acquisition' | 'Pages' | 'Location' | 'Technology' | 'Campaign' | 'Events'

interface Dimension {
  readonly target: ClauseTarget
  /** Of the list of its values; without one there is no such list. */
  readonly category?: Category
  /** Its list is in the overview and in `metrics`. */
  readonly isInOverview?: true
  /** The key of the same value in a session document. */
  readonly field?: string
  /** Places of one name may be in two countries, so each value comes with its country. */
  readonly isPlace?: true
  /** Whose icon a value has: that of the source with its name, or of the domain that it is. */
  readonly icon?: 'source' | 'domain'
  /**
   * In what everybody knows its values to lie, the widest first: a session of a city is known to be one of
   * its country.
   */
  readonly liesIn?: readonly ('country_code' | 'region' | 'primary_language')[]
  /** Where the dashboard offers it as a filter; without one it is none there. */
  readonly filter?: 'acquisition' | 'pages' | 'places' | 'technology' | 'campaign' | 'doing'
}

/** What an event came with, as `key:value`. */
const PAIRS = "arrayMap((key, text) -> concat(key, ':', text), mapKeys(meta), mapValues(meta))"

const session = <const Column extends SessionColumn>(column: Column) => ({ on: 'session', column }) as const

const inOverview = <const Column extends SessionColumn, const Name extends Category, const Field extends string>(
  column: Column,
  category: Name,
  field: Field,
) => ({ target: session(column), category, isInOverview: true, field }) as const

/** By the ids that clauses name. A new one stands behind those of its category. */
export const dimensions = {
  channel: { ...inOverview('entry_channel', 'Acquisition', 'channel_category'), filter: 'acquisition' },
  source: { ...inOverview('entry_source', 'Acquisition', 'source_name'), icon: 'source', filter: 'acquisition' },
  referrer_domain: {
    ...inOverview('entry_referrer_domain', 'Acquisition', 'referrer_domain'),
    icon: 'domain',
    filter: 'acquisition',
  },
  entry_path_full: { ...inOverview('entry_path', 'Pages', 'entry_path'), filter: 'pages' },
  exit_path_full: { ...inOverview('exit_path', 'Pages', 'exit_path'), filter: 'pages' },
  country: { ...inOverview('country', 'Location', 'country_name'), isPlace: true, filter: 'places' },
  country_code: { target: session('country_code'), field: 'request_country' },
  region: { ...inOverview('region', 'Location', 'region'), isPlace: true, liesIn: ['country_code'], filter: 'places' },
  city: {
    ...inOverview('city', 'Location', 'city'),
    isPlace: true,
    liesIn: ['country_code', 'region'],
    filter: 'places',
  },
  timezone: { ...inOverview('timezone', 'Location', 'request_timezone'), filter: 'places' },
  browser: { ...inOverview('browser', 'Technology', 'request_browser_name'), filter: 'technology' },
  os: { ...inOverview('os', 'Technology', 'request_platform'), filter: 'technology' },
  device: { ...inOverview('device', 'Technology', 'request_device'), filter: 'technology' },
  language: { ...inOverview('language', 'Technology', 'request_lang'), liesIn: ['primary_language'], filter: 'places' },
  utm_source: { target: session('utm_source'), category: 'Campaign', field: 'utm_source', filter: 'campaign' },
  utm_medium: { target: session('utm_medium'), category: 'Campaign', field: 'utm_medium', filter: 'campaign' },
  utm_campaign: { target: session('utm_campaign'), category: 'Campaign', field: 'utm_campaign', filter: 'campaign' },
  utm_term: { target: session('utm_term'), category: 'Campaign', filter: 'campaign' },
  utm_content: { target: session('utm_content'), category: 'Campaign', filter: 'campaign' },
  hostname: { target: session('entry_hostname'), category: 'Pages', filter: 'pages' },
  contact_id: { target: session('contact_id'), field: 'contact_id', filter: 'doing' },
  link: { target: session('entry_link'), filter: 'acquisition' },
  link_group: { target: session('entry_link_group'), filter: 'acquisition' },
  page_path: { target: { on: 'view', column: 'path' }, filter: 'pages' },
  tag: { target: { on: 'tags' }, category: 'Events', filter: 'doing' },
  form: { target: { on: 'forms', column: 'form' }, filter: 'doing' },
  conversion: { target: { on: 'conversion' }, filter: 'doing' },
  event_name: { target: { on: 'event', column: 'name', kind: 'text' }, category: 'Events', filter: 'doing' },
  event_value: { target: { on: 'event', column: "ifNull(value, '')", kind: 'text' }, filter: 'doing' },
  event_meta: { target: { on: 'event', column: PAIRS, kind: 'pairs' }, category: 'Events', filter: 'doing' },
  event_value_num: { target: { on: 'event', column: 'number', kind: 'number' }, filter: 'doing' },
} as const satisfies Record<string, Dimension>

type Table = typeof dimensions
export type ClauseId = keyof Table
type Words<Id extends ClauseId> = Table[Id] extends { readonly isInOverview: true }
  ? { readonly label: string; readonly description: string }
  : { readonly label: string }
type Having<Part> = { [Id in ClauseId]: Table[Id] extends Part ? Id : never }[ClauseId]

/** Those with a list of their values. */
export type ListId = Having<{ readonly category: string }>
/** Those whose list is in the overview and in `metrics`. */
export type DimensionId = Having<{ readonly isInOverview: true }>
/** Those that are a text of the session itself. */
export type SessionDimensionId = Having<{ readonly target: { readonly on: 'session' } }>
/** Those that a session document has, and their keys in it. */
export type FieldId = Having<{ readonly field: string; readonly target: { readonly on: 'session' } }>
export type DimensionField = Table[FieldId]['field']

/**
 * What they are called; those of the overview say also what they are. Apart, since the dashboard has words of
 * its own.
 */
export const dimensionWords = {
  channel: { label: 'Channel', description: 'The kind of way by which the session came' },
  source: { label: 'Source', description: 'Where the session came from, by name' },
  referrer_domain: { label: 'Referrer', description: 'The domain of the page that linked to the entry page' },
  entry_path_full: { label: 'Entry page', description: 'The first page of the session' },
  exit_path_full: { label: 'Exit page', description: 'The last page of the session' },
  country: { label: 'Country', description: 'The country of the visitor’s network address' },
  country_code: { label: 'Country code' },
  region: { label: 'Region', description: 'The region of the visitor’s network address' },
  city: { label: 'City', description: 'The city of the visitor’s network address' },
  timezone: { label: 'Time zone', description: 'The time zone of that place' },
  browser: { label: 'Browser', description: 'The browser, by name' },
  os: { label: 'Operating system', description: 'The operating system, by name' },
  device: { label: 'Device', description: 'The class of the device' },
  language: { label: 'Language', description: 'The first language that the browser asks for' },
  utm_source: { label: 'UTM source' },
  utm_medium: { label: 'UTM medium' },
  utm_campaign: { label: 'UTM campaign' },
  utm_term: { label: 'UTM term' },
  utm_content: { label: 'UTM content' },
  hostname: { label: 'Host name' },
  contact_id: { label: 'Contact' },
  link: { label: 'Short link' },
  link_group: { label: 'Link group' },
  page_path: { label: 'Page' },
  tag: { label: 'Tag' },
  form: { label: 'Form' },
  conversion: { label: 'Conversion' },
  event_name: { label: 'Event' },
  event_value: { label: 'Event value' },
  event_meta: { label: 'Event property' },
  event_value_num: { label: 'Event number' },
} as const satisfies { readonly [Id in ClauseId]: Words<Id> }

export const dimensionOf = (id: ClauseId): Dimension => dimensions[id]
export const targetOf = (id: ClauseId): ClauseTarget => dimensions[id].target
export const columnOf = (id: SessionDimensionId): SessionColumn => dimensions[id].target.column

export const clauseIds = Object.keys(dimensions) as ClauseId[]
export const sessionDimensionIds = clauseIds.filter((id): id is SessionDimensionId => targetOf(id).on === 'session')

const isInOverview = (id: ClauseId): id is DimensionId => dimensionOf(id).isInOverview === true
/** In the order of the answers: the source comes first. */
export const dimensionIds: readonly DimensionId[] = [
  'source',
  ...clauseIds.filter(isInOverview).filter((id) => id !== 'source'),
]

/** Every list that can be asked for; those of the overview come first. */
export const listIds: readonly ListId[] = [
  ...dimensionIds,
  ...clauseIds.filter((id): id is ListId => dimensionOf(id).category !== undefined && !isInOverview(id)),
]

/** What a share link may be filtered by: what its overview lists, and campaigns. */
export const sharedClauseIds: readonly ListId[] = listIds.filter(
  (id) => isInOverview(id) || dimensions[id].category === 'Campaign',
)

/**
 * Of sets that are named by their values alone it can be told which lie in which (shared-figures/cells.ts).
 */
export const sharedOperators = ['equals'] as const
