// The sessions of a settled day that have a contact, part of its copy, with all their columns: what is
// credited to the first session of a contact is asked of these few alone.
import type { FactMigration } from '../facts.ts'
import { migration as settled } from './006_settled.ts'

const rows = settled.tables['settled']!

export const migration: FactMigration = {
  name: '036_settled_contacts',
  tables: { settled_contacts: { ...rows, columns: `${rows.columns}, paths Array(LowCardinality(String))` } },
  views: {},
}
