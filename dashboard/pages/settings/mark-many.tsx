// Chooses the sessions to mark as invalid, and shows how many they are and where they come from first.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../../api.ts'
import { beginMarking, type Counted, type MarkingAsk, type Trial, tryMarking } from '../../api/marks.ts'
import { fieldsOfTs, number, tsOfFields, zoneName } from '../../format.ts'
import { toast } from '../../parts/announce.tsx'
import { Button } from '../../parts/button.tsx'
import { ConfirmDialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/fields.tsx'
import { Form, type FormState, FormRow, useForm } from '../../parts/form.tsx'
import { Note } from '../../parts/states.tsx'
import { type Column, DataTable } from '../../parts/table.tsx'
import { useProperty } from '../../session.tsx'
import { invalid as text } from '../../texts/index.ts'
import styles from './page.module.css'

const DAY_MS = 86_400_000
const SHOWN_DAYS = 6

interface Values {
  readonly from: string
  readonly to: string
  readonly network: string
  readonly host: string
}

/** Of a day, as its field has it. */
const midnight = (ms: number): string => `${fieldsOfTs(ms / 1000).date}T00:00`

const initialValues = (nowMs: number): Values => ({
  from: midnight(nowMs - SHOWN_DAYS * DAY_MS),
  to: midnight(nowMs + DAY_MS),
  network: '',
  host: '',
})

/** @throws ApiError at the field, as the service would. */
function readTs(value: string, field: 'from_ts' | 'to_ts'): number {
  const ts = tsOfFields(value)
  if (ts !== undefined) return ts
  throw new ApiError(422, 'validation_failed', text.missing, { errors: { [field]: [text.missing] } })
}

const askOf = ({ from, to, network, host }: Values): MarkingAsk => ({
  from_ts: readTs(from, 'from_ts'),
  to_ts: readTs(to, 'to_ts'),
  network: network.trim(),
  host: host.trim(),
})

/** What was counted, and for which values. */
interface Looked {
  readonly trial: Trial
  readonly asked: MarkingAsk
  readonly values: Values
}

export function MarkMany() {
  const property = useProperty()
  const [looked, setLooked] = useState<Looked>()
  const [initial] = useState(() => initialValues(Date.now()))
  const count = async (values: Values): Promise<void> => {
    const asked = askOf(values)
    const { trial } = await tryMarking(property.id, asked)
    setLooked({ trial, asked, values })
  }
  const form = useForm<Values>(initial, count)
  const narrow = async (patch: Partial<Values>): Promise<void> => {
    form.set(patch)
    await count({ ...form.values, ...patch })
  }
  const isStale =
    looked !== undefined &&
    (Object.keys(initial) as (keyof Values)[]).some((key) => looked.values[key] !== form.values[key])
  return (
    <div className={styles.part}>
      <div className={styles.narrow}>
        <Which form={form} />
      </div>
      <div role="status" className={styles.part}>
        {looked && isStale && <p className={styles.hint}>{text.stale}</p>}
        {looked && !isStale && (
          <p className={styles.headline}>{text.found(looked.trial.sessions, number(looked.trial.sessions))}</p>
        )}
      </div>
      {looked && !isStale && looked.trial.sessions > 0 && (
        <Found looked={looked} onNarrow={narrow} onMarked={() => setLooked(undefined)} />
      )}
    </div>
  )
}

const Which = ({ form }: { form: FormState<Values> }) => (
  <Form
    form={form}
    actions={
      <Button type="submit" isBusy={form.isBusy}>
        {text.count}
      </Button>
    }
  >
    <FormRow>
      <TextField
        type="datetime-local"
        label={text.from}
        hint={text.clock(zoneName())}
        {...form.field('from', 'from_ts')}
      />
      <TextField type="datetime-local" label={text.to} hint={text.clock(zoneName())} {...form.field('to', 'to_ts')} />
    </FormRow>
    <FormRow>
      <TextField label={text.network} hint={text.networkHint} autoComplete="off" {...form.field('network')} />
      <TextField
        label={text.host}
        hint={text.hostHint}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        {...form.field('host')}
      />
    </FormRow>
  </Form>
)

interface FoundProps {
  readonly looked: Looked
  readonly onNarrow: (patch: Partial<Values>) => Promise<void>
  readonly onMarked: () => void
}

function Found({ looked: { trial, asked }, onNarrow, onMarked }: FoundProps) {
  const property = useProperty()
  const client = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const shown = number(trial.sessions)
  const mark = async (): Promise<void> => {
    await beginMarking(property.id, asked)
    toast(text.begun)
    onMarked()
    // Every figure may be another one now.
    await client.invalidateQueries()
  }
  return (
    <>
      <div>
        <Button look="danger" onClick={() => setAsking(true)}>
          {text.mark(trial.sessions, shown)}
        </Button>
      </div>
      {asked.network === '' && (
        <CountedBy
          title={text.networks}
          name={text.network}
          rows={trial.networks}
          onOnly={(network) => onNarrow({ network })}
        />
      )}
      {asked.host === '' && (
        <CountedBy title={text.hosts} name={text.hostName} rows={trial.hosts} onOnly={(host) => onNarrow({ host })} />
      )}
      {isAsking && (
        <ConfirmDialog
          title={text.confirmTitle(trial.sessions, shown)}
          action={text.confirmAction}
          onConfirm={mark}
          onClose={() => setAsking(false)}
        >
          <Note tone="warn">{text.confirm}</Note>
        </ConfirmDialog>
      )}
    </>
  )
}

const countedColumns = (name: string, onOnly: (id: string) => void): readonly Column<Counted>[] => [
  { id: 'name', header: name, cell: ({ id }) => id || text.notKnown },
  { id: 'sessions', header: text.sessions, align: 'end', cell: ({ sessions }) => number(sessions) },
  {
    id: 'only',
    header: text.only,
    align: 'end',
    isAction: true,
    cell: ({ id }) =>
      id !== '' && (
        <Button size="small" look="quiet" aria-label={text.onlyOf(id)} onClick={() => onOnly(id)}>
          {text.only}
        </Button>
      ),
  },
]

interface CountedByProps {
  readonly title: string
  /** Of the first column. */
  readonly name: string
  readonly rows: readonly Counted[]
  readonly onOnly: (id: string) => Promise<void>
}

const CountedBy = ({ title, name, rows, onOnly }: CountedByProps) => (
  <section aria-label={title}>
    <h3 className={styles.small}>{title}</h3>
    <div className={styles.bleed}>
      <DataTable
        caption={title}
        columns={countedColumns(name, (id) => void onOnly(id))}
        rows={rows}
        rowKey={({ id }) => id}
      />
    </div>
  </section>
)
