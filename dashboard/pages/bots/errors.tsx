// What the browser libraries report of themselves, day by day.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { ERROR_DAYS_PER_PAGE, type ErrorDay, listLibErrors } from '../../api/bots.ts'
import { dateOfText, number } from '../../format.ts'
import { useExistingPage } from '../../paging.ts'
import { Panel } from '../../parts/panel.tsx'
import { EmptyState, Loaded, SkeletonLines } from '../../parts/states.tsx'
import { type Column, DataTable, Pagination } from '../../parts/table.tsx'
import { useProperty } from '../../session.tsx'
import { bots as text } from '../../texts/index.ts'
import { numberParam, useUrlState } from '../../url.ts'
import { askOf, useWindow } from '../../window.ts'
import styles from './page.module.css'

const words = text.errors
const codecs = { page: numberParam(1) }

type ErrorRow = ErrorDay['errors'][number]

const columns: readonly Column<ErrorRow>[] = [
  {
    id: 'message',
    header: words.columns.message,
    cell: ({ message }) => <code className={styles.message}>{message}</code>,
  },
  { id: 'library', header: words.columns.library, cell: ({ lib }) => `${lib}.js` },
  {
    id: 'browsers',
    header: words.columns.browsers,
    cell: ({ browsers }) => browsers.map(({ browser, count }) => `${browser} (${number(count)})`).join(', '),
    isMinor: true,
  },
  { id: 'count', header: words.columns.count, align: 'end', cell: ({ count }) => number(count) },
]

export function ErrorsTab() {
  const property = useProperty()
  const [window] = useWindow()
  const [{ page }, setState] = useUrlState(codecs)
  const { clauses: _unasked, ...ask } = askOf(window)
  const days = useQuery({
    queryKey: ['lib-errors', property.id, ask, page],
    queryFn: ({ signal }) => listLibErrors(property.id, ask, page, signal),
    placeholderData: keepPreviousData,
  })
  useExistingPage(page, days.isPlaceholderData ? undefined : days.data, (first) =>
    setState({ page: first }, { replace: true }),
  )
  return (
    <>
      <p className={styles.none}>{words.intro}</p>
      <Loaded
        query={days}
        skeleton={
          <Panel>
            <SkeletonLines lines={8} />
          </Panel>
        }
      >
        {({ data, total }) =>
          total === 0 ? (
            <Panel>
              <EmptyState icon={<CircleCheck />} title={words.empty.title}>
                {words.empty.hint}
              </EmptyState>
            </Panel>
          ) : (
            <>
              {data.map((day) => (
                <Day key={day.day} day={day} />
              ))}
              <Pagination
                page={page}
                perPage={ERROR_DAYS_PER_PAGE}
                total={total}
                onPage={(next) => setState({ page: next })}
              />
            </>
          )
        }
      </Loaded>
    </>
  )
}

function Day({ day: { day, count, bots, errors } }: { day: ErrorDay }) {
  const sum = [words.reports(number(count), count), ...(bots > 0 ? [words.ofBots(number(bots))] : [])].join(' ')
  return (
    <Panel title={dateOfText(day)} subtitle={sum} isFlush>
      <DataTable
        caption={words.caption}
        columns={columns}
        rows={errors}
        rowKey={({ lib, message }) => `${lib} ${message}`}
        empty={<p className={styles.onlyBots}>{words.onlyBots}</p>}
      />
    </Panel>
  )
}
