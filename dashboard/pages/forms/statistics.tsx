// How often a form was shown, begun and sent, and where.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ChartColumn } from 'lucide-react'
import type { ReactNode } from 'react'
import { type FormStatistics, type OwnForm, readFormStatistics } from '../../api/forms.ts'
import { NO_FIGURE, number, percent } from '../../format.ts'
import { Address } from '../../parts/address.tsx'
import { BarList, BarRow } from '../../parts/bar-row.tsx'
import { Flag } from '../../parts/marks.tsx'
import { Panel } from '../../parts/panel.tsx'
import { PeriodPicker } from '../../parts/period-picker.tsx'
import { EmptyState, Loaded, Skeleton, SkeletonLines } from '../../parts/states.tsx'
import { useProperty } from '../../session.tsx'
import { common, forms as text } from '../../texts/index.ts'
import { type Period, useWindow } from '../../window.ts'
import styles from './forms.module.css'
import { placeName } from '../../service-words.ts'

const rate = (fraction: number | null): string => (fraction === null ? NO_FIGURE : percent(fraction))

export function Statistics({ form }: { form: OwnForm }) {
  const property = useProperty()
  const [{ period, date_from, date_to }] = useWindow()
  const ask = { period, date_from, date_to }
  const statistics = useQuery({
    queryKey: ['form-statistics', property.id, form.id, ask],
    queryFn: ({ signal }) => readFormStatistics(property.id, form.id, ask, signal),
    placeholderData: keepPreviousData,
  })
  const shown = statistics.data?.statistics
  return (
    <>
      <Panel title={text.statistics.title} actions={<PeriodPicker byDefault={shown?.period as Period | undefined} />}>
        <Loaded query={statistics} skeleton={<FiguresSkeleton />}>
          {({ statistics: loaded }) => <Figures statistics={loaded} />}
        </Loaded>
      </Panel>
      <div className={styles.pair}>
        <Panel title={text.statistics.sources}>
          <Loaded query={statistics} skeleton={<SkeletonLines lines={5} />}>
            {({ statistics: { by_source } }) => (
              <Rows
                head={text.statistics.source}
                empty={text.statistics.sourcesEmpty}
                rows={by_source.map((row) => ({
                  ...row,
                  id: row.source,
                  label: row.source && <Address address={row.source} />,
                }))}
              />
            )}
          </Loaded>
        </Panel>
        <Panel title={text.statistics.countries}>
          <Loaded query={statistics} skeleton={<SkeletonLines lines={5} />}>
            {({ statistics: { by_country } }) => (
              <Rows
                head={text.statistics.country}
                empty={text.statistics.countriesEmpty}
                rows={by_country.map((row) => ({
                  ...row,
                  id: row.country_code,
                  label: placeName(row.country_code, row.country),
                  code: row.country_code,
                }))}
              />
            )}
          </Loaded>
        </Panel>
      </div>
    </>
  )
}

function Figures({ statistics }: { statistics: FormStatistics }) {
  const { views, opened, submitted, flagged, dropped, bots } = statistics
  const figures = [
    [text.statistics.views, number(views), text.statistics.viewsHint],
    [text.statistics.opened, number(opened), text.statistics.openedHint],
    [text.statistics.submitted, number(submitted), text.statistics.submittedHint],
    [text.statistics.rate, rate(statistics.rate), text.statistics.rateHint],
    [text.statistics.flagged, number(flagged), text.statistics.flaggedHint],
    [text.statistics.dropped, number(dropped), text.statistics.droppedHint],
  ] as const
  return (
    <>
      <dl className={styles.figures}>
        {figures.map(([label, value, hint]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd className={styles.figure}>{value}</dd>
            <dd className={styles.small}>{hint}</dd>
          </div>
        ))}
      </dl>
      {bots.views + bots.submitted > 0 && (
        <p className={styles.small}>{text.statistics.bots(number(bots.views), number(bots.submitted))}</p>
      )}
    </>
  )
}

const FiguresSkeleton = () => (
  <div className={styles.figures}>
    {Array.from({ length: 6 }, (_, index) => (
      <div key={index}>
        <Skeleton width="4rem" />
        <div className={styles.figure}>
          <Skeleton width="5rem" />
        </div>
        <SkeletonLines lines={2} />
      </div>
    ))}
  </div>
)

interface RowsProps {
  readonly head: string
  readonly empty: string
  readonly rows: readonly {
    readonly id: string
    readonly label: ReactNode
    readonly code?: string
    readonly submitted: number
    readonly rate: number | null
  }[]
}

function Rows({ head, empty, rows }: RowsProps) {
  if (rows.length === 0)
    return (
      <EmptyState isSmall icon={<ChartColumn />} title={common.table.empty}>
        {empty}
      </EmptyState>
    )
  const most = Math.max(1, ...rows.map(({ submitted }) => submitted))
  return (
    <BarList head={[head, text.statistics.sent, text.statistics.rate]}>
      {rows.map((row) => (
        <BarRow
          key={row.id}
          label={row.label || text.submission.unknown}
          icon={row.code === undefined ? undefined : <Flag code={row.code} />}
          value={number(row.submitted)}
          percent={rate(row.rate)}
          share={row.submitted / most}
        />
      ))}
    </BarList>
  )
}
