// What a row of a list is called.
import { isolated, isPathId, shownAddress } from '../../address.ts'
import type { ListId, ListRow } from '../../api/overview.ts'
import { Address } from '../../parts/address.tsx'

/** Classes of devices are words of the service, not of a visitor; paths are shown as people read them. */
export function labelOf(id: ListId, { label }: ListRow): string {
  if (isPathId(id)) return isolated(shownAddress(label))
  return id === 'device' ? label.charAt(0).toUpperCase() + label.slice(1) : label
}

export const RowLabel = ({ id, row }: { id: ListId; row: ListRow }) =>
  isPathId(id) ? <Address address={row.label} /> : labelOf(id, row)
