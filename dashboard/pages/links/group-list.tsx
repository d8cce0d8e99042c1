// The groups of links, with how many links each has and how often they were clicked.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { FolderOpen } from 'lucide-react'
import { type LinkGroup, listGroups } from '../../api/links.ts'
import { number } from '../../format.ts'
import { StatusDot } from '../../parts/marks.tsx'
import { Panel } from '../../parts/panel.tsx'
import { EmptyState } from '../../parts/states.tsx'
import { PagedTable } from '../../parts/paged-table.tsx'
import type { Column } from '../../parts/table.tsx'
import { useCan, useProperty, usePropertyPath } from '../../session.tsx'
import { links as text } from '../../texts/index.ts'
import { numberParam, useUrlState } from '../../url.ts'
import { useCarriedSearch } from '../../window.ts'
import { AddButton } from './add-button.tsx'

const PER_PAGE = 25
const codecs = { page: numberParam(1) }

const GroupState = ({ group: { state } }: { group: Pick<LinkGroup, 'state'> }) => (
  <StatusDot tone={state === 'active' ? 'good' : 'plain'}>{text.states[state]}</StatusDot>
)

const columns: readonly Column<LinkGroup>[] = [
  { id: 'name', header: text.groups.name, width: '40%', cell: ({ name }) => name },
  { id: 'purpose', header: text.groups.purpose, cell: ({ purpose }) => text.purposes[purpose] },
  { id: 'state', header: text.groups.state, cell: (group) => <GroupState group={group} /> },
  { id: 'links', header: text.groups.links, align: 'end', cell: ({ count_links }) => number(count_links) },
  { id: 'clicks', header: text.groups.clicks, align: 'end', cell: ({ count_clicks }) => number(count_clicks) },
]

export function GroupList() {
  const property = useProperty()
  const path = usePropertyPath()
  const carried = useCarriedSearch()
  const canEdit = useCan('admin')
  const [{ page }, setState] = useUrlState<{ page: number }>(codecs)
  const groups = useQuery({
    queryKey: ['link-groups', property.id, page],
    queryFn: ({ signal }) => listGroups(property.id, page, PER_PAGE, signal),
    placeholderData: keepPreviousData,
    select: ({ groups: data, ...rest }) => ({ data, ...rest }),
  })
  return (
    <Panel isFlush>
      <PagedTable
        list={groups}
        page={page}
        perPage={PER_PAGE}
        onPage={(next, how) => setState({ page: next }, how)}
        caption={text.groups.caption}
        columns={columns}
        rowHref={({ id }) => path(`/links/groups/${id}`) + carried}
        empty={
          <EmptyState icon={<FolderOpen />} title={text.groups.emptyTitle} actions={<AddButton chosen="groups" />}>
            {canEdit ? text.groups.empty : text.list.emptyViewer}
          </EmptyState>
        }
      />
    </Panel>
  )
}
