// Shared by pages about one thing: the link back to the list, and the skeleton of the page.
import { ChevronLeft } from 'lucide-react'
import { LinkButton } from './button.tsx'
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
  </div>
)

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
