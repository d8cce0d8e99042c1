// What the values of a session are counted as for goals, all in one text (../../goal-sums.ts): the first
// session of each contact is found with all that it counts as in one pass over these few rows.
import type { FactMigration } from '../facts.ts'

export const migration: FactMigration = {
  name: '037_value_numbers',
  tables: {},
  columns: { settled_contacts: ['value_numbers String'] },
  views: {},
}
