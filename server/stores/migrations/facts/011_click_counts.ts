// A row of clicks may stand for many: those of a flood, which are not recorded one by one.
import type { FactMigration } from '../facts.ts'

export const migration: FactMigration = {
  name: '011_click_counts',
  tables: {},
  columns: { clicks: ['count UInt32 DEFAULT 1'] },
  views: {},
}
