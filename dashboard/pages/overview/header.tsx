// The header of the overview, in one row: who is here now, filters, goal, comparison and period, export and
// share.
import { ArrowLeftRight, ChevronDown, Share2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'wouter'
import type { Overview } from '../../api/overview.ts'
import { number } from '../../format.ts'
import { useLasting } from '../../lasting.ts'
import { later } from '../../later.ts'
import { IconButton } from '../../parts/button.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { StatusDot } from '../../parts/marks.tsx'
import { PageHeader } from '../../parts/panel.tsx'
import { PeriodPicker } from '../../parts/period-picker.tsx'
import { Menu } from '../../parts/popover.tsx'
import { Rolled } from '../../parts/rolled.tsx'
import { Skeleton } from '../../parts/states.tsx'
import { useProperty, usePropertyPath } from '../../session.tsx'
import { common, overview as text, withTexts } from '../../texts/index.ts'
import { comparisons, type Period, useCarriedSearch } from '../../window.ts'
import { clauseLabels } from './choosing.ts'
import { ExportMenu } from './export.tsx'
import styles from './header.module.css'
import type { SetView, View } from './view.ts'

const GoalMenu = lazy(later(async () => ({ default: (await import('./goal-menu.tsx')).GoalMenu })))
const CompareDialog = lazy(
  later(withTexts(['dates'], async () => ({ default: (await import('./compare-dialog.tsx')).CompareDialog }))),
)
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
        isCompact
        title={text.title}
        subtitle={
          isLate && overview ? (
            <StillShown period={overview.inputs.period} view={view} />
          ) : (
            <Live count={overview?.live} />
          )
        }
        actions={
          <FilterBar isInHeader labels={clauseLabels(view.f, overview)}>
            <Suspense>{!isShared && <GoalMenu overview={overview} view={view} setView={setView} />}</Suspense>
            <CompareMenu view={view} setView={setView} />
            <PeriodPicker byDefault={isStale ? undefined : overview?.inputs.period} isAwaited={isLate} />
            <ExportMenu overview={overview} view={view} />
            {!isShared && <IconButton label={text.share.label} icon={<Share2 />} onClick={() => setSharing(true)} />}
          </FilterBar>
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
  if (count === undefined) return <Skeleton width="5rem" />
  return (
    <Link href={path('/live') + search} className={styles.live}>
      <StatusDot tone={count > 0 ? 'good' : 'plain'} isLive={count > 0}>
        <Rolled words={text.live(count, number(count))} />
      </StatusDot>
    </Link>
  )
}

/** The button names the comparison that was requested; this names the one that is shown until it arrives. */
function StillShown({ period, view }: { period: Period; view: View }) {
  const isOther = view.period !== period || period === 'custom'
  return <StatusDot>{isOther ? text.still(common.period.names[period]) : text.stillBefore}</StatusDot>
}

function CompareMenu({ view, setView }: Pick<OverviewHeaderProps, 'view' | 'setView'>) {
  const [isChoosing, setChoosing] = useState(false)
  const button = (
    <>
      <ArrowLeftRight aria-hidden="true" />
      <span className="visually-hidden">{text.compare.label}: </span>
      <span className={styles.moreWords}>{text.compare.short[view.compare]}</span>
      <ChevronDown aria-hidden="true" />
    </>
  )
  const items = comparisons.map((id) => ({
    label: common.comparisons[id],
    isChosen: view.compare === id,
    onSelect: () =>
      id === 'custom' ? setChoosing(true) : setView({ compare: id, compare_from: null, compare_to: null }),
  }))
  return (
    <>
      <Menu button={button} align="end" items={items} />
      {isChoosing && (
        <Suspense>
          <CompareDialog view={view} setView={setView} onClose={() => setChoosing(false)} />
        </Suspense>
      )}
    </>
  )
}
