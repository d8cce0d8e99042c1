// The strip from clicks to value: each step with its number, how many of those before it came so far, and the
// same of the link or group that it is compared with.
import type { ReactNode } from 'react'
import type { ResultCounts, ResultsOf } from '../../api/link-results.ts'
import { money, number, shareOf } from '../../format.ts'
import { Skeleton, SkeletonLines } from '../../parts/states.tsx'
import { link as text } from '../../texts/index.ts'
import styles from './links.module.css'

const words = text.results

interface Step {
  readonly id: keyof typeof words.steps
  readonly value: (counts: ResultCounts) => number
  readonly shown: (value: number) => string
  readonly hint: (totals: ResultsOf['totals']) => string | undefined
  /** 0 to 1: how far the bar goes; left out for money. */
  readonly share?: (counts: ResultCounts) => number
}

const part = (some: number, all: number): number => (all === 0 ? 0 : some / all)
/** Nothing is said of the share of nobody. */
const rateOf = (say: (rate: string) => string, some: number, all: number): string | undefined =>
  all === 0 ? undefined : say(shareOf(part(some, all), all))

const steps: readonly Step[] = [
  {
    id: 'clicks',
    value: ({ clicks }) => clicks,
    shown: number,
    hint: ({ scans }) => (scans === 0 ? words.hints.clicks : words.hints.scans(number(scans))),
    share: () => 1,
  },
  {
    id: 'visitors',
    value: ({ visitors }) => visitors,
    shown: number,
    hint: () => words.hints.visitors,
    share: () => 1,
  },
  {
    id: 'arrived',
    value: ({ arrived }) => arrived,
    shown: number,
    hint: ({ arrived, visitors }) => rateOf(words.hints.arrived, arrived, visitors),
    share: ({ arrived, visitors }) => part(arrived, visitors),
  },
  ...(['engaged', 'forms', 'contacts'] as const).map((id): Step => ({
    id,
    value: (counts) => counts[id],
    shown: number,
    hint: (counts) => rateOf(words.hints[id], counts[id], counts.arrived),
    share: (counts) => part(counts[id], counts.visitors),
  })),
  {
    id: 'value',
    value: ({ value_cents }) => value_cents,
    shown: (cents) => money(cents),
    hint: () => words.hints.value,
  },
]

export function ResultsStrip({ own, other }: { own: ResultsOf; other: ResultsOf | null }) {
  return (
    <dl className={styles.strip}>
      {steps.map((step) => (
        <StepCell key={step.id} step={step} totals={own.totals}>
          {other && (
            <dd className={styles.stripOther}>
              <span className="visually-hidden">{`${other.name}: `}</span>
              {step.shown(step.value(other.totals))}
            </dd>
          )}
        </StepCell>
      ))}
    </dl>
  )
}

function StepCell({ step, totals, children }: { step: Step; totals: ResultsOf['totals']; children: ReactNode }) {
  const isEmpty = totals.clicks === 0
  return (
    <div>
      <dt>{words.steps[step.id]}</dt>
      <dd className={styles.stripValue}>{step.shown(step.value(totals))}</dd>
      {children}
      {step.share && (
        <dd className={styles.stripBar} aria-hidden="true">
          <span style={{ width: `${(isEmpty ? 0 : Math.min(1, step.share(totals))) * 100}%` }} />
        </dd>
      )}
      <dd className={styles.small}>{step.hint(totals)}</dd>
    </div>
  )
}

export const ResultsStripSkeleton = () => (
  <div className={styles.strip}>
    {steps.map(({ id }) => (
      <div key={id}>
        <Skeleton width="4rem" />
        <div className={styles.stripValue}>
          <Skeleton width="5rem" />
        </div>
        <SkeletonLines lines={2} />
      </div>
    ))}
  </div>
)
