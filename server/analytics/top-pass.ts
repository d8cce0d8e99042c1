// A pass over the sessions of one answer that several of its parts wait for: whoever asks first begins it.
import type { Span } from '../kernel/window.ts'
import { currentAsker, isCanceled } from '../queues/asker.ts'
import type { TopSet, ValueCount } from './top-sets.ts'

/** Rows of a set, the largest first. */
export type Counted = (set: Pick<TopSet, 'mask' | 'column'>) => readonly ValueCount[]

export class TopPass {
  /** Of sessions that began within it. */
  readonly span: Span
  /** Values of each set, and one more where there are others. */
  readonly most: number
  #reading: Promise<Counted> | undefined

  constructor(span: Span, most: number) {
    this.span = span
    this.most = most
  }

  /** @throws what the work throws; then the next one begins it anew. */
  async read(work: () => Promise<Counted>): Promise<Counted> {
    const isBegun = this.#reading !== undefined
    const reading = (this.#reading ??= work())
    try {
      return await reading
    } catch (error) {
      if (this.#reading === reading) this.#reading = undefined
      // Whoever asked first may have left.
      if (!isBegun || !isCanceled(error) || currentAsker()?.signal?.aborted) throw error
      return this.read(work)
    }
  }
}
