// By whose clock a property's days are told.
import type { RecordMigration } from '../records.ts'

export const propertyTimezones: RecordMigration = {
  name: '040_property_timezones',
  up: async (tx) => {
    await tx.schema
      .alterTable('properties')
      .addColumn('timezone', 'text', (column) => column.notNull().defaultTo('UTC'))
      .execute()
  },
}
