// How often links, forms and content were shown and used: by questions from the rows of these tables, and of
// settled days for their sums (`settled_outcomes`).
import type { FactTable } from './tables.ts'

interface OutcomeSum {
  /** The column that names the link, the form or the block. */
  readonly id: string
  /** SQL of both numbers, over rows of people. */
  readonly shown: string
  readonly used: string
  /** The condition on a row. */
  readonly where: string
  /** With FINAL where a row that is stored twice would count twice. */
  readonly rows: string
}

export const outcomeSums = {
  clicks: { id: 'link', shown: 'toUInt64(0)', used: 'count()', where: 'is_bot = 0', rows: 'clicks FINAL' },
  form_events: {
    id: 'form',
    shown: "uniqExactIf(id, kind = 'view')",
    used: "uniqExactIf(id, kind = 'submit')",
    where: "kind IN ('view', 'submit') AND is_bot = 0",
    rows: 'form_events',
  },
  /** Over all phases. */
  impressions: {
    id: 'block',
    shown: "countIf(kind = 'view')",
    used: "countIf(kind = 'click')",
    where: 'is_bot = 0',
    rows: 'impressions FINAL',
  },
} as const satisfies Partial<Record<FactTable, OutcomeSum>>

export type OutcomeTable = keyof typeof outcomeSums
export const outcomeTables = Object.keys(outcomeSums) as OutcomeTable[]

/**
 * Days that the time of a row may lie behind its `day`: content has that of its render, and what is done with
 * it is told within a day (content-flow/track.ts).
 */
export const LATE_DAYS = 1
