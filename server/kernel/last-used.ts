// What was used last of something, up to so many of it.
import { LRUCache } from 'lru-cache'

/** Counted as sizes are: by `max`, room for all would be made at each start, which a small service never fills. */
export const lastUsed = <Key extends string | bigint, Value extends string | number | boolean | object>(
  most: number,
): LRUCache<Key, Value> => new LRUCache<Key, Value>({ maxSize: most, sizeCalculation: () => 1 })
