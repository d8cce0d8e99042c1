// A conversion in a drawer, in which one is made, changed and deleted.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useId, useState } from 'react'
import type { TriggerSpec } from '../../api/automations.ts'
import {
  type AllConversionStatistics,
  changeConversion,
  type Conversion,
  createConversion,
  deleteConversion,
  readConversion,
} from '../../api/conversions.ts'
import { rethrowSpoken } from '../../field-errors.ts'
import { number, shareOf } from '../../format.ts'
import { toast } from '../../parts/announce.tsx'
import { Button } from '../../parts/button.tsx'
import { ConfirmDialog, Drawer } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/fields.tsx'
import { Form, useForm } from '../../parts/form.tsx'
import { Facts } from '../../parts/panel.tsx'
import { Loaded, SkeletonLines } from '../../parts/states.tsx'
import { periodName } from '../../service-words.ts'
import { useCan, useProperty } from '../../session.tsx'
import { goals as text, common } from '../../texts/index.ts'
import styles from '../automations/automations.module.css'
import { TriggerFields } from '../automations/trigger-fields.tsx'
import type { Names } from '../automations/use-names.ts'
import { triggerWords } from '../automations/words.ts'

/** What was counted of all conversions in a window; undefined while it is on its way. */
export interface Counts {
  readonly statistics: AllConversionStatistics | undefined
  readonly error: Error | null
}

export const specOf = ({ event_type, event_value }: Conversion): TriggerSpec => ({ event_type, event_value })

interface DrawerProps {
  readonly id: string
  readonly names: Names
  readonly counts: Counts
  readonly onClose: () => void
  /** Left out: as it is closed. */
  readonly onDeleted?: (() => void) | undefined
}

export function ConversionDrawer({ id, ...rest }: DrawerProps) {
  const { onClose } = rest
  const property = useProperty()
  const isNew = id === 'new'
  const query = useQuery({
    queryKey: ['conversion', property.id, id],
    queryFn: ({ signal }) => readConversion(property.id, id, signal),
    enabled: !isNew,
    staleTime: 0,
  })
  if (isNew) return <ConversionEditor conversion={undefined} {...rest} />
  if (query.data) return <ConversionEditor conversion={query.data.conversion} {...rest} />
  return (
    <Drawer title={text.editTitle} onClose={onClose}>
      <Loaded query={query} skeleton={<SkeletonLines lines={6} />}>
        {() => null}
      </Loaded>
    </Drawer>
  )
}

interface EditorProps extends Omit<DrawerProps, 'id'> {
  readonly conversion: Conversion | undefined
}

const SHOWN = ['conversions', 'conversion', 'conversion-statistics', 'overview', 'list', 'sessions'] as const

interface Initial {
  readonly name: string
  readonly trigger: TriggerSpec
}

const initialOf = (conversion: Conversion | undefined): Initial =>
  conversion
    ? { name: conversion.name, trigger: specOf(conversion) }
    : { name: '', trigger: { event_type: 'form_submit', event_value: null } }

/** Asks again for what lists and drawers show of conversions. */
function useRefresh(): () => Promise<unknown> {
  const property = useProperty()
  const client = useQueryClient()
  return () => Promise.all(SHOWN.map((name) => client.invalidateQueries({ queryKey: [name, property.id] })))
}

function useEditor(conversion: Conversion | undefined, onClose: () => void) {
  const property = useProperty()
  const refresh = useRefresh()
  return useForm(initialOf(conversion), async ({ name, trigger }, { changed, hasMore }) => {
    const { trigger: another, ...rest } = changed
    const saving = conversion
      ? changeConversion(property.id, conversion.id, { ...rest, ...another })
      : createConversion(property.id, { name, ...trigger })
    await saving.catch(rethrowSpoken)
    toast(text.saved)
    if (!conversion || !hasMore()) onClose()
    await refresh()
  })
}

function ConversionEditor({ conversion, names, counts, onClose, onDeleted = onClose }: EditorProps) {
  const canEdit = useCan('admin')
  const formId = useId()
  const [isAsking, setAsking] = useState(false)
  const form = useEditor(conversion, onClose)
  const actions = canEdit && (
    <>
      {conversion && (
        <Button look="quiet" icon={<Trash2 aria-hidden="true" />} onClick={() => setAsking(true)}>
          {text.delete}
        </Button>
      )}
      <Button onClick={onClose}>{common.actions.cancel}</Button>
      <Button type="submit" form={formId} look="primary" isBusy={form.isBusy}>
        {conversion ? text.save : text.create}
      </Button>
    </>
  )
  return (
    <Drawer
      title={conversion?.name ?? text.newTitle}
      subtitle={text.hint}
      onClose={onClose}
      actions={actions || undefined}
    >
      <div className={styles.sections}>
        {canEdit ? (
          <Form form={form} id={formId}>
            <Fields form={form} names={names} />
            {conversion && <p className={styles.small}>{text.changeHint}</p>}
          </Form>
        ) : (
          conversion && <p>{triggerWords(specOf(conversion), names.forms ?? new Map())}</p>
        )}
        {conversion && <Figures id={conversion.id} counts={counts} />}
      </div>
      {isAsking && conversion && (
        <Deletion conversion={conversion} onDeleted={onDeleted} onClose={() => setAsking(false)} />
      )}
    </Drawer>
  )
}

const Fields = ({ form, names }: { form: ReturnType<typeof useEditor>; names: Names }) => (
  <>
    <TextField label={text.nameField} hint={text.nameHint} maxLength={120} {...form.field('name')} />
    <TriggerFields
      label={text.counts}
      value={form.values.trigger}
      onChange={(trigger) => form.set({ trigger })}
      forms={names.forms}
      typeErrors={form.errorsOf('event_type')}
      valueErrors={form.errorsOf('event_value')}
      isCounted
    />
  </>
)

interface DeletionProps {
  readonly conversion: Conversion
  readonly onDeleted: () => void
  readonly onClose: () => void
}

function Deletion({ conversion: { id, name }, onDeleted, onClose }: DeletionProps) {
  const property = useProperty()
  const refresh = useRefresh()
  const drop = async (): Promise<void> => {
    await deleteConversion(property.id, id)
    toast(text.deleted)
    onDeleted()
    await refresh()
  }
  return (
    <ConfirmDialog title={text.deleteTitle} action={text.deleteAction} typed={name} onConfirm={drop} onClose={onClose}>
      {text.deleteWords}
    </ConfirmDialog>
  )
}

function Figures({ id, counts: { statistics } }: { id: string; counts: DrawerProps['counts'] }) {
  const count = statistics?.conversions.find((one) => one.id === id)
  if (!statistics || !count) return <SkeletonLines lines={3} />
  return (
    <section>
      <h3>{periodName(statistics.period, statistics.showing)}</h3>
      <Facts
        rows={[
          [text.convertedHint, number(count.converted)],
          [text.timesHint, number(count.conversions)],
          [text.rateHint, shareOf(count.rate, statistics.sessions)],
        ]}
      />
    </section>
  )
}
