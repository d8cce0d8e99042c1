// What an endpoint would get: the service's own bodies around a made-up visit.
import type { Payload, TriggerSpec } from '../../api/automations.ts'
import { envelopeBody, legacyFormBody, type Run } from '../../../server/deliveries/envelope.ts'
import { type ChatMessage, messageOf } from '../../../server/deliveries/chat-message.ts'
import type { ChatPayload } from '../../../server/kernel/payloads.ts'
import { triggerOf } from '../../../server/kernel/trigger-table.ts'
import { dashboardUrl } from '../../place.ts'

const AT_MS = Date.UTC(2026, 0, 31, 12, 30)
const AT_TS = AT_MS / 1000

const answers = [
  { type: 'text', name: 'name', label: 'Name', value: 'Ada Example' },
  { type: 'email', name: 'email', label: 'Email', value: 'ada@example.com' },
]

export interface ExampleOf {
  readonly trigger: TriggerSpec
  readonly name: string
  readonly propertyId: string
  readonly conversion: { readonly id: string; readonly name: string } | undefined
}

function eventOf({ event_type, event_value }: TriggerSpec): NonNullable<Run['event']> {
  const { value, example } = triggerOf(event_type)
  const isForm = value === 'form'
  return {
    type: event_type,
    name: example.name === undefined ? null : (event_value ?? example.name),
    value: example.value ?? null,
    meta: example.meta ?? [],
    page_path: example.isOfSession ? '/pricing' : null,
    page_url: example.isOfSession ? 'https://example.com/pricing' : null,
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

function exampleRun({ trigger, name, propertyId, conversion }: ExampleOf): Run {
  return {
    id: '01KG3M…',
    occurredMs: AT_MS,
    propertyId,
    automation: { id: 'au_…', name: name.trim() || null, ...trigger },
    isTest: false,
    event: eventOf(trigger),
    session: triggerOf(trigger.event_type).example.isOfSession ? sessionOf(propertyId) : null,
    conversion: conversion ? { id: conversion.id, name: conversion.name } : null,
    submission: triggerOf(trigger.event_type).value === 'form' ? submissionOf(trigger.event_value) : null,
  }
}

export const exampleMessage = (of: ExampleOf): ChatMessage => messageOf(exampleRun(of), dashboardUrl(''))

/** As JSON with line breaks, for reading. */
export function exampleBody(payload: Exclude<Payload, ChatPayload>, of: ExampleOf): string {
  const run = exampleRun(of)
  const body = payload === 'envelope' ? envelopeBody(run) : legacyFormBody(run)
  return JSON.stringify(JSON.parse(body), null, 2)
}
