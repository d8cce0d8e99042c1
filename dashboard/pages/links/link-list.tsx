// Links in a table: searched, of one group or of all, each with what came of it in the window of the page.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link2 } from 'lucide-react'
import { type LinkPage, type ListedLink, listLinks } from '../../api/links.ts'
import { number } from '../../format.ts'
import { Asking, SearchBox } from '../../parts/asking.tsx'
import { Button } from '../../parts/button.tsx'
import { CopyButton } from '../../parts/copy.tsx'
import { Select } from '../../parts/fields.tsx'
import { StatusDot } from '../../parts/marks.tsx'
import { Panel, Stack } from '../../parts/panel.tsx'
import { PeriodPicker } from '../../parts/period-picker.tsx'
import { EmptyState } from '../../parts/states.tsx'
import type { Column } from '../../parts/table.tsx'
import { PagedTable } from '../../parts/paged-table.tsx'
import { TwoLines, TwoLinesSkeleton } from '../../parts/two-lines.tsx'
import { useCan, useProperty, usePropertyPath } from '../../session.tsx'
import { links as text } from '../../texts/index.ts'
import { numberParam, textParam, useUrlState } from '../../url.ts'
import { type Period, useCarriedSearch, useWindow } from '../../window.ts'
import { AddButton } from './add-button.tsx'
import { shortName, useGroups } from './links.ts'

const PER_PAGE = 25
const codecs = { q: textParam, group: textParam, page: numberParam(1) }

const nameCell = ({ name, short_url, destination_url }: ListedLink) => (
  <TwoLines
    title={name ?? shortName(short_url)}
    detail={`${name === null ? '' : `${shortName(short_url)} → `}${shortName(destination_url)}`}
  />
)

const columns: readonly Column<ListedLink>[] = [
  { id: 'name', header: text.list.name, width: '48%', cell: nameCell, skeleton: <TwoLinesSkeleton /> },
  {
    id: 'copy',
    header: text.list.actions,
    isAction: true,
    width: '3rem',
    cell: ({ short_url }) => <CopyButton words={short_url} label={text.list.copy} />,
  },
  {
    id: 'state',
    header: text.list.state,
    isMinor: true,
    cell: ({ is_active }) => (
      <StatusDot tone={is_active ? 'good' : 'plain'}>{is_active ? text.states.active : text.states.inactive}</StatusDot>
    ),
  },
  { id: 'clicks', header: text.list.clicks, align: 'end', cell: ({ figures }) => number(figures.clicks) },
  { id: 'arrived', header: text.list.arrived, align: 'end', cell: ({ figures }) => number(figures.arrived) },
  { id: 'engaged', header: text.list.engaged, align: 'end', cell: ({ figures }) => number(figures.engaged) },
]

export function LinkList() {
  const [{ q, group }, setState] = useUrlState<{ q: string; group: string; page: number }>(codecs)
  const groups = useGroups().data ?? []
  return (
    <Stack>
      <Asking>
        <SearchBox
          label={text.list.search}
          value={q}
          onChange={(next) => setState({ q: next, page: 1 }, { replace: true })}
          maxLength={2048}
        />
        <Select
          label={text.list.group}
          hidesLabel
          value={group}
          onChange={(next) => setState({ group: next, page: 1 })}
          options={[
            { value: '', label: text.list.anyGroup },
            ...groups.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
      </Asking>
      <LinkTable search={q} group={group} onClear={() => setState({ q: '', group: '', page: 1 })} />
    </Stack>
  )
}

export interface LinkTableProps {
  readonly search: string
  /** '' for all. */
  readonly group: string
  /** Takes the search and the group away; left out where they are not the reader's. */
  readonly onClear?: () => void
}

export function LinkTable({ search, group, onClear }: LinkTableProps) {
  const property = useProperty()
  const path = usePropertyPath()
  const carried = useCarriedSearch()
  const [{ page }, setState] = useUrlState<{ q: string; group: string; page: number }>(codecs)
  const [{ period, date_from, date_to }] = useWindow()
  const ask = { search: search.trim(), group_id: group, period, date_from, date_to }
  const links = useQuery<LinkPage>({
    queryKey: ['links', property.id, ask, page],
    queryFn: ({ signal }) => listLinks(property.id, { ...ask, page, per_page: PER_PAGE }, signal),
    placeholderData: keepPreviousData,
  })
  const isFiltered = onClear !== undefined && (ask.search !== '' || group !== '')
  const total = links.data?.total
  return (
    <Panel
      title={
        onClear ? (total === undefined ? text.group.links : text.list.count(number(total), total)) : text.group.links
      }
      actions={onClear && <PeriodPicker byDefault={links.data?.period as Period | undefined} />}
      isFlush
    >
      <PagedTable
        list={links}
        page={page}
        perPage={PER_PAGE}
        onPage={(next, how) => setState({ page: next }, how)}
        caption={text.list.caption}
        columns={columns}
        rowHref={({ id }) => path(`/links/${id}`) + carried}
        empty={isFiltered ? <NoMatch onClear={onClear} /> : <NoLinks isAdding={onClear !== undefined} />}
      />
    </Panel>
  )
}

const NoMatch = ({ onClear }: { onClear: () => void }) => (
  <EmptyState icon={<Link2 />} title={text.list.noMatch} actions={<Button onClick={onClear}>{text.list.clear}</Button>}>
    {text.list.noMatchHint}
  </EmptyState>
)

function NoLinks({ isAdding }: { isAdding: boolean }) {
  const canEdit = useCan('admin')
  return (
    <EmptyState icon={<Link2 />} title={text.list.emptyTitle} actions={isAdding && <AddButton chosen="links" />}>
      {canEdit ? text.list.empty : text.list.emptyViewer}
    </EmptyState>
  )
}
