import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startFootfall } from '../../test/support/server.ts'
import type { FormEventKind, FormEventRow } from '../stores/tables.ts'
import { countFormEvents, formEventRow, type FormStep } from './facts.ts'
import { readFormStatistics } from './statistics.ts'

const NOW = Date.parse('2026-11-20T13:05:07Z')
const HOUR = 3_600_000
const FORM = 'fm_contact'

const step = (propertyId: string, factId: string, more: Partial<FormStep> = {}): FormStep => ({
  propertyId,
  formId: FORM,
  formName: 'Contact',
  factId,
  atMs: NOW - HOUR,
  session: undefined,
  source: 'footer',
  country_code: 'FR',
  country: 'France',
  device: 'desktop',
  isBot: false,
  ...more,
})

test('a row names its form session and nothing of a person', () => {
  const plain = formEventRow('view', step('pr_1', '18446744073709551615'))
  assert.deepEqual(plain, {
    property: 'pr_1',
    form: FORM,
    kind: 'view',
    day: '2026-11-20',
    id: '18446744073709551615',
    at: NOW - HOUR,
    session_day: '1970-01-01',
    session: '0',
    form_name: 'Contact',
    source: 'footer',
    country_code: 'FR',
    country: 'France',
    device: 'desktop',
    is_bot: 0,
    is_flagged: 0,
    submission: '',
  } satisfies FormEventRow)
  const session = { day: 20_776, hash: 7n }
  const sent = formEventRow(
    'submit',
    step('pr_1', '1', { session, isFlagged: true, isBot: true, submissionId: 'sb_1' }),
  )
  assert.deepEqual(
    [sent.session_day, sent.session, sent.is_flagged, sent.is_bot, sent.submission],
    ['2026-11-19', '7', 1, 1, 'sb_1'],
  )
})

test('what a form comes to: shown, begun, sent; by source and country; bots apart; nothing counts twice', async (t) => {
  const footfall = await startFootfall(t, { now: NOW })
  const { facts } = footfall.context
  const property = { id: footfall.property.id, default_period: null, timezone: 'UTC' }
  const add = async (kinds: string, factId: string, more: Partial<FormStep> = {}) => {
    const rows = kinds.split(' ').map((kind) => formEventRow(kind as FormEventKind, step(property.id, factId, more)))
    await facts.appendAll('form_events', rows)
  }
  const read = (period = 'today') => readFormStatistics({ facts, now: footfall.clock.now }, property, FORM, { period })

  const none = await read()
  assert.deepEqual([none.views, none.rate, none.rate_opened, none.by_source], [0, null, null, []])

  await add('view', '1')
  await add('view open', '2')
  await add('view open submit', '3')
  await add('view open submit', '4', { source: '', country_code: 'DE', country: 'Germany', isFlagged: true })
  await add('view open drop', '5')
  // Dropped, and restored by its owner.
  await add('view open drop submit', '6', { source: 'popup', country_code: '', country: '' })
  await add('view open submit', '7', { isBot: true })
  await add('view drop', '8', { isBot: true })
  await add('view', '9', { formId: 'fm_other' })
  await add('view submit', '10', { propertyId: 'pr_other' })
  await add('view submit', '11', { atMs: NOW - 24 * HOUR })
  // Again after a crash, at another time of the same day or the next moment.
  await add('view open submit', '3')
  await add('open', '2', { atMs: NOW - HOUR + 5 })
  // Its session became known on the way, so its rows lie apart.
  await add('view', '12')
  await add('open submit', '12', { session: { day: 20_777, hash: 5n } })

  const today = await read()
  assert.deepEqual([today.views, today.opened, today.submitted, today.flagged, today.dropped], [7, 6, 4, 1, 2])
  assert.deepEqual(today.bots, { views: 2, opened: 1, submitted: 1 })
  assert.deepEqual([today.rate, today.rate_opened], [0.5714, 0.8571])
  assert.deepEqual(today.by_source, [
    { source: 'footer', views: 5, opened: 4, submitted: 2, rate: 0.4 },
    { source: '', views: 1, opened: 1, submitted: 1, rate: 1 },
    { source: 'popup', views: 1, opened: 1, submitted: 1, rate: 1 },
  ])
  assert.deepEqual(today.by_country, [
    { country_code: 'FR', country: 'France', views: 5, opened: 4, submitted: 2, rate: 0.4 },
    { country_code: 'DE', country: 'Germany', views: 1, opened: 1, submitted: 1, rate: 1 },
  ])
  assert.deepEqual([(await read('yesterday')).submitted, (await read('last_7')).submitted], [1, 5])

  const counted = await countFormEvents(facts, property.id, [FORM, 'fm_other', 'fm_none'])
  assert.deepEqual(
    [...counted],
    [
      [FORM, { views: 8, submitted: 5 }],
      ['fm_other', { views: 1, submitted: 0 }],
      ['fm_none', { views: 0, submitted: 0 }],
    ],
  )
})

test('of many sources the ten with most submissions are shown', async (t) => {
  const footfall = await startFootfall(t, { now: NOW })
  const { facts } = footfall.context
  const rows = Array.from({ length: 15 }, (_, n) => {
    const more = { source: `s${String(n).padStart(2, '0')}`, country_code: `C${n}`, country: `Country ${n}` }
    return formEventRow(n < 2 ? 'submit' : 'view', step(footfall.property.id, String(n + 1), more))
  })
  await facts.appendAll('form_events', rows)
  const property = { id: footfall.property.id, default_period: null, timezone: 'UTC' }
  const found = await readFormStatistics({ facts, now: footfall.clock.now }, property, FORM, { period: 'today' })
  assert.deepEqual(
    found.by_source.map(({ source }) => source),
    Array.from({ length: 10 }, (_, n) => `s0${n}`),
  )
  assert.equal(found.by_country.length, 10)
  // Submissions without a view in the window.
  assert.equal(found.by_source[0]?.rate, null)
})
