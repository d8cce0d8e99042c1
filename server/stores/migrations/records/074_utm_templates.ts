// Groups of links have UTM values that their new links begin with: a JSON object, null without any.
import type { RecordMigration } from '../records.ts'

export const utmTemplates: RecordMigration = {
  name: '074_utm_templates',
  up: async (tx) => {
    await tx.schema.alterTable('link_groups').addColumn('utm_template', 'text').execute()
  },
}
