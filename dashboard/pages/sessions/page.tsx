// The sessions of a window. Opening one shows its story in a drawer; webhooks link to that address.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { MousePointerClick } from 'lucide-react'
import { useRef } from 'react'
import { useLocation, useSearch } from 'wouter'
import type { PageProps } from '../../app.tsx'
import { listSessions, SESSIONS_PER_PAGE } from '../../api/sessions.ts'
import { keptAddress } from '../../address.ts'
import { number } from '../../format.ts'
import { useKeys } from '../../keys.ts'
import { Button, LinkButton } from '../../parts/button.tsx'
import { SearchField } from '../../parts/fields.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { PageHeader, Panel, Stack } from '../../parts/panel.tsx'
import { aroundOf } from '../../parts/around.tsx'
import { PeriodPicker } from '../../parts/period-picker.tsx'
import { EmptyState } from '../../parts/states.tsx'
import { PagedTable } from '../../parts/paged-table.tsx'
import { useCan, useProperty, usePropertyPath } from '../../session.tsx'
import { common, sessions as text } from '../../texts/index.ts'
import { useTitle } from '../../title.ts'
import { useTyped } from '../../typed.ts'
import { numberParam, textParam, useUrlState } from '../../url.ts'
import { askOf, clausesParam, useWindow, type Period } from '../../window.ts'
import { sessionColumns } from './columns.tsx'
import { useNames } from './names.ts'
import styles from './page.module.css'
import { StoryDrawer } from './story-drawer.tsx'

const codecs = { q: textParam, page: numberParam(1), f: clausesParam }

/** The search is a filter too: on the pages that were seen. */
const searchClause = (q: string) =>
  q.trim() === '' ? [] : [{ id: 'page_path', op: 'contains', value: keptAddress(q.trim()) }]

export default function SessionsPage({ rest: [opened] }: PageProps) {
  const property = useProperty()
  const path = usePropertyPath()
  const [, navigate] = useLocation()
  const search = useSearch()
  const [{ f, ...window }] = useWindow()
  const [{ q, page }, setState] = useUrlState(codecs)
  useTitle(text.title, property.name)
  const ask = askOf({ ...window, f })
  const asked = { ...ask, clauses: [...ask.clauses, ...searchClause(q)] }
  const sessions = useQuery({
    queryKey: ['sessions', property.id, asked, page],
    queryFn: ({ signal }) => listSessions(property.id, asked, page, signal),
    placeholderData: keepPreviousData,
  })
  const address = (rest = ''): string => `${path(`/sessions${rest}`)}${search === '' ? '' : `?${search}`}`
  const names = useNames(sessions.data?.data)
  const shown = sessions.data?.data ?? []

  return (
    <>
      <Header period={sessions.data?.inputs.period} />
      <Stack>
        <div className={styles.asking}>
          <PageSearch value={q} onChange={(next) => setState({ q: next, page: 1 }, { replace: true })} />
          <FilterBar />
        </div>
        <Panel isFlush>
          <PagedTable
            list={sessions}
            page={page}
            perPage={SESSIONS_PER_PAGE}
            onPage={(next, how) => setState({ page: next }, how)}
            countWords={(total) => text.count(number(total), total)}
            caption={text.title}
            columns={sessionColumns(names)}
            rowHref={({ id }) => address(`/${encodeURIComponent(id)}`)}
            skeletonRows={10}
            empty={
              <NoSessions isFiltered={f.length > 0 || q !== ''} onClear={() => setState({ q: '', f: [], page: 1 })} />
            }
          />
        </Panel>
      </Stack>
      {opened !== undefined && (
        <StoryDrawer
          session={opened}
          around={aroundOf(
            shown.map(({ id }) => id),
            opened,
            (id) => navigate(address(`/${encodeURIComponent(id)}`), { replace: true }),
          )}
          onClose={() => navigate(address())}
        />
      )}
    </>
  )
}

const Header = ({ period }: { period: Period | undefined }) => (
  <PageHeader title={text.title} subtitle={text.subtitle} actions={<PeriodPicker byDefault={period} />} />
)

function PageSearch({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useTyped(value, onChange)
  useKeys([{ key: '/', label: common.keys.search, group: common.keys.general, run: () => field.current?.focus() }])
  return <SearchField ref={field} label={text.search} value={typed} onChange={setTyped} className={styles.search} />
}

function NoSessions({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  const path = usePropertyPath()
  const mayCheck = useCan('viewer')
  if (isFiltered)
    return (
      <EmptyState
        icon={<MousePointerClick />}
        title={text.emptyFiltered.title}
        actions={<Button onClick={onClear}>{text.emptyFiltered.clear}</Button>}
      >
        {text.emptyFiltered.hint}
      </EmptyState>
    )
  return (
    <EmptyState
      icon={<MousePointerClick />}
      title={text.empty.title}
      actions={mayCheck && <LinkButton href={path('/start')}>{text.empty.check}</LinkButton>}
    >
      {text.empty.hint}
    </EmptyState>
  )
}
