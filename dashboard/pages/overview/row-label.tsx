// What a row of a list is called.
import { isolated, isPathId, shownAddress } from '../../address.ts'
import type { ListRow } from '../../api/overview.ts'
import { Address } from '../../parts/address.tsx'
import { channelName, deviceName, placeName, sourceName } from '../../service-words.ts'

type Row = Pick<ListRow, 'id' | 'label' | 'country_code'>

/** Labels that are words of the service, not of a visitor. */
const wordsOf: Readonly<Partial<Record<string, (row: Row) => string>>> = {
  channel: ({ id, label }) => channelName(id, label),
  source: ({ label }) => sourceName(label),
  country: ({ country_code, label }) => placeName(country_code, label),
  device: ({ id }) => deviceName(id),
}

/** Paths are shown as people read them. */
export const labelOf = (list: string, row: Row): string =>
  isPathId(list) ? isolated(shownAddress(row.label)) : (wordsOf[list]?.(row) ?? row.label)

export const RowLabel = ({ id, row }: { id: string; row: Row }) =>
  isPathId(id) ? <Address address={row.label} /> : labelOf(id, row)
