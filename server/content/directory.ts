// Content blocks by key and by id, in memory, for render and track. A change on this node counts at once, one
// on another node within two seconds.
import type { Deps } from '../kernel/deps.ts'
import { openDirectory } from '../queues/directory.ts'
import { blockIdShape, blockKeyShape, type Block } from './content-model.ts'
import { selectBlocks } from './records.ts'

export interface ContentDirectory {
  /**
   * With its phase and versions; also archived blocks. A promise only when the answer is not in memory.
   * @throws Problem('unavailable') when it cannot be read.
   */
  byKey(key: string): Promise<Block | undefined> | Block | undefined
  byId(id: string): Promise<Block | undefined> | Block | undefined
  /** After a change on this node. */
  forget(id: string): void
  /** After a block was created on this node: a page may have requested its key before. */
  forgetKey(key: string): void
}

/** Content changes rarely: without the records, visitors get for ten minutes what is in memory. */
const STALE_MS = 600_000

export function openContentDirectory({ records, now }: Pick<Deps, 'records' | 'now'>): ContentDirectory {
  const open = (column: 'key' | 'id') =>
    openDirectory<Block>({ now, staleMs: STALE_MS, load: (texts) => selectBlocks(records, column, texts) })
  const keys = open('key')
  const ids = open('id')
  return {
    byKey: (key) => (blockKeyShape.test(key) ? keys.get(key) : undefined),
    byId: (id) => (blockIdShape.test(id) ? ids.get(id) : undefined),
    forget(id) {
      keys.forget((block) => block.id === id)
      ids.forget((block) => block.id === id)
    },
    forgetKey: (key) => keys.forgetText(key),
  }
}
