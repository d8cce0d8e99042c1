// How many nodes write to the facts: the more there are, the longer each gathers its rows, so that together
// they ask no more of ClickHouse than one of them would (docs/decisions/0038-gathering-over-nodes.md).
import type { Deps } from './kernel/deps.ts'
import { noteNode, removeNode } from './node-records.ts'

/** One that has said nothing for so long is not there any more: three times it was not heard. */
const GONE_MS = 30_000

export class NodeCount {
  #count = 1
  #id = ''

  get count(): number {
    return this.#count
  }

  /** To be called every ten seconds. */
  async note({ records, now, randomBytes }: Pick<Deps, 'records' | 'now' | 'randomBytes'>): Promise<void> {
    this.#id ||= randomBytes(8).toString('hex')
    const nowMs = now()
    this.#count = Math.max(1, await noteNode(records, this.#id, { nowMs, goneMs: nowMs - GONE_MS }))
  }

  async leave({ records }: Pick<Deps, 'records'>): Promise<void> {
    if (this.#id !== '') await removeNode(records, this.#id)
  }
}
