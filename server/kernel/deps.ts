// What every capability receives. Time, randomness, stores and logs come only from here, so that a test can
// replace the clock without patching.
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { Facts } from '../stores/facts.ts'
import type { Records } from '../stores/records.ts'
import type { Keys } from './keys.ts'

export interface Deps {
  readonly config: Config
  readonly records: Records
  readonly facts: Facts
  readonly keys: Keys
  readonly log: Logger
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number
  /** Cryptographically strong bytes. */
  readonly randomBytes: (bytes: number) => Buffer
}

/** Unix seconds. */
export const currentTs = ({ now }: Pick<Deps, 'now'>): number => Math.floor(now() / 1000)
