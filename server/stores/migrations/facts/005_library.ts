// Which version of the browser library sent a page view, so that an owner sees that a site still runs an old
// one.
import type { FactMigration } from '../facts.ts'

export const migration: FactMigration = {
  name: '005_library',
  tables: {},
  columns: { views: ['library SimpleAggregateFunction(max, LowCardinality(String))'] },
  views: {},
}
