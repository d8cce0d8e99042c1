// What counts as a success, and how often it was met in a window. A conversion is made, changed and deleted in a drawer.
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { Target, Trash2 } from 'lucide-react'
import { useId, useState } from 'react'
import { useSearch } from 'wouter'
import { toast } from '../../parts/announce.tsx'
import { Button } from '../../parts/button.tsx'
import { ConfirmDialog, Drawer } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/fields.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { Facts, Panel } from '../../parts/panel.tsx'
import { PeriodPicker } from '../../parts/period-picker.tsx'
import { EmptyState, Loaded, Skeleton, SkeletonLines } from '../../parts/states.tsx'
import { type Column, DataTable, Pagination } from '../../parts/table.tsx'
import type { TriggerSpec } from '../../api/automations.ts'
import {
  type AllConversionStatistics,
  changeConversion,
  type Conversion,
  type ConversionCount,
  createConversion,
  deleteConversion,
  listConversions,
  readConversion,
  readConversionStatistics,
} from '../../api/conversions.ts'
import { spoken } from '../../field-errors.ts'
import { NO_FIGURE, number, shareOf } from '../../format.ts'
import { useCan, useProperty, usePropertyPath } from '../../session.tsx'
import { common, automations as text } from '../../texts/index.ts'
import { numberParam, optionalParam, searchWith, useUrlState } from '../../url.ts'
import { useWindow } from '../../window.ts'
import styles from './automations.module.css'
import { TriggerFields } from './trigger-fields.tsx'
import { type Names, useNames } from './use-names.ts'
import { triggerWords } from './words.ts'

const PER_PAGE = 25
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
function useCounts(): { statistics: AllConversionStatistics | undefined; error: Error | null } {
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

function figureColumn(
  id: string,
  header: string,
  { statistics, error }: ReturnType<typeof useCounts>,
  show: Show,
  isMinor = false,
): Column<Conversion> {
  const counts = new Map(statistics?.conversions.map((count) => [count.id, count]))
  const cell = (row: Conversion) => {
    const count = counts.get(row.id)
    if (count) return show(count, statistics?.sessions ?? 0)
    return statistics || error ? NO_FIGURE : <Skeleton width="3rem" />
  }
  return { id, header, align: 'end', cell, isMinor }
}

const specOf = ({ event_type, event_value }: Conversion): TriggerSpec => ({ event_type, event_value })

function columnsOf({ forms }: Names, counts: ReturnType<typeof useCounts>): readonly Column<Conversion>[] {
  return [
    { id: 'name', header: text.conversions.name, cell: ({ name }) => name },
    {
      id: 'counts',
      header: text.conversions.counts,
      cell: (row) => <span className={styles.words}>{triggerWords(specOf(row), forms ?? new Map())}</span>,
    },
    figureColumn('converted', text.conversions.converted, counts, ({ converted }) => number(converted)),
    figureColumn('times', text.conversions.times, counts, ({ conversions }) => number(conversions), true),
    figureColumn('rate', text.conversions.rate, counts, ({ rate }, sessions) => shareOf(rate, sessions)),
  ]
}

export function ConversionList() {
  const property = useProperty()
  const path = usePropertyPath()
  const search = useSearch()
  const canEdit = useCan('admin')
  const names = useNames()
  const counts = useCounts()
  const drawer = useConversionDrawer()
  const [{ page }, setState] = useUrlState<UrlState>(codecs)
  const list = useQuery({
    queryKey: ['conversions', property.id, page],
    queryFn: ({ signal }) => listConversions(property.id, page, PER_PAGE, signal),
    placeholderData: keepPreviousData,
  })
  const { statistics } = counts
  return (
    <Panel
      title={text.tabs.conversions}
      subtitle={
        statistics
          ? text.conversions.ofSessions(number(statistics.sessions), statistics.showing)
          : text.conversions.hint
      }
      actions={<PeriodPicker byDefault={statistics?.period} />}
      isFlush
    >
      <DataTable
        caption={text.conversions.caption}
        columns={columnsOf(names, counts)}
        rows={list.data?.data}
        rowKey={({ id }) => id}
        rowHref={({ id }) =>
          path('/automations/conversions') + searchWith(codecs, search === '' ? '' : `?${search}`, { conversion: id })
        }
        error={list.error}
        onRetry={list.refetch}
        isStale={list.isPlaceholderData}
        empty={
          <EmptyState
            icon={<Target />}
            title={text.conversions.emptyTitle}
            actions={canEdit && <Button onClick={() => drawer.open('new')}>{text.conversions.add}</Button>}
          >
            {canEdit ? text.conversions.empty : text.conversions.emptyViewer}
          </EmptyState>
        }
      />
      <Pagination
        page={page}
        perPage={PER_PAGE}
        total={list.data?.total ?? 0}
        onPage={(next) => setState({ page: next })}
      />
      {drawer.shown !== null && (drawer.shown !== 'new' || canEdit) && (
        <ConversionDrawer key={drawer.shown} id={drawer.shown} names={names} counts={counts} onClose={drawer.close} />
      )}
    </Panel>
  )
}

interface DrawerProps {
  readonly id: string
  readonly names: Names
  readonly counts: ReturnType<typeof useCounts>
  readonly onClose: () => void
}

function ConversionDrawer({ id, names, counts, onClose }: DrawerProps) {
  const property = useProperty()
  const isNew = id === 'new'
  const query = useQuery({
    queryKey: ['conversion', property.id, id],
    queryFn: ({ signal }) => readConversion(property.id, id, signal),
    enabled: !isNew,
    staleTime: 0,
  })
  if (isNew) return <ConversionEditor conversion={undefined} names={names} counts={counts} onClose={onClose} />
  if (query.data)
    return <ConversionEditor conversion={query.data.conversion} names={names} counts={counts} onClose={onClose} />
  return (
    <Drawer title={text.conversions.editTitle} onClose={onClose}>
      <Loaded query={query} skeleton={<SkeletonLines lines={6} />}>
        {() => null}
      </Loaded>
    </Drawer>
  )
}

interface EditorProps extends Omit<DrawerProps, 'id'> {
  readonly conversion: Conversion | undefined
}

function ConversionEditor({ conversion, names, counts, onClose }: EditorProps) {
  const property = useProperty()
  const client = useQueryClient()
  const canEdit = useCan('admin')
  const formId = useId()
  const [isAsking, setAsking] = useState(false)
  const refresh = (): Promise<unknown> =>
    Promise.all(
      ['conversions', 'conversion', 'conversion-statistics'].map((name) =>
        client.invalidateQueries({ queryKey: [name, property.id] }),
      ),
    )
  const initial = {
    name: conversion?.name ?? '',
    trigger: conversion ? specOf(conversion) : ({ event_type: 'form_submit', event_value: null } as TriggerSpec),
  }
  const form = useForm(initial, async ({ name, trigger }, { changed, hasMore }) => {
    const { trigger: another, ...rest } = changed
    const saving = conversion
      ? changeConversion(property.id, conversion.id, { ...rest, ...another })
      : createConversion(property.id, { name, ...trigger })
    await saving.catch((error: unknown) => {
      throw spoken(error)
    })
    toast(text.conversions.saved)
    if (!conversion || !hasMore()) onClose()
    await refresh()
  })
  const drop = async (): Promise<void> => {
    if (!conversion) return
    await deleteConversion(property.id, conversion.id)
    toast(text.conversions.deleted)
    onClose()
    await refresh()
  }
  const actions = canEdit && (
    <>
      {conversion && (
        <Button look="quiet" icon={<Trash2 aria-hidden="true" />} onClick={() => setAsking(true)}>
          {text.conversions.delete}
        </Button>
      )}
      <Button onClick={onClose}>{common.actions.cancel}</Button>
      <Button type="submit" form={formId} look="primary" isBusy={form.isBusy}>
        {conversion ? text.conversions.save : text.conversions.create}
      </Button>
    </>
  )
  return (
    <Drawer
      title={conversion?.name ?? text.conversions.newTitle}
      subtitle={text.conversions.hint}
      onClose={onClose}
      actions={actions || undefined}
    >
      <div className={styles.sections}>
        {canEdit ? (
          <Form form={form} id={formId}>
            <TextField
              label={text.conversions.nameField}
              hint={text.conversions.nameHint}
              maxLength={120}
              {...form.field('name')}
            />
            <TriggerFields
              label={text.conversions.counts}
              value={form.values.trigger}
              onChange={(trigger) => form.set({ trigger })}
              forms={names.forms}
              typeErrors={form.errorsOf('event_type')}
              valueErrors={form.errorsOf('event_value')}
              withoutContact
            />
            {conversion && <p className={styles.small}>{text.conversions.changeHint}</p>}
          </Form>
        ) : (
          conversion && <p>{triggerWords(specOf(conversion), names.forms ?? new Map())}</p>
        )}
        {conversion && <Figures id={conversion.id} counts={counts} />}
      </div>
      {isAsking && conversion && (
        <ConfirmDialog
          title={text.conversions.deleteTitle}
          action={text.conversions.deleteAction}
          typed={conversion.name}
          onConfirm={drop}
          onClose={() => setAsking(false)}
        >
          {text.conversions.deleteWords}
        </ConfirmDialog>
      )}
    </Drawer>
  )
}

function Figures({ id, counts: { statistics } }: { id: string; counts: DrawerProps['counts'] }) {
  const count = statistics?.conversions.find((one) => one.id === id)
  if (!statistics || !count) return <SkeletonLines lines={3} />
  return (
    <section>
      <h3>{statistics.showing}</h3>
      <Facts
        rows={[
          [text.conversions.convertedHint, number(count.converted)],
          [text.conversions.timesHint, number(count.conversions)],
          [text.conversions.rateHint, shareOf(count.rate, statistics.sessions)],
        ]}
      />
    </section>
  )
}
