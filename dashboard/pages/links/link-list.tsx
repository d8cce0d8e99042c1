// Links in a table: searched, of one group or of all, each with what came of it in the window of the page.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link2 } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { type LinkPage, type LinkState, linkStates, type ListedLink, listLinks, listLinkTags } from '../../api/links.ts'
import { number } from '../../format.ts'
import { Asking, SearchBox } from '../../parts/asking.tsx'
import { Button } from '../../parts/button.tsx'
import { CopyButton } from '../../parts/copy.tsx'
import { Select } from '../../parts/fields.tsx'
import { Badge, StatusDot } from '../../parts/marks.tsx'
import { Panel, Stack } from '../../parts/panel.tsx'
import { PeriodPicker } from '../../parts/period-picker.tsx'
import { SortChoice } from '../../parts/sort-choice.tsx'
import { EmptyState } from '../../parts/states.tsx'
import { useRowChoice } from '../../parts/row-choice.ts'
import type { Column, Selection } from '../../parts/table.tsx'
import { PagedTable } from '../../parts/paged-table.tsx'
import { TwoLines, TwoLinesSkeleton } from '../../parts/two-lines.tsx'
import { useCan, useProperty, usePropertyPath } from '../../session.tsx'
import { sortingBy, useSorting } from '../../sorting.ts'
import { links as text } from '../../texts/index.ts'
import { choiceParam, numberParam, textParam, type Turn, useUrlState } from '../../url.ts'
import { type Period, useCarriedSearch, useWindow } from '../../window.ts'
import { AddButton } from './add-button.tsx'
import { ChosenBar } from './chosen-bar.tsx'
import { shortName, stateWords, useGroups } from './links.ts'

const PER_PAGE = 25
const sorting = sortingBy(['clicks', 'arrived', 'engaged'], { by: 'clicks', isDescending: true })
const codecs = { page: numberParam(1) }

const nameCell = ({ name, short_url, destination_url, tags }: ListedLink) => (
  <TwoLines
    title={
      <>
        {name ?? shortName(short_url)}
        {tags.map((tag) => (
          <Badge key={tag}>{tag}</Badge>
        ))}
      </>
    }
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
    cell: (link) => <StatusDot tone={link.is_active ? 'good' : 'plain'}>{stateWords(link)}</StatusDot>,
  },
  {
    id: 'clicks',
    isSortable: true,
    header: text.list.clicks,
    align: 'end',
    cell: ({ figures }) => number(figures.clicks),
  },
  {
    id: 'arrived',
    isSortable: true,
    header: text.list.arrived,
    align: 'end',
    cell: ({ figures }) => number(figures.arrived),
  },
  {
    id: 'engaged',
    isSortable: true,
    header: text.list.engaged,
    align: 'end',
    cell: ({ figures }) => number(figures.engaged),
  },
]

const codecsOfList = { q: textParam, group: textParam, tag: textParam, state: choiceParam(linkStates, 'active') }

interface ListState {
  readonly q: string
  readonly group: string
  readonly tag: string
  readonly state: LinkState
}

const everything: ListState = { q: '', group: '', tag: '', state: 'active' }

interface LinkListProps {
  /** Whether there is none at all, once that is known. */
  readonly onNone: (isNone: boolean) => void
}

export function LinkList({ onNone }: LinkListProps) {
  const property = useProperty()
  const [state, setState] = useUrlState<ListState>(codecsOfList)
  const [, setPage] = useUrlState<{ page: number }>(codecs)
  const groups = useGroups().data ?? []
  const tags = useQuery({
    queryKey: ['link-tags', property.id],
    queryFn: ({ signal }) => listLinkTags(property.id, signal),
  })
  const choose = (patch: Partial<ListState>, turn?: Turn): void => {
    setPage({ page: 1 }, { replace: true })
    setState(patch, turn)
  }
  const names = (tags.data?.tags ?? []).map(({ name }) => ({ value: name, label: name }))
  const asking = (
    <Asking>
      <SearchBox
        label={text.list.search}
        value={state.q}
        onChange={(q) => choose({ q }, { replace: true })}
        maxLength={2048}
      />
      <Select
        label={text.list.group}
        hidesLabel
        value={state.group}
        onChange={(group) => choose({ group })}
        options={[
          { value: '', label: text.list.anyGroup },
          ...groups.map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      {(names.length > 0 || state.tag !== '') && (
        <Select
          label={text.list.tag}
          hidesLabel
          value={state.tag}
          onChange={(tag) => choose({ tag })}
          options={[{ value: '', label: text.list.anyTag }, ...names]}
        />
      )}
      <Select
        label={text.list.state}
        hidesLabel
        value={state.state}
        onChange={(shown) => choose({ state: shown as LinkState })}
        options={linkStates.map((value) => ({ value, label: text.list.shown[value] }))}
      />
    </Asking>
  )
  return <LinkTable filter={state} onClear={() => choose(everything)} above={asking} onNone={onNone} />
}

export interface LinkTableProps {
  readonly filter: ListState
  /** Takes the filter away; left out where it is not the reader's. */
  readonly onClear?: () => void
  /** What it is searched with: where there is nothing, nothing is searched. */
  readonly above?: ReactNode
  readonly onNone?: (isNone: boolean) => void
}

/** All links of a group that are not archived. */
export const ofGroup = (group: string): ListState => ({ ...everything, group })

function useChoice(links: readonly ListedLink[]) {
  const canEdit = useCan('admin')
  const choice = useRowChoice(links.map(({ id }) => id))
  const selection: Selection<ListedLink> = {
    isChosen: ({ id }) => choice.ids.has(id),
    onChoose: ({ id }, isRange) => choice.choose(id, isRange),
    onAll: choice.all,
    label: ({ name, short_url }) => text.edits.choose(name ?? shortName(short_url)),
    allLabel: text.edits.chooseAll,
    keyLabel: text.edits.chooseKey,
  }
  return { choice, selection: canEdit ? selection : undefined }
}

function useLinks({ q, group, tag, state }: ListState, page: number, order: object) {
  const property = useProperty()
  const [{ period, date_from, date_to }] = useWindow()
  const ask = { search: q.trim(), group_id: group, tag, state, period, date_from, date_to, ...order }
  return useQuery<LinkPage>({
    queryKey: ['links', property.id, ask, page],
    queryFn: ({ signal }) => listLinks(property.id, { ...ask, page, per_page: PER_PAGE }, signal),
    placeholderData: keepPreviousData,
  })
}

export function LinkTable({ filter, onClear, above, onNone }: LinkTableProps) {
  const path = usePropertyPath()
  const carried = useCarriedSearch()
  const [{ page }, setState] = useUrlState<{ page: number }>(codecs)
  const { sort, onSort, ask: order } = useSorting(sorting)
  const links = useLinks(filter, page, order)
  const { choice, selection } = useChoice(links.data?.data ?? [])
  const isFiltered = onClear !== undefined && JSON.stringify(filter) !== JSON.stringify(everything)
  const total = links.data?.total
  const counted = total === undefined ? text.title : text.list.count(number(total), total)
  const title = onClear ? counted : text.group.links
  const isNone = onNone !== undefined && total === 0 && !isFiltered
  useEffect(() => onNone?.(isNone), [onNone, isNone])
  if (isNone)
    return (
      <Panel>
        <NoLinks isAdding />
      </Panel>
    )
  return (
    <Stack>
      {above}
      <Panel
        title={title}
        actions={
          <>
            <SortChoice columns={columns} sort={sort} onSort={onSort} />
            {onClear && <PeriodPicker byDefault={links.data?.period as Period | undefined} />}
          </>
        }
        isFlush
      >
        <PagedTable
          list={links}
          page={page}
          perPage={PER_PAGE}
          onPage={(next, how) => setState({ page: next }, how)}
          caption={text.list.caption}
          columns={columns}
          selection={selection}
          sort={sort}
          onSort={onSort}
          rowHref={({ id }) => path(`/links/${id}`) + carried}
          empty={isFiltered ? <NoMatch onClear={onClear} /> : <NoLinks isAdding={onClear !== undefined} />}
        />
        <ChosenBar ids={[...choice.ids]} state={filter.state} onClear={choice.clear} />
      </Panel>
    </Stack>
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
