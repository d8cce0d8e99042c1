// How the QR codes of a property look, and the logo in them.
import type { RecordMigration } from '../records.ts'

export const qrLooks: RecordMigration = {
  name: '053_qr_looks',
  up: async (tx) => {
    await tx.schema
      .createTable('qr_looks')
      .addColumn('property_id', 'text', (column) => column.primaryKey().references('properties.id').onDelete('cascade'))
      .addColumn('look', 'text', (column) => column.notNull())
      .addColumn('logo', 'text')
      .execute()
  },
}
