// With which day a property's weeks begin, the currency in which its money is shown, and whose it is where
// somebody runs several.
import type { RecordMigration } from '../records.ts'

export const propertyCalendars: RecordMigration = {
  name: '042_property_calendars',
  up: async (tx) => {
    const added = [
      ['week_start', 'monday'],
      ['currency', 'USD'],
      ['client', ''],
    ] as const
    for (const [name, byDefault] of added) {
      await tx.schema
        .alterTable('properties')
        .addColumn(name, 'text', (column) => column.notNull().defaultTo(byDefault))
        .execute()
    }
  },
}
