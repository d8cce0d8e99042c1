// What an automation sent, newest first, and what was answered. While something is on its way it looks again.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { RefreshCw, Send } from 'lucide-react'
import { useSearch } from 'wouter'
import { type Automation, type Delivery, listDeliveries, states, type State } from '../../api/automations.ts'
import { aroundOf } from '../../parts/around.tsx'
import { Button } from '../../parts/button.tsx'
import { Select } from '../../parts/fields.tsx'
import { Badge, RelativeTime } from '../../parts/marks.tsx'
import { Panel } from '../../parts/panel.tsx'
import { EmptyState, Note } from '../../parts/states.tsx'
import type { Column } from '../../parts/table.tsx'
import { PagedTable } from '../../parts/paged-table.tsx'
import { useProperty, usePropertyPath } from '../../session.tsx'
import { automations as text } from '../../texts/index.ts'
import { choiceParam, numberParam, optionalParam, searchWith, useUrlState } from '../../url.ts'
import styles from './automations.module.css'
import { DeliveryDrawer } from './delivery.tsx'
import { isUnderWay, POLL_MS } from './polling.ts'
import { DeliveryState, outcomeWords } from './state.tsx'

const PER_PAGE = 25

interface UrlState {
  readonly state: State | null
  readonly page: number
  readonly delivery: string | null
}

const codecs = {
  state: choiceParam(states, null),
  page: numberParam(1),
  delivery: optionalParam,
} as const

const columns: readonly Column<Delivery>[] = [
  {
    id: 'when',
    header: text.log.when,
    cell: ({ created_ts, is_test }) => (
      <span className={styles.when}>
        <RelativeTime ts={created_ts} />
        {is_test && <Badge>{text.log.test}</Badge>}
      </span>
    ),
  },
  {
    id: 'state',
    header: text.log.state,
    cell: (delivery) => <DeliveryState state={delivery.state} delivery={delivery} />,
  },
  { id: 'answer', header: text.log.answer, cell: (delivery) => <Outcome delivery={delivery} /> },
  {
    id: 'endpoint',
    header: text.log.endpoint,
    isMinor: true,
    cell: ({ url }) => <span className={styles.words}>{url.replace(/^https:\/\//, '')}</span>,
  },
  {
    id: 'attempts',
    header: text.log.attempts,
    align: 'end',
    isMinor: true,
    cell: ({ attempts, max_attempts }) => text.log.attemptsOf(attempts, Math.max(attempts, max_attempts)),
  },
]

function Outcome({ delivery: { attempts, last_status, last_error } }: { delivery: Delivery }) {
  if (attempts === 0) return <span className={styles.soft}>–</span>
  return <span className={styles.outcome}>{outcomeWords({ status: last_status, error: last_error })}</span>
}

export function Log({ automation }: { automation: Automation }) {
  const property = useProperty()
  const path = usePropertyPath()
  const search = useSearch()
  const [{ state, page, delivery }, setState] = useUrlState<UrlState>(codecs)
  const list = useQuery({
    queryKey: ['deliveries', property.id, automation.id, state, page],
    queryFn: ({ signal }) => listDeliveries(property.id, automation.id, { state, page, per_page: PER_PAGE }, signal),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => (data?.data.some(isUnderWay) ? POLL_MS : false),
    staleTime: 0,
  })
  return (
    <Panel isFlush>
      {list.data?.is_sending === false && (
        <div className={styles.notice}>
          <Note tone="bad">{text.detail.notSending}</Note>
        </div>
      )}
      <div className={styles.filters}>
        <StateFilter value={state} onChange={(next) => setState({ state: next, page: 1 })} />
        <Button
          size="small"
          icon={<RefreshCw aria-hidden="true" />}
          isBusy={list.isFetching && !list.isPending}
          onClick={() => void list.refetch()}
        >
          {text.log.refresh}
        </Button>
      </div>
      <PagedTable
        list={list}
        page={page}
        perPage={PER_PAGE}
        onPage={(next, how) => setState({ page: next }, how)}
        caption={text.log.caption}
        columns={columns}
        rowHref={({ id }) =>
          path(`/automations/${automation.id}`) +
          searchWith(codecs, search === '' ? '' : `?${search}`, { delivery: id })
        }
        empty={<Empty isFiltered={state !== null} onClear={() => setState({ state: null, page: 1 })} />}
      />
      {delivery !== null && (
        <DeliveryDrawer
          key={delivery}
          automation={automation}
          id={delivery}
          around={aroundOf(
            (list.data?.data ?? []).map(({ id }) => id),
            delivery,
            (next) => setState({ delivery: next }, { replace: true }),
          )}
          onClose={() => setState({ delivery: null })}
        />
      )}
    </Panel>
  )
}

interface StateFilterProps {
  readonly value: UrlState['state']
  readonly onChange: (state: UrlState['state']) => void
}

const StateFilter = ({ value, onChange }: StateFilterProps) => (
  <Select
    label={text.log.filter}
    hidesLabel
    value={value ?? ''}
    onChange={(next) => onChange(states.find((one) => one === next) ?? null)}
    options={[
      { value: '', label: text.log.all },
      ...states.map((one) => ({ value: one, label: text.deliveryStates[one] })),
    ]}
  />
)

function Empty({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  if (isFiltered)
    return (
      <EmptyState
        icon={<Send />}
        title={text.log.emptyFiltered}
        actions={<Button onClick={onClear}>{text.log.showAll}</Button>}
      />
    )
  return (
    <EmptyState icon={<Send />} title={text.log.emptyTitle}>
      {text.log.empty}
    </EmptyState>
  )
}
