// The list of contacts: searched, narrowed down, page by page.
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { ContactRound, Download, ListChecks, Plus, Upload } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import {
  type Contact,
  type Worth,
  CONTACTS_PER_PAGE,
  contactSorts,
  exportContacts,
  listContacts,
} from '../../api/contacts.ts'
import { number } from '../../format.ts'
import { later } from '../../later.ts'
import { toast } from '../../parts/announce.tsx'
import { Asking, SearchBox } from '../../parts/asking.tsx'
import { Button, LinkButton } from '../../parts/button.tsx'
import { Select } from '../../parts/fields.tsx'
import { Avatar, Badge, RelativeTime, type Tone } from '../../parts/marks.tsx'
import { PageHeader, Panel, Stack } from '../../parts/panel.tsx'
import { EmptyState } from '../../parts/states.tsx'
import { PagedTable } from '../../parts/paged-table.tsx'
import type { Column } from '../../parts/table.tsx'
import { TwoLines, TwoLinesSkeleton } from '../../parts/two-lines.tsx'
import { useCan, useProperty, usePropertyPath } from '../../session.tsx'
import { contacts as text } from '../../texts/index.ts'
import { useTitle } from '../../title.ts'
import { choiceParam, numberParam, textParam, useUrlState } from '../../url.ts'
import { AddDialog } from './add.tsx'
import { LabelFilters } from './label-filters.tsx'
import styles from './page.module.css'
import { directions, queryOf, SavedSearches, stateOf, states } from './saved.tsx'
import { nameOf, stageName } from './words.ts'
import { useWorth, ValueCell } from './worth.tsx'

const ListsDrawer = lazy(later(async () => ({ default: (await import('./lists.tsx')).ListsDrawer })))

const stages = ['lead', 'subscriber', 'customer', 'user']
const codecs = {
  q: textParam,
  state: choiceParam(states, null),
  stage: textParam,
  list: textParam,
  tag: textParam,
  sort: choiceParam(contactSorts, null),
  dir: choiceParam(directions, null),
  page: numberParam(1),
  open: choiceParam(['lists'], null),
}

const unfiltered = { q: '', state: null, stage: '', list: '', tag: '', page: 1 } as const

const { label: _sort, ...sortNames } = text.sort

const stateTones: Readonly<Record<Contact['state'], Tone>> = { active: 'good', unsubscribed: 'warn', deleted: 'plain' }

/** Only what is unusual is worth a word in every row. */
const nameCell = (contact: Contact) => {
  const { state, email, full_name, external_id } = contact
  return (
    <TwoLines
      mark={<Avatar name={state === 'deleted' ? '' : nameOf(contact)} />}
      title={
        <>
          {nameOf(contact)} {state !== 'active' && <Badge tone={stateTones[state]}>{text.states[state]}</Badge>}
        </>
      }
      detail={(full_name === null || state === 'deleted' ? external_id : (email ?? external_id)) ?? '\u00a0'}
    />
  )
}

const columnsWith = (worth: Readonly<Record<string, Worth>> | undefined): readonly Column<Contact>[] => [
  {
    id: 'name',
    header: text.columns.contact,
    width: '38%',
    isSortable: true,
    cell: nameCell,
    skeleton: <TwoLinesSkeleton />,
  },
  { id: 'company', header: text.columns.company, cell: ({ company }) => company ?? '', isMinor: true },
  {
    id: 'stage',
    header: text.columns.stage,
    cell: ({ lifecycle_stage }) => <Badge>{stageName(lifecycle_stage)}</Badge>,
  },
  {
    id: 'sessions',
    header: text.columns.sessions,
    align: 'end',
    isSortable: true,
    cell: ({ session_count }) => number(session_count),
  },
  {
    id: 'value',
    header: text.columns.value,
    align: 'end',
    isSortable: true,
    cell: ({ id }) => <ValueCell worths={worth} id={id} />,
  },
  {
    id: 'first_seen',
    header: text.columns.firstSeen,
    align: 'end',
    isSortable: true,
    cell: ({ first_seen_ts }) => <RelativeTime ts={first_seen_ts} />,
    isMinor: true,
  },
  {
    id: 'last_seen',
    header: text.columns.lastSeen,
    align: 'end',
    isSortable: true,
    cell: ({ last_seen_ts }) => <RelativeTime ts={last_seen_ts} />,
  },
]

export function ContactList() {
  const property = useProperty()
  const path = usePropertyPath()
  const [{ q, state, stage, list, tag, sort: by, dir, page }, setState] = useUrlState(codecs)
  useTitle(text.title, property.name)
  const direction = by && (dir ?? (by === 'name' ? 'asc' : 'desc'))
  const sort = by && { by, isDescending: direction === 'desc' }
  const filter = { search: q.trim(), state: state ?? '', lifecycle_stage: stage, list, tag, sort: by, direction }
  const sortBy = (given: string, isDescending: boolean): void =>
    setState({ sort: contactSorts.find((one) => one === given) ?? null, dir: isDescending ? 'desc' : 'asc', page: 1 })
  const contacts = useQuery({
    queryKey: ['contacts', property.id, filter, page],
    queryFn: ({ signal }) => listContacts(property.id, filter, page, signal),
    placeholderData: keepPreviousData,
  })
  const worth = useWorth(contacts.data?.data.map(({ id }) => id) ?? [])
  const isFiltered = [q, state ?? '', stage, list, tag].some((given) => given !== '')
  return (
    <>
      <PageHeader title={text.title} subtitle={text.subtitle} actions={<Files />} />
      <Stack>
        <Asking>
          <SearchBox
            label={text.search}
            value={q}
            onChange={(next) => setState({ q: next, page: 1 }, { replace: true })}
          />
          <StageFilter value={stage} onChange={(next) => setState({ stage: next, page: 1 })} />
          <StateFilter value={state} onChange={(next) => setState({ state: next, page: 1 })} />
          <LabelFilters list={list} tag={tag} onChange={(next) => setState({ ...next, page: 1 })} />
          <SavedSearches
            query={queryOf({ q, state, stage, list, tag, sort: by, dir })}
            onChoose={(next) => setState({ ...unfiltered, sort: null, dir: null, ...stateOf(next) })}
          />
          <SortSelect
            value={by && direction ? `${by}:${direction}` : ''}
            onChange={([name, way]) =>
              name ? sortBy(name, way === 'desc') : setState({ sort: null, dir: null, page: 1 })
            }
          />
        </Asking>
        <Panel isFlush>
          <PagedTable
            list={contacts}
            page={page}
            perPage={CONTACTS_PER_PAGE}
            onPage={(next, how) => setState({ page: next }, how)}
            countWords={(total) => text.count(number(total), total)}
            caption={sort ? text.title : `${text.title}. ${text.sort.newest}`}
            sort={sort ?? undefined}
            onSort={(next) => sortBy(next.by, next.isDescending)}
            columns={columnsWith(worth)}
            rowHref={({ id }) => path(`/contacts/${encodeURIComponent(id)}`)}
            empty={isFiltered ? <NobodyMatches onClear={() => setState(unfiltered)} /> : <NoContacts />}
          />
        </Panel>
      </Stack>
    </>
  )
}

interface FilterProps<Value> {
  readonly value: Value
  readonly onChange: (value: Value) => void
}

const StageFilter = ({ value, onChange }: FilterProps<string>) => (
  <Select
    label={text.filters.stage}
    hidesLabel
    value={value}
    onChange={onChange}
    options={[
      { value: '', label: text.filters.anyStage },
      ...[...new Set([...stages, value])].filter(Boolean).map((one) => ({ value: one, label: stageName(one) })),
    ]}
  />
)

const StateFilter = ({ value, onChange }: FilterProps<(typeof states)[number] | null>) => (
  <Select
    label={text.filters.state}
    hidesLabel
    value={value ?? ''}
    onChange={(next) => onChange(states.find((one) => one === next) ?? null)}
    options={[
      { value: '', label: text.filters.anyState },
      ...states.map((one) => ({ value: one, label: text.states[one] })),
    ]}
  />
)

/** A file has everybody in it at once: for admins. */
function Files() {
  const property = useProperty()
  const path = usePropertyPath()
  const exporting = useMutation({
    mutationFn: () => exportContacts(property.id),
    onSuccess: () => toast(text.exported),
  })
  const [isAdding, setAdding] = useState(false)
  const [{ open }, setState] = useUrlState(codecs)
  if (!useCan('admin')) return null
  return (
    <>
      <Button icon={<Download />} isBusy={exporting.isPending} onClick={() => exporting.mutate()}>
        {text.export}
      </Button>
      <Button icon={<ListChecks />} onClick={() => setState({ open: 'lists' })}>
        {text.listsDrawer.button}
      </Button>
      <LinkButton icon={<Upload />} href={path('/contacts/import')}>
        {text.import}
      </LinkButton>
      <Button look="primary" icon={<Plus />} onClick={() => setAdding(true)}>
        {text.add.button}
      </Button>
      {isAdding && <AddDialog onClose={() => setAdding(false)} />}
      {open === 'lists' && (
        <Suspense>
          <ListsDrawer onClose={() => setState({ open: null }, { replace: true })} />
        </Suspense>
      )}
    </>
  )
}

/** Where rows are cards there are no heads to sort by. */
const SortSelect = ({ value, onChange }: { value: string; onChange: (chosen: readonly string[]) => void }) => (
  <Select
    label={text.sort.label}
    hidesLabel
    className={styles.sorting}
    value={value}
    onChange={(chosen) => onChange(chosen === '' ? [] : chosen.split(':'))}
    options={Object.entries(sortNames).map(([id, label]) => ({ value: id === 'newest' ? '' : id, label }))}
  />
)

const NobodyMatches = ({ onClear }: { onClear: () => void }) => (
  <EmptyState
    icon={<ContactRound />}
    title={text.emptyFiltered.title}
    actions={<Button onClick={onClear}>{text.emptyFiltered.clear}</Button>}
  >
    {text.emptyFiltered.hint}
  </EmptyState>
)

function NoContacts() {
  const path = usePropertyPath()
  const mayImport = useCan('admin')
  return (
    <EmptyState
      icon={<ContactRound />}
      title={text.empty.title}
      actions={mayImport && <LinkButton href={path('/contacts/import')}>{text.empty.import}</LinkButton>}
    >
      {text.empty.hint}
    </EmptyState>
  )
}
