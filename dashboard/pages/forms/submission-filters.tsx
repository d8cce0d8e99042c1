// Which submissions are shown: kept or spam, a search, some days; what is shown goes along as CSV.
import { useMutation } from '@tanstack/react-query'
import { Download, MailOpen } from 'lucide-react'
import { downloadSubmissions, type OwnForm, type SubmissionFilter } from '../../api/forms.ts'
import { number, tsOfFields } from '../../format.ts'
import { SearchBox } from '../../parts/asking.tsx'
import { Button } from '../../parts/button.tsx'
import { Select } from '../../parts/fields.tsx'
import { useCan, useProperty } from '../../session.tsx'
import { common, forms as text } from '../../texts/index.ts'
import { useReadAll } from './reading.tsx'
import { choiceParam, numberParam, optionalParam, textParam } from '../../url.ts'
import { Days } from './days.tsx'
import styles from './forms.module.css'

const shows = ['kept', 'unread', 'flagged', 'spam', 'all'] as const
type Shown = (typeof shows)[number]

export interface State {
  readonly show: Shown
  readonly q: string
  readonly from: string
  readonly to: string
  readonly page: number
  readonly submission: string | null
}

export const codecs = {
  show: choiceParam(shows, 'kept'),
  q: textParam,
  from: textParam,
  to: textParam,
  page: numberParam(1),
  submission: optionalParam,
} as const

const DAY_MS = 86_400_000

/** The first second of a day, or of the one behind it. */
function tsOf(day: string, later = 0): number | undefined {
  const ms = Date.parse(`${day}T00:00:00Z`) + later * DAY_MS
  if (Number.isNaN(ms) || ms < 0) return undefined
  return tsOfFields(new Date(ms).toISOString().slice(0, 16))
}

export function filterOf({ show, q, from, to }: State): SubmissionFilter {
  const end = tsOf(to, 1)
  return {
    ...(show === 'flagged' ? { show: 'kept', verdict: 'flagged' } : { show }),
    search: q.trim() || undefined,
    from_ts: tsOf(from),
    to_ts: end === undefined ? undefined : end - 1,
  }
}

export const isFiltered = ({ show, q, from, to }: State): boolean =>
  show !== 'kept' || q.trim() !== '' || from + to !== ''

interface FiltersProps {
  readonly form: OwnForm
  readonly state: State
  readonly filter: SubmissionFilter
  readonly total: number | undefined
  readonly onState: (patch: Partial<State>, turn?: { replace?: boolean }) => void
}

export function Filters({ form, state, filter, total, onState }: FiltersProps) {
  const property = useProperty()
  const mayExport = useCan('admin')
  const readAll = useReadAll(form)
  const csv = useMutation({
    mutationFn: () => downloadSubmissions(property.id, form.id, filter),
  })
  return (
    <div className={styles.filters}>
      <SearchBox
        label={text.submissions.search}
        value={state.q}
        onChange={(q) => onState({ q, page: 1 }, { replace: true })}
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
      {!property.isDemo && (
        <Button
          size="small"
          icon={<MailOpen aria-hidden="true" />}
          isBusy={readAll.isPending}
          onClick={() => readAll.mutate()}
        >
          {text.submissions.markAllRead}
        </Button>
      )}
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
