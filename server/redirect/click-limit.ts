// Links that expire after a number of clicks: the records count, so that all nodes together lead no more
// people on than the owner said. While the records are away, everybody is led on, uncounted.
import type { Context } from '../context.ts'
import type { LinkRules } from '../links/rules-model.ts'
import { settledWithin } from '../queues/deadline.ts'
import { openGather } from '../queues/gather.ts'
import { hasUse, takeUses } from './records.ts'

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

interface Ask {
  readonly linkId: string
  readonly most: number
  /** Its own for each person; those who only look are one. */
  readonly key: string
}

const LOOK = 'look'

/** Who comes while a statement runs is counted by the next one: a crowd takes few of them. */
function openCount(records: Context['records']): (ask: Ask) => Promise<boolean | undefined> {
  return openGather({
    groupOf: ({ linkId, most }) => `${linkId} ${most}`,
    keyOf: ({ key }) => key,
    async load(asks) {
      const { linkId, most } = asks[0]!
      const people = asks.filter(({ key }) => key !== LOOK)
      const taken = await takeUses(records, linkId, most, people.length)
      const answers = new Map(people.map(({ key }, index) => [key, index < taken]))
      if (people.length < asks.length)
        answers.set(LOOK, taken === people.length && (await hasUse(records, linkId, most)))
      return answers
    },
  })
}

export function openClickLimit({ records, log }: Pick<Context, 'records' | 'log'>): ClickLimit {
  /** Links without a use left are not asked for again: their rules are others after a change. */
  const usedUp = new WeakSet<LinkRules>()
  const count = openCount(records)
  let people = 0
  const warn = (error: unknown): void => log.warn({ err: error }, 'the clicks of a limited link could not be counted')
  return {
    async admits({ linkId, rules }, isCounted) {
      const { max_clicks: most } = rules
      if (most === null) return true
      if (usedUp.has(rules)) return false
      const key = isCounted ? String(people++) : LOOK
      const isFree = (await settledWithin(count({ linkId, most, key }), WAIT_MS, warn)) ?? true
      if (!isFree) usedUp.add(rules)
      return isFree
    },
  }
}
