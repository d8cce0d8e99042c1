// What pages tell of blocks: taken for what was rendered here alone, stored before it is acknowledged, folded
// when it is told again.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import * as fc from 'fast-check'
import {
  addBlock,
  type Ids,
  impressionsOf,
  render,
  renderIds,
  type TestBlock,
  track,
} from '../../test/support/content-calls.ts'
import { rounds } from '../../test/support/long.ts'
import { type Footfall, type Reply, startAgain, startFootfall } from '../../test/support/server.ts'
import { anyCharacter } from '../../test/support/texts.ts'
import { MAX_META } from '../content/content-model.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const noon = Date.UTC(2026, 10, 18, 12)

interface Scene {
  readonly footfall: Footfall
  readonly block: TestBlock
  readonly ids: Ids
}

const ends: (() => Promise<void>)[] = []
let shared: Footfall
before(async () => {
  shared = await startFootfall({ after: (end) => ends.push(end) }, { now: noon })
})
/** Before a service that a test has to itself: a process holds one. */
const endShared = async (): Promise<void> => {
  for (const end of ends.splice(0)) await end()
}
after(endShared)

async function sceneOf(footfall: Footfall): Promise<Scene> {
  const block = await addBlock(footfall.context.records, footfall.property.id, { phase: 7 })
  return { footfall, block, ids: await renderIds(footfall, block.key) }
}

const open = async (now = noon): Promise<Scene> => sceneOf(await startAgain(shared, now))

function assertRefused({ status, json, text }: Reply, field: string): void {
  assert.equal(status, 422, text)
  assert.deepEqual(
    [json.code, json.status, json.error_code, json.success],
    [422, 'Error', 'validation_failed', false],
    text,
  )
  assert.deepEqual(Object.keys(json.errors), [field], text)
  assert.equal(json.errors[field][0], json.message)
}

const idOf = ({ status, json, text }: Reply): string => {
  assert.equal(status, 200, text)
  assert.deepEqual(Object.keys(json), ['success', 'interaction_id'])
  assert.equal(json.success, true)
  assert.match(json.interaction_id, /^\d{1,20}$/)
  return json.interaction_id
}

test('a view is stored with all that was told of it, under the render that it belongs to', async () => {
  const { footfall, block, ids } = await open()
  footfall.clock.advance(90_000)
  const told = {
    element_key: 'hero',
    event_name: 'seen',
    dwell_ms: 1234,
    meta: { place: 'top', list: [1, { a: null }] },
  }
  const id = idOf(await track(footfall, { ...ids, action: 'view', ...told, unknown: 'ignored' }))
  const session = (await footfall.track.load()).json.session_id
  const [view] = await footfall.context.facts.query<{ session: string }>(
    'test',
    'SELECT session FROM views WHERE property = {id:String}',
    { id: footfall.property.id },
  )
  assert.ok(session && view)
  const { at, ...row } = (await impressionsOf(footfall, block.id))[0]!
  assert.ok(at)
  assert.deepEqual(row, {
    property: footfall.property.id,
    block: block.id,
    phase: 7,
    version: ids.version_id,
    kind: 'view',
    day: '2026-11-18',
    session_day: '2026-11-18',
    session: view.session,
    id,
    request: id,
    at_ms: String(noon + 90_000),
    dwell_ms: 1234,
    cta_key: '',
    element_key: 'hero',
    event_name: 'seen',
    meta: '{"place":"top","list":[1,{"a":null}]}',
    country_code: '',
    device: 'desktop',
    is_bot: 0,
    bot_reason: '',
  })
})

test('a view told again is one view, at its first time and with the longest stay, also after midnight', async () => {
  const { footfall, block, ids } = await open(Date.UTC(2026, 10, 18, 23, 59))
  const view = { ...ids, action: 'view' }
  const first = idOf(await track(footfall, { ...view, dwell_ms: 400 }))
  footfall.clock.advance(5 * MINUTE_MS)
  assert.equal(idOf(await track(footfall, { ...view, dwell_ms: 9_000 })), first)
  footfall.clock.advance(MINUTE_MS)
  assert.equal(idOf(await track(footfall, { ...view, dwell_ms: 700 })), first)
  assert.equal(idOf(await track(footfall, view)), first)
  const rows = await impressionsOf(footfall, block.id)
  assert.deepEqual(
    rows.map((row) => [row.dwell_ms, row.at_ms, row.day]),
    [[9_000, String(Date.UTC(2026, 10, 18, 23, 59)), '2026-11-18']],
  )
  const other = await renderIds(footfall, block.key)
  assert.notEqual(idOf(await track(footfall, { ...other, action: 'view' })), first)
  assert.equal((await impressionsOf(footfall, block.id)).length, 2)
})

test('every click is one of its own, and names what was clicked', async () => {
  const { footfall, block, ids } = await open()
  const click = { ...ids, action: 'click', cta_key: 'buy' }
  const view = idOf(await track(footfall, { ...ids, action: 'view' }))
  const clicks = [idOf(await track(footfall, click)), idOf(await track(footfall, click))]
  assert.equal(new Set([view, ...clicks]).size, 3)
  const rows = await impressionsOf(footfall, block.id)
  assert.deepEqual(
    rows.map((row) => [row.kind, row.cta_key, row.request]),
    [
      ['view', '', view],
      ['click', 'buy', view],
      ['click', 'buy', view],
    ],
  )
})

test('a request id is good for its own block, version and property, for 24 hours, and not when anything of it is changed', async () => {
  const { footfall, block, ids } = await open()
  const { records } = footfall.context
  const [same, elsewhere] = [
    await addBlock(records, footfall.property.id),
    await addBlock(records, (await footfall.addProperty()).id),
  ]
  const view = { ...ids, action: 'view' }
  const otherVersion = block.versions.find((id) => id !== ids.version_id)
  assertRefused(await track(footfall, { ...view, version_id: otherVersion }), 'request_id')
  for (const other of [same, elsewhere]) {
    assertRefused(await track(footfall, { ...view, content_id: other.id, version_id: other.versions[0] }), 'request_id')
    assertRefused(await track(footfall, { ...view, content_id: other.id }), 'version_id')
  }
  assertRefused(await track(footfall, { ...view, version_id: 've_nothing' }), 'version_id')
  for (const content_id of ['cb_nothing', `cb_${'0'.repeat(20)}`, block.key])
    assertRefused(await track(footfall, { ...view, content_id }), 'content_id')
  const flipped = (ids.request_id.startsWith('0') ? '1' : '0') + ids.request_id.slice(1)
  for (const request_id of [flipped, 'x', ids.request_id.toUpperCase(), `${ids.request_id}0`])
    assertRefused(await track(footfall, { ...view, request_id }), 'request_id')
  footfall.clock.set(noon + 24 * HOUR_MS)
  idOf(await track(footfall, view))
  footfall.clock.advance(1)
  assertRefused(await track(footfall, view), 'request_id')
  assert.equal((await impressionsOf(footfall, block.id)).length, 1)
})

test('what was seen counts, also when its version or block is out of use since; a property that is gone takes nothing', async () => {
  const { footfall, block, ids } = await open()
  const { records, content, properties } = footfall.context
  await records.updateTable('content_versions').set({ is_deleted: 1 }).where('id', '=', ids.version_id).execute()
  await records.updateTable('content_blocks').set({ is_archived: 1 }).where('id', '=', block.id).execute()
  content.forget(block.id)
  assert.equal((await render(footfall, block.key)).json.message, 'Content not found')
  idOf(await track(footfall, { ...ids, action: 'view' }))
  assert.equal((await impressionsOf(footfall, block.id))[0]?.version, ids.version_id)
  const { id } = footfall.property
  await records
    .updateTable('properties')
    .set({ key: `removed_${id}` })
    .where('id', '=', id)
    .execute()
  properties.forget(id)
  assertRefused(await track(footfall, { ...ids, action: 'view' }), 'content_id')
})

test('what a rule does not let through is refused with the name of the field, and nothing of it is stored', async () => {
  const { footfall, block, ids } = await open()
  const right = { ...ids, action: 'view' }
  const rows: readonly (readonly [field: string, change: Readonly<Record<string, unknown>>])[] = [
    ...['request_id', 'content_id', 'version_id', 'action'].flatMap((field) =>
      [undefined, null, '', 7, {}, 'x'.repeat(65)].map((value) => [field, { [field]: value }] as const),
    ),
    ['action', { action: 'View' }],
    ['action', { action: 'hover' }],
    ['cta_key', { cta_key: 7 }],
    ['cta_key', { cta_key: 'x'.repeat(65) }],
    ['element_key', { element_key: 'x'.repeat(256) }],
    ['event_name', { event_name: ['a'] }],
    ['event_name', { event_name: 'x'.repeat(256) }],
    ['dwell_ms', { dwell_ms: -1 }],
    ['dwell_ms', { dwell_ms: 1.5 }],
    ['dwell_ms', { dwell_ms: '7' }],
    ['meta', { meta: 'text' }],
    ['meta', { meta: ['a'] }],
    ['meta', { meta: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`k${i}`, i])) }],
    ['meta', { meta: { a: 'x'.repeat(MAX_META) } }],
    ['meta', { meta: { ['x'.repeat(256)]: 1 } }],
  ]
  for (const [field, change] of rows) assertRefused(await track(footfall, { ...right, ...change }), field)
  for (const body of [undefined, 'null', '[]', '7', '{"a":', '{"__proto__":{}}']) {
    const { status, json, text } = await track(footfall, body)
    assert.deepEqual([status, json.error_code, json.success], [422, 'validation_failed', false], text)
  }
  const endless = JSON.stringify({ ...right, dwell_ms: 7 }).replace(':7', ':1e400')
  assertRefused(await track(footfall, endless), 'dwell_ms')
  for (const [key, says] of [
    ['', 'A key of meta may not be empty.'],
    ['x'.repeat(256), 'A key of meta may have at most 255 characters.'],
  ] as const) {
    const { json } = await track(footfall, { ...right, meta: { [key]: 1, [`${key} ${key}`]: 2 } })
    assert.deepEqual([json.message, json.errors.meta], [says, [says]])
  }
  assert.deepEqual(await impressionsOf(footfall, block.id), [])
})

test('the largest that is allowed is stored whole; what need not be said may be null, and a long stay counts as a day', async () => {
  const { footfall, block, ids } = await open()
  const meta = { a: 'x'.repeat(MAX_META - '{"a":""}'.length) }
  const largest = { cta_key: 'k'.repeat(64), element_key: '𝕏'.repeat(255), event_name: 'é'.repeat(255), meta }
  idOf(await track(footfall, { ...ids, action: 'view', ...largest, dwell_ms: 1e15 }))
  const nothing = { cta_key: null, element_key: null, event_name: null, dwell_ms: null, meta: null }
  idOf(await track(footfall, { ...ids, action: 'click', ...nothing }))
  const [view, click] = await impressionsOf(footfall, block.id)
  assert.deepEqual([view?.element_key, view?.event_name], [largest.element_key, largest.event_name])
  assert.deepEqual([view?.cta_key, view?.meta, view?.dwell_ms], [largest.cta_key, JSON.stringify(meta), 86_400_000])
  assert.deepEqual([click?.element_key, click?.meta, click?.dwell_ms], ['', '', 0])
})

test('a beacon is taken, as the plain text that browsers let it be', async () => {
  const { footfall, block, ids } = await open()
  const body = JSON.stringify({ ...ids, action: 'view', dwell_ms: 5 })
  for (const type of ['text/plain;charset=UTF-8', 'application/x-www-form-urlencoded', 'application/json'])
    idOf(await track(footfall, body, { headers: { 'content-type': type } }))
  const form = new URLSearchParams({ ...ids, action: 'click', cta_key: 'buy' }).toString()
  idOf(await track(footfall, form, { headers: { 'content-type': 'application/x-www-form-urlencoded' } }))
  const other = await track(footfall, body, { headers: { 'content-type': 'image/png' } })
  assert.deepEqual([other.status, other.json.success], [415, false])
  assert.equal((await impressionsOf(footfall, block.id)).length, 2)
})

test('a program is stored apart, with the reason', async () => {
  const { footfall, block } = await open()
  const agents = { agent: 'Googlebot/2.1 (+http://www.google.com/bot.html)', empty_agent: '' }
  for (const [reason, agent] of Object.entries(agents)) {
    const ids = await renderIds(footfall, block.key, { agent })
    idOf(await track(footfall, { ...ids, action: 'view' }, { agent }))
    const rows = await impressionsOf(footfall, block.id)
    assert.ok(rows.some((row) => row.is_bot === 1 && row.bot_reason === reason))
  }
})

test('a visitor who asks not to be followed is counted like any other: nothing names anybody', async () => {
  const { footfall, block, ids } = await open()
  const headers = { 'sec-gpc': '1' }
  idOf(await track(footfall, { ...ids, action: 'view' }, { headers, address: '198.51.100.77', agent: 'Marker/1.0' }))
  const text = JSON.stringify(await impressionsOf(footfall, block.id))
  assert.doesNotMatch(text, /198\.51\.100|Marker/)
})

test('anything at all is answered: stored, or refused in the shape of errors', async () => {
  const { footfall, block, ids } = await open()
  const text = fc.string({ unit: anyCharacter, maxLength: 80 })
  const anything = fc.oneof(
    text,
    fc.integer(),
    fc.double(),
    fc.constant(null),
    fc.object({ maxDepth: 3 }),
    fc.boolean(),
  )
  const field = <Value>(right: Value) => fc.oneof({ arbitrary: fc.constant(right), weight: 4 }, anything)
  const bodies = fc.record(
    {
      request_id: field(ids.request_id),
      content_id: field(ids.content_id),
      version_id: field(ids.version_id),
      action: field('click'),
      cta_key: fc.oneof(text, anything),
      element_key: fc.oneof(text, anything),
      event_name: fc.oneof(text, anything),
      dwell_ms: fc.oneof(fc.nat(), anything),
      meta: fc.oneof(fc.dictionary(text, anything), anything),
    },
    { requiredKeys: ['request_id', 'content_id', 'version_id', 'action'] },
  )
  let stored = 0
  await fc.assert(
    fc.asyncProperty(bodies, async (body) => {
      const { status, json, text: told } = await track(footfall, body)
      assert.ok(status === 200 || status === 422, told)
      if (status === 200) stored++
      else
        assert.deepEqual([json.code, json.status, json.success, typeof json.message], [422, 'Error', false, 'string'])
    }),
    { numRuns: rounds(80, 5_000) },
  )
  assert.ok(stored > 0)
  assert.equal((await impressionsOf(footfall, block.id)).length, stored)
})

test('telling is counted by address, and its preflight names what it takes', async (t) => {
  await endShared()
  const footfall = await startFootfall(t, { now: noon, env: { PUBLIC_RATE_LIMIT: '3' } })
  const block = await addBlock(footfall.context.records, footfall.property.id)
  const ids = await renderIds(footfall, block.key)
  const preflight = await footfall.call('OPTIONS', '/v2/content/track', { headers: { origin: 'https://example.com' } })
  assert.deepEqual([preflight.status, preflight.headers.get('access-control-allow-methods')], [204, 'POST, OPTIONS'])
  assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /Content-Type/)
  const view = { ...ids, action: 'view' }
  for (let made = 0; made < 2; made++) idOf(await track(footfall, view))
  const refused = await track(footfall, view)
  assert.deepEqual([refused.status, refused.json.success], [429, false])
  assert.equal(refused.headers.get('access-control-allow-origin'), '*')
  idOf(await track(footfall, view, { address: '198.51.100.1' }))
})

test('facts that are away are a 503 to try again, never a success', async (t) => {
  await endShared()
  const { footfall, ids } = await sceneOf(await startFootfall(t, { now: noon }))
  await footfall.context.facts.close()
  const { status, json, headers } = await track(footfall, { ...ids, action: 'view' })
  assert.deepEqual([status, json.error_code, json.success], [503, 'unavailable', false])
  assert.ok(Number(headers.get('retry-after')) > 0)
})
