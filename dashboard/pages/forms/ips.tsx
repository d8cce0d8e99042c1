// Whether a form stores the IP addresses of its senders, and a note about those that it stored before.
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { listAllForms, type OwnForm } from '../../api/forms.ts'
import { rethrowSpoken } from '../../field-errors.ts'
import { date } from '../../format.ts'
import { toast } from '../../parts/announce.tsx'
import { Checkbox, NumberField } from '../../parts/fields.tsx'
import { useForm } from '../../parts/form.tsx'
import { Panel } from '../../parts/panel.tsx'
import { SaveForm } from '../../parts/save-form.tsx'
import { Note } from '../../parts/states.tsx'
import { useCan, useProperty, usePropertyPath } from '../../session.tsx'
import { forms as text } from '../../texts/index.ts'
import { useFormChange } from './change.ts'

export function IpSettings({ form }: { form: OwnForm }) {
  return (
    <Panel title={text.ips.title} subtitle={text.ips.subtitle}>
      <IpForm key={form.id} form={form} />
    </Panel>
  )
}

interface Values {
  readonly is_ip_kept: boolean
  readonly ip_retention_days: number | null
}

const valuesOf = ({ is_ip_kept, ip_retention_days }: OwnForm): Values => ({ is_ip_kept, ip_retention_days })

function IpForm({ form }: { form: OwnForm }) {
  const change = useFormChange(form)
  const state = useForm<Values>(valuesOf(form), async (_values, { changed, settle }) => {
    const saved = await change(changed).catch(rethrowSpoken)
    settle(valuesOf(saved))
    toast(text.settings.saved)
  })
  const { is_ip_kept } = state.values
  return (
    <SaveForm form={state} label={text.ips.save} isPrimary>
      <Checkbox
        label={text.ips.keep}
        hint={text.ips.keepHint}
        isOn={is_ip_kept}
        onChange={(isOn) => state.set({ is_ip_kept: isOn })}
        errors={state.errorsOf('is_ip_kept')}
      />
      {is_ip_kept && (
        <NumberField
          label={text.ips.days}
          hint={text.ips.daysHint}
          min={1}
          max={3650}
          {...state.field('ip_retention_days')}
        />
      )}
    </SaveForm>
  )
}

/** On the page of the form. */
export function IpNotice({ form, isAtSettings }: { form: OwnForm; isAtSettings: boolean }) {
  const path = usePropertyPath()
  const canEdit = useCan('admin')
  if (!canEdit || form.stored_ips_until_ts === null) return null
  return (
    <Note tone="warn">
      {text.ips.notice(date(form.stored_ips_until_ts))}{' '}
      {!isAtSettings && <Link href={path(`/forms/${form.id}/settings`)}>{text.ips.toSettings}</Link>}
    </Note>
  )
}

/** Names the forms that still store addresses, where no single form is shown. Empty without any. */
export function IpNotices() {
  const property = useProperty()
  const path = usePropertyPath()
  const canEdit = useCan('admin')
  const forms = useQuery({
    queryKey: ['forms', property.id, 'all'],
    queryFn: ({ signal }) => listAllForms(property.id, signal),
    enabled: canEdit,
  })
  const told = (forms.data ?? []).flatMap(({ id, name, stored_ips_until_ts }) =>
    stored_ips_until_ts === null ? [] : [{ id, name, until: stored_ips_until_ts }],
  )
  if (told.length === 0) return null
  return (
    <Note tone="warn">
      {text.ips.notices(date(Math.min(...told.map(({ until }) => until))))}{' '}
      {told.map(({ id, name }, at) => (
        <span key={id}>
          {at > 0 && ', '}
          <Link href={path(`/forms/${id}/settings`)}>{name}</Link>
        </span>
      ))}
    </Note>
  )
}
