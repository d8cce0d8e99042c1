// Copies by day instead of by week (docs/decisions/0027-settled-days.md). `day_changes` holds a number for
// each day of the sessions that every insert into it changes; `settled_days` says which copy holds a day, and
// as of which number.
import type { FactMigration } from '../facts.ts'

export const migration: FactMigration = {
  name: '013_settled_days',
  tables: {
    day_changes: {
      shardBy: 'day',
      columns: 'day Date, changes SimpleAggregateFunction(sum, UInt64)',
      engine: 'AggregatingMergeTree',
      partitionBy: 'tuple()',
      orderBy: 'day',
    },
    settled_days: {
      shardBy: 'copy',
      // `days`: how many the copy holds, with those that it does not stand for.
      columns: `day Date, copy UInt64, days UInt16, mark String, first_ms Int64, last_ms Int64, at DateTime64(3, 'UTC') DEFAULT now64(3)`,
      engine: 'ReplacingMergeTree(at)',
      partitionBy: 'tuple()',
      orderBy: 'day',
    },
  },
  views: {
    // A random number: two sums are equal when nothing was added, and never by chance. The engine stores what
    // a view adds after the rows that it is made of, so whoever sees the number sees these as well.
    day_changes_from_sessions: {
      from: 'sessions',
      to: 'day_changes',
      select: 'SELECT day, sum(rand64()) AS changes FROM {sessions} GROUP BY day',
    },
  },
  drops: ['settled_weeks'],
}
