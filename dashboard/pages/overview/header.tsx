// The header of the overview: who is here now, the comparison, the window, and what can be exported or
// shared.
import { ArrowLeftRight, ChevronDown, Share2, Target } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'wouter'
import { attributions, type Overview } from '../../api/overview.ts'
import { number } from '../../format.ts'
import { useLasting } from '../../lasting.ts'
import { later } from '../../later.ts'
import { Button } from '../../parts/button.tsx'
import { StatusDot } from '../../parts/marks.tsx'
import { PageHeader } from '../../parts/panel.tsx'
import { PeriodPicker } from '../../parts/period-picker.tsx'
import { Menu, type MenuItem } from '../../parts/popover.tsx'
import { Skeleton } from '../../parts/states.tsx'
import { useProperty, usePropertyPath } from '../../session.tsx'
import { common, overview as text } from '../../texts/index.ts'
import { comparisons, type Period, useCarriedSearch } from '../../window.ts'
import { ExportMenu } from './export.tsx'
import styles from './header.module.css'
import type { SetView, View } from './view.ts'

const ShareDialog = lazy(later(async () => ({ default: (await import('./share-dialog.tsx')).ShareDialog })))

/** What comes quickly is there before anybody could read what still is. */
const LATE_MS = 400

export interface OverviewHeaderProps {
  readonly overview: Overview | undefined
  readonly view: View
  readonly setView: SetView
  /** The figures are not those of the view yet. */
  readonly isStale: boolean
}

export function OverviewHeader({ overview, view, setView, isStale }: OverviewHeaderProps) {
  const { isShared } = useProperty()
  const isLate = useLasting(isStale, LATE_MS)
  const [isSharing, setSharing] = useState(false)
  return (
    <>
      <PageHeader
        title={text.title}
        subtitle={
          isLate && overview ? (
            <StillShown period={overview.inputs.period} view={view} />
          ) : (
            <Live count={overview?.live} />
          )
        }
        actions={
          <>
            <ExportMenu overview={overview} view={view} />
            {!isShared && (
              <Button look="quiet" icon={<Share2 />} onClick={() => setSharing(true)}>
                <span className={styles.words}>{text.share.label}</span>
              </Button>
            )}
            <GoalMenu overview={overview} view={view} setView={setView} />
            <CompareMenu view={view} setView={setView} />
            <PeriodPicker byDefault={isStale ? undefined : overview?.inputs.period} isAwaited={isLate} />
          </>
        }
      />
      {isSharing && (
        <Suspense>
          <ShareDialog onClose={() => setSharing(false)} />
        </Suspense>
      )}
    </>
  )
}

function Live({ count }: { count: number | undefined }) {
  const path = usePropertyPath()
  const search = useCarriedSearch()
  if (count === undefined) return <Skeleton width="16rem" />
  return (
    <Link href={path('/live') + search} className={styles.live}>
      <StatusDot tone={count > 0 ? 'good' : 'plain'} isLive={count > 0}>
        {text.live(count, number(count))}
      </StatusDot>
    </Link>
  )
}

/** The button names the comparison that was requested; this names the one that is shown until it arrives. */
function StillShown({ period, view }: { period: Period; view: View }) {
  const isOther = view.period !== period || period === 'custom'
  return <StatusDot>{isOther ? text.still(common.period.names[period]) : text.stillBefore}</StatusDot>
}

/** The goals that were met most; all of them are on their own page. */
function GoalMenu({ overview, view, setView }: Pick<OverviewHeaderProps, 'overview' | 'view' | 'setView'>) {
  const { isShared } = useProperty()
  const path = usePropertyPath()
  const search = useCarriedSearch()
  const goals = overview?.outcomes.conversions ?? []
  if (isShared || (goals.length === 0 && view.goal === null)) return null
  const chosen = overview?.goal
  const button = (
    <>
      <Target aria-hidden="true" />
      <span className="visually-hidden">{text.goal.label}: </span>
      <span className={styles.words}>{view.goal === null ? text.goal.label : (chosen?.name ?? text.goal.label)}</span>
      <ChevronDown aria-hidden="true" />
    </>
  )
  const isListed = chosen === undefined || goals.some(({ id }) => id === chosen.id)
  const items: MenuItem[] = [
    { label: text.goal.none, isChosen: view.goal === null, onSelect: () => setView(withoutGoal) },
    ...(isListed ? goals : [...goals, chosen]).map(({ id, name }, index) => ({
      label: name,
      startsGroup: index === 0,
      isChosen: view.goal === id,
      onSelect: () => setView({ goal: id, metric: 'conversions' }),
    })),
    ...attributions.map((credit, index) => ({
      label: text.goal.credit[credit],
      startsGroup: index === 0,
      isChosen: view.credit === credit,
      isDisabled: view.goal === null,
      onSelect: () => setView({ credit }),
    })),
    { label: text.goal.all, startsGroup: true, href: path('/goals') + search },
  ]
  return <Menu button={button} align="end" items={items} />
}

const withoutGoal = { goal: null, metric: 'sessions' } as const

function CompareMenu({ view, setView }: Pick<OverviewHeaderProps, 'view' | 'setView'>) {
  const button = (
    <>
      <ArrowLeftRight aria-hidden="true" />
      <span className="visually-hidden">{text.compare.label}: </span>
      <span className={styles.words}>{text.compare.short[view.compare]}</span>
      <ChevronDown aria-hidden="true" />
    </>
  )
  const items = comparisons.map((id) => ({
    label: common.comparisons[id],
    isChosen: view.compare === id,
    onSelect: () => setView({ compare: id }),
  }))
  return <Menu button={button} align="end" items={items} />
}
