// What automations are told, from every way in, through the front door and on both databases: the rows that
// are put down before a call is acknowledged, and the bodies that are made of them.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, beforeEach, describe, test } from 'node:test'
import { ALLOW_LOOPBACK, automationCalls, type AutomationCalls, HOOK } from '../../test/support/automation-calls.ts'
import { flowOf, type FormFlow, personSignals, sent } from '../../test/support/form-flow.ts'
import { startPostgres } from '../../test/support/postgres.ts'
import { type Footfall, type Reply, startFootfall } from '../../test/support/server.ts'
import { bodyOf } from '../deliveries/body.ts'
import { removeOldDeliveries } from '../deliveries/retention.ts'
import { openRunFacts } from '../deliveries/facts.ts'
import { readSessionId, type SessionRef } from '../kernel/ids.ts'
import type { TriggerEvent } from '../kernel/triggers.ts'
import type { DeliveryRow } from '../deliveries/queue-records.ts'
import { openOutbox } from './outbox.ts'

const NOW = Date.UTC(2026, 10, 18, 9, 30, 15, 250)
const BOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/
const postgres = await startPostgres({ after })

/** What anybody may cause by calling a page goes behind what the owner's server says. */
const byPage = { priority: 2 }

const nowhere = { page_path: null, page_url: null, form_id: null, form_submit_id: null }

function ok(reply: Reply) {
  assert.equal(reply.status, 200, reply.text)
  return reply.json
}

const eventOf = (row: DeliveryRow): TriggerEvent => JSON.parse(row.event ?? 'null')

/** Both databases do alike. One server at a time in a process, so they follow each other. */
function promises(kind: string, databaseUrl: () => Promise<string | undefined>): void {
  describe(kind, () => {
    const closers: (() => Promise<void>)[] = []
    let footfall: Footfall
    let calls: AutomationCalls
    let flow: FormFlow
    let visitors = 0
    /** Somebody new, and when. */
    let who: { address: string }
    let ts: number

    const session = (id: string): SessionRef => {
      const { keys } = footfall.context
      const found = readSessionId(keys, footfall.property.id, id)
      assert.ok(found)
      return found
    }

    /** A delivery as it is put down, whole. */
    const expectedRow = (
      row: DeliveryRow,
      automation: { readonly id: string; readonly actions: readonly { readonly id: string }[] },
      event: TriggerEvent,
      more: Partial<DeliveryRow> = {},
    ): DeliveryRow => ({
      seq: row.seq,
      id: row.id,
      property_id: footfall.property.id,
      automation_id: automation.id,
      action_id: automation.actions[0]!.id,
      url: HOOK,
      lane: createHash('sha256').update(HOOK).digest('hex').slice(0, 16),
      payload: 'envelope',
      priority: { form_submit: 0, identify: 1, event: 1, acquisition: 1, page_view: 2, contact: 3 }[event.type],
      event_type: event.type,
      event_value: null,
      event: JSON.stringify(event),
      event_id: null,
      conversion_id: null,
      session_day: null,
      session: null,
      submission_id: null,
      contact_id: null,
      is_test: 0,
      state: 'pending',
      attempts: 0,
      max_attempts: 3,
      next_attempt_ms: footfall.clock.now(),
      claim: null,
      created_ms: footfall.clock.now(),
      finished_ms: null,
      body: null,
      ...more,
    })
    const ofSession = (id: string): Partial<DeliveryRow> => ({
      session_day: session(id).day,
      session: String(session(id).hash),
    })
    /** The only delivery since the last look. */
    const onlyOne = async (): Promise<DeliveryRow> => {
      const rows = await calls.news()
      assert.equal(rows.length, 1, JSON.stringify(rows))
      assert.match(rows[0]!.id, ULID)
      return rows[0]!
    }
    const assertSilent = async () => assert.deepEqual(await calls.news(), [])
    const envelope = (row: DeliveryRow, data: object, more: object = {}) => ({
      id: row.id,
      version: 1,
      occurred_at: new Date(footfall.clock.now()).toISOString(),
      property_id: footfall.property.id,
      automation: { id: row.automation_id, name: 'Told' },
      trigger: { event_type: row.event_type, event_value: row.event_value },
      ...more,
      data: { event: null, session: null, conversion: null, form_submit: null, ...data },
    })
    const sessionShown = (id: string, more: object = {}) => ({
      id,
      url: `http://footfall.test/dashboard/properties/${footfall.property.id}/sessions/${id}`,
      entry_ts: ts,
      entry_path: '/start',
      channel_category: 'direct',
      channel_name: 'Direct',
      contact_id: null,
      country: null,
      acquisition_value_cents: 0,
      acquisition_currency_code: null,
      ...more,
    })
    const load = async (page = 'https://example.com/start?utm_term=x') =>
      ok(await footfall.track.load({ ...who, page }))
    const add = async (type: string, value: string | null = null, more: object = {}) =>
      calls.add(type, value, { name: 'Told', ...more })
    const pathOf = (id: string) => `/manage/properties/${footfall.property.id}/automations/${id}`
    const post = async (path: string, body: unknown) => ok(await footfall.call('POST', path, { body })).data

    before(async () => {
      const url = await databaseUrl()
      const env = { ...ALLOW_LOOPBACK, ...(url && { DATABASE_URL: url }) }
      footfall = await startFootfall({ after: (close) => closers.push(close) }, { now: NOW, env })
      calls = automationCalls(footfall)
      flow = flowOf(footfall)
    })

    after(async () => {
      for (const close of closers) await close()
    })

    beforeEach(async () => {
      footfall.clock.advance(60_000)
      ts = Math.floor(footfall.clock.now() / 1000)
      who = { address: `198.51.100.${++visitors}` }
      const { records, triggers } = footfall.context
      await records.deleteFrom('automations').execute()
      triggers.forget(footfall.property.id)
      await calls.news()
    })

    test('a page view, with the path that the owner asked for', async () => {
      const automation = await add('page_view', '/sta*t')
      const other = await footfall.addProperty()
      await calls.add('page_view', null, {}, other)
      const { session_id, view_id } = await load()
      const row = await onlyOne()
      const event: TriggerEvent = {
        type: 'page_view',
        name: null,
        value: null,
        meta: [],
        page_path: '/start',
        page_url: eventOf(row).page_url,
        form_id: null,
        form_submit_id: null,
        created_ts: ts,
        id: view_id,
      }
      assert.match(event.page_url ?? '', /^https:\/\/example\.com\/start/)
      assert.deepEqual(row, expectedRow(row, automation, event, { event_value: '/sta*t', ...ofSession(session_id) }))
      assert.deepEqual(await calls.told(row), envelope(row, { event, session: sessionShown(session_id) }))
      await load('https://example.com/elsewhere')
      await assertSilent()
    })

    test('an event of the page and one of the owner’s server, with the page that the visitor was on', async () => {
      const automation = await add('event', 'signup')
      const { session_id } = await load()
      await load('https://example.com/form')
      await footfall.track.event(session_id, 'signup', { ...who, value: 'pro', meta: { plan: 'x', n: 7 } })
      const row = await onlyOne()
      const meta = [
        { key: 'plan', value: 'x' },
        { key: 'n', value: '7' },
      ]
      const { id } = eventOf(row)
      assert.match(id, /^\d+$/)
      const event: TriggerEvent = { type: 'event', name: 'signup', value: 'pro', meta, ...nowhere, created_ts: ts, id }
      assert.deepEqual(
        row,
        expectedRow(row, automation, event, { event_value: 'signup', ...byPage, ...ofSession(session_id) }),
      )
      const placed = { ...event, page_path: '/form', page_url: 'https://example.com/form' }
      assert.deepEqual(await calls.told(row), envelope(row, { event: placed, session: sessionShown(session_id) }))
      const data = await post('/v2/property/session/event', { session_id, name: 'signup' })
      const byOwner = await onlyOne()
      assert.deepEqual(eventOf(byOwner), { ...event, value: null, meta: [], id: data.event.id })
      assert.deepEqual((await calls.told(byOwner)).data.event.page_path, '/form')
      await footfall.track.event(session_id, 'signup2', who)
      await post('/v2/property/session/event', { session_id, name: 'Signup' })
      await assertSilent()
    })

    test('money, once for an order however often it is sent, and context without money', async () => {
      const automation = await add('acquisition')
      const { session_id } = await load()
      const order = { value: 4900, currency_code: 'eur', tags: ['shop:order:7', 'vip'] }
      await footfall.track.acquisition(session_id, order, who)
      const row = await onlyOne()
      const { id } = eventOf(row)
      const meta = [
        { key: 'currency_code', value: 'EUR' },
        { key: 'order_id', value: '7' },
        { key: 'tag', value: 'shop:order:7' },
        { key: 'tag', value: 'vip' },
      ]
      const event: TriggerEvent = {
        type: 'acquisition',
        name: null,
        value: '4900',
        meta,
        ...nowhere,
        created_ts: ts,
        id,
      }
      assert.deepEqual(row, expectedRow(row, automation, event, { event_id: id, ...byPage, ...ofSession(session_id) }))
      const money = { acquisition_value_cents: 4900, acquisition_currency_code: 'EUR' }
      const told = await calls.told(row)
      assert.deepEqual(told.data.session, sessionShown(session_id, money))
      await footfall.track.acquisition(session_id, order, who)
      await post('/v2/property/session/acquisition', { session_id, ...order, tags: ['shop:order:7', 'again'] })
      await assertSilent()
      await post('/v2/property/session/acquisition', { session_id, ...order, tags: ['shop:order:8'] })
      assert.equal(eventOf(await onlyOne()).value, '4900')
      await post('/v2/property/session/acquisition', { session_id, tags: ['vip'] })
      assert.deepEqual(eventOf(await onlyOne()).meta, [{ key: 'tag', value: 'vip' }])
      await post('/v2/property/session/acquisition', { session_id })
      await assertSilent()
    })

    test('an order that comes ten times in one moment is told of once, also when the calls reach several nodes', async () => {
      await add('acquisition')
      const { session_id } = await load()
      const { context, property, track } = footfall
      const order = { value: 100, tags: ['shop:order:at-once'] }
      await Promise.all(Array.from({ length: 10 }, () => track.acquisition(session_id, order, who)))
      const row = await onlyOne()
      await context.records.deleteFrom('deliveries').where('id', '=', row.id).execute()
      // What several nodes do with it: each has an outbox of its own.
      const nodes = Array.from({ length: 5 }, () => openOutbox(context))
      const session = readSessionId(context.keys, property.id, session_id)
      const trigger = { event: eventOf(row), subjects: [], session, isRepeat: true }
      const put = async (node: (typeof nodes)[number]) =>
        node.enqueue(context.records, await node.listeners(property.id, 'acquisition'), trigger)
      const told = await Promise.all(nodes.map(put))
      assert.equal(told.filter(Boolean).length, 1)
      assert.equal(eventOf(await onlyOne()).id, eventOf(row).id)
    })

    test('an order whose delivery could not be put down is told of when it is sent again, and only then', async () => {
      await add('acquisition')
      const { session_id } = await load()
      const order = { value: 100, tags: ['shop:order:1'] }
      const { records } = footfall.context
      await footfall.track.acquisition(session_id, order, who)
      const [first] = await calls.news()
      await records.deleteFrom('deliveries').where('id', '=', first!.id).execute()
      await footfall.track.acquisition(session_id, order, who)
      const again = await onlyOne()
      assert.equal(eventOf(again).id, eventOf(first!).id)
      await footfall.track.acquisition(session_id, order, who)
      await assertSilent()
      await records.deleteFrom('deliveries').where('id', '=', again.id).execute()
      footfall.clock.advance(86_400_001)
      await post('/v2/property/session/acquisition', { session_id, ...order })
      await assertSilent()
    })

    test('who a visitor is, once, and the contact that is made of it', async () => {
      const [identify, contact] = [await add('identify'), await add('contact', 'created')]
      const { session_id } = await load()
      const body = { email: `ann${visitors}@example.com`, traits: { first_name: 'Ann' } }
      const said = () =>
        footfall.call('POST', `/v2/signal/${session_id}/identify`, {
          body,
          headers: { 'x-svc-id': footfall.property.key, 'x-forwarded-for': who.address },
        })
      const { contact_id } = ok(await said())
      const rows = await calls.news()
      assert.equal(rows.length, 2)
      const [row, made] = rows as [DeliveryRow, DeliveryRow]
      const meta = [{ key: 'contact_id', value: contact_id }]
      const event = (type: 'identify' | 'contact'): TriggerEvent => ({
        type,
        name: type === 'contact' ? 'created' : null,
        value: null,
        meta,
        ...nowhere,
        created_ts: ts,
        id: `${contact_id}-${footfall.clock.now()}-${type}`,
      })
      const theirs = { ...ofSession(session_id), contact_id }
      assert.deepEqual(row, expectedRow(row, identify, event('identify'), theirs))
      assert.deepEqual(made, expectedRow(made, contact, event('contact'), { event_value: 'created', ...theirs }))
      const placed = {
        ...event('identify'),
        page_path: '/start',
        page_url: (await calls.told(row)).data.event.page_url,
      }
      const shown = sessionShown(session_id, { contact_id })
      assert.deepEqual(await calls.told(row), envelope(row, { event: placed, session: shown }))
      assert.doesNotMatch(JSON.stringify(rows), /\bann/i, 'ids, and nothing of who it is')
      await said()
      await assertSilent()
    })

    test('an identification by the owner’s server, with a session and without', async () => {
      await add('identify')
      await add('contact')
      const { session_id } = await load()
      const email = `bob${visitors}@example.com`
      const first = await post('/v2/property/contacts/identify', { email })
      assert.deepEqual(
        (await calls.news()).map((row) => [row.event_type, eventOf(row).name, row.session, row.contact_id]),
        [
          ['identify', null, null, first.contact.id],
          ['contact', 'created', null, first.contact.id],
        ],
      )
      await post('/v2/property/contacts/identify', { email, session_id })
      const linked = await onlyOne()
      assert.deepEqual([linked.event_type, linked.session], ['identify', String(session(session_id).hash)])
      assert.equal((await calls.told(linked)).data.session.contact_id, first.contact.id)
      await post('/v2/property/contacts/identify', { email, session_id, traits: { city: 'Bern' } })
      const changed = await onlyOne()
      assert.deepEqual(eventOf(changed).meta, [
        { key: 'contact_id', value: first.contact.id },
        { key: 'changed', value: 'city' },
      ])
      assert.equal(changed.session, linked.session)
      await post('/v2/property/contacts/identify', { email, traits: { city: 'Bern' } })
      await assertSilent()
    })

    test('what becomes of a contact: each automation once for a call, by the transition it waits for', async () => {
      const { contact } = await post('/v2/property/contacts/identify', { email: `cy${visitors}@example.com` })
      const waiting = ['updated', 'unsubscribed', 'resubscribed', 'lifecycle_stage', 'lifecycle_stage:lead', 'deleted']
      const names = new Map<string, string>()
      for (const value of waiting) names.set((await add('contact', value)).id, value)
      const heard = async () =>
        (await calls.news()).map((row) => {
          const { name, value } = eventOf(row)
          return [names.get(row.automation_id), name, value]
        })
      const path = `/v2/property/contacts/${contact.id}`
      await post(path, { state: 'active', email: contact.email })
      assert.deepEqual(await heard(), [])
      await post(path, { state: 'unsubscribed', lifecycle_stage: 'lead', city: 'Bern' })
      assert.deepEqual(await heard(), [
        ['updated', 'unsubscribed', 'unsubscribed'],
        ['unsubscribed', 'unsubscribed', 'unsubscribed'],
        ['lifecycle_stage', 'unsubscribed', 'unsubscribed'],
        ['lifecycle_stage:lead', 'unsubscribed', 'unsubscribed'],
      ])
      await post(path, { state: 'active' })
      assert.deepEqual(await heard(), [
        ['updated', 'resubscribed', 'active'],
        ['resubscribed', 'resubscribed', 'active'],
      ])
      await post(path, { lifecycle_stage: 'customer' })
      assert.deepEqual(await heard(), [
        ['updated', 'lifecycle_stage', 'customer'],
        ['lifecycle_stage', 'lifecycle_stage', 'customer'],
      ])
      const refused = await footfall.call('POST', path, { body: { city: 'Basel', email: 'no address' } })
      assert.equal(refused.status, 422)
      assert.deepEqual(await heard(), [])
      for (let times = 0; times < 2; times++) ok(await footfall.call('DELETE', path))
      const [row, ...others] = await calls.news()
      assert.deepEqual(others, [])
      assert.equal(eventOf(row!).name, 'deleted')
      // The second deletion left it: it tells of nobody.
      assert.deepEqual([row!.state, row!.contact_id], ['pending', null])
      const { data } = await calls.told(row!)
      assert.deepEqual(data.event.meta[0], { key: 'contact_id', value: contact.id })
      assert.equal(data.session, null)
    })

    test('a form submission that is kept, with what was answered; one that was dropped only once it is no spam', async () => {
      const automation = await add('form_submit')
      const form = await flow.create(footfall.property.id)
      const opened = await flow.open(form, undefined, who)
      footfall.clock.advance(25_000)
      ts += 25
      const answers = { name: 'Grace', email: `grace${visitors}@example.com` }
      assert.equal(ok(await flow.send(opened, answers, who)).validated, true)
      const row = await onlyOne()
      const id = row.submission_id
      assert.ok(id)
      const event: TriggerEvent = {
        type: 'form_submit',
        name: null,
        value: null,
        meta: [],
        page_path: null,
        page_url: null,
        form_id: form.id,
        form_submit_id: id,
        created_ts: ts,
        id,
      }
      assert.deepEqual(row, expectedRow(row, automation, event, { submission_id: id }))
      const told = await calls.told(row)
      assert.deepEqual(
        told,
        envelope(row, {
          event,
          form_submit: {
            id,
            form: { id: form.id, name: 'Contact' },
            fields: answers,
            country: null,
            city: null,
            ip: null,
            geo: { lat: null, lon: null },
            is_bot: false,
            is_flagged: told.data.form_submit.is_flagged,
            raw_fields: [
              { type: 'text', name: 'name', label: 'name', value: answers.name },
              { type: 'email', name: 'email', label: 'email', value: answers.email },
            ],
            submitted_ts: ts,
          },
        }),
      )
      const program = await flow.open(form, undefined, { address: '203.0.113.66' })
      const spam = { ...sent(program, answers), _sig: { ...personSignals, w: 1, k: 60, dur: 5 } }
      ok(await flow.process(program.token, spam, { address: '203.0.113.66' }))
      await assertSilent()
      const { records } = footfall.context
      const last = await records.selectFrom('submissions').selectAll().orderBy('seq', 'desc').executeTakeFirstOrThrow()
      assert.equal(last.verdict, 'dropped')
      const path = `/manage/properties/${footfall.property.id}/forms/${form.id}/submissions`
      await post(`${path}/${last.id}`, { mark: 'spam' })
      await assertSilent()
      await post(`${path}/${last.id}`, { mark: 'not_spam' })
      assert.equal((await onlyOne()).submission_id, last.id)
      await post(`${path}/${last.id}`, { mark: null })
      await post(`${path}/${last.id}`, { mark: 'not_spam' })
      await post(`${path}/${id}`, { mark: 'not_spam' })
      await assertSilent()
      await records.updateTable('deliveries').set({ state: 'delivered', finished_ms: footfall.clock.now() }).execute()
      footfall.clock.advance(31 * 86_400_000)
      await removeOldDeliveries(footfall.context)
      assert.deepEqual(await records.selectFrom('deliveries').select('id').execute(), [], 'the log of it is gone')
      await post(`${path}/${last.id}`, { mark: null })
      await post(`${path}/${last.id}`, { mark: 'not_spam' })
      await assertSilent()
      const later = await add('form_submit', form.id)
      await post(`${path}/${last.id}`, { mark: 'not_spam' })
      assert.equal((await onlyOne()).automation_id, later.id, 'one that came later has not been told')
      ok(await footfall.call('DELETE', `${path}/${last.id}`))
      assert.deepEqual(await records.selectFrom('told_submissions').selectAll().execute(), [])
    })

    test('a form that the owner named, and the visit that it was sent from', async () => {
      const form = await flow.create(footfall.property.id)
      const other = await flow.create(footfall.property.id)
      await add('form_submit', form.id, { actions: [{ type: 'webhook', url: HOOK, payload: 'legacy_form' }] })
      const { session_id } = await load()
      const from = { ...who, headers: { 'x-service-session-id': session_id } }
      for (const each of [other, form]) {
        const opened = await flow.open(each, undefined, from)
        footfall.clock.advance(25_000)
        ok(await flow.send(opened, { name: 'Ada', email: 'ada@example.com' }, from))
      }
      const row = await onlyOne()
      const told = await calls.told(row)
      assert.deepEqual(
        [told.form_id, told.form, told.data],
        [form.id, 'Contact', { name: 'Ada', email: 'ada@example.com' }],
      )
      assert.equal(row.session, String(session(session_id).hash))
    })

    test('what is removed is not told of any more: a submission, a form, a person', async () => {
      await add('form_submit')
      const { records } = footfall.context
      const form = await flow.create(footfall.property.id)
      const email = `eve${visitors}@example.com`
      const send = async (): Promise<DeliveryRow> => {
        const opened = await flow.open(form, undefined, who)
        footfall.clock.advance(25_000)
        ok(await flow.send(opened, { name: `Eve ${footfall.clock.now()}`, email }, who))
        const row = await onlyOne()
        await records.updateTable('deliveries').set({ body: 'told' }).where('id', '=', row.id).execute()
        return row
      }
      const left = async ({ id }: DeliveryRow) => {
        const row = await records.selectFrom('deliveries').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
        return [row.state, row.body, row.event]
      }
      const gone = ['erased', null, null]
      const path = `/manage/properties/${footfall.property.id}/forms/${form.id}`
      const [first, second] = [await send(), await send()]
      ok(await footfall.call('DELETE', `${path}/submissions/${first.submission_id}`))
      assert.deepEqual(await left(first), gone)
      assert.deepEqual(await left(second), ['pending', 'told', second.event])
      const { contact } = await post('/v2/property/contacts/identify', { email })
      ok(await footfall.call('DELETE', `/v2/property/contacts/${contact.id}`))
      assert.deepEqual(await left(second), gone)
      const third = await send()
      ok(await footfall.call('DELETE', path))
      assert.deepEqual(await left(third), gone)
    })

    test('bots fire nothing: neither page views nor events nor money', async () => {
      for (const type of ['page_view', 'event', 'acquisition']) await add(type)
      const bot = { ...who, agent: BOT }
      const { session_id } = ok(await footfall.track.load(bot))
      await footfall.track.event(session_id, 'signup', bot)
      await footfall.track.acquisition(session_id, { value: 1 }, bot)
      await assertSilent()
    })

    test('a condition is met by the event itself, by one before, or not at all', async () => {
      const conversion = await calls.define('event', 'signup')
      await add('event', null, { conversion_id: conversion.id })
      await add('page_view', null, { conversion_id: conversion.id })
      await add('contact', null, { conversion_id: conversion.id })
      const { session_id } = await load()
      const [early] = await calls.news()
      const skipped = { skipped: 'The session has not met the condition.' }
      assert.equal(early!.conversion_id, conversion.id)
      assert.deepEqual(await calls.told(early!), skipped)
      await footfall.track.event(session_id, 'other', who)
      assert.deepEqual(await calls.told(await onlyOne()), skipped)
      await footfall.track.event(session_id, 'signup', who)
      const met = { id: conversion.id, name: conversion.name }
      assert.deepEqual((await calls.told(await onlyOne())).data.conversion, met)
      await load('https://example.com/later')
      assert.deepEqual((await calls.told(await onlyOne())).data.conversion, met)
      await post('/v2/property/contacts/identify', { email: `dan${visitors}@example.com` })
      assert.deepEqual(await calls.told(await onlyOne()), skipped, 'without a session there is nobody to have met it')
    })

    test('whoever is identified has met that condition at once, before the facts know of it', async () => {
      const conversion = await calls.define('identify', null)
      await add('contact', null, { conversion_id: conversion.id })
      await add('page_view', null, { conversion_id: conversion.id })
      const { session_id } = await load()
      await post('/v2/property/contacts/identify', { session_id, email: `eve${visitors}@example.com` })
      await load('https://example.com/other')
      const stranger = { address: `198.51.100.${++visitors}` }
      ok(await footfall.track.load(stranger))
      const unknowing = { ...openRunFacts(footfall.context), hasConverted: async () => false }
      const bodies = []
      for (const row of await calls.news()) bodies.push(await bodyOf({ ...footfall.context, runFacts: unknowing }, row))
      assert.deepEqual(
        bodies.map((body) => 'skipped' in body),
        [false, false, false, true],
      )
    })

    test('a path pattern may be written as people read it: it is kept as addresses have it', async () => {
      const pages = ['/café', '/a b*', '/caf%C3%A9/<x>', '/{slug}', '/#/über {x}', '/a^b', '/low%c3%a9']
      const kept = [
        '/caf%C3%A9',
        '/a%20b*',
        '/caf%C3%A9/%3Cx%3E',
        '/%7Bslug%7D',
        '/#/%C3%BCber%20{x}',
        '/a%5Eb',
        '/low%C3%A9',
      ]
      for (const [at, page] of pages.entries()) {
        const automation = await add('page_view', page)
        const { trigger } = (await footfall.call('GET', pathOf(automation.id))).json.data.automation
        assert.equal(trigger.event_value, kept[at])
        const changed = await post(pathOf(automation.id), { trigger: { event_type: 'page_view', event_value: page } })
        assert.equal(changed.automation.trigger.event_value, kept[at])
        await load(`https://example.com${page.replace('*', '/more')}`)
        assert.deepEqual(
          (await calls.news()).map(({ event_value }) => event_value),
          [kept[at]],
          page,
        )
      }
      const { records } = footfall.context
      const { id } = await calls.define('page_view', '/ça*')
      const stored = records.selectFrom('conversions').select('event_value').where('id', '=', id)
      assert.equal((await stored.executeTakeFirstOrThrow()).event_value, '/%C3%A7a*')
    })

    test('a pattern that can match nothing, and ids of no shape, are refused', async () => {
      const refused = async (body: object) => {
        const path = `/manage/properties/${footfall.property.id}/automations`
        const reply = await footfall.call('POST', path, {
          body: { actions: [{ type: 'webhook', url: HOOK }], ...body },
        })
        assert.equal(reply.status, 422, reply.text)
        return Object.keys(reply.json.errors)
      }
      for (const value of ['/a?b=c', `/${'é'.repeat(60)}`])
        assert.deepEqual(await refused({ trigger: { event_type: 'page_view', event_value: value } }), [
          'trigger.event_value',
        ])
      for (const id of ['a\u0000b', 'cv_\u0000', '\ud800', 'cv_1'])
        assert.deepEqual(await refused({ trigger: { event_type: 'event' }, conversion_id: id }), ['conversion_id'])
    })

    test('test sends tell of nobody, also while the automation is off, and of a form by its own fields', async () => {
      const test = async (id: string) => {
        await post(`/manage/properties/${footfall.property.id}/automations/${id}/test`, {})
        const row = await onlyOne()
        assert.deepEqual([row.is_test, row.max_attempts, row.priority, row.event], [1, 1, 0, null])
        return calls.told(row)
      }
      const event = await test((await add('event', null, { is_active: false })).id)
      assert.deepEqual(Object.keys(event).slice(6), ['test', 'data'])
      assert.equal(event.test, true)
      assert.equal(event.data.event, null)
      assert.equal(event.data.form_submit, null)
      assert.deepEqual(Object.keys(event.data.session), Object.keys(sessionShown(event.data.session.id)))
      const fields = [
        { type: 'email', name: 'mail', label: 'Your address' },
        { type: 'text', name: 'note', label: 'Note' },
      ]
      const form = await flow.create(footfall.property.id, { kind: 'managed', fields })
      const told = await test((await add('form_submit', form.id)).id)
      assert.deepEqual(told.data.form_submit.form, { id: form.id, name: 'Contact' })
      assert.deepEqual(Object.keys(told.data.form_submit.fields), ['Your address', 'Note'])
      assert.deepEqual(Object.keys((await test((await add('form_submit')).id)).data.form_submit.fields).length, 3)
    })

    test('a property without automations puts nothing down, and is not looked up again for each call', async () => {
      const { triggers } = footfall.context
      const { session_id } = await load()
      await footfall.track.event(session_id, 'signup', who)
      await assertSilent()
      for (const type of ['page_view', 'event', 'contact'] as const)
        assert.deepEqual(triggers.listeners(footfall.property.id, type), [], 'at once, from memory')
    })

    test('another node hears of a new automation and of one that is switched off within two seconds', async () => {
      const elsewhere = openOutbox(footfall.context)
      const heard = async () => (await elsewhere.listeners(footfall.property.id, 'event')).length
      assert.equal(await heard(), 0)
      const { id } = await add('event')
      footfall.clock.advance(2_001)
      assert.equal(await heard(), 1)
      await post(`/manage/properties/${footfall.property.id}/automations/${id}`, { is_active: false })
      footfall.clock.advance(2_001)
      assert.equal(await heard(), 0)
    })

    test('each action has a delivery of its own, with ids that grow', async () => {
      const actions = [HOOK, `${HOOK}/2`].map((url) => ({ type: 'webhook', url }))
      await add('page_view', null, { actions })
      await add('page_view', null, { actions })
      await load()
      await load()
      const rows = await calls.news()
      assert.equal(rows.length, 8)
      const ids = rows.map(({ id }) => id)
      assert.deepEqual(ids, [...new Set(ids)].toSorted())
      assert.equal(new Set(rows.map(({ action_id }) => action_id)).size, 4)
    })

    if (kind === 'postgres')
      test('while the records are away, nothing is acknowledged that somebody waits to be told of', async () => {
        for (const type of ['page_view', 'event', 'acquisition']) await add(type)
        const quiet = await footfall.addProperty()
        const { session_id } = await load()
        const calm = ok(await footfall.track.load({ ...who, key: quiet.key }))
        await calls.news()
        await postgres!.stop()
        const order = { value: 5, tags: ['shop:order:away'] }
        const replies = [
          await footfall.track.load(who),
          await footfall.track.event(session_id, 'signup', who),
          await footfall.track.acquisition(session_id, order, who),
        ]
        for (const reply of replies) assert.equal(reply.status, 503, reply.text)
        ok(await footfall.track.event(calm.session_id, 'signup', { ...who, key: quiet.key }))
        await postgres!.start()
        await footfall.track.acquisition(session_id, order, who)
        assert.equal(eventOf(await onlyOne()).value, '5')
      })
  })
}

promises('sqlite', async () => undefined)
if (postgres) promises('postgres', () => postgres.freshUrl())
