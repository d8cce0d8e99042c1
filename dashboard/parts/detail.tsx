// Shared by pages about one thing: the way back to the list and to its neighbours there, and the skeleton of
// the page.
import { ChevronDown, ChevronLeft, ChevronUp } from 'lucide-react'
import { useLocation } from 'wouter'
import { useKeys } from '../keys.ts'
import { neighboursOf } from '../last-list.ts'
import { common } from '../texts/index.ts'
import { IconButton, LinkButton } from './button.tsx'
import styles from './detail.module.css'
import { PageHeader, Panel } from './panel.tsx'
import { Skeleton, SkeletonLines } from './states.tsx'

export interface BackLinkProps {
  /** A path of the dashboard. */
  readonly href: string
  readonly children: string
}

/** Over the title of a page (`PageHeader`'s `back`). */
export const BackLink = ({ href, children }: BackLinkProps) => (
  <div className={styles.back}>
    <LinkButton href={href} look="quiet" size="small" icon={<ChevronLeft aria-hidden="true" />}>
      {children}
    </LinkButton>
    <Neighbours />
  </div>
)

/** The records before and after this one in the table that led here, by J and K too. */
function Neighbours() {
  const [path, navigate] = useLocation()
  const { previous, next } = neighboursOf(path)
  const go = (href: string | undefined): void => {
    if (href !== undefined) navigate(href, { replace: true })
  }
  const isAlone = previous === undefined && next === undefined
  const group = common.keys.lists
  useKeys(
    isAlone
      ? []
      : [
          { key: 'j', label: common.keys.nextRecord, group, run: () => go(next) },
          { key: 'k', label: common.keys.previousRecord, group, run: () => go(previous) },
        ],
  )
  if (isAlone) return null
  return (
    <span className={styles.neighbours}>
      <IconButton
        label={common.keys.previousRecord}
        icon={<ChevronUp />}
        disabled={previous === undefined}
        onClick={() => go(previous)}
      />
      <IconButton
        label={common.keys.nextRecord}
        icon={<ChevronDown />}
        disabled={next === undefined}
        onClick={() => go(next)}
      />
    </span>
  )
}

export const DetailSkeleton = ({ hasTabs = false }: { hasTabs?: boolean }) => (
  <>
    <PageHeader
      back={<Skeleton width="6rem" height="1.875rem" />}
      title={<Skeleton width="14rem" />}
      subtitle={<Skeleton width="7rem" />}
    />
    {hasTabs && <div className={styles.tabs} />}
    <Panel>
      <SkeletonLines lines={8} />
    </Panel>
  </>
)
