// What was sent with a form: filtered, searched, opened in a drawer, taken along as CSV.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Inbox } from 'lucide-react'
import { useSearch } from 'wouter'
import { listSubmissions, type OwnForm, type Submission } from '../../api/forms.ts'
import { Button } from '../../parts/button.tsx'
import { Flag, RelativeTime } from '../../parts/marks.tsx'
import { cx } from '../../parts/cx.ts'
import { Panel } from '../../parts/panel.tsx'
import { EmptyState } from '../../parts/states.tsx'
import type { Column } from '../../parts/table.tsx'
import { PagedTable } from '../../parts/paged-table.tsx'
import { useProperty, usePropertyPath } from '../../session.tsx'
import { forms as text } from '../../texts/index.ts'
import { searchWith, useUrlState } from '../../url.ts'
import styles from './forms.module.css'
import { SubmissionDrawer } from './submission.tsx'
import { codecs, filterOf, Filters, isFiltered, type State } from './submission-filters.tsx'
import { Unread } from './reading.tsx'
import { isRemarkable, VerdictBadge } from './verdict.tsx'

const PER_PAGE = 25

/** The first answers in a line. */
function Summary({ submission }: { submission: Submission }) {
  const answers = submission.raw_fields
    .filter(({ type }) => type !== 'hidden')
    .map(({ value }) => [value].flat().join(', ').trim())
    .filter(Boolean)
  const isUnread = !submission.is_read && !submission.is_spam
  const dot = isUnread && <Unread label={text.submissions.isNew} />
  if (answers.length === 0)
    return (
      <span className={styles.soft}>
        {dot}
        {text.submissions.noAnswers}
      </span>
    )
  return (
    <span className={styles.summary}>
      <span className={cx(styles.first, isUnread && styles.unread)}>
        {dot}
        {answers[0]}
      </span>
      <span className={styles.rest}>{answers.slice(1, 4).join(' · ')}</span>
    </span>
  )
}

const columns: readonly Column<Submission>[] = [
  { id: 'answer', header: text.submissions.answer, cell: (submission) => <Summary submission={submission} /> },
  {
    id: 'verdict',
    header: text.submissions.verdict,
    cell: (submission) => isRemarkable(submission) && <VerdictBadge submission={submission} />,
  },
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
  return (
    <Panel isFlush>
      <Filters form={form} state={state} filter={filter} total={list.data?.total} onState={setState} />
      <PagedTable
        list={list}
        page={page}
        perPage={PER_PAGE}
        onPage={(next, how) => setState({ page: next }, how)}
        caption={text.submissions.caption}
        columns={columns}
        rowHref={rowHref}
        skeletonHeight="4.15rem"
        empty={<Empty isFiltered={isFiltered(state)} onClear={clear} />}
      />
      {state.submission !== null && (
        <SubmissionDrawer
          key={state.submission}
          form={form}
          id={state.submission}
          ids={(list.data?.data ?? []).map(({ id }) => id)}
          onStep={(submission) => setState({ submission }, { replace: true })}
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
