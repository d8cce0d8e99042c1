// The two bodies of a webhook, key by key (docs/webhooks.md). Keys are never removed, renamed or moved,
// because receivers depend on them. Nothing is looked up here.
import type { TriggerEvent } from '../kernel/triggers.ts'
import type { TriggerType } from '../kernel/trigger-table.ts'
import { nameOf } from '../automations/automation-model.ts'

export interface EnvelopeAutomation {
  readonly id: string
  readonly name: string | null
  readonly event_type: TriggerType
  readonly event_value: string | null
}

/** Null where nothing is known; money is counted, so it is a number always. */
export interface EnvelopeSession {
  readonly id: string
  /** Into the dashboard. */
  readonly url: string
  readonly entry_ts: number | null
  readonly entry_path: string | null
  readonly channel_category: string | null
  readonly channel_name: string | null
  readonly contact_id: string | null
  /** The name. */
  readonly country: string | null
  /** 0 before any money. */
  readonly acquisition_value_cents: number
  readonly acquisition_currency_code: string | null
}

/** A submission as it is sent: `fields` by label, several values of one joined. */
export interface EnvelopeSubmission {
  readonly id: string
  readonly form: { readonly id: string; readonly name: string }
  readonly fields: Readonly<Record<string, string>>
  readonly country: string | null
  readonly city: string | null
  /** Null unless the form keeps it. */
  readonly ip: string | null
  readonly geo: { readonly lat: number | null; readonly lon: number | null }
  readonly is_bot: boolean
  readonly is_flagged: boolean
  readonly raw_fields: readonly {
    readonly type: string
    readonly name: string
    readonly label: string
    readonly value: string | readonly string[]
  }[]
  readonly submitted_ts: number
}

/** What is known of one run of an automation. */
export interface Run {
  /** The id of the delivery. */
  readonly id: string
  readonly occurredMs: number
  readonly propertyId: string
  readonly automation: EnvelopeAutomation
  readonly isTest: boolean
  /** Null in a test send. */
  readonly event: TriggerEvent | null
  readonly session: EnvelopeSession | null
  readonly conversion: { readonly id: string; readonly name: string } | null
  readonly submission: EnvelopeSubmission | null
}

function eventOf(event: TriggerEvent) {
  return {
    type: event.type,
    name: event.name,
    value: event.value,
    meta: event.meta.map(({ key, value }) => ({ key, value })),
    page_path: event.page_path,
    page_url: event.page_url,
    form_id: event.form_id,
    form_submit_id: event.form_submit_id,
    created_ts: event.created_ts,
    id: event.id,
  }
}

function sessionOf(session: EnvelopeSession): EnvelopeSession {
  return {
    id: session.id,
    url: session.url,
    entry_ts: session.entry_ts,
    entry_path: session.entry_path,
    channel_category: session.channel_category,
    channel_name: session.channel_name,
    contact_id: session.contact_id,
    country: session.country,
    acquisition_value_cents: session.acquisition_value_cents,
    acquisition_currency_code: session.acquisition_currency_code,
  }
}

const rawFieldsOf = (submission: EnvelopeSubmission) =>
  submission.raw_fields.map(({ type, name, label, value }) => ({ type, name, label, value }))

const geoOf = ({ geo }: EnvelopeSubmission) => ({ lat: geo.lat, lon: geo.lon })

function submissionOf(submission: EnvelopeSubmission) {
  return {
    id: submission.id,
    form: { id: submission.form.id, name: submission.form.name },
    fields: submission.fields,
    country: submission.country,
    city: submission.city,
    ip: submission.ip,
    geo: geoOf(submission),
    is_bot: submission.is_bot,
    is_flagged: submission.is_flagged,
    raw_fields: rawFieldsOf(submission),
    submitted_ts: submission.submitted_ts,
  }
}

/** Version 1. */
export function envelopeBody(run: Run): string {
  const { automation, event, session, conversion, submission } = run
  return JSON.stringify({
    id: run.id,
    version: 1,
    occurred_at: new Date(run.occurredMs).toISOString(),
    property_id: run.propertyId,
    automation: { id: automation.id, name: nameOf(automation) },
    trigger: { event_type: automation.event_type, event_value: automation.event_value },
    ...(run.isTest && { test: true }),
    data: {
      event: event && eventOf(event),
      session: session && sessionOf(session),
      conversion: conversion && { id: conversion.id, name: conversion.name },
      form_submit: submission && submissionOf(submission),
    },
  })
}

/** What the webhook of a single form used to send. Without a submission most of it is null. */
export function legacyFormBody({ event, submission, occurredMs }: Run): string {
  const at = submission?.submitted_ts ?? event?.created_ts ?? Math.floor(occurredMs / 1000)
  return JSON.stringify({
    triggered_ts: at,
    form_id: submission?.form.id ?? event?.form_id ?? null,
    form: submission?.form.name ?? null,
    ip: submission?.ip ?? null,
    location: submission?.country ?? null,
    city: submission?.city ?? null,
    geo: submission ? geoOf(submission) : { lat: null, lon: null },
    is_bot: submission ? (submission.is_bot ? 'yes' : 'no') : null,
    data: submission?.fields ?? null,
    data_full: submission ? rawFieldsOf(submission) : null,
  })
}
