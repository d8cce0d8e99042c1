// A bounded cache that keeps what was used last.
import { LRUCache } from 'lru-cache'

/**
 * Bounded by `maxSize`: with `max` the cache allocates all its room at the start, which a small service never
 * fills.
 */
export const lastUsed = <Key extends string | number | bigint, Value extends string | number | boolean | object>(
  most: number,
): LRUCache<Key, Value> => new LRUCache<Key, Value>({ maxSize: most, sizeCalculation: () => 1 })
