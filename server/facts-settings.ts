// The settings of how facts are kept, as rows of settings.ts.
import { oneOf, whole } from './setting-values.ts'

export const factsSettings = {
  FACTS_MEMORY_MB: {
    key: 'factsMemoryMb',
    fallback: 1024,
    ...whole(256, 1_048_576),
    sentence: 'The maximum memory for the embedded facts store, in megabytes.',
  },
  FACTS_THREADS: {
    key: 'factsThreads',
    fallback: 0,
    ...whole(0, 256),
    sentence:
      'Threads per query of the facts. 0 uses one per CPU core. The embedded store uses fewer where less than 128 MB of its memory is free for each.',
  },
  FSYNC: {
    key: 'fsync',
    type: 'on or off',
    default: 'on',
    fallback: true,
    read: oneOf({ on: true, off: false }),
    sentence:
      'on: acknowledged writes survive a power failure. off: they only survive the end of the process, but writing is slightly faster.',
  },
  FACTS_ACKNOWLEDGE: {
    key: 'factsAcknowledge',
    type: 'log or insert',
    default: 'log where the facts are embedded, insert with CLICKHOUSE_URL',
    fallback: null,
    read: oneOf({ log: 'log' as const, insert: 'insert' as const }),
    sentence:
      'When a page view is acknowledged. log: once it is in the log in DATA_DIR, on this machine’s disk; it is inserted after the response. insert: once ClickHouse has stored it; the log is used only while ClickHouse is unavailable.',
  },
  FACTS_LOG_MB: {
    key: 'factsLogMb',
    fallback: 1024,
    ...whole(1, 1_048_576),
    sentence:
      'The maximum size of the facts log while ClickHouse is unavailable, in megabytes. Once it is full, page views are answered with 503.',
  },
  FACTS_LOG_DAMAGED: {
    key: 'skipsFactsLogDamage',
    type: 'stop or skip',
    default: 'stop',
    fallback: false,
    read: oneOf({ stop: false, skip: true }),
    sentence:
      'What to do at start if the facts log is damaged. stop: report it and exit. skip: move the log aside in DATA_DIR, and insert what can still be read.',
  },
} as const
