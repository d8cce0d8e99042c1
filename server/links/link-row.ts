// A link as a row of its table, and back. Past this file its UTM values are an object.
import type { RecordTables } from '../stores/tables.ts'
import { type Domain, type Link, placeOf, type Utm } from './link-model.ts'
import { searchText } from './words-records.ts'

export const linkColumns = [
  'id',
  'group_id',
  'name',
  'domain',
  'slot',
  'code',
  'destination_url',
  'utm',
  'is_active',
  'tags',
  'notes',
  'is_archived',
  'past_groups',
  'created_ts',
] as const

export const textsIn = (json: string | null): readonly string[] => JSON.parse(json ?? '[]') as string[]

type LinkRow = Omit<Pick<RecordTables['links'], (typeof linkColumns)[number]>, 'is_archived'> & {
  /** Not always inserted, but always there. */
  readonly is_archived: number
}

/** The column says where the code lives; on a host of the property's own, `slot` says for which domain. */
export const whereOf = ({ domain, slot }: Pick<LinkRow, 'domain' | 'slot'>): Pick<Link, 'domain' | 'host'> =>
  slot === null ? { domain: domain as Domain, host: null } : { domain: slot, host: domain }

export const toLink = ({ domain, slot, ...row }: LinkRow): Link => ({
  ...row,
  ...whereOf({ domain, slot }),
  utm: JSON.parse(row.utm) as Utm,
  is_active: row.is_active === 1,
  tags: textsIn(row.tags),
  is_archived: row.is_archived === 1,
  past_groups: textsIn(row.past_groups),
})

/** null in the table for a list without an entry. */
const stored = (texts: readonly string[]): string | null => (texts.length === 0 ? null : JSON.stringify(texts))

export const storedLink = ({ utm, is_active, tags, is_archived, past_groups, domain, host, ...link }: Link) => ({
  ...link,
  domain: placeOf({ domain, host }),
  slot: host === null ? null : domain,
  utm: JSON.stringify(utm),
  is_active: Number(is_active),
  tags: stored(tags),
  is_archived: Number(is_archived),
  past_groups: stored(past_groups),
  is_deleted: 0,
  search: searchText({ ...link, utm, tags }),
})
