// Nobody could choose the currency of a property so far: all take that of their next order.
import type { RecordMigration } from '../records.ts'

export const propertyCurrencies: RecordMigration = {
  name: '056_property_currencies',
  up: async (tx) => {
    await tx.updateTable('properties').set({ currency: '' }).execute()
  },
}
