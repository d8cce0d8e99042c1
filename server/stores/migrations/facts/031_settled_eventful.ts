// The sessions of a settled day that have events or a contact, part of its copy, with all their columns: what
// came of visits is asked of these few alone.
import type { FactMigration } from '../facts.ts'
import { migration as settled } from './006_settled.ts'

export const migration: FactMigration = {
  name: '031_settled_eventful',
  tables: { settled_eventful: settled.tables['settled']! },
  views: {},
}
