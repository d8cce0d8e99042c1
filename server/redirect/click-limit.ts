// Links that expire after a number of clicks: the records count, so that all nodes together lead no more
// people on than the owner said. While the records are away, everybody is led on, uncounted.
import type { Context } from '../context.ts'
import type { LinkRules } from '../links/rules-model.ts'
import { settledWithin } from '../queues/deadline.ts'
import { hasUse, takeUse } from './records.ts'

/**
 * The count is exact as long as it is waited for: longer than a busy store takes, shorter than a visitor goes
 * on waiting.
 */
const WAIT_MS = 3_000

export interface Limited {
  readonly linkId: string
  readonly rules: LinkRules
}

export interface ClickLimit {
  /**
   * Whether the visitor may be led on.
   * @param isCounted people's clicks; bots and previews look, and take nothing.
   */
  admits(link: Limited, isCounted: boolean): Promise<boolean>
}

export function openClickLimit({ records, log }: Pick<Context, 'records' | 'log'>): ClickLimit {
  /** Links without a use left are not asked for again: their rules are others after a change. */
  const usedUp = new WeakSet<LinkRules>()
  const warn = (error: unknown): void => log.warn({ err: error }, 'the clicks of a limited link could not be counted')
  return {
    async admits({ linkId, rules }, isCounted) {
      const { max_clicks: most } = rules
      if (most === null) return true
      if (usedUp.has(rules)) return false
      const ask = isCounted ? takeUse : hasUse
      const isFree = (await settledWithin(ask(records, linkId, most), WAIT_MS, warn)) ?? true
      if (!isFree) usedUp.add(rules)
      return isFree
    },
  }
}
