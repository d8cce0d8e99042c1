// All goals, and how often each was met in a window.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Target } from 'lucide-react'
import { Button } from '../../parts/button.tsx'
import { Panel } from '../../parts/panel.tsx'
import { PeriodPicker } from '../../parts/period-picker.tsx'
import { EmptyState, Skeleton } from '../../parts/states.tsx'
import type { Column } from '../../parts/table.tsx'
import { PagedTable } from '../../parts/paged-table.tsx'
import {
  type Conversion,
  type ConversionCount,
  type ConversionSort,
  listConversions,
  readConversionStatistics,
} from '../../api/conversions.ts'
import { NO_FIGURE, number, shareOf } from '../../format.ts'
import { periodName } from '../../service-words.ts'
import { useCan, useProperty, usePropertyPath } from '../../session.tsx'
import { sortingBy, useSorting } from '../../sorting.ts'
import { goals as text } from '../../texts/index.ts'
import { numberParam, optionalParam, useUrlState } from '../../url.ts'
import { useCarriedSearch, useWindow } from '../../window.ts'
import styles from '../automations/automations.module.css'
import { ConversionDrawer, type Counts, specOf } from './drawer.tsx'
import { type Names, useNames } from '../automations/use-names.ts'
import { triggerWords } from '../automations/words.ts'

const PER_PAGE = 25
const sorting = sortingBy(['name', 'converted', 'conversions', 'rate'], null)
const codecs = { page: numberParam(1), conversion: optionalParam } as const

interface UrlState {
  readonly page: number
  /** `new` for one that is being made. */
  readonly conversion: string | null
}

/** Which conversion is open in the drawer. */
export function useConversionDrawer() {
  const [{ conversion }, setState] = useUrlState<UrlState>(codecs)
  return {
    shown: conversion,
    open: (id: string): void => setState({ conversion: id }),
    close: (): void => setState({ conversion: null }),
  }
}

/** By id; undefined while they are being counted. */
export function useCounts(): Counts {
  const property = useProperty()
  const [{ period, date_from, date_to }] = useWindow()
  const ask = { period, date_from, date_to }
  const { data, error } = useQuery({
    queryKey: ['conversion-statistics', property.id, ask],
    queryFn: ({ signal }) => readConversionStatistics(property.id, ask, signal),
    placeholderData: keepPreviousData,
  })
  return { statistics: data?.statistics, error }
}

type Show = (count: ConversionCount, sessions: number) => string

interface Figure {
  readonly id: 'converted' | 'times' | 'rate'
  /** For the service. */
  readonly sort: ConversionSort
  readonly show: Show
  readonly isMinor?: boolean
}

const figures: readonly Figure[] = [
  { id: 'converted', sort: 'converted', show: ({ converted }) => number(converted) },
  { id: 'times', sort: 'conversions', show: ({ conversions }) => number(conversions), isMinor: true },
  { id: 'rate', sort: 'rate', show: ({ rate }, sessions) => shareOf(rate, sessions) },
]

function figureColumn({ id, sort, show, isMinor }: Figure, { statistics, error }: Counts): Column<Conversion> {
  const counts = new Map(statistics?.conversions.map((count) => [count.id, count]))
  const cell = (row: Conversion) => {
    const count = counts.get(row.id)
    if (count) return show(count, statistics?.sessions ?? 0)
    return statistics || error ? NO_FIGURE : <Skeleton width="3rem" />
  }
  return { id: sort, header: text[id], align: 'end', isSortable: true, cell, isMinor }
}

function columnsOf({ forms }: Names, counts: Counts): readonly Column<Conversion>[] {
  return [
    { id: 'name', isSortable: true, header: text.name, cell: ({ name }) => name },
    {
      id: 'counts',
      header: text.counts,
      cell: (row) => <span className={styles.words}>{triggerWords(specOf(row), forms ?? new Map())}</span>,
    },
    ...figures.map((figure) => figureColumn(figure, counts)),
  ]
}

export function ConversionList() {
  const property = useProperty()
  const path = usePropertyPath()
  const carried = useCarriedSearch()
  const canEdit = useCan('admin')
  const names = useNames()
  const counts = useCounts()
  const drawer = useConversionDrawer()
  const [{ page }, setState] = useUrlState<UrlState>(codecs)
  const { sort, onSort, ask } = useSorting(sorting)
  const [{ period, date_from, date_to }] = useWindow()
  const window = { period, date_from, date_to }
  const isCounted = ask.sort !== undefined && ask.sort !== 'name'
  const list = useQuery({
    queryKey: ['conversions', property.id, page, ask, isCounted && window],
    queryFn: ({ signal }) =>
      listConversions(property.id, { page, per_page: PER_PAGE, ...ask, ...(isCounted && window) }, signal),
    placeholderData: keepPreviousData,
  })
  const { statistics } = counts
  return (
    <Panel
      title={text.title}
      subtitle={
        statistics
          ? text.ofSessions(number(statistics.sessions), periodName(statistics.period, statistics.showing))
          : text.hint
      }
      actions={<PeriodPicker byDefault={statistics?.period} />}
      isFlush
    >
      <PagedTable
        list={list}
        page={page}
        perPage={PER_PAGE}
        onPage={(next, how) => setState({ page: next }, how)}
        caption={text.caption}
        columns={columnsOf(names, counts)}
        sort={sort}
        onSort={onSort}
        rowHref={({ id }) => path(`/goals/${encodeURIComponent(id)}`) + carried}
        empty={
          <EmptyState
            icon={<Target />}
            title={text.emptyTitle}
            actions={canEdit && <Button onClick={() => drawer.open('new')}>{text.add}</Button>}
          >
            {canEdit ? text.empty : text.emptyViewer}
          </EmptyState>
        }
      />
      {drawer.shown !== null && (drawer.shown !== 'new' || canEdit) && (
        <ConversionDrawer key={drawer.shown} id={drawer.shown} names={names} counts={counts} onClose={drawer.close} />
      )}
    </Panel>
  )
}
