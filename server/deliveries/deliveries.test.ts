// From the triggering call to the endpoint and back into the run log, through the front door, on SQLite and
// on PostgreSQL.
import assert from 'node:assert/strict'
import { createHash, createHmac } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { after, before, describe, test } from 'node:test'
import {
  certificateFor,
  type Endpoint,
  openEndpoint,
  openPlainEndpoint,
  type Received,
} from '../../test/support/endpoint.ts'
import { until } from '../../test/support/delivery-nodes.ts'
import { startPostgres } from '../../test/support/postgres.ts'
import { ADMIN_TOKEN, type Footfall, type Reply, startFootfall } from '../../test/support/server.ts'
import { addForm, addSubmissions } from '../../test/support/submissions.ts'
import { removeOldDeliveries } from './retention.ts'
import { openDelivering, type Delivering } from './delivering.ts'
import { insertDeliveries, type NewDelivery } from './queue-records.ts'

const NOW = Date.UTC(2026, 10, 18, 9, 30, 15, 250)
const DAY_MS = 86_400_000
const certificate = await certificateFor(['127.0.0.1'])
const postgres = await startPostgres({ after })

function ok(reply: Reply) {
  assert.equal(reply.status, 200, reply.text)
  return reply.json.data
}

const wellAnswered = (response: ServerResponse): unknown => response.end('thank you')

function promises(kind: string, databaseUrl: () => Promise<string | undefined>): void {
  describe(kind, () => {
    const closers: (() => Promise<void> | void)[] = []
    let footfall: Footfall
    let delivering: Delivering
    let endpoint: Endpoint
    let answer: (response: ServerResponse, received: Received) => unknown = wellAnswered
    let property: { id: string; token: string; key: string }
    let at: string

    const hook = (): string => `https://127.0.0.1:${endpoint.port}/hook`
    const get = (path: string, query?: Record<string, string | number>) =>
      footfall.call('GET', `${at}/${path}`, query ? { query } : {})
    const post = (path: string, body?: unknown) =>
      footfall.call('POST', `${at}/${path}`, body === undefined ? {} : { body })

    /** Of a property of its own, whose deliveries go to the endpoint. */
    async function automate(trigger: object = { event_type: 'event', event_value: null }, body: object = {}) {
      property = await footfall.addProperty()
      at = `/manage/properties/${property.id}`
      answer = wellAnswered
      endpoint.received.length = 0
      const made = ok(
        await post('automations', { trigger, actions: [{ type: 'webhook', url: hook() }], is_active: true, ...body }),
      )
      return {
        path: `automations/${made.automation.id}/deliveries`,
        id: made.automation.id,
        secret: made.signing_secret,
      }
    }

    async function visit(): Promise<string> {
      return (await footfall.track.load({ key: property.key })).json.session_id
    }
    const event = (session: string, name: string, value?: string) =>
      footfall.call('POST', '/v2/property/session/event', {
        token: property.token,
        body: { session_id: session, name, ...(value !== undefined && { value }) },
      })
    /** All of the automation, once nothing is on its way any more. */
    async function settled(path: string, count: number) {
      await until(async () => {
        const { data } = ok(await get(path, { per_page: 100 }))
        const over = data.filter((row: { state: string; next_attempt_ts: number | null; attempts: number }) =>
          row.state === 'pending' ? row.attempts > 0 && row.next_attempt_ts !== null : true,
        )
        return over.length === count
      })
      return ok(await get(path, { per_page: 100 })).data
    }

    before(async () => {
      const url = await databaseUrl()
      const env = {
        WEBHOOK_ALLOW: '127.0.0.0/8',
        DASHBOARD_URL: 'https://app.example',
        ...(url && { DATABASE_URL: url }),
      }
      footfall = await startFootfall({ after: (close) => closers.push(close) }, { now: NOW, env })
      endpoint = await openEndpoint(
        { after: (close: () => void) => closers.push(close) },
        certificate,
        (response, received) => void answer(response, received),
      )
      delivering = openDelivering(footfall.context, { ca: certificate.cert })
      await delivering.start()
    })

    after(async () => {
      await delivering.close()
      for (const close of closers.toReversed()) await close()
    })

    test('a team chat gets a message in its own form, a test send too', async () => {
      const chats = ['slack', 'ntfy'] as const
      const url = { slack: hook(), ntfy: `https://127.0.0.1:${endpoint.port}/topic` }
      const actions = chats.map((payload) => ({ type: 'webhook', url: url[payload], payload }))
      const { path, id } = await automate(undefined, { name: 'Leads', actions })
      await event(await visit(), 'lead', '<!channel>')
      await settled(path, 2)
      ok(await post(`automations/${id}/test`))
      await settled(path, 4)
      const bodies = (path_: string) =>
        endpoint.received.filter((one) => one.path === path_).map((one) => [one.headers['content-type'], one.body])
      const [[slackType, slack] = [], [, slackTest] = []] = bodies('/hook')
      const [[ntfyType, ntfy] = []] = bodies('/topic')
      assert.equal(slackType, 'application/json')
      assert.match(slack ?? '', /^\{"text":"Leads",.*"Value: <!channel>"/)
      assert.match(slackTest ?? '', /^\{"text":"Test: Leads"/)
      assert.equal(ntfyType, 'text/plain; charset=utf-8')
      assert.match(
        ntfy ?? '',
        /^Leads\nEvent: lead\nValue: <!channel>\n(?:.*\n)+https:\/\/app\.example\/properties\/.*\/sessions\/\w+$/,
      )
      const wrong = (payload: string) =>
        post('automations', { trigger: { event_type: 'event' }, actions: [{ type: 'webhook', url: hook(), payload }] })
      assert.match(JSON.stringify((await wrong('telegram')).json.errors), /sendMessage\?chat_id/)
      assert.equal((await wrong('irc')).status, 422)
    })

    test('an event arrives as its envelope, signed, and the run log shows what was sent and answered', async () => {
      const { path, id, secret } = await automate({ event_type: 'event', event_value: 'signup' })
      const session = await visit()
      ok(await event(session, 'other'))
      ok(await event(session, 'signup', 'pro'))
      const [listed] = await settled(path, 1)
      const [received] = endpoint.received
      assert.ok(received)
      assert.equal(endpoint.received.length, 1)
      const envelope = JSON.parse(received.body)
      assert.deepEqual(Object.keys(envelope), [
        'id',
        'version',
        'occurred_at',
        'property_id',
        'automation',
        'trigger',
        'data',
      ])
      assert.deepEqual([envelope.id, envelope.property_id, envelope.automation.id], [listed.id, property.id, id])
      assert.deepEqual([envelope.data.event.name, envelope.data.event.value], ['signup', 'pro'])
      assert.equal(envelope.data.session.url, `https://app.example/properties/${property.id}/sessions/${session}`)
      const ts = Math.floor(footfall.clock.now() / 1000)
      const v1 = createHmac('sha256', secret).update(`${ts}.${received.body}`).digest('hex')
      assert.equal(received.headers['x-service-signature'], `t=${ts},v1=${v1}`)

      assert.deepEqual(listed, {
        id: envelope.id,
        automation_id: id,
        action_id: listed.action_id,
        url: hook(),
        payload: 'envelope',
        trigger: { event_type: 'event', event_value: 'signup' },
        conversion_id: null,
        session_id: session,
        contact_id: null,
        form_submit_id: null,
        is_test: false,
        state: 'delivered',
        attempts: 1,
        max_attempts: 3,
        last_status: 200,
        last_error: null,
        next_attempt_ts: null,
        created_ts: ts,
        finished_ts: ts,
      })
      const { delivery, is_sending } = ok(await get(`${path}/${listed.id}`))
      assert.equal(is_sending, true)
      const { body, body_sha256, attempts_made, ...rest } = delivery
      assert.deepEqual(rest, listed)
      assert.equal(body, received.body)
      assert.equal(body_sha256, createHash('sha256').update(received.body).digest('hex'))
      assert.equal(attempts_made.length, 1)
      const [made] = attempts_made
      assert.deepEqual(
        [made.number, made.is_manual, made.started_ts, made.status, made.error, made.response_body, made.signature],
        [1, false, ts, 200, null, 'thank you', `t=${ts},v1=${v1}`],
      )
      assert.equal(made.request_headers['X-Service-Delivery'], listed.id)
      assert.ok(made.response_headers['date'])
      assert.ok(Number.isInteger(made.duration_ms))
    })

    test('the list goes by pages, newest first, and by state; and holds no bodies', async () => {
      const { path } = await automate()
      answer = (response) => response.writeHead(410).end('gone')
      const session = await visit()
      ok(await event(session, 'failing'))
      await settled(path, 1)
      answer = wellAnswered
      for (const name of ['a', 'b', 'c']) ok(await event(session, name))
      const rows = await settled(path, 4)
      assert.deepEqual(
        rows.map((row: { id: string }) => row.id),
        rows
          .map((row: { id: string }) => row.id)
          .toSorted()
          .toReversed(),
        'ULIDs in order',
      )
      const page = ok(await get(path, { page: 2, per_page: 3 }))
      assert.deepEqual([page.total, page.last_page, page.data.length, page.data[0].id], [4, 2, 1, rows[3].id])
      const states = async (state: string) =>
        ok(await get(path, { state })).data.map((row: { state: string }) => row.state)
      assert.deepEqual(await states('delivered'), ['delivered', 'delivered', 'delivered'])
      assert.deepEqual(await states('pending'), ['pending'])
      assert.deepEqual(await states('failed'), [])
      assert.equal((await states('')).length, 4)
      const pending = rows[3]
      assert.deepEqual(
        [pending.last_status, pending.last_error, pending.next_attempt_ts],
        [410, 'status 410', Math.floor(footfall.clock.now() / 1000) + 120],
      )
      assert.equal((await get(path, { state: 'lost' })).status, 422)
      assert.equal((await get(path, { per_page: 101 })).status, 422)
      assert.ok(!(await get(path)).text.includes('"body"'))
    })

    test('the list of automations tells what became of the newest delivery of each', async () => {
      const { path, id } = await automate()
      const session = await visit()
      ok(await event(session, 'one'))
      await settled(path, 1)
      answer = (response) => response.writeHead(500).end()
      footfall.clock.advance(5000)
      ok(await event(session, 'two'))
      await settled(path, 2)
      const quiet = ok(
        await post('automations', {
          trigger: { event_type: 'identify', event_value: null },
          actions: [{ type: 'webhook', url: hook() }],
        }),
      ).automation.id
      const rows = ok(await get('automations')).data as { id: string; last_delivery: object | null }[]
      const last = { state: 'pending', created_ts: Math.floor(footfall.clock.now() / 1000) }
      assert.deepEqual(
        rows.map((row) => [row.id, row.last_delivery]),
        [
          [quiet, null],
          [id, last],
        ],
      )
    })

    test('a delivery is sent once more by hand, with the same id and bytes, whatever became of it', async () => {
      const { path, id } = await automate()
      ok(await event(await visit(), 'first'))
      const [{ id: delivery }] = await settled(path, 1)
      const again = ok(await post(`${path}/${delivery}/retry`)).delivery
      assert.deepEqual([again.state, again.attempts, again.max_attempts, again.finished_ts], ['pending', 1, 2, null])
      await until(() => endpoint.received.length === 2)
      await settled(path, 1)
      assert.deepEqual(endpoint.received[0]!.body, endpoint.received[1]!.body)
      const shown = ok(await get(`${path}/${delivery}`)).delivery
      assert.deepEqual(
        [shown.state, shown.attempts_made.map((made: { is_manual: boolean }) => made.is_manual)],
        ['delivered', [false, true]],
      )

      // By hand also while it is off; its failure counts for nothing, and it has arrived all the same.
      ok(await post(`automations/${id}`, { is_active: false }))
      answer = (response) => response.writeHead(500).end()
      ok(await post(`${path}/${delivery}/retry`))
      const last = async () => ok(await get(`${path}/${delivery}`)).delivery
      await until(async () => (await last()).attempts === 3 && (await last()).state === 'delivered')
      assert.deepEqual([ok(await get(`automations/${id}`)).automation.failures, endpoint.received.length], [0, 3])
    })

    test('one that is held is sent by hand while its automation is off, and waits on when that fails', async () => {
      const { path, id } = await automate()
      answer = (response) => response.writeHead(500).end()
      ok(await event(await visit(), 'first'))
      const [{ id: delivery }] = await settled(path, 1)
      ok(await post(`automations/${id}`, { is_active: false }))
      const shown = async () => ok(await get(`${path}/${delivery}`)).delivery
      assert.equal((await shown()).state, 'held')
      ok(await post(`${path}/${delivery}/retry`))
      await until(async () => (await shown()).attempts === 2 && (await shown()).state === 'held')
      answer = wellAnswered
      ok(await post(`automations/${id}/enable`))
      await until(async () => (await shown()).state === 'delivered')
      assert.equal(endpoint.received.length, 3)
      assert.equal(new Set(endpoint.received.map(({ body }) => body)).size, 1)
    })

    test('what is on its way, skipped or erased cannot be sent by hand, and nothing that is not there', async () => {
      const { path } = await automate()
      ok(await event(await visit(), 'first'))
      const [{ id }] = await settled(path, 1)
      const { records } = footfall.context
      for (const state of ['pending', 'skipped', 'erased'] as const) {
        // Claimed, so that nobody takes it meanwhile.
        const change = { state, claim: 'a test', next_attempt_ms: footfall.clock.now() + DAY_MS }
        await records.updateTable('deliveries').set(change).where('id', '=', id).execute()
        const reply = await post(`${path}/${id}/retry`)
        assert.deepEqual([reply.status, reply.json.error_code], [422, 'validation_failed'], state)
      }
      for (const wrong of ['%00', '..%2f', "'", 'x'.repeat(900), id.toLowerCase(), '01ARZ3NDEKTSV4RRFFQ69G5FAV'])
        for (const reply of [await get(`${path}/${wrong}`), await post(`${path}/${wrong}/retry`)])
          assert.deepEqual([reply.status, reply.json.error_code], [404, 'not_found'], wrong)
      const other = await automate()
      const foreign = other.path
      for (const reply of [await get(`${foreign}/${id}`), await post(`${foreign}/${id}/retry`), await get(path)])
        assert.equal(reply.status, 404)
      for (const token of [null, property.token, `${ADMIN_TOKEN}x`])
        for (const [method, suffix] of [
          ['GET', ''],
          ['GET', `/${id}`],
          ['POST', `/${id}/retry`],
        ] as const)
          assert.equal((await footfall.call(method, `${at}/${foreign}${suffix}`, { token })).status, 401)
    })

    test('after a rotation both secrets sign until the overlap is over, on retries too', async () => {
      const { path, id, secret } = await automate()
      const rotated = ok(await post(`automations/${id}/secret`, { overlap_hours: 1 })).signing_secret
      ok(await event(await visit(), 'first'))
      const [{ id: delivery }] = await settled(path, 1)
      const proofs = ({ headers, body }: Received, secrets: readonly string[]): string => {
        const [, ts = ''] = /^t=(\d+),/.exec(String(headers['x-service-signature'])) ?? []
        const v1 = secrets.map((key) => `v1=${createHmac('sha256', key).update(`${ts}.${body}`).digest('hex')}`)
        return [`t=${ts}`, ...v1].join(',')
      }
      const [first] = endpoint.received
      assert.equal(first!.headers['x-service-signature'], proofs(first!, [rotated, secret]))
      footfall.clock.advance(3_600_000)
      ok(await post(`${path}/${delivery}/retry`))
      // By then retries of other automations are due as well.
      const received = () => endpoint.received.filter(({ headers }) => headers['x-service-delivery'] === delivery)
      await until(() => received().length === 2)
      const [, second] = received()
      assert.equal(second!.headers['x-service-signature'], proofs(second!, [rotated]))
      assert.equal(second!.body, first!.body)
    })

    test('a test send arrives although the automation is off', async () => {
      const { path, id } = await automate()
      ok(await post(`automations/${id}`, { is_active: false }))
      const { deliveries } = ok(await post(`automations/${id}/test`))
      const [row] = await settled(path, 1)
      assert.deepEqual([row.id, row.is_test, row.state, row.max_attempts], [deliveries[0], true, 'delivered', 1])
      const sent = endpoint.received.find(({ headers }) => headers['x-service-delivery'] === row.id)
      assert.equal(JSON.parse(sent!.body).test, true)
    })

    test('what an endpoint answers is kept as text, whatever it is, and cut', async () => {
      const { path } = await automate()
      answer = (response) => response.end(Buffer.concat([Buffer.from([0, 255, 0x7b]), Buffer.alloc(100_000, 'x')]))
      ok(await event(await visit(), 'first'))
      const [{ id, state }] = await settled(path, 1)
      assert.equal(state, 'delivered')
      const [made] = ok(await get(`${path}/${id}`)).delivery.attempts_made
      assert.ok(made.response_body.length <= 4_096)
      assert.ok(made.response_body.startsWith('\uFFFD\uFFFD{x'))
    })

    test('an erased person is erased from deliveries: what was told, what was answered, and what still waited', async () => {
      const { path, id } = await automate({ event_type: 'identify', event_value: null })
      ok(await post('automations', { trigger: { event_type: 'event' }, actions: [{ type: 'webhook', url: hook() }] }))
      answer = (response, { body }) => response.end(`got ${body}`)
      const session = await visit()
      const identified = await footfall.call('POST', '/v2/property/contacts/identify', {
        token: property.token,
        body: { session_id: session, email: 'marker@example.com', first_name: 'Marker' },
      })
      const contactId = ok(identified).contact.id
      const [sent] = await settled(path, 1)
      assert.equal(sent.contact_id, contactId)
      const { records } = footfall.context
      const templates = await records.selectFrom('deliveries').selectAll().where('id', '=', sent.id).execute()
      const copyOf = (number: number, row: Partial<NewDelivery>): NewDelivery => {
        const { seq: _seq, ...template } = templates[0]!
        // Long ago: with the time of now it could be the id that somebody draws next, as the clock stands.
        const id = `${'0'.repeat(10)}${template.id.slice(10, 25)}${number}`
        return { ...template, session_day: null, session: null, contact_id: null, submission_id: null, id, ...row }
      }
      const form = await addForm(records, property.id)
      const [submissionId = ''] = await addSubmissions(records, property.id, form, [
        { email_keys: ['marker@example.com'] },
      ])
      const waiting = { state: 'pending', claim: 'a test', next_attempt_ms: NOW + DAY_MS, finished_ms: null } as const
      const { session_day, session: hash } = templates[0]!
      const bystander = copyOf(4, { contact_id: 'ct_another' })
      await insertDeliveries(records, [
        copyOf(1, { ...waiting, session_day, session: hash }),
        copyOf(2, { ...waiting, submission_id: submissionId }),
        copyOf(3, { ...waiting, state: 'held', contact_id: contactId }),
        bystander,
      ])
      ok(await footfall.call('DELETE', `/v2/property/contacts/${contactId}`, { token: property.token }))

      const rows = await records
        .selectFrom('deliveries')
        .selectAll()
        .where('automation_id', '=', id)
        .orderBy('seq')
        .execute()
      assert.deepEqual(
        rows.map(({ state, body, event, claim }) => [state, body === null, event === null, claim]),
        [
          ['delivered', true, true, null],
          ['erased', true, true, null],
          ['erased', true, true, null],
          ['erased', true, true, null],
          ['delivered', false, false, null],
        ],
      )
      const shown = ok(await get(`${path}/${sent.id}`)).delivery
      assert.deepEqual([shown.body, shown.body_sha256, shown.attempts_made[0].response_body], [null, null, ''])
      for (const { id: erased } of rows.slice(0, 4)) {
        const reply = await post(`${path}/${erased}/retry`)
        assert.deepEqual([reply.status, reply.json.error_code], [422, 'validation_failed'])
      }
      const attempts = await records
        .selectFrom('delivery_attempts')
        .select(['response_body', 'response_headers'])
        .where('property_id', '=', property.id)
        .where('delivery_id', '=', sent.id)
        .execute()
      assert.deepEqual(attempts, [{ response_body: '', response_headers: '{}' }])
    })

    test('deliveries that are over go after DELIVERY_DAYS with their attempts, and the oldest of very many; others stay', async () => {
      const { path, id } = await automate()
      const session = await visit()
      for (const name of ['a', 'b', 'c', 'd', 'e']) ok(await event(session, name))
      const rows = await settled(path, 5)
      const { records, config } = footfall.context
      const [newest, second, third, fourth, oldest] = rows.map((row: { id: string }) => row.id)
      const set = (one: string, change: object) =>
        records.updateTable('deliveries').set(change).where('id', '=', one).execute()
      const long = footfall.clock.now() - config.deliveryDays * DAY_MS
      await set(oldest, { finished_ms: long - 1 })
      await set(fourth, { finished_ms: long })
      // Asked for by hand, of old: it is not over.
      const claimed = { claim: 'a test', next_attempt_ms: footfall.clock.now() + DAY_MS }
      await set(third, { ...claimed, state: 'pending', finished_ms: long - 1 })
      const left = async () =>
        (
          await records
            .selectFrom('deliveries')
            .select('id')
            .where('automation_id', '=', id)
            .orderBy('seq', 'desc')
            .execute()
        ).map((row) => row.id)
      await removeOldDeliveries(footfall.context)
      assert.deepEqual(await left(), [newest, second, third, fourth])
      const attempts = await records
        .selectFrom('delivery_attempts')
        .select('delivery_id')
        .where('property_id', '=', property.id)
        .execute()
      assert.deepEqual(new Set(attempts.map((row) => row.delivery_id)), new Set([newest, second, third, fourth]))
      await removeOldDeliveries(footfall.context, 1)
      assert.deepEqual(await left(), [newest, third])
    })

    test('with a property go its automations, conversions and deliveries', async () => {
      const { path } = await automate()
      ok(await post('conversions', { name: 'Sale', event_type: 'acquisition' }))
      const session = await visit()
      for (const name of ['a', 'b']) ok(await event(session, name))
      await settled(path, 2)
      ok(await footfall.call('DELETE', at))
      const { records } = footfall.context
      for (const table of ['deliveries', 'delivery_attempts', 'automations', 'conversions'] as const) {
        const rows = await records
          .selectFrom(table)
          .select('property_id')
          .where('property_id', '=', property.id)
          .execute()
        assert.deepEqual(rows, [], table)
      }
    })

    test('the figures tell what is sent and what waits', async () => {
      const { path, id } = await automate()
      const figures = async () => (await footfall.call('GET', '/metrics')).text
      const figure = async (name: string): Promise<number> =>
        Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(await figures())?.[1])
      const delivered = 'footfall_deliveries_total\\{outcome="delivered"\\}'
      const before = await figure(delivered)
      ok(await event(await visit(), 'first'))
      await settled(path, 1)
      assert.equal(await figure(delivered), before + 1)
      assert.equal(await figure('footfall_webhooks_up'), 1)
      const waiting = await figure('footfall_deliveries_waiting')
      const row = await footfall.context.records
        .selectFrom('deliveries')
        .selectAll()
        .where('automation_id', '=', id)
        .executeTakeFirstOrThrow()
      const { seq: _seq, ...copy } = row
      await insertDeliveries(footfall.context.records, [
        { ...copy, id: '0'.repeat(26), state: 'pending', next_attempt_ms: NOW + 10 * DAY_MS },
      ])
      assert.equal(await figure('footfall_deliveries_waiting'), waiting + 1)
    })
  })
}

promises('sqlite', async () => undefined)
if (postgres) promises('postgres', () => postgres.freshUrl())

test('a node whose guard is not in the path sends nothing, and says so', async (t) => {
  const footfall = await startFootfall(t, { env: { WEBHOOK_ALLOW: '127.0.0.0/8', LOG_LEVEL: 'silent' } })
  const endpoint = await openEndpoint(t, certificate)
  const unguarded = openDelivering(footfall.context, { ca: certificate.cert, isGuarded: async () => false })
  t.after(() => unguarded.close())
  await unguarded.start()
  const at = `/manage/properties/${footfall.property.id}`
  const actions = [{ type: 'webhook', url: `https://127.0.0.1:${endpoint.port}/` }]
  const { automation } = ok(
    await footfall.call('POST', `${at}/automations`, { body: { trigger: { event_type: 'event' }, actions } }),
  )
  ok(await footfall.call('POST', `${at}/automations/${automation.id}/test`))
  const listed = ok(await footfall.call('GET', `${at}/automations/${automation.id}/deliveries`))
  assert.deepEqual([listed.is_sending, listed.data[0].state, listed.data[0].attempts], [false, 'pending', 0])
  assert.match((await footfall.call('GET', '/metrics')).text, /^footfall_webhooks_up 0$/m)
  assert.equal((await footfall.call('GET', '/readyz')).status, 200)
  assert.equal(endpoint.connections(), 0)

  // The guard's own test is what decides; through the very client it passes here.
  const guarded = openDelivering(footfall.context, { ca: certificate.cert })
  t.after(() => guarded.close())
  await guarded.start()
  await until(() => endpoint.received.length === 1)
  assert.match((await footfall.call('GET', '/metrics')).text, /^footfall_webhooks_up 1$/m)
})

test('an operator may name hosts that are called over http; a later start without them sends nothing there', async (t) => {
  const env = { WEBHOOK_ALLOW: '127.0.0.0/8', WEBHOOK_ALLOW_HTTP: 'localhost' }
  const footfall = await startFootfall(t, { env })
  const endpoint = await openPlainEndpoint(t)
  const at = `/manage/properties/${footfall.property.id}`
  const saved = (url: string) =>
    footfall.call('POST', `${at}/automations`, {
      body: { trigger: { event_type: 'event' }, actions: [{ type: 'webhook', url }] },
    })
  const refused = await saved(`http://127.0.0.1:${endpoint.port}/`)
  assert.equal(refused.status, 422)
  assert.match(refused.json.errors['actions.0.url'][0], /WEBHOOK_ALLOW_HTTP/)
  const { automation } = ok(await saved(`http://localhost:${endpoint.port}/leads`))

  const open = openDelivering(footfall.context)
  t.after(() => open.close())
  await open.start()
  ok(await footfall.call('POST', `${at}/automations/${automation.id}/test`))
  await until(() => endpoint.received.length === 1)
  assert.equal(endpoint.received[0]?.path, '/leads')
  await open.close()

  const { config } = footfall.context
  const closed = openDelivering({ ...footfall.context, config: { ...config, webhookAllowHttp: [] } })
  t.after(() => closed.close())
  await closed.start()
  ok(await footfall.call('POST', `${at}/automations/${automation.id}/test`))
  const path = `${at}/automations/${automation.id}/deliveries`
  await until(async () => ok(await footfall.call('GET', path)).data[0].attempts > 0)
  const [last] = ok(await footfall.call('GET', path)).data
  assert.deepEqual([last.last_error, endpoint.received.length], ['refused address', 1])
})
