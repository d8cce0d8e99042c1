// Segments through the front door: saved, used as a filter, shared, and what a share link of one may not see.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { addPerson } from '../../test/support/accounts.ts'
import { askOverview } from '../../test/support/overview-world.ts'
import { type CallOptions, startFootfall } from '../../test/support/server.ts'
import { endpoints } from '../endpoints.ts'
import type { SegmentJson } from './schema.ts'

const footfall = await startFootfall({ after }, { now: Date.parse('2026-11-20T12:00:00Z') })
const manage = `/manage/properties/${footfall.property.id}`

const letters = { id: 'utm_campaign', op: 'equals', value: 'Letter' }
const english = { id: 'language', op: 'equals', value: 'en-GB' }

const visit = (visitor: number, campaign: string, language = 'en-GB') =>
  footfall.track.load({
    address: `203.0.113.${visitor}`,
    language,
    page: `https://example.com/?utm_campaign=${campaign}&utm_source=x`,
  })
for (let visitor = 1; visitor <= 4; visitor++) await visit(visitor, 'Letter')
for (let visitor = 5; visitor <= 9; visitor++) await visit(visitor, 'Advert', 'de')
for (let visitor = 10; visitor <= 12; visitor++) await visit(visitor, 'Letter', 'de')

async function save(body: object, options: CallOptions = {}): Promise<SegmentJson> {
  const reply = await footfall.call('POST', `${manage}/segments`, { body, ...options })
  assert.equal(reply.status, 200, reply.text)
  return reply.json.data.segment
}

async function share(body: object): Promise<CallOptions> {
  const made = await footfall.call('POST', `${manage}/shares`, { body: { name: 'Client', ...body } })
  assert.equal(made.status, 200, made.text)
  const token = made.json.data.url.split('/').at(-1)
  const opened = await footfall.call('POST', '/manage/share', { token: null, body: { token } })
  return { token: opened.json.data.access_token, headers: { 'x-footfall-property': footfall.property.id } }
}

/** Without what tells when it was asked, and what was asked. */
function told(answer: { data?: object }): unknown {
  const data: { inputs?: unknown; meta?: unknown } = answer.data ?? answer
  const { inputs: _inputs, meta: _meta, ...rest } = data
  return JSON.parse(JSON.stringify(rest), (key, value: unknown) =>
    /^(query_ms|took_ms|debug|timings?)$/.test(key) ? undefined : value,
  )
}

const sessionsOf = ({ cards }: { cards: { current: number }[] }): number | undefined => cards[0]?.current
const naming = (id: string) => ({ clauses: [{ id: 'segment', op: 'equals', value: id }] })

test('a segment filters like the filters that it was saved of, beside others, wherever filters are taken', async () => {
  const segment = await save({ name: ' Letters ', clauses: [letters], is_personal: false })
  assert.deepEqual([segment.name, segment.clauses, segment.is_personal], ['Letters', [letters], false])
  const [named, plain] = [
    await askOverview(footfall, naming(segment.id)),
    await askOverview(footfall, { clauses: [letters] }),
  ]
  assert.equal(sessionsOf(named), 7)
  assert.deepEqual([named.cards, named.lists], [plain.cards, plain.lists])
  const both = await askOverview(footfall, { clauses: [...naming(segment.id).clauses, english] })
  assert.equal(sessionsOf(both), 4)
  for (const path of ['lists/source', 'pages', 'sessions', 'live', 'bots']) {
    const [one, other] = await Promise.all(
      [naming(segment.id), { clauses: [letters] }].map((body) => footfall.call('POST', `${manage}/${path}`, { body })),
    )
    assert.equal(one?.status, 200, path + one?.text)
    assert.deepEqual(told(one?.json), told(other?.json), path)
  }
  const metrics = await footfall.call('POST', '/v2/property/signals/analytics/metrics', { body: naming(segment.id) })
  assert.equal(metrics.json.analytics.period_metrics.summary.sessions.current, 7, metrics.text)
})

test('what cannot be a segment is refused: nonsense, other segments, conversions that there are not, no filters', async () => {
  const { id } = await save({ name: 'One', clauses: [letters] })
  for (const [clauses, field] of [
    [[], 'clauses'],
    [[{ id: 'nonsense', op: 'equals', value: 'x' }], 'clauses.0.id'],
    [[letters, { id: 'segment', op: 'equals', value: id }], 'clauses.1.id'],
    [[{ id: 'conversion', op: 'equals', value: 'cv_gone' }], 'clauses.0.value'],
  ] as const)
    for (const path of ['/segments', `/segments/${id}`]) {
      const reply = await footfall.call('POST', manage + path, { body: { name: 'Bad', clauses } })
      assert.deepEqual([reply.status, Object.keys(reply.json.errors)], [422, [field]], reply.text)
    }
  for (const [clause, field] of [
    [{ id: 'segment', op: 'equals', value: 'sg_gone' }, 'clauses.0.value'],
    [{ id: 'segment', op: 'not_equals', value: id }, 'clauses.0.op'],
    [{ id: 'segment', op: 'equals', value: [id, id] }, 'clauses.0.value'],
    [{ id: 'segment', op: 'equals' }, 'clauses.0.value'],
  ] as const) {
    const reply = await footfall.call('POST', `${manage}/overview`, { body: { clauses: [clause] } })
    assert.deepEqual([reply.status, Object.keys(reply.json.errors)], [422, [field]], reply.text)
  }
  const other = await footfall.addProperty()
  const elsewhere = await footfall.call('POST', `/manage/properties/${other.id}/overview`, { body: naming(id) })
  assert.equal(elsewhere.status, 422, 'of another property')
})

test('a segment of a goal that was deleted says so by its name, and works again without it', async () => {
  const goal = await footfall.call('POST', `${manage}/conversions`, {
    body: { name: 'Order', event_type: 'event', event_value: 'order' },
  })
  const { id: conversion } = goal.json.data.conversion
  const segment = await save({ name: 'Buyers', clauses: [{ id: 'conversion', op: 'equals', value: conversion }] })
  assert.equal(sessionsOf(await askOverview(footfall, naming(segment.id))), 0)
  await footfall.call('DELETE', `${manage}/conversions/${conversion}`)
  const broken = await footfall.call('POST', `${manage}/overview`, { body: naming(segment.id) })
  assert.equal(broken.status, 422)
  assert.match(
    broken.json.errors['clauses.0.value'][0],
    /^The segment “Buyers” does not work any more: .*no conversion/,
  )
  const changed = await footfall.call('POST', `${manage}/segments/${segment.id}`, { body: { clauses: [letters] } })
  assert.equal(changed.status, 200, changed.text)
  assert.equal(sessionsOf(await askOverview(footfall, naming(segment.id))), 7)
})

test('people have their own; those for everybody are the admins’', async () => {
  const [viewer, other] = await Promise.all(
    [0, 1].map(() => addPerson(footfall, { roles: { [footfall.property.id]: 'viewer' } })),
  )
  const admin = await addPerson(footfall, { roles: { [footfall.property.id]: 'admin' } })
  const call = (person: typeof viewer, method: string, path: string, body?: object) =>
    person!.call(method, `${manage}/segments${path}`, { body })
  const own = (await call(viewer, 'POST', '', { name: 'Mine', clauses: [letters] })).json.data.segment
  assert.equal(own.is_personal, true)
  const common = (await call(admin, 'POST', '', { name: 'Ours', clauses: [letters], is_personal: false })).json.data
    .segment
  const names = async (person: typeof viewer) =>
    (await call(person, 'GET', '')).json.data.segments.map(({ name }: { name: string }) => name)
  assert.ok((await names(viewer)).includes('Mine'))
  assert.ok(!(await names(other)).includes('Mine'))
  assert.ok((await names(other)).includes('Ours'))
  const status = async (person: typeof viewer, method: string, path: string, body?: object) =>
    (await call(person, method, path, body)).status
  assert.equal(await status(viewer, 'POST', '', { name: 'x', clauses: [letters], is_personal: false }), 403)
  assert.equal(await status(viewer, 'POST', `/${own.id}`, { is_personal: false }), 403)
  assert.equal(await status(viewer, 'POST', `/${common.id}`, { name: 'x' }), 403)
  assert.equal(await status(viewer, 'DELETE', `/${common.id}`), 403)
  assert.equal(await status(admin, 'DELETE', `/${own.id}`), 404)
  assert.equal(await status(viewer, 'DELETE', `/${own.id}`), 200)
  assert.equal(await status(viewer, 'DELETE', `/${own.id}`), 404)
})

/** How each question that a share link may ask is asked. One that is added belongs here as well. */
const questions: Readonly<Record<string, (clauses: readonly object[]) => { path: string; body: object }>> = {
  'POST /manage/properties/:property/overview': (clauses) => ({ path: `${manage}/overview`, body: { clauses } }),
  'POST /manage/properties/:property/lists/:dimension': (clauses) => ({
    path: `${manage}/lists/language`,
    body: { clauses },
  }),
  'POST /manage/properties/:property/live': (clauses) => ({ path: `${manage}/live`, body: { clauses } }),
  ...Object.fromEntries(
    ['metrics', 'graph', 'live'].map((id) => [
      `POST /v2/property/signals/analytics/${id}`,
      (clauses: readonly object[]) => ({ path: `/v2/property/signals/analytics/${id}`, body: { clauses } }),
    ]),
  ),
}

test('a share link of a segment is told nothing but the segment, whatever it asks', async () => {
  const segment = await save({ name: 'Shared', clauses: [letters], is_personal: false })
  const [whole, part] = [await share({}), await share({ segment_id: segment.id })]
  const shared = endpoints.filter(({ access: { right } }) => 'isShared' in right && right.isShared)
  assert.deepEqual(new Set(shared.map(({ method, url }) => `${method} ${url}`)), new Set(Object.keys(questions)))
  const tries: readonly (readonly object[])[] = [[], [english], [{ id: 'utm_campaign', op: 'equals', value: 'Advert' }]]
  for (const [name, ask] of Object.entries(questions))
    for (const clauses of tries) {
      const [restricted, same] = [ask(clauses), ask([...clauses, letters])]
      const found = await footfall.call('POST', restricted.path, { body: restricted.body, ...part })
      const expected = await footfall.call('POST', same.path, { body: same.body, ...whole })
      assert.deepEqual([found.status, expected.status], [200, 200], `${name} ${found.text} ${expected.text}`)
      assert.deepEqual(told(found.json), told(expected.json), `${name} ${JSON.stringify(clauses)}`)
    }
  const overview = await footfall.call('POST', `${manage}/overview`, { body: {}, ...part })
  assert.equal(sessionsOf(overview.json.data), 7)
  assert.ok(!overview.text.includes('Advert'))
  const file = await footfall.call('POST', `${manage}/lists/utm_campaign`, { query: { format: 'csv' }, ...part })
  assert.equal(file.status, 200, file.text)
  assert.ok(file.text.includes('Letter') && !file.text.includes('Advert'), file.text)
})

test('a share link can name no segment, and none is reached by a body that hides its filters', async () => {
  const segment = await save({ name: 'Shared', clauses: [letters], is_personal: false })
  const secret = await save({ name: 'Team', clauses: [english], is_personal: false })
  const part = await share({ segment_id: segment.id })
  for (const path of ['overview', 'lists/source', 'live']) {
    const refused = await footfall.call('POST', `${manage}/${path}`, { body: naming(secret.id), ...part })
    assert.deepEqual([refused.status, Object.keys(refused.json.errors)], [422, ['clauses.0.id']], refused.text)
  }
  const file = await footfall.call('POST', `${manage}/lists/source`, {
    body: naming(secret.id),
    query: { format: 'csv' },
    ...part,
  })
  assert.equal(file.status, 422)
  const bodies = [{ clauses: null }, { segment_id: null }, { clauses: [], segmentId: null }, { goals: {} }]
  for (const body of bodies) {
    const reply = await footfall.call('POST', `${manage}/overview`, { body, ...part })
    if (reply.status === 200) assert.equal(sessionsOf(reply.json.data), 7, JSON.stringify(body))
  }
  for (const path of ['segments', 'sessions', 'shares'])
    assert.notEqual((await footfall.call('GET', `${manage}/${path}`, part)).status, 200, path)
})

test('a segment that a share link shows cannot be deleted or become what it may not show; renaming it is fine', async () => {
  const segment = await save({ name: 'Kept', clauses: [letters], is_personal: false })
  const change = (body: object) => footfall.call('POST', `${manage}/segments/${segment.id}`, { body })
  const remove = () => footfall.call('DELETE', `${manage}/segments/${segment.id}`)
  const contacts = { id: 'contact_id', op: 'is_set' }
  const owner = await addPerson(footfall, { isOwner: true })
  const personal = await owner.call('POST', `${manage}/segments`, { body: { name: 'Own', clauses: [letters] } })
  for (const segment_id of [
    'sg_gone',
    personal.json.data.segment.id,
    (await save({ name: 'People', clauses: [contacts], is_personal: false })).id,
  ]) {
    const reply = await footfall.call('POST', `${manage}/shares`, { body: { name: 'Bad', segment_id } })
    assert.deepEqual([reply.status, Object.keys(reply.json.errors)], [422, ['segment_id']], reply.text)
  }
  const bearer = await share({ segment_id: segment.id })
  assert.equal((await change({ name: 'Renamed' })).status, 200)
  for (const reply of [
    await change({ clauses: [contacts] }),
    await owner.call('POST', `${manage}/segments/${segment.id}`, { body: { is_personal: true } }),
    await remove(),
  ])
    assert.deepEqual([reply.status, reply.json.error_code], [409, 'conflict'], reply.text)
  assert.equal((await change({ clauses: [{ ...letters, value: 'Advert' }] })).status, 200)
  const overview = await footfall.call('POST', `${manage}/overview`, { body: {}, ...bearer })
  assert.equal(sessionsOf(overview.json.data), 5, 'what it shows follows the segment')
  const { json } = await footfall.call('GET', `${manage}/shares`)
  const own = json.data.data.find((each: { segment_id: string | null }) => each.segment_id === segment.id)
  assert.equal((await footfall.call('DELETE', `${manage}/shares/${own.id}`)).status, 200)
  assert.equal((await remove()).status, 200)
})

test('a property with segments and share links of them is deleted as a whole', async () => {
  const property = await footfall.addProperty()
  const at = `/manage/properties/${property.id}`
  const made = await footfall.call('POST', `${at}/segments`, {
    body: { name: 'x', clauses: [letters], is_personal: false },
  })
  const shared = await footfall.call('POST', `${at}/shares`, {
    body: { name: 'x', segment_id: made.json.data.segment.id },
  })
  assert.equal(shared.status, 200, shared.text)
  assert.equal((await footfall.call('DELETE', at)).status, 200)
})
