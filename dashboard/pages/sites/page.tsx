// All properties of the reader beside one another, in groups by client: how each is doing, and which of them
// need a look.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { readSites, sitePeriods, type SitePeriod, type Sites } from '../../api/sites.ts'
import { number } from '../../format.ts'
import { Asking, SearchBox } from '../../parts/asking.tsx'
import { Button, LinkButton } from '../../parts/button.tsx'
import { Select } from '../../parts/fields.tsx'
import { PageHeader, Panel, Stack } from '../../parts/panel.tsx'
import { EmptyState, ErrorState } from '../../parts/states.tsx'
import { SortChoice } from '../../parts/sort-choice.tsx'
import { DataTable, type Sort } from '../../parts/table.tsx'
import { useSession } from '../../session.tsx'
import { common, sites as text } from '../../texts/index.ts'
import { useTitle } from '../../title.ts'
import { choiceParam, sortParam, textParam, useUrlState } from '../../url.ts'
import { columns } from './columns.tsx'
import { type Group, groupsOf, matchingSites, type Order, sortIds } from './order.ts'
import styles from './page.module.css'

interface PageState {
  readonly q: string
  readonly period: SitePeriod
  readonly sort: Order
}

const codecs = {
  q: textParam,
  period: choiceParam(sitePeriods, 'last_30'),
  sort: sortParam(sortIds, { by: 'sessions', isDescending: true }),
}
/** Who is there now changes all the time. */
const AGAIN_MS = 30_000

const orderOf = ({ by, isDescending }: Sort): Order => ({
  by: sortIds.find((id) => id === by) ?? 'sessions',
  isDescending,
})

export default function SitesPage() {
  const [state, setState] = useUrlState<PageState>(codecs)
  const { q, period, sort } = state
  useTitle(text.title)
  const sites = useQuery({
    queryKey: ['sites', period],
    queryFn: ({ signal }) => readSites(period, signal),
    placeholderData: keepPreviousData,
    refetchInterval: AGAIN_MS,
  })
  const all = sites.data?.sites
  const groups = all && groupsOf(matchingSites(all, q), sort)
  const isGrouped = all?.some(({ client }) => client !== '') ?? false
  return (
    <>
      <Header sites={sites.data} />
      <Stack>
        <Asking>
          <SearchBox label={text.search} value={q} onChange={(next) => setState({ q: next }, { replace: true })} />
          <Select
            label={text.period}
            hidesLabel
            value={period}
            onChange={(next) => setState({ period: sitePeriods.find((each) => each === next) ?? 'last_30' })}
            options={sitePeriods.map((value) => ({ value, label: common.period.names[value] }))}
          />
          <SortChoice columns={columns} sort={sort} onSort={(next) => setState({ sort: orderOf(next) })} />
        </Asking>
        {!all && sites.error ? (
          <ErrorState error={sites.error} onRetry={sites.refetch} />
        ) : (
          (groups ?? [undefined]).map((group) => (
            <SiteGroup
              key={group?.client ?? ''}
              group={group}
              title={isGrouped ? group?.client || text.noClient : undefined}
              sort={sort}
              onSort={(next) => setState({ sort: orderOf(next) })}
              isStale={sites.isPlaceholderData}
            />
          ))
        )}
        {groups?.length === 0 && <NoMatch onClear={() => setState({ q: '' })} />}
      </Stack>
    </>
  )
}

function Header({ sites }: { sites: Sites | undefined }) {
  const isOwner = useSession().data?.user?.is_owner === true
  const live = sites?.sites.reduce((sum, site) => sum + site.live, 0) ?? 0
  return (
    <PageHeader
      title={text.title}
      subtitle={
        sites &&
        (sites.total > sites.sites.length
          ? text.cut(number(sites.sites.length), number(sites.total))
          : text.subtitle(number(sites.total), sites.total, number(live)))
      }
      actions={
        isOwner && (
          <LinkButton href="/new" look="primary">
            <Plus aria-hidden="true" />
            {text.add}
          </LinkButton>
        )
      }
    />
  )
}

interface SiteGroupProps {
  /** Undefined while it is on its way. */
  readonly group: Group | undefined
  readonly title: string | undefined
  readonly sort: Order
  readonly onSort: (sort: Sort) => void
  readonly isStale: boolean
}

const SiteGroup = ({ group, title, sort, onSort, isStale }: SiteGroupProps) => (
  <Panel title={title} className={styles.sites} isFlush>
    <DataTable
      caption={title ?? text.caption}
      columns={columns}
      rows={group?.sites}
      rowKey={({ id }) => id}
      rowHref={({ id }) => `/properties/${id}`}
      sort={sort}
      onSort={onSort}
      skeletonHeight="3.75rem"
      isStale={isStale}
    />
  </Panel>
)

const NoMatch = ({ onClear }: { onClear: () => void }) => (
  <Panel>
    <EmptyState title={text.noMatch} actions={<Button onClick={onClear}>{text.clear}</Button>}>
      {text.noMatchHint}
    </EmptyState>
  </Panel>
)
