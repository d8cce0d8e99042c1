// What an endpoint would get: the service's own bodies around a made-up visit.
import type { Payload, TriggerSpec } from '../../api/automations.ts'
import { envelopeBody, legacyFormBody, type Run } from '../../../server/deliveries/envelope.ts'
import { dashboardUrl } from '../../place.ts'

const AT_MS = Date.UTC(2026, 0, 31, 12, 30)
const AT_TS = AT_MS / 1000

const answers = [
  { type: 'text', name: 'name', label: 'Name', value: 'Ada Example' },
  { type: 'email', name: 'email', label: 'E-mail', value: 'ada@example.com' },
]

export interface ExampleOf {
  readonly trigger: TriggerSpec
  readonly name: string
  readonly propertyId: string
  readonly conversion: { readonly id: string; readonly name: string } | undefined
}

function eventOf({ event_type, event_value }: TriggerSpec): NonNullable<Run['event']> {
  const isForm = event_type === 'form_submit'
  const isNamed = event_type === 'event' || event_type === 'contact'
  return {
    type: event_type,
    name: isNamed ? (event_value ?? (event_type === 'event' ? 'signup' : 'created')) : null,
    value: event_type === 'acquisition' ? '4900' : null,
    meta: event_type === 'acquisition' ? [{ key: 'currency', value: 'USD' }] : [],
    page_path: event_type === 'contact' ? null : '/pricing',
    page_url: event_type === 'contact' ? null : 'https://example.com/pricing',
    form_id: isForm ? (event_value ?? 'fm_…') : null,
    form_submit_id: isForm ? 'sb_…' : null,
    created_ts: AT_TS,
    id: '01KG3M…',
  }
}

function submissionOf(formId: string | null): NonNullable<Run['submission']> {
  return {
    id: 'sb_…',
    form: { id: formId ?? 'fm_…', name: 'Contact' },
    fields: Object.fromEntries(answers.map(({ label, value }) => [label, value])),
    country: 'Switzerland',
    city: 'Zurich',
    ip: null, // as of a form that does not store IP addresses
    geo: { lat: 47.37, lon: 8.54 },
    is_bot: false,
    is_flagged: false,
    raw_fields: answers,
    submitted_ts: AT_TS,
  }
}

function sessionOf(propertyId: string): NonNullable<Run['session']> {
  return {
    id: 'ses_…',
    url: dashboardUrl(`/properties/${propertyId}/sessions/…`),
    entry_ts: AT_TS - 180,
    entry_path: '/',
    channel_category: 'organic_search',
    channel_name: 'Organic search',
    contact_id: null,
    country: 'Switzerland',
    acquisition_value_cents: 4900,
    acquisition_currency_code: 'USD',
  }
}

/** As JSON with line breaks, for reading. */
export function exampleBody(payload: Payload, { trigger, name, propertyId, conversion }: ExampleOf): string {
  const run: Run = {
    id: '01KG3M…',
    occurredMs: AT_MS,
    propertyId,
    automation: { id: 'au_…', name: name.trim() || null, ...trigger },
    isTest: false,
    event: eventOf(trigger),
    session: trigger.event_type === 'contact' ? null : sessionOf(propertyId),
    conversion: conversion ? { id: conversion.id, name: conversion.name } : null,
    submission: trigger.event_type === 'form_submit' ? submissionOf(trigger.event_value) : null,
  }
  const body = payload === 'envelope' ? envelopeBody(run) : legacyFormBody(run)
  return JSON.stringify(JSON.parse(body), null, 2)
}
