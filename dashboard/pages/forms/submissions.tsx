// What was sent with a form: filtered, searched, opened in a drawer, taken along as CSV.
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { CalendarDays, ChevronDown, Download, Inbox } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useSearch } from 'wouter'
import {
  downloadSubmissions,
  listSubmissions,
  type OwnForm,
  type Submission,
  type SubmissionFilter,
} from '../../api/forms.ts'
import { dateOfText, number } from '../../format.ts'
import { useKeys } from '../../keys.ts'
import { toastError } from '../../parts/announce.tsx'
import { Button } from '../../parts/button.tsx'
import { SearchField, Select, TextField } from '../../parts/fields.tsx'
import { Flag, RelativeTime } from '../../parts/marks.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Popover } from '../../parts/popover.tsx'
import { EmptyState } from '../../parts/states.tsx'
import { type Column, DataTable, Pagination } from '../../parts/table.tsx'
import { useCan, useProperty, usePropertyPath } from '../../session.tsx'
import { text as common } from '../../texts/en/common.ts'
import { text } from '../../texts/en/forms.ts'
import { choiceParam, numberParam, optionalParam, searchWith, textParam, useUrlState } from '../../url.ts'
import styles from './forms.module.css'
import { SubmissionDrawer } from './submission.tsx'
import { VerdictBadge } from './verdict.tsx'

const PER_PAGE = 25
const shows = ['kept', 'flagged', 'spam', 'all'] as const
type Shown = (typeof shows)[number]

interface State {
  readonly show: Shown
  readonly q: string
  readonly from: string
  readonly to: string
  readonly page: number
  readonly submission: string | null
}

const codecs = {
  show: choiceParam(shows, 'kept'),
  q: textParam,
  from: textParam,
  to: textParam,
  page: numberParam(1),
  submission: optionalParam,
} as const

/** The first second of a day. */
function tsOf(day: string): number | undefined {
  const ms = Date.parse(`${day}T00:00:00Z`)
  return Number.isNaN(ms) || ms < 0 ? undefined : ms / 1000
}

function filterOf({ show, q, from, to }: State): SubmissionFilter {
  const lastDay = tsOf(to)
  return {
    ...(show === 'flagged' ? { show: 'kept', verdict: 'flagged' } : { show }),
    search: q.trim() || undefined,
    from_ts: tsOf(from),
    to_ts: lastDay === undefined ? undefined : lastDay + 86_399,
  }
}

const isFiltered = ({ show, q, from, to }: State): boolean => show !== 'kept' || q.trim() !== '' || from + to !== ''

/** The first answers in a line. */
function Summary({ submission }: { submission: Submission }) {
  const answers = submission.raw_fields
    .filter(({ type }) => type !== 'hidden')
    .map(({ value }) => [value].flat().join(', ').trim())
    .filter(Boolean)
  if (answers.length === 0) return <span className={styles.soft}>{text.submissions.noAnswers}</span>
  return (
    <span className={styles.summary}>
      <span className={styles.first}>{answers[0]}</span>
      <span className={styles.rest}>{answers.slice(1, 4).join(' · ')}</span>
    </span>
  )
}

const columns: readonly Column<Submission>[] = [
  { id: 'answer', header: text.submissions.answer, cell: (submission) => <Summary submission={submission} /> },
  { id: 'verdict', header: text.submissions.verdict, cell: (submission) => <VerdictBadge submission={submission} /> },
  {
    id: 'place',
    header: text.submissions.place,
    isMinor: true,
    cell: ({ country, country_code }) =>
      country_code === null ? (
        <span className={styles.soft}>{text.submission.unknown}</span>
      ) : (
        <span className={styles.place}>
          <Flag code={country_code} /> {country ?? country_code}
        </span>
      ),
  },
  {
    id: 'when',
    header: text.submissions.when,
    align: 'end',
    cell: ({ submitted_ts }) => <RelativeTime ts={submitted_ts} />,
  },
]

export function Submissions({ form }: { form: OwnForm }) {
  const property = useProperty()
  const path = usePropertyPath()
  const search = useSearch()
  const [state, setState] = useUrlState<State>(codecs)
  const { page } = state
  const filter = filterOf(state)
  const list = useQuery({
    queryKey: ['submissions', property.id, form.id, filter, page],
    queryFn: ({ signal }) => listSubmissions(property.id, form.id, { ...filter, page, per_page: PER_PAGE }, signal),
    placeholderData: keepPreviousData,
  })
  const rowHref = ({ id }: Submission): string =>
    path(`/forms/${form.id}`) + searchWith(codecs, search === '' ? '' : `?${search}`, { submission: id })
  const clear = (): void => setState({ show: 'all', q: '', from: '', to: '', page: 1 })
  const total = list.data?.total ?? 0
  return (
    <Panel isFlush>
      <Filters form={form} state={state} filter={filter} total={list.data?.total} onState={setState} />
      <DataTable
        caption={text.submissions.caption}
        columns={columns}
        rows={list.data?.data}
        rowKey={({ id }) => id}
        rowHref={rowHref}
        error={list.error}
        onRetry={list.refetch}
        isStale={list.isPlaceholderData}
        skeletonHeight="4.15rem"
        empty={<Empty isFiltered={isFiltered(state)} onClear={clear} />}
      />
      <Pagination page={page} perPage={PER_PAGE} total={total} onPage={(next) => setState({ page: next })} />
      {state.submission !== null && (
        <SubmissionDrawer
          key={state.submission}
          form={form}
          id={state.submission}
          onClose={() => setState({ submission: null })}
        />
      )}
    </Panel>
  )
}

function Empty({ isFiltered: isNarrow, onClear }: { isFiltered: boolean; onClear: () => void }) {
  if (!isNarrow)
    return (
      <EmptyState icon={<Inbox />} title={text.submissions.emptyTitle}>
        {text.submissions.empty}
      </EmptyState>
    )
  return (
    <EmptyState
      icon={<Inbox />}
      title={text.submissions.emptyFiltered}
      actions={<Button onClick={onClear}>{text.submissions.clear}</Button>}
    >
      {text.submissions.emptyFilteredHint}
    </EmptyState>
  )
}

const TYPING_MS = 300

/** What is typed goes into the URL when the typing pauses; what the URL says from elsewhere comes back. */
function useTyped(value: string, onValue: (value: string) => void): [string, (value: string) => void] {
  const [typed, setTyped] = useState(value)
  const [known, setKnown] = useState(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  if (value !== known) {
    setKnown(value)
    setTyped(value)
  }
  const type = (next: string): void => {
    setTyped(next)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => onValue(next), TYPING_MS)
  }
  return [typed, type]
}

interface FiltersProps {
  readonly form: OwnForm
  readonly state: State
  readonly filter: SubmissionFilter
  readonly total: number | undefined
  readonly onState: (patch: Partial<State>, turn?: { replace?: boolean }) => void
}

function Filters({ form, state, filter, total, onState }: FiltersProps) {
  const property = useProperty()
  const mayExport = useCan('admin')
  const box = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useTyped(state.q, (q) => onState({ q, page: 1 }, { replace: true }))
  const csv = useMutation({
    mutationFn: () => downloadSubmissions(property.id, form.id, filter),
    onError: toastError,
  })
  useKeys([{ key: '/', label: text.submissions.search, group: common.keys.general, run: () => box.current?.focus() }])
  return (
    <div className={styles.filters}>
      <SearchField
        ref={box}
        label={text.submissions.search}
        value={typed}
        onChange={setTyped}
        className={styles.searching}
      />
      <Select
        label={text.submissions.show}
        hidesLabel
        value={state.show}
        onChange={(show) => onState({ show: show as Shown, page: 1 })}
        options={shows.map((value) => ({ value, label: text.submissions.shows[value] }))}
      />
      <Days from={state.from} to={state.to} onDays={(days) => onState({ ...days, page: 1 })} />
      <span className="visually-hidden" role="status">
        {total === undefined ? '' : text.submissions.count(total, number(total))}
      </span>
      {mayExport && (
        <Button
          size="small"
          icon={<Download aria-hidden="true" />}
          isBusy={csv.isPending}
          disabled={!total}
          onClick={() => csv.mutate()}
        >
          {common.actions.csv}
        </Button>
      )}
    </div>
  )
}

interface DaysProps {
  readonly from: string
  readonly to: string
  readonly onDays: (days: { from: string; to: string }) => void
}

function daysWords(from: string, to: string): string {
  if (from === '' && to === '') return text.submissions.anyDay
  if (to === '') return text.submissions.since(dateOfText(from))
  return from === '' ? text.submissions.until(dateOfText(to)) : `${dateOfText(from)} – ${dateOfText(to)}`
}

/** The days in which they were sent; either end may be open. */
function Days({ from, to, onDays }: DaysProps) {
  const button = (
    <>
      <CalendarDays aria-hidden="true" />
      {daysWords(from, to)}
      <ChevronDown aria-hidden="true" />
    </>
  )
  return (
    <Popover button={button} align="end">
      {(close) => <DaysForm from={from} to={to} onDays={onDays} close={close} />}
    </Popover>
  )
}

function DaysForm({ from, to, onDays, close }: DaysProps & { close: () => void }) {
  const [days, setDays] = useState({ from, to })
  const bounds = { type: 'date', min: '1970-01-01', max: '2099-12-31' }
  const isReversed = days.from !== '' && days.to !== '' && days.to < days.from
  const apply = (next: { from: string; to: string }): void => {
    onDays(next)
    close()
  }
  return (
    <form
      className={styles.days}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isReversed) apply(days)
      }}
    >
      <TextField
        {...bounds}
        label={text.submissions.from}
        value={days.from}
        onChange={(day) => setDays({ ...days, from: day })}
      />
      <TextField
        {...bounds}
        label={text.submissions.to}
        value={days.to}
        onChange={(day) => setDays({ ...days, to: day })}
        errors={isReversed ? [common.period.order] : []}
      />
      <div>
        <Button type="submit" size="small" look="primary" disabled={isReversed}>
          {common.actions.apply}
        </Button>{' '}
        <Button size="small" look="quiet" onClick={() => apply({ from: '', to: '' })}>
          {text.submissions.anyDay}
        </Button>
      </div>
    </form>
  )
}
