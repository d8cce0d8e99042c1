// The settings of how facts are kept, as rows of settings.ts.
import { oneOf, whole } from './setting-values.ts'

export const factsSettings = {
  FACTS_MEMORY_MB: {
    key: 'factsMemoryMb',
    fallback: 1024,
    ...whole(256, 1_048_576),
    sentence: 'The most memory that the embedded facts store may take, in megabytes.',
  },
  FACTS_THREADS: {
    key: 'factsThreads',
    fallback: 0,
    ...whole(0, 256),
    sentence: 'Threads for one question to the facts; 0 takes as many as there are processors.',
  },
  FSYNC: {
    key: 'fsync',
    type: 'on or off',
    default: 'on',
    fallback: true,
    read: oneOf({ on: true, off: false }),
    sentence:
      'on: an acknowledged write survives a power cut. off: it survives the end of the process alone, and writing is a little faster.',
  },
  FACTS_ACKNOWLEDGE: {
    key: 'factsAcknowledge',
    type: 'log or insert',
    default: 'log where the facts are embedded, insert with CLICKHOUSE_URL',
    fallback: null,
    read: oneOf({ log: 'log' as const, insert: 'insert' as const }),
    sentence:
      'When a hit is acknowledged. log: once it is on this machine’s disk, in the log of DATA_DIR, from which it is inserted behind the answer. insert: once ClickHouse has it, and from the log only while ClickHouse is away.',
  },
  FACTS_LOG_MB: {
    key: 'factsLogMb',
    fallback: 1024,
    ...whole(1, 1_048_576),
    sentence:
      'The most that may wait in the log of the facts, in megabytes, while ClickHouse is away; above, hits are answered 503.',
  },
  FACTS_LOG_DAMAGED: {
    key: 'skipsFactsLogDamage',
    type: 'stop or skip',
    default: 'stop',
    fallback: false,
    read: oneOf({ stop: false, skip: true }),
    sentence:
      'What a start does with a log of the facts that is damaged. stop: it says so and ends. skip: the log is set aside in DATA_DIR, and what can still be read of it is inserted.',
  },
} as const
