// A link as a row of its table, and back. Past this file its UTM values are an object.
import type { RecordTables } from '../stores/tables.ts'
import type { Link, Utm } from './link-model.ts'
import { searchText } from './words-records.ts'

export const linkColumns = [
  'id',
  'group_id',
  'name',
  'domain',
  'code',
  'destination_url',
  'utm',
  'is_active',
  'created_ts',
] as const

type LinkRow = Pick<RecordTables['links'], (typeof linkColumns)[number]>

export const toLink = (row: LinkRow): Link => ({
  ...row,
  utm: JSON.parse(row.utm) as Utm,
  is_active: row.is_active === 1,
})

export const storedLink = ({ utm, is_active, ...link }: Link) => ({
  ...link,
  utm: JSON.stringify(utm),
  is_active: Number(is_active),
  is_deleted: 0,
  search: searchText(link),
})
