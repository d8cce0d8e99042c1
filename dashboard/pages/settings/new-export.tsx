// What goes into a file, and of which days.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createExport, type ExportAsk, type ExportKind, type ExportTable } from '../../api/exports.ts'
import { listAllForms } from '../../api/forms.ts'
import { spoken } from '../../field-errors.ts'
import { toast } from '../../parts/announce.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { type Option, Select, TextField } from '../../parts/fields.tsx'
import { Form, FormRow, useForm } from '../../parts/form.tsx'
import { Note } from '../../parts/states.tsx'
import { useProperty } from '../../session.tsx'
import { common, data as all } from '../../texts/index.ts'
import { periods } from '../../window.ts'

const text = all.exports

const lists = ['sessions', 'events', 'clicks', 'contacts', 'links', 'submissions', 'deliveries'] as const
const tables = ['views', 'events', 'sessions', 'clicks', 'form_events', 'impressions', 'lib_errors'] as const

interface What {
  readonly value: string
  readonly kind: ExportKind
  readonly table?: ExportTable
}

const whats: readonly What[] = [
  ...lists.map((kind) => ({ value: kind, kind })),
  ...tables.map((table) => ({ value: `facts:${table}`, kind: 'facts' as const, table })),
  { value: 'records', kind: 'records' },
]

const options: readonly Option[] = whats.map(({ value, kind, table }) => {
  if (table !== undefined) return { value, label: text.tables[table], group: text.groups.facts }
  return { value, label: text.kinds[kind], group: kind === 'records' ? text.groups.records : text.groups.csv }
})

/** Told by days; the others are what they are now. */
const windowed: ReadonlySet<ExportKind> = new Set(['sessions', 'events', 'clicks', 'facts'])

const ALL_DAYS = 'all'
const windows: readonly Option[] = [
  { value: ALL_DAYS, label: text.allDays },
  ...periods.map((value) => ({ value, label: common.period.names[value] })),
]

interface Values {
  readonly what: string
  readonly form: string
  readonly period: string
  readonly from: string
  readonly to: string
}

const chosenOf = (what: string): What => whats.find(({ value }) => value === what) ?? { value: what, kind: 'sessions' }

function askOf(values: Values): ExportAsk {
  const { kind, table } = chosenOf(values.what)
  const { form, period, from, to } = values
  const custom = period === 'custom' ? { date_from: from, date_to: to } : {}
  return {
    kind,
    ...(table !== undefined && { table }),
    ...(kind === 'submissions' && { form }),
    ...(windowed.has(kind) && period !== ALL_DAYS && { window: { period, ...custom } }),
  }
}

/** As the fields are called here. */
const fields: Readonly<Record<string, string>> = { kind: 'what', date_from: 'from', date_to: 'to', window: 'period' }
const fieldOf = (path: string): string => {
  const name = path.split('.').at(-1) ?? path
  return fields[name] ?? name
}

export function NewExport({ onClose }: { onClose: () => void }) {
  const property = useProperty()
  const client = useQueryClient()
  const form = useForm<Values>({ what: 'sessions', form: '', period: ALL_DAYS, from: '', to: '' }, async (values) => {
    await createExport(property.id, askOf(values)).catch((error: unknown) => {
      throw spoken(error, fieldOf)
    })
    toast(text.begun)
    onClose()
    await client.invalidateQueries({ queryKey: ['exports', property.id] })
  })
  const kind = chosenOf(form.values.what).kind
  return (
    <Dialog title={text.add} onClose={onClose}>
      <Form form={form} action={text.make}>
        <Select
          label={text.what}
          hint={kind === 'records' ? text.recordsHint : undefined}
          options={options}
          {...form.field('what')}
        />
        {kind === 'submissions' && (
          <FormChoice
            value={form.values.form}
            onChange={(id) => form.set({ form: id })}
            errors={form.errorsOf('form')}
          />
        )}
        {windowed.has(kind) && (
          <Select
            label={text.window}
            hint={kind === 'facts' ? text.utc : text.zone}
            options={windows}
            {...form.field('period')}
          />
        )}
        {windowed.has(kind) && form.values.period === 'custom' && (
          <FormRow>
            <TextField type="date" label={text.from} {...form.field('from')} />
            <TextField type="date" label={text.to} {...form.field('to')} />
          </FormRow>
        )}
      </Form>
    </Dialog>
  )
}

interface FormChoiceProps {
  readonly value: string
  readonly onChange: (id: string) => void
  readonly errors: readonly string[]
}

/** The first one is chosen until another is. */
function FormChoice({ value, onChange, errors }: FormChoiceProps) {
  const property = useProperty()
  const forms = useQuery({
    queryKey: ['forms', property.id, 'all'],
    queryFn: ({ signal }) => listAllForms(property.id, signal),
  })
  if (forms.data?.length === 0) return <Note tone="warn">{text.noForm}</Note>
  const choices = [
    { value: '', label: forms.data ? '' : common.table.loading },
    ...(forms.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
  ]
  return <Select label={text.form} value={value} onChange={onChange} options={choices} errors={errors} />
}
