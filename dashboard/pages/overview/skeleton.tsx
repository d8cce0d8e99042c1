// The shape of the overview while its first answer is on its way: of the same size, so that nothing jumps.
import { Panel, Stack } from '../../parts/panel.tsx'
import { Skeleton } from '../../parts/states.tsx'
import { common } from '../../texts/index.ts'
import cards from './cards.module.css'
import graph from './graph-panel.module.css'
import lists from './lists.module.css'
import { RowSkeletons } from './lists.tsx'
import outcomes from './outcomes.module.css'

/** Without a cost, which few record. */
const CARDS = 7
const PANELS = 4

export function OverviewSkeleton() {
  return (
    <div aria-busy="true">
      <span role="status" className="visually-hidden">
        {common.table.loading}
      </span>
      <Stack>
        <Panel isFlush>
          <div className={cards.cards}>
            {Array.from({ length: CARDS }, (_, index) => (
              <div key={index} className={cards.card}>
                <div className={cards.main}>
                  <span className={cards.label}>
                    <Skeleton width="5rem" />
                  </span>
                  <span className={cards.value}>
                    <Skeleton width="4.5rem" />
                  </span>
                  <span className={cards.change}>
                    <Skeleton width="6.5rem" />
                  </span>
                </div>
              </div>
            ))}
          </div>
          <div className={graph.panel}>
            <div className={graph.head}>
              <div className={graph.legend}>
                <Skeleton width="6rem" height="1.1rem" />
                <Skeleton width="14rem" height="1.2rem" />
              </div>
            </div>
            <Skeleton height="280px" />
          </div>
        </Panel>
        <ListsSkeleton />
      </Stack>
    </div>
  )
}

/** What is below the numbers. */
export const ListsSkeleton = () => (
  <>
    <div className={lists.grid}>
      {Array.from({ length: PANELS }, (_, index) => (
        <Panel key={index} className={lists.panel}>
          <div className={lists.tabs}>
            <Skeleton width="14rem" />
          </div>
          <div className={lists.body}>
            <RowSkeletons />
          </div>
        </Panel>
      ))}
    </div>
    <OutcomesSkeleton />
  </>
)

export const OutcomesSkeleton = () => (
  <Panel className={outcomes.panel}>
    <div className={lists.tabs}>
      <Skeleton width="18rem" />
    </div>
    <div className={outcomes.body} />
  </Panel>
)
