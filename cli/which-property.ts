// Finds the property of a command: without an id where there is only one.
import { getProperty, listProperties, type Property } from '../server/properties/properties.ts'
import { UsageError } from './command.ts'
import type { Recorded } from './with-records.ts'

/** The named property, or the only one. @throws UsageError when it has to be named. */
export async function propertyFor(deps: Recorded, id: string | undefined): Promise<Property> {
  if (id !== undefined) return getProperty(deps, id)
  const { rows, total } = await listProperties(deps, { page: 1, perPage: 1 })
  const [only] = rows
  if (only && total === 1) return only
  throw new UsageError(only ? 'there are several properties: name one with --property' : 'there is no property yet')
}
