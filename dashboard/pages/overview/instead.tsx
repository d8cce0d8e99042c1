// What the overview shows instead of figures: nothing yet, nothing in this period, an error.
import { Inbox } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { ApiError } from '../../api.ts'
import { later } from '../../later.ts'
import { Button, LinkButton } from '../../parts/button.tsx'
import { Panel, Stack } from '../../parts/panel.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../parts/states.tsx'
import { useCan, useProperty, usePropertyPath, useSession } from '../../session.tsx'
import { common, overview as text, withTexts } from '../../texts/index.ts'
import styles from './page.module.css'
import type { SetView, View } from './view.ts'

const SamplePanel = lazy(
  later(withTexts(['data'], async () => ({ default: (await import('../settings/sample.tsx')).SamplePanel }))),
)

/** No visit ever: what is missing is the tracking. */
export function NothingYet() {
  const path = usePropertyPath()
  const canSetUp = useCan('admin')
  const { isShared } = useProperty()
  return (
    <Stack>
      <Panel>
        <EmptyState
          icon={<Inbox />}
          title={<h2>{text.empty.title}</h2>}
          actions={
            canSetUp && (
              <LinkButton look="primary" href={path('/start')}>
                {text.empty.action}
              </LinkButton>
            )
          }
        >
          {canSetUp ? text.empty.hint : text.empty.viewer}
        </EmptyState>
      </Panel>
      {!isShared && <Sample />}
    </Stack>
  )
}

/** Offers sample data until the first visit, to people who may create it. */
function Sample() {
  if (useSession().data?.user?.is_owner !== true) return null
  return (
    <Suspense fallback={<Skeleton height="9.5rem" />}>
      <SamplePanel />
    </Suspense>
  )
}

interface NoSessionsProps {
  readonly view: View
  readonly setView: SetView
}

export function NoSessions({ view, setView }: NoSessionsProps) {
  const { isShared } = useProperty()
  const isFiltered = view.f.length > 0
  const wider = { period: 'last_12_months', date_from: null, date_to: null, interval: null } as const
  return (
    <div className={styles.noSessions}>
      <EmptyState
        isSmall
        title={<h2>{isShared ? text.empty.few : isFiltered ? text.empty.filtered : text.empty.window}</h2>}
        actions={
          <>
            {isFiltered && <Button onClick={() => setView({ f: [] })}>{text.clearFilters}</Button>}
            {view.period !== 'last_12_months' && <Button onClick={() => setView(wider)}>{text.empty.wider}</Button>}
          </>
        }
      >
        {isShared ? text.empty.fewHint : isFiltered ? text.empty.filteredHint : text.empty.windowHint}
      </EmptyState>
    </div>
  )
}

const usualComparison = { compare: 'preceding', compare_from: null, compare_to: null } as const

/** A view that the service refuses, as by a mistyped link, leads back to one that it accepts. */
export function Failure({ error, onRetry, setView }: { error: Error; onRetry: () => unknown; setView: SetView }) {
  const usual = {
    period: null,
    date_from: null,
    date_to: null,
    f: [],
    interval: null,
    ...usualComparison,
    goal: null,
  } as const
  if (!(error instanceof ApiError) || error.status !== 422)
    return (
      <Panel>
        <ErrorState error={error} onRetry={onRetry} />
      </Panel>
    )
  const words = Object.values(error.errors).flat().join(' ')
  return (
    <Panel>
      <EmptyState
        title={<h2>{common.errors.title}</h2>}
        actions={<Button onClick={() => setView(usual)}>{text.reset}</Button>}
      >
        {words === '' ? error.message : words}
      </EmptyState>
    </Panel>
  )
}
