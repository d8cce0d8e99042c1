// Name, domains and how the property is shown. Viewers see the same as text.
import type { Property } from '../../api/properties.ts'
import { currencyLabel, date, knownZones } from '../../format.ts'
import { hostsIn } from '../../hosts.ts'
import { Copyable } from '../../parts/copy.tsx'
import { RadioGroup, Select, TextArea, TextField } from '../../parts/fields.tsx'
import { type FormState, useForm } from '../../parts/form.tsx'
import { SaveForm } from '../../parts/save-form.tsx'
import { Facts, Panel } from '../../parts/panel.tsx'
import { Loaded, Note, SkeletonLines } from '../../parts/states.tsx'
import { useCan } from '../../session.tsx'
import { common, settings as all } from '../../texts/index.ts'
import { weekStarts } from '../../../server/kernel/calendar.ts'
import { currencyCodes } from '../../../server/kernel/money.ts'
import { type Period, periods } from '../../window.ts'
import { Deletion } from './deletion.tsx'
import styles from './page.module.css'
import { useChange, useDetails } from './property.ts'

const text = all.general

/** What the service takes for none. */
const BY_DEFAULT = 'last_7'
const MAX_NAME = 120
const MAX_CLIENT = 120

const choices = periods.filter((period) => period !== 'custom')
const isPeriod = (period: string): period is Period => choices.some((choice) => choice === period)
const periodName = (period: string | null): string => {
  const chosen = period ?? BY_DEFAULT
  return isPeriod(chosen) ? common.period.names[chosen] : chosen
}

/** `America/New York` */
const zoneLabel = (zone: string): string => zone.replaceAll('_', ' ')

/** Those that the browser knows, and the one that is chosen. */
const zonesWith = (chosen: string): string[] => [...new Set([...knownZones(), chosen])].toSorted()

export function General() {
  const details = useDetails()
  const canEdit = useCan('admin')
  return (
    <Loaded
      query={details}
      skeleton={
        <Panel title={text.title}>
          <SkeletonLines lines={10} />
        </Panel>
      }
    >
      {({ property }) => (
        <>
          {property.is_sample && <Note>{text.sample}</Note>}
          <Panel title={text.title}>
            {canEdit ? <GeneralForm key={property.id} property={property} /> : <GeneralFacts property={property} />}
          </Panel>
          <Panel title={text.facts}>
            <Facts
              rows={[
                [text.key, <Copyable key="key" words={property.key} />],
                [text.id, <Copyable key="id" words={property.id} />],
                [text.created, date(property.created_ts)],
              ]}
            />
          </Panel>
          {canEdit && <Deletion property={property} />}
        </>
      )}
    </Loaded>
  )
}

const GeneralFacts = ({ property }: { property: Property }) => (
  <Facts
    rows={[
      [text.name, property.name],
      [text.domains, property.domains.length === 0 ? text.noDomains : property.domains.join(', ')],
      property.client !== '' && [text.client, property.client],
      [text.period, periodName(property.default_period)],
      [text.timezone, zoneLabel(property.timezone)],
      [text.weekStart, text.weekStarts[property.week_start]],
      [text.currency, property.currency === null ? text.firstCurrency : currencyLabel(property.currency)],
      [text.policy, text.policies[property.content_policy].label],
    ]}
  />
)

const valuesOf = (property: Property) => ({
  name: property.name,
  domains: property.domains.join('\n'),
  default_period: property.default_period ?? BY_DEFAULT,
  timezone: property.timezone,
  week_start: property.week_start,
  client: property.client,
  currency: property.currency ?? '',
  plan: property.plan,
  content_policy: property.content_policy,
})

function GeneralForm({ property }: { property: Property }) {
  const change = useChange()
  const form = useForm(valuesOf(property), async (_values, { changed: { name, domains, currency, ...rest } }) =>
    change({
      ...rest,
      ...(currency !== undefined && { currency: currency === '' ? null : currency }),
      ...(name !== undefined && { name: name.trim() }),
      ...(domains !== undefined && { domains: hostsIn(domains) }),
    }),
  )
  return (
    <div className={styles.narrow}>
      <SaveForm form={form} label={all.save} isPrimary>
        <TextField label={text.name} hint={text.nameHint} maxLength={MAX_NAME} {...form.field('name')} />
        <TextArea
          label={text.domains}
          hint={text.domainsHint}
          rows={3}
          spellCheck={false}
          autoCapitalize="off"
          {...form.field('domains')}
        />
        <TextField label={text.client} hint={text.clientHint} maxLength={MAX_CLIENT} {...form.field('client')} />
        <Select
          label={text.period}
          hint={text.periodHint}
          options={choices.map((value) => ({ value, label: common.period.names[value] }))}
          {...form.field('default_period')}
        />
        <Select
          label={text.timezone}
          hint={text.timezoneHint}
          options={zonesWith(property.timezone).map((value) => ({ value, label: zoneLabel(value) }))}
          {...form.field('timezone')}
        />
        <Select
          label={text.weekStart}
          options={weekStarts.map((value) => ({ value, label: text.weekStarts[value] }))}
          value={form.values.week_start}
          onChange={(chosen) => form.set({ week_start: weekStarts.find((day) => day === chosen) ?? 'monday' })}
          errors={form.errorsOf('week_start')}
        />
        <Select
          label={text.currency}
          hint={text.currencyHint}
          options={[
            { value: '', label: text.firstCurrency },
            ...currencyCodes.map((value) => ({ value, label: currencyLabel(value) })),
          ]}
          {...form.field('currency')}
        />
        <Allowances form={form} isFree={property.plan === 'free'} />
      </SaveForm>
    </div>
  )
}

type Form = FormState<ReturnType<typeof valuesOf>>

/** What the property may do. Its plan is for the API: it is shown only where it stands in the way. */
const Allowances = ({ form, isFree }: { form: Form; isFree: boolean }) => (
  <>
    {isFree && (
      <Select
        label={text.plan}
        hint={text.planHint}
        options={(['paid', 'free'] as const).map((value) => ({ value, label: text.plans[value] }))}
        value={form.values.plan}
        onChange={(plan) => form.set({ plan: plan === 'free' ? 'free' : 'paid' })}
        errors={form.errorsOf('plan')}
      />
    )}
    <RadioGroup
      label={text.policy}
      options={(['standard', 'wide'] as const).map((value) => ({ value, ...text.policies[value] }))}
      {...form.field('content_policy')}
    />
  </>
)
