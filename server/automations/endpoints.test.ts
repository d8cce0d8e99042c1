// Automations and conversions as their owner has them, through the front door, on SQLite and on PostgreSQL:
// what is kept, what is shown once, what is refused, and what becomes of deliveries that wait.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startPostgres } from '../../test/support/postgres.ts'
import { ADMIN_TOKEN, type Footfall, type Reply, startFootfall } from '../../test/support/server.ts'
import { addForm } from '../../test/support/submissions.ts'
import type { NewDelivery } from '../deliveries/queue-records.ts'
import { findSendingAutomations } from '../deliveries/queue-records.ts'
import { removeOldDeliveries } from '../deliveries/retention.ts'
import { secretsOf } from './secrets.ts'

const NOW = Date.UTC(2026, 10, 18, 9, 30, 15, 250)
const HOOK = 'https://127.0.0.1:9/hook'
const postgres = await startPostgres({ after })

function ok(reply: Reply) {
  assert.equal(reply.status, 200, reply.text)
  return reply.json.data
}

function assertRefused(reply: Reply, field: string): void {
  assert.deepEqual([reply.status, reply.json.error_code], [422, 'validation_failed'], reply.text)
  assert.deepEqual(Object.keys(reply.json.errors), [field], reply.text)
}

const trigger = { event_type: 'event', event_value: null }
const webhook = { type: 'webhook', url: HOOK }
const automationBody = { trigger, actions: [webhook] }
const hostileIds = ['%00', 'a%00b', '%F0%9F%98%80', '..%2f', "'", 'au_%00', 'cv_%00', 'x'.repeat(900)]

/** Both databases answer alike. One server at a time in a process, so they follow each other. */
function promises(kind: string, databaseUrl: () => Promise<string | undefined>): void {
  describe(kind, () => {
    const closers: (() => Promise<void>)[] = []
    let footfall: Footfall
    let at: string

    /** Each test in a property of its own. */
    async function newProperty(row: { plan?: 'free' | 'paid' } = {}): Promise<string> {
      footfall.clock.advance(60_000)
      const { id } = await footfall.addProperty(row)
      at = `/manage/properties/${id}`
      return id
    }
    const get = (path: string) => footfall.call('GET', `${at}/${path}`)
    const post = (path: string, body?: unknown) =>
      footfall.call('POST', `${at}/${path}`, body === undefined ? {} : { body })
    const remove = (path: string) => footfall.call('DELETE', `${at}/${path}`)
    const create = async (body: object = {}) => ok(await post('automations', { ...automationBody, ...body }))
    const define = async (body: object = {}) =>
      ok(await post('conversions', { name: 'Sale', event_type: 'acquisition', ...body })).conversion

    before(async () => {
      const url = await databaseUrl()
      const env = { WEBHOOK_ALLOW: '127.0.0.0/8', ...(url && { DATABASE_URL: url }) }
      footfall = await startFootfall({ after: (close) => closers.push(close) }, { now: NOW, env })
    })

    after(async () => {
      for (const close of closers) await close()
    })

    test('an automation is created, listed, changed and deleted, and its secret is shown only when it is made', async () => {
      await newProperty()
      const { automation, signing_secret } = await create()
      assert.match(signing_secret, /^whsec_[0-9A-Za-z]{40}$/)
      assert.match(automation.id, /^au_[0-9A-Za-z]{20}$/)
      assert.match(automation.actions[0].id, /^wa_[0-9A-Za-z]{20}$/)
      const now = Math.floor(footfall.clock.now() / 1000)
      assert.deepEqual(automation, {
        id: automation.id,
        name: null,
        label: 'Event',
        trigger: { event_type: 'event', event_value: null },
        conversion_id: null,
        actions: [{ id: automation.actions[0].id, type: 'webhook', url: HOOK, payload: 'envelope' }],
        is_active: true,
        disabled_reason: null,
        disabled_ts: null,
        failures: 0,
        has_previous_secret_until: null,
        created_ts: now,
        updated_ts: now,
      })
      const path = `automations/${automation.id}`
      const listed = await get('automations')
      assert.deepEqual(ok(listed).data, [{ ...automation, last_delivery: null }])
      assert.deepEqual(ok(await get(path)).automation, automation)
      footfall.clock.advance(5_000)
      const changed = await post(path, { name: ' Orders ', trigger: { event_type: 'contact', event_value: 'created' } })
      assert.deepEqual(ok(changed).automation, {
        ...automation,
        name: 'Orders',
        label: 'Orders',
        trigger: { event_type: 'contact', event_value: 'created' },
        updated_ts: now + 5,
      })
      assert.equal(ok(await post(path, { name: '' })).automation.label, 'Contact change')
      for (const reply of [listed, changed, await get(path), await post(`${path}/enable`)])
        assert.ok(!reply.text.includes('whsec_') && !reply.text.includes('"secret"'), reply.text)
      const row = (await findSendingAutomations(footfall.context.records, [automation.id])).get(automation.id)
      assert.ok(!JSON.stringify(row).includes(signing_secret.slice(6)))
      assert.deepEqual(secretsOf(footfall.context.keys, row!, now), [signing_secret])
      assert.deepEqual(ok(await remove(path)), { deleted: true })
      for (const reply of [await get(path), await post(path, {}), await remove(path), await post(`${path}/enable`)])
        assert.deepEqual([reply.status, reply.json.error_code], [404, 'not_found'], reply.text)
      assert.equal(ok(await get('automations')).total, 0)
    })

    test('only the administrator, and only within the property', async () => {
      await newProperty()
      const { automation } = await create()
      const conversion = await define()
      const paths: readonly (readonly [string, string])[] = [
        ['GET', 'automations'],
        ['POST', 'automations'],
        ...['GET', 'POST', 'DELETE'].map((method) => [method, `automations/${automation.id}`] as const),
        ['POST', `automations/${automation.id}/enable`],
        ['POST', `automations/${automation.id}/secret`],
        ['POST', `automations/${automation.id}/test`],
        ['GET', 'conversions'],
        ['POST', 'conversions'],
        ...['GET', 'POST', 'DELETE'].map((method) => [method, `conversions/${conversion.id}`] as const),
        ['GET', `conversions/${conversion.id}/statistics`],
        ['GET', 'conversions/statistics'],
      ]
      for (const [method, path] of paths) {
        const body = method === 'POST' ? {} : undefined
        for (const token of [null, footfall.token, `${ADMIN_TOKEN}x`]) {
          const reply = await footfall.call(method, `${at}/${path}`, { token, ...(body && { body }) })
          assert.deepEqual([reply.status, reply.json.error_code], [401, 'unauthenticated'], `${method} ${path}`)
        }
      }
      const own = at
      await newProperty()
      for (const [method, path] of paths.filter(([, text]) => text.includes('_'))) {
        const reply = await footfall.call(method, `${at}/${path}`, method === 'POST' ? { body: {} } : {})
        assert.deepEqual([reply.status, reply.json.error_code], [404, 'not_found'], `${method} ${path}`)
      }
      at = own
      assert.deepEqual(ok(await get(`automations/${automation.id}`)).automation, automation)
      assert.deepEqual(ok(await get(`conversions/${conversion.id}`)).conversion, conversion)
      for (const id of hostileIds)
        for (const path of [`automations/${id}`, `automations/${id}/secret`, `conversions/${id}`]) {
          const reply = await post(path, {})
          assert.deepEqual([reply.status, reply.json.error_code], [404, 'not_found'], `${path}: ${reply.text}`)
        }
    })

    test('what breaks a rule is refused and named, and nothing of it is kept', async () => {
      const propertyId = await newProperty()
      const formId = await addForm(footfall.context.records, propertyId)
      const otherForm = await addForm(footfall.context.records, footfall.property.id)
      const { automation } = await create()
      const value = (event_type: string, event_value: unknown) =>
        [{ trigger: { event_type, event_value } }, 'trigger.event_value'] as const
      const action = (part: object, field: string) =>
        [{ actions: [webhook, { ...webhook, ...part }] }, `actions.1.${field}`] as const
      const wrong: readonly (readonly [object, string])[] = [
        [{ trigger: { event_type: 'click' } }, 'trigger.event_type'],
        [{ trigger: {} }, 'trigger.event_type'],
        [{ trigger: null }, 'trigger'],
        value('event', 1),
        value('event', 'x'.repeat(256)),
        value('event', 'a\0b'),
        value('event', '\ud800'),
        value('form_submit', 'fm_x'),
        value('form_submit', otherForm),
        value('page_view', 'pricing'),
        value('page_view', 'https://example.com/'),
        value('acquisition', 'x'),
        value('identify', 'x'),
        ...['Created', 'lifecycle_stage:', 'lifecycle_stage: ', 'customer', 'erased'].map((text) =>
          value('contact', text),
        ),
        [{ name: 'x'.repeat(121) }, 'name'],
        [{ name: 1 }, 'name'],
        [{ name: 'a\nb' }, 'name'],
        [{ conversion_id: 'cv_none' }, 'conversion_id'],
        [{ conversion_id: 1 }, 'conversion_id'],
        [{ is_active: 'no' }, 'is_active'],
        [{ actions: [] }, 'actions'],
        [{ actions: Array.from({ length: 6 }, () => webhook) }, 'actions'],
        [{ actions: webhook }, 'actions'],
        action({ type: 'mail' }, 'type'),
        action({ payload: 'xml' }, 'payload'),
        action({ url: 1 }, 'url'),
        action({ id: 'wa_none' }, 'id'),
        ...[
          '',
          'http://127.0.0.1/',
          'ftp://127.0.0.1/',
          'https://10.0.0.1/hook',
          'https://0xa9fea9fe/latest',
          'https://[::1]/',
          'https://[::ffff:10.0.0.1]/',
          'https://user:pass@127.0.0.1/',
          'javascript:alert(1)',
          `https://127.0.0.1/${'x'.repeat(2048)}`,
          `https://127.0.0.1/${'ü'.repeat(500)}`,
        ].map((url) => action({ url }, 'url')),
      ]
      for (const [part, field] of wrong) {
        assertRefused(await post('automations', { ...automationBody, ...part }), field)
        assertRefused(await post(`automations/${automation.id}`, part), field)
        footfall.clock.advance(1_000)
      }
      assertRefused(await post('automations', { trigger }), 'actions')
      assertRefused(await post('automations', { actions: [webhook] }), 'trigger')
      for (const body of ['{', '[]', '"x"', '7'])
        for (const path of ['automations', `automations/${automation.id}`, `automations/${automation.id}/secret`])
          assert.equal((await post(path, body)).status, 422, `${path} ${body}`)
      for (const hours of [-1, 169, 1.5, '24'])
        assertRefused(await post(`automations/${automation.id}/secret`, { overlap_hours: hours }), 'overlap_hours')
      assert.deepEqual(ok(await get('automations')).data, [{ ...automation, last_delivery: null }])
      const right = [
        ['form_submit', formId],
        ['event', ' Signed up * '],
        ['page_view', '/pricing/*'],
        ['page_view', '*'],
        ['contact', 'lifecycle_stage:customer'],
        ['contact', 'lifecycle_stage'],
        ['acquisition', ''],
        ['identify', null],
      ] as const
      for (const [event_type, event_value] of right) {
        const made = await create({ trigger: { event_type, event_value } })
        assert.deepEqual(made.automation.trigger, { event_type, event_value: event_value || null })
      }
    })

    test('a host that no name server knows is saved with a warning at its field, and one that leads inside is refused', async () => {
      await newProperty()
      const unknown = { ...webhook, url: 'https://hooks.not-yet.invalid/leads' }
      const made = ok(await post('automations', { ...automationBody, actions: [webhook, unknown] }))
      assert.deepEqual(Object.keys(made.warnings), ['actions.1.url'])
      assert.match(made.warnings['actions.1.url'][0], /^The .*host hooks\.not-yet\.invalid .*\.$/i)
      assert.equal(made.automation.actions[1].url, unknown.url)
      const path = `automations/${made.automation.id}`
      assert.deepEqual(Object.keys(ok(await post(path, { actions: [unknown] })).warnings), ['actions.0.url'])
      assert.deepEqual(ok(await get(path)).automation.actions[0].url, unknown.url)
      assert.deepEqual(Object.keys(ok(await post(path, { actions: [webhook] }))), ['automation'])
      assert.deepEqual(Object.keys(ok(await post(path, { name: 'Other' }))), ['automation'])
      assertRefused(await post(path, { actions: [unknown, { ...webhook, url: 'https://10.0.0.1/' }] }), 'actions.1.url')
    })

    test('an action keeps its id by naming it or by its address, and the list is replaced whole', async () => {
      await newProperty()
      const [a, b] = ['https://127.0.0.1:9/a', 'https://127.0.0.1:9/b']
      const actions = [
        { type: 'webhook', url: a },
        { type: 'webhook', url: a, payload: 'legacy_form' },
        { type: 'webhook', url: b },
      ]
      const { automation } = await create({ actions })
      const [one, two, three] = automation.actions
      assert.equal(new Set([one.id, two.id, three.id]).size, 3)
      const path = `automations/${automation.id}`
      const change = async (list: readonly object[]) =>
        ok(await post(path, { actions: list.map((part) => ({ type: 'webhook', ...part })) })).automation.actions
      assert.deepEqual(
        await change([{ url: a, payload: 'legacy_form' }, { url: a }, { url: b }]),
        [two, one, three],
        'by address and payload, whatever the order',
      )
      assert.deepEqual(await change([{ id: three.id, url: a }, { url: a }]), [
        { ...three, url: a },
        { ...one, payload: 'envelope' },
      ])
      assertRefused(await post(path, { actions: [{ ...webhook, id: two.id }] }), 'actions.0.id')
      const twice = [
        { ...webhook, id: one.id },
        { ...webhook, id: one.id },
      ]
      assertRefused(await post(path, { actions: twice }), 'actions.1.id')
      const [fresh] = await change([{ url: 'https://127.0.0.1:9/%7Enew?q=%C3%BC' }])
      assert.ok(![one.id, two.id, three.id].includes(fresh.id))
      assert.equal(fresh.url, 'https://127.0.0.1:9/%7Enew?q=%C3%BC')
    })

    test('on the plan free no webhook is saved or switched on, and what is there can be switched off', async () => {
      const propertyId = await newProperty()
      const { automation } = await create()
      const path = `automations/${automation.id}`
      ok(await footfall.call('POST', at, { body: { plan: 'free' } }))
      assertRefused(await post('automations', automationBody), 'actions')
      assertRefused(await post(path, { actions: [webhook] }), 'actions')
      assert.equal(ok(await post(path, { is_active: false, name: 'Off' })).automation.is_active, false)
      assertRefused(await post(path, { is_active: true }), 'actions')
      assertRefused(await post(`${path}/enable`), 'actions')
      ok(await footfall.call('POST', at, { body: { plan: 'paid' } }))
      assert.equal(ok(await post(`${path}/enable`)).automation.is_active, true)
      assert.match(propertyId, /^pr_/)
    })

    test('after a rotation both secrets sign until the overlap is over, and two at most', async () => {
      await newProperty()
      const { automation, signing_secret: first } = await create()
      const path = `automations/${automation.id}`
      const signing = async () => {
        const row = (await findSendingAutomations(footfall.context.records, [automation.id])).get(automation.id)
        return secretsOf(footfall.context.keys, row!, Math.floor(footfall.clock.now() / 1000))
      }
      const until = async () => ok(await get(path)).automation.has_previous_secret_until
      const rotated = ok(await post(`${path}/secret`))
      const second = rotated.signing_secret
      assert.notEqual(second, first)
      assert.match(second, /^whsec_[0-9A-Za-z]{40}$/)
      const now = Math.floor(footfall.clock.now() / 1000)
      assert.equal(rotated.automation.has_previous_secret_until, now + 24 * 3600)
      assert.deepEqual(await signing(), [second, first])
      footfall.clock.advance(24 * 3_600_000 - 1_000)
      await removeOldDeliveries(footfall.context)
      assert.deepEqual([await signing(), await until()], [[second, first], now + 24 * 3600])
      footfall.clock.advance(1_000)
      assert.deepEqual([await signing(), await until()], [[second], null])
      await removeOldDeliveries(footfall.context)
      const cleared = (await findSendingAutomations(footfall.context.records, [automation.id])).get(automation.id)
      assert.deepEqual([cleared!.previous_secret, cleared!.previous_until_ts], [null, null])
      assert.deepEqual(await signing(), [second])
      const third = ok(await post(`${path}/secret`, { overlap_hours: 168 })).signing_secret
      const fourth = ok(await post(`${path}/secret`, { overlap_hours: 1 })).signing_secret
      assert.deepEqual(await signing(), [fourth, third])
      const fifth = ok(await post(`${path}/secret`, { overlap_hours: 0 })).signing_secret
      assert.deepEqual([await signing(), await until()], [[fifth], null])
      const kept = (await findSendingAutomations(footfall.context.records, [automation.id])).get(automation.id)
      assert.equal(kept!.previous_secret, null, 'what does not sign is not kept')
    })

    test('a secret copied to another automation, or under another SECRET, does not sign', async () => {
      await newProperty()
      const [one, two] = [(await create()).automation, (await create()).automation]
      const { records, keys } = footfall.context
      const row = (await findSendingAutomations(records, [one.id])).get(one.id)
      assert.throws(() => secretsOf(keys, { ...row!, id: two.id }, 0), /rotate it/)
      await records.updateTable('automations').set({ secret: row!.secret }).where('id', '=', two.id).execute()
      const copied = (await findSendingAutomations(records, [two.id])).get(two.id)
      assert.throws(
        () => secretsOf(keys, copied!, 0),
        (error: Error) => !error.message.includes('whsec_'),
      )
    })

    const deliveryOf = (propertyId: string, automationId: string, row: Partial<NewDelivery> = {}): NewDelivery => ({
      id: `D${automationId.slice(3)}${row.state ?? 'pending'}${row.is_test ?? 0}`,
      property_id: propertyId,
      automation_id: automationId,
      action_id: 'wa_1',
      url: HOOK,
      lane: 'lane-of-these-tests',
      payload: 'envelope',
      priority: 1,
      event_type: 'event',
      event_value: null,
      event: null,
      conversion_id: null,
      session_day: null,
      session: null,
      submission_id: null,
      contact_id: null,
      is_test: 0,
      state: 'pending',
      attempts: 0,
      max_attempts: 3,
      next_attempt_ms: NOW * 2,
      claim: null,
      created_ms: NOW,
      finished_ms: null,
      body: null,
      ...row,
    })

    const states = async (automationId: string) =>
      (
        await footfall.context.records
          .selectFrom('deliveries')
          .select('state')
          .where('automation_id', '=', automationId)
          .orderBy('state')
          .execute()
      ).map(({ state }) => state)

    test('switched off, its deliveries wait; switched on, it begins with no failure behind it and they set out', async () => {
      const propertyId = await newProperty()
      const { records, triggers } = footfall.context
      const { automation } = await create()
      const path = `automations/${automation.id}`
      const listening = async () => (await triggers.listeners(propertyId, 'event')).length
      assert.equal(await listening(), 1)
      await records.insertInto('deliveries').values(deliveryOf(propertyId, automation.id)).execute()
      await records
        .insertInto('deliveries')
        .values(deliveryOf(propertyId, automation.id, { state: 'failed', finished_ms: NOW }))
        .execute()
      assert.equal(ok(await post(path, { is_active: false })).automation.is_active, false)
      assert.deepEqual([await states(automation.id), await listening()], [['failed', 'held'], 0])
      assert.equal(ok(await post(path, { name: 'Still off' })).automation.is_active, false)
      assert.deepEqual(await states(automation.id), ['failed', 'held'])
      assert.equal(ok(await post(path, { is_active: true })).automation.is_active, true)
      assert.deepEqual([(await states(automation.id)).includes('held'), await listening()], [false, 1])
      const disabled = { is_active: 0, failures: 10, disabled_reason: 'Ten failed', disabled_ts: 1_790_000_000 }
      await records.updateTable('automations').set(disabled).where('id', '=', automation.id).execute()
      const shown = ok(await get(path)).automation
      assert.deepEqual(
        [shown.is_active, shown.failures, shown.disabled_reason, shown.disabled_ts],
        [false, 10, 'Ten failed', 1_790_000_000],
      )
      const enabled = ok(await post(`${path}/enable`)).automation
      assert.deepEqual(
        [enabled.is_active, enabled.failures, enabled.disabled_reason, enabled.disabled_ts],
        [true, 0, null, null],
      )
      assert.equal(await listening(), 1)
    })

    test('a test send is put down for each action, also while the automation is off, and waits for nobody', async () => {
      const propertyId = await newProperty()
      const actions = [webhook, { ...webhook, payload: 'legacy_form' }]
      const { automation } = await create({ actions, is_active: false })
      let woken = 0
      footfall.context.triggers.onWake(() => woken++)
      const { deliveries } = ok(await post(`automations/${automation.id}/test`))
      assert.equal(woken, 1)
      const rows = await footfall.context.records
        .selectFrom('deliveries')
        .select(['id', 'property_id', 'action_id', 'payload', 'is_test', 'max_attempts', 'event', 'event_type'])
        .where('automation_id', '=', automation.id)
        .orderBy('seq')
        .execute()
      const same = { property_id: propertyId, is_test: 1, max_attempts: 1, event: null, event_type: 'event' }
      assert.deepEqual(
        rows.map((row) => ({ ...row })),
        automation.actions.map(({ id, payload }: { id: string; payload: string }, at: number) => ({
          ...same,
          id: deliveries[at],
          action_id: id,
          payload,
        })),
      )
    })

    test('a deleted automation takes its deliveries along and fires no more', async () => {
      const propertyId = await newProperty()
      const { records, triggers } = footfall.context
      const [gone, kept] = [(await create()).automation, (await create()).automation]
      const rows = Array.from({ length: 250 }, (_, n) =>
        deliveryOf(propertyId, gone.id, { id: `G${gone.id.slice(3)}${n}`, state: 'delivered', finished_ms: NOW }),
      )
      await records.insertInto('deliveries').values(rows).execute()
      await records
        .insertInto('deliveries')
        .values(deliveryOf(propertyId, kept.id, { state: 'failed' }))
        .execute()
      assert.deepEqual(ok(await remove(`automations/${gone.id}`)), { deleted: true })
      assert.deepEqual([await states(gone.id), await states(kept.id)], [[], ['failed']])
      const listeners = await triggers.listeners(propertyId, 'event')
      assert.deepEqual(
        listeners.map(({ automationId }) => automationId),
        [kept.id],
      )
    })

    test('a conversion is defined, listed, changed and deleted', async () => {
      await newProperty()
      const conversion = await define({ name: ' Signed up ', event_type: 'event', event_value: 'signup' })
      assert.match(conversion.id, /^cv_[0-9A-Za-z]{20}$/)
      assert.deepEqual(conversion, {
        id: conversion.id,
        property_id: at.split('/').at(-1),
        name: 'Signed up',
        event_type: 'event',
        event_value: 'signup',
        created_ts: Math.floor(footfall.clock.now() / 1000),
      })
      const path = `conversions/${conversion.id}`
      const other = await define()
      assert.deepEqual(ok(await get('conversions')).data, [other, conversion])
      assert.deepEqual(ok(await get(path)).conversion, conversion)
      assert.deepEqual(ok(await post(path, {})).conversion, conversion)
      assert.deepEqual(ok(await post(path, { name: 'New' })).conversion, { ...conversion, name: 'New' })
      assert.equal(ok(await post(path, { event_value: null })).conversion.event_value, null)
      assert.equal(ok(await post(path, { event_value: 'x' })).conversion.event_value, 'x')
      const redefined = ok(await post(path, { event_type: 'page_view' })).conversion
      assert.deepEqual([redefined.event_type, redefined.event_value], ['page_view', null])
      const wrong: readonly (readonly [object, string])[] = [
        [{ name: '' }, 'name'],
        [{ name: ' ' }, 'name'],
        [{ name: null }, 'name'],
        [{ event_type: 'contact' }, 'event_type'],
        [{ event_type: 'contact', event_value: 'created' }, 'event_type'],
        [{ event_type: 'click' }, 'event_type'],
        [{ event_type: 'acquisition', event_value: 'x' }, 'event_value'],
        [{ event_type: 'form_submit', event_value: 'fm_none' }, 'event_value'],
        [{ event_type: 'page_view', event_value: 'x' }, 'event_value'],
      ]
      for (const [part, field] of wrong) {
        assertRefused(await post('conversions', { name: 'x', event_type: 'event', ...part }), field)
        assertRefused(await post(path, part), field)
      }
      assert.deepEqual(ok(await get(path)).conversion, redefined)
      assert.deepEqual(ok(await remove(path)), { deleted: true })
      for (const reply of [await get(path), await post(path, {}), await remove(path), await get(`${path}/statistics`)])
        assert.deepEqual([reply.status, reply.json.error_code], [404, 'not_found'], reply.text)
    })

    test('a conversion that is the condition of an automation cannot be deleted, also not while one is being saved', async () => {
      await newProperty()
      const conversion = await define()
      const path = `conversions/${conversion.id}`
      const { automation } = await create({ name: 'Welcome', conversion_id: conversion.id })
      assert.equal(automation.conversion_id, conversion.id)
      const refused = await remove(path)
      assert.equal(refused.status, 422)
      assert.match(refused.json.message, new RegExp(`${automation.id} \\(Welcome\\)`))
      assert.equal(
        ok(await post(`automations/${automation.id}`, { conversion_id: null })).automation.conversion_id,
        null,
      )
      ok(await remove(path))
      for (let round = 0; round < 8; round++) {
        footfall.clock.advance(10_000)
        const { id } = await define()
        const body = { ...automationBody, conversion_id: id }
        const [saved, deleted] = await Promise.all([post('automations', body), remove(`conversions/${id}`)])
        const statuses = `${saved.status} ${deleted.status}`
        assert.ok(['200 422', '422 200'].includes(statuses), statuses)
        assert.equal((await get(`conversions/${id}`)).status, saved.status === 200 ? 200 : 404)
      }
    })

    test('a list says its pages, and a property has at most 200 of each', async () => {
      const propertyId = await newProperty()
      for (let n = 0; n < 3; n++) {
        await create({ name: `Automation ${n}` })
        await define({ name: `Conversion ${n}` })
      }
      for (const [kind, prefix] of [
        ['automations', 'Automation'],
        ['conversions', 'Conversion'],
      ] as const) {
        const page = ok(await get(`${kind}?page=2&per_page=2`))
        assert.deepEqual([page.total, page.current_page, page.last_page, page.data.length], [3, 2, 2, 1])
        assert.equal(page.data[0].name, `${prefix} 0`)
        assert.equal(page.prev_page_url, `${footfall.context.config.baseUrl}${at}/${kind}?per_page=2&page=1`)
        for (const query of ['page=0', 'page=x', 'per_page=101'])
          assertRefused(await get(`${kind}?${query}`), query.split('=')[0]!)
      }
      const { records } = footfall.context
      const copies = async (table: 'automations' | 'conversions') => {
        const { seq: _seq, ...row } = await records
          .selectFrom(table)
          .selectAll()
          .where('property_id', '=', propertyId)
          .limit(1)
          .executeTakeFirstOrThrow()
        const rows = Array.from({ length: 197 }, (_, n) => ({ ...row, id: `${row.id}${n}` }))
        await records.insertInto(table).values(rows).execute()
      }
      await copies('automations')
      await copies('conversions')
      for (const reply of [
        await post('automations', automationBody),
        await post('conversions', { name: 'x', event_type: 'event' }),
      ]) {
        assert.equal(reply.status, 422, reply.text)
        assert.match(reply.json.message, /at most 200/)
      }
    })

    test('what waits for a form that is gone can still be edited, and can be made to wait for no other such form', async () => {
      const propertyId = await newProperty()
      const { records } = footfall.context
      const form = await addForm(records, propertyId)
      const waits = { event_type: 'form_submit', event_value: form }
      const { automation } = await create({ trigger: waits })
      const conversion = await define(waits)
      await records.deleteFrom('forms').where('id', '=', form).execute()
      const path = `automations/${automation.id}`
      const named = { name: 'Old form', trigger: waits }
      assert.deepEqual(ok(await post(path, named)).automation.trigger, waits)
      const renamed = { ...conversion, name: 'Old form' }
      assert.deepEqual(
        ok(await post(`conversions/${conversion.id}`, { name: 'Old form', ...waits })).conversion,
        renamed,
      )
      assertRefused(await post('automations', { ...automationBody, trigger: waits }), 'trigger.event_value')
      assert.deepEqual(ok(await post(path, { trigger })).automation.trigger, trigger)
      assertRefused(await post(path, { trigger: waits }), 'trigger.event_value')
    })

    test('hostile texts are kept as they are or refused, and answered as JSON', async () => {
      await newProperty()
      const hostile = "'; drop table automations; --<script>\u202e%_\\"
      const { automation } = await create({ name: hostile, trigger: { event_type: 'event', event_value: hostile } })
      assert.deepEqual([automation.name, automation.trigger.event_value], [hostile, hostile])
      const conversion = await define({ name: hostile, event_type: 'page_view', event_value: `/${hostile}*` })
      const statistics = await get(`conversions/${conversion.id}/statistics`)
      assert.equal(ok(statistics).statistics.conversions, 0)
      assert.equal((await get(`conversions/${conversion.id}/statistics?period=never`)).status, 422)
    })
  })
}

promises('on SQLite', async () => undefined)
if (postgres) promises('on PostgreSQL', () => postgres.freshUrl())
