// What a test send contains instead of a visit: made up, plausible, and about nobody. Addresses and names are
// those reserved for examples.
import type { Context } from '../context.ts'
import { dashboardUrl } from '../config.ts'
import { channelLabel } from '../enrich/enrich.ts'
import { answersByLabel } from '../submissions/submissions.ts'
import type { Answer, AnswerValue, Form, FormField } from '../forms/forms.ts'
import { dayOf } from '../kernel/days.ts'
import { sessionId } from '../kernel/ids.ts'
import type { EnvelopeSession, EnvelopeSubmission } from './envelope.ts'

const VISIT_MS = 180_000
const CHANNEL = 'organic_search'
/** RFC 5737. */
const SAMPLE_ADDRESS = '192.0.2.1'

/** Its id is genuine in shape; no visit has it. */
export function sampleSession(
  { config, keys }: Pick<Context, 'config' | 'keys'>,
  propertyId: string,
  nowMs: number,
): EnvelopeSession {
  const id = sessionId(keys, propertyId, { day: dayOf(nowMs), hash: 0n })
  return {
    id,
    url: `${dashboardUrl(config)}/properties/${propertyId}/sessions/${id}`,
    entry_ts: Math.floor((nowMs - VISIT_MS) / 1000),
    entry_path: '/',
    channel_category: CHANNEL,
    channel_name: channelLabel(CHANNEL),
    contact_id: null,
    country: 'Switzerland',
    acquisition_value_cents: 4900,
    acquisition_currency_code: 'USD',
  }
}

const byType: Readonly<Record<string, string>> = {
  email: 'ada@example.com',
  tel: '+41 44 000 00 00',
  url: 'https://example.com',
  number: '42',
  range: '50',
  date: '2026-01-31',
  time: '12:30',
  'datetime-local': '2026-01-31T12:30',
  month: '2026-01',
  week: '2026-W05',
  color: '#336699',
  textarea: 'This is a test of the webhook.',
}

function sampleValue({ type, options, value }: FormField): AnswerValue {
  const first = options[0]?.value
  if (first !== undefined) return type === 'select-multiple' || type === 'checkbox' ? [first] : first
  return value ?? (type === 'checkbox' ? 'on' : (byType[type] ?? 'Ada Example'))
}

const usual: readonly Answer[] = [
  { type: 'text', name: 'name', label: 'Name', value: 'Ada Example' },
  { type: 'email', name: 'email', label: 'Email', value: 'ada@example.com' },
  { type: 'textarea', name: 'message', label: 'Message', value: 'This is a test of the webhook.' },
]

/**
 * @param form whose fields are answered; without one, or with an open one, those of a usual contact form are.
 */
export function sampleSubmission(
  form: Pick<Form, 'id' | 'name' | 'fields' | 'is_ip_kept'> | undefined,
  nowMs: number,
): EnvelopeSubmission {
  const fields = form?.fields ?? []
  const answers =
    fields.length === 0
      ? usual
      : fields.map((field) => ({
          type: field.type,
          name: field.name,
          label: field.label,
          value: sampleValue(field),
        }))
  return {
    id: 'sb_00000000000000000000',
    form: { id: form?.id ?? 'fm_00000000000000000000', name: form?.name ?? 'Sample form' },
    fields: answersByLabel(answers),
    country: 'Switzerland',
    city: 'Zurich',
    ip: form?.is_ip_kept ? SAMPLE_ADDRESS : null,
    geo: { lat: 47.37, lon: 8.54 },
    is_bot: false,
    is_flagged: false,
    raw_fields: answers,
    submitted_ts: Math.floor(nowMs / 1000),
  }
}
