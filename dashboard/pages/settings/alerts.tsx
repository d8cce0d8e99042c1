// What the property is watched for, and who is told.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type Alerts, changeAlerts, readAlerts } from '../../api/alerts.ts'
import { spokenByLine } from '../../field-errors.ts'
import { toast } from '../../parts/announce.tsx'
import { Checkbox, NumberField } from '../../parts/fields.tsx'
import { useForm } from '../../parts/form.tsx'
import { Panel } from '../../parts/panel.tsx'
import { MissingMail, recipientLines, Recipients, recipientsIn } from '../../parts/recipients.tsx'
import { SaveForm } from '../../parts/save-form.tsx'
import { Loaded, SkeletonLines } from '../../parts/states.tsx'
import { useProperty } from '../../session.tsx'
import { reports } from '../../texts/index.ts'

const text = reports.alerts

const alertsKey = (property: string) => ['alerts', property] as const

export function AlertsPanel() {
  const { id } = useProperty()
  const query = useQuery({ queryKey: alertsKey(id), queryFn: ({ signal }) => readAlerts(id, signal) })
  return (
    <Panel title={text.title} subtitle={text.subtitle}>
      <Loaded query={query} skeleton={<SkeletonLines />}>
        {(alerts) => (
          <>
            <MissingMail missing={alerts.missing} words={reports.who} />
            <AlertsForm alerts={alerts} />
          </>
        )}
      </Loaded>
    </Panel>
  )
}

const valuesOf = ({ recipients, live_visitors, has_sessions, has_conversions }: Alerts) => ({
  recipients: recipientLines(recipients),
  live_visitors,
  has_sessions,
  has_conversions,
})

function AlertsForm({ alerts }: { alerts: Alerts }) {
  const { id } = useProperty()
  const client = useQueryClient()
  const state = useForm(valuesOf(alerts), async ({ recipients: lines, ...watched }, { settle }) => {
    const recipients = recipientsIn(lines)
    const saved = await changeAlerts(id, { ...watched, recipients }).catch((error: unknown) => {
      throw spokenByLine(error, { recipients })
    })
    client.setQueryData(alertsKey(id), saved)
    settle(valuesOf(saved))
    toast(reports.saved)
  })
  return (
    <SaveForm form={state} label={reports.save} isPrimary>
      <Checkbox
        label={text.sessions}
        hint={text.usual}
        isOn={state.values.has_sessions}
        onChange={(has_sessions) => state.set({ has_sessions })}
        errors={state.errorsOf('has_sessions')}
      />
      <Checkbox
        label={text.conversions}
        isOn={state.values.has_conversions}
        onChange={(has_conversions) => state.set({ has_conversions })}
        errors={state.errorsOf('has_conversions')}
      />
      <NumberField label={text.live} hint={text.liveHint} min={1} max={1_000_000} {...state.field('live_visitors')} />
      <Recipients
        label={reports.recipients}
        hint={text.recipientsHint}
        recipients={alerts.recipients}
        words={reports.who}
        {...state.field('recipients')}
      />
    </SaveForm>
  )
}
