// What owners say of sessions: that one is invalid, or valid after all. The last word folds into the session,
// so that nothing is rewritten and everything can be taken back.
import type { FactMigration } from '../facts.ts'

export const migration: FactMigration = {
  name: '012_marks',
  tables: {
    marks: {
      shardBy: 'session',
      // `mark`: twice a number that grows with each word about the session, and one more for invalid.
      // `batch`: which marking said so.
      columns: `
  property LowCardinality(String), day Date, session UInt64, mark UInt64, batch String`,
      engine: 'ReplacingMergeTree(mark)',
      orderBy: 'property, day, session, batch, mark',
    },
  },
  columns: { sessions: ['mark SimpleAggregateFunction(max, UInt64)'] },
  views: {
    sessions_from_marks: {
      from: 'marks',
      to: 'sessions',
      select: 'SELECT property, day, session, mark FROM {marks}',
    },
  },
}
