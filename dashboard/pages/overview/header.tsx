// Over the figures: who is here now, what the window is compared with, the window itself, and what can be taken along.
import { ArrowLeftRight, ChevronDown, Share2 } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import type { Overview } from '../../api/overview.ts'
import { number } from '../../format.ts'
import { Button } from '../../parts/button.tsx'
import { StatusDot } from '../../parts/marks.tsx'
import { PageHeader } from '../../parts/panel.tsx'
import { PeriodPicker } from '../../parts/period-picker.tsx'
import { Menu } from '../../parts/popover.tsx'
import { Skeleton } from '../../parts/states.tsx'
import { useProperty, usePropertyPath } from '../../session.tsx'
import { text as common } from '../../texts/en/common.ts'
import { text } from '../../texts/en/overview.ts'
import { comparisons, useCarriedSearch } from '../../window.ts'
import { ExportMenu } from './export.tsx'
import styles from './header.module.css'
import { ShareDialog } from './share-dialog.tsx'
import type { SetView, View } from './view.ts'

export interface OverviewHeaderProps {
  readonly overview: Overview | undefined
  readonly view: View
  readonly setView: SetView
}

export function OverviewHeader({ overview, view, setView }: OverviewHeaderProps) {
  const { isShared } = useProperty()
  const [isSharing, setSharing] = useState(false)
  return (
    <>
      <PageHeader
        title={text.title}
        subtitle={<Live count={overview?.live} />}
        actions={
          <>
            <ExportMenu overview={overview} view={view} />
            {!isShared && (
              <Button look="quiet" icon={<Share2 />} onClick={() => setSharing(true)}>
                <span className={styles.words}>{text.share.label}</span>
              </Button>
            )}
            <CompareMenu view={view} setView={setView} />
            <PeriodPicker byDefault={overview?.inputs.period} />
          </>
        }
      />
      {isSharing && <ShareDialog onClose={() => setSharing(false)} />}
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
