// All automations of the property, with what each waits for and what became of its last delivery.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Workflow } from 'lucide-react'
import { type ListedAutomation, listAutomations } from '../../api/automations.ts'
import { LinkButton } from '../../parts/button.tsx'
import { RelativeTime } from '../../parts/marks.tsx'
import { Panel } from '../../parts/panel.tsx'
import { EmptyState, Skeleton } from '../../parts/states.tsx'
import type { Column } from '../../parts/table.tsx'
import { PagedTable } from '../../parts/paged-table.tsx'
import { useCan, useProperty, usePropertyPath } from '../../session.tsx'
import { sortingBy, useSorting } from '../../sorting.ts'
import { automations as text } from '../../texts/index.ts'
import { numberParam, useUrlState } from '../../url.ts'
import styles from './automations.module.css'
import { AutomationState, DeliveryState } from './state.tsx'
import { triggers } from '../../../server/kernel/trigger-table.ts'
import { type Names, useNames } from './use-names.ts'
import { triggerWords } from './words.ts'

const PER_PAGE = 25
const codecs = { page: numberParam(1) }
const sorting = sortingBy(['name', 'last'], null)

const columnsOf = ({ forms }: Names): readonly Column<ListedAutomation>[] => [
  { id: 'name', isSortable: true, header: text.list.name, cell: ({ label }) => label },
  {
    id: 'trigger',
    header: text.list.trigger,
    cell: ({ trigger }) =>
      forms === undefined && triggers[trigger.event_type].value === 'form' ? (
        <Skeleton width="8rem" />
      ) : (
        <span className={styles.words}>{triggerWords(trigger, forms ?? new Map())}</span>
      ),
  },
  { id: 'state', header: text.list.state, cell: (automation) => <AutomationState automation={automation} /> },
  {
    id: 'last',
    isSortable: true,
    header: text.list.last,
    align: 'end',
    cell: ({ last_delivery: last }) =>
      last === null ? (
        <span className={styles.soft}>{text.list.none}</span>
      ) : (
        <span className={styles.last}>
          <DeliveryState state={last.state} /> <RelativeTime ts={last.created_ts} />
        </span>
      ),
  },
]

export function AutomationList() {
  const property = useProperty()
  const path = usePropertyPath()
  const canEdit = useCan('admin')
  const names = useNames()
  const [{ page }, setState] = useUrlState<{ page: number }>(codecs)
  const { sort, onSort, ask } = useSorting(sorting)
  const automations = useQuery({
    queryKey: ['automations', property.id, page, ask],
    queryFn: ({ signal }) => listAutomations(property.id, { page, per_page: PER_PAGE, ...ask }, signal),
    placeholderData: keepPreviousData,
  })
  return (
    <Panel isFlush>
      <PagedTable
        list={automations}
        page={page}
        perPage={PER_PAGE}
        onPage={(next, how) => setState({ page: next }, how)}
        caption={text.list.caption}
        columns={columnsOf(names)}
        sort={sort}
        onSort={onSort}
        rowHref={({ id }) => path(`/automations/${id}`)}
        empty={
          <EmptyState
            icon={<Workflow />}
            title={text.list.emptyTitle}
            actions={canEdit && <LinkButton href={path('/automations/new')}>{text.list.add}</LinkButton>}
          >
            {canEdit ? text.list.empty : text.list.emptyViewer}
          </EmptyState>
        }
      />
    </Panel>
  )
}
