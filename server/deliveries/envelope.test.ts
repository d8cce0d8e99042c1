// Whole texts: receivers depend on every key and its place.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TriggerEvent } from '../kernel/triggers.ts'
import { envelopeBody, type EnvelopeSession, type EnvelopeSubmission, legacyFormBody, type Run } from './envelope.ts'

const session: EnvelopeSession = {
  id: 's1',
  url: 'https://d.example/properties/pr_1/sessions/s1',
  entry_ts: 1,
  entry_path: '/',
  channel_category: 'direct',
  channel_name: 'Direct',
  contact_id: 'ct_1',
  country: 'Chile',
  acquisition_value_cents: 4900,
  acquisition_currency_code: 'USD',
}

const submission: EnvelopeSubmission = {
  id: 'sb_1',
  form: { id: 'fm_1', name: 'Contact' },
  fields: { Topics: 'a, b' },
  country: 'Chile',
  city: null,
  ip: '192.0.2.7',
  geo: { lat: -33.45, lon: -70.66 },
  is_bot: false,
  is_flagged: true,
  raw_fields: [{ type: 'select-multiple', name: 'topics', label: 'Topics', value: ['a', 'b'] }],
  submitted_ts: 2,
}

const event: TriggerEvent = {
  type: 'form_submit',
  name: null,
  value: null,
  meta: [{ key: 'k', value: 'ü/"' }],
  page_path: '/contact',
  page_url: 'https://example.com/contact',
  form_id: 'fm_1',
  form_submit_id: 'sb_1',
  created_ts: 2,
  id: 'sb_1',
}

const run: Run = {
  id: '01JD0000000000000000000000',
  occurredMs: Date.UTC(2026, 10, 21, 12, 0, 0, 7),
  propertyId: 'pr_1',
  automation: { id: 'au_1', name: null, event_type: 'form_submit', event_value: 'fm_1' },
  isTest: false,
  event,
  session,
  conversion: { id: 'cv_1', name: 'Lead' },
  submission,
}

const head =
  '{"id":"01JD0000000000000000000000","version":1,"occurred_at":"2026-11-21T12:00:00.007Z","property_id":"pr_1",'
const named =
  '"automation":{"id":"au_1","name":"Form submission"},"trigger":{"event_type":"form_submit","event_value":"fm_1"},'
const shownEvent =
  '"event":{"type":"form_submit","name":null,"value":null,"meta":[{"key":"k","value":"ü/\\""}],"page_path":"/contact",' +
  '"page_url":"https://example.com/contact","form_id":"fm_1","form_submit_id":"sb_1","created_ts":2,"id":"sb_1"},'
const shownSession =
  '"session":{"id":"s1","url":"https://d.example/properties/pr_1/sessions/s1","entry_ts":1,"entry_path":"/",' +
  '"channel_category":"direct","channel_name":"Direct","contact_id":"ct_1","country":"Chile",' +
  '"acquisition_value_cents":4900,"acquisition_currency_code":"USD"},'
const shownSubmission =
  '"form_submit":{"id":"sb_1","form":{"id":"fm_1","name":"Contact"},"fields":{"Topics":"a, b"},"country":"Chile","city":null,' +
  '"ip":"192.0.2.7","geo":{"lat":-33.45,"lon":-70.66},"is_bot":false,"is_flagged":true,' +
  '"raw_fields":[{"type":"select-multiple","name":"topics","label":"Topics","value":["a","b"]}],"submitted_ts":2}'

test('the envelope is these keys in this order', () => {
  const data = `"data":{${shownEvent}${shownSession}"conversion":{"id":"cv_1","name":"Lead"},${shownSubmission}}}`
  assert.equal(envelopeBody(run), head + named + data)
})

test('what a run knows nothing of is null, and test stands on test sends alone', () => {
  const bare = { ...run, isTest: true, event: null, session: null, conversion: null, submission: null }
  const data = '"data":{"event":null,"session":null,"conversion":null,"form_submit":null}}'
  assert.equal(envelopeBody(bare), `${head}${named}"test":true,${data}`)
})

test('a name of the owner stands in place of the label of the trigger', () => {
  const automation = { ...run.automation, name: 'Tell sales' }
  assert.equal(JSON.parse(envelopeBody({ ...run, automation })).automation.name, 'Tell sales')
})

test('the legacy body is that of the former webhook of a form', () => {
  assert.equal(
    legacyFormBody(run),
    '{"triggered_ts":2,"form_id":"fm_1","form":"Contact","ip":"192.0.2.7","location":"Chile","city":null,' +
      '"geo":{"lat":-33.45,"lon":-70.66},"is_bot":"no","data":{"Topics":"a, b"},' +
      '"data_full":[{"type":"select-multiple","name":"topics","label":"Topics","value":["a","b"]}]}',
  )
})

test('of a form that stores no IP addresses the key stays, and is null, in both bodies', () => {
  assert.ok(run.submission)
  const bare = { ...run, submission: { ...run.submission, ip: null } }
  const without = (body: string) => body.replace('"ip":"192.0.2.7"', '"ip":null')
  for (const bodyOf of [envelopeBody, legacyFormBody]) assert.equal(bodyOf(bare), without(bodyOf(run)))
})

test('without a submission most of the legacy body is null', () => {
  const other = { ...run, event: { ...event, form_id: null, form_submit_id: null }, submission: null }
  assert.equal(
    legacyFormBody(other),
    '{"triggered_ts":2,"form_id":null,"form":null,"ip":null,"location":null,"city":null,' +
      '"geo":{"lat":null,"lon":null},"is_bot":null,"data":null,"data_full":null}',
  )
})
