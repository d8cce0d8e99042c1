// Who is here, which programs came, and what was pinned to a time.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ADMIN_TOKEN, type Footfall, startFootfall } from '../../test/support/server.ts'
import { MAX_ANNOTATIONS } from '../annotations/annotations.ts'
import * as limits from '../annotations/schema.ts'

const NOW = Date.parse('2026-11-20T13:05:07Z')
const GOOGLEBOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'
const HOSTILE = '<svg onload=alert(1)>'

const open = (footfall: Footfall) => {
  const call: Footfall['call'] = (...asked) => footfall.call(...asked)
  const path = `/manage/properties/${footfall.property.id}`
  const ask = async (what: string, body: object = {}) => {
    const { status, json, text } = await call('POST', `${path}/${what}`, { body })
    assert.equal(status, 200, text)
    return json.data
  }
  return { call, path, ask }
}

test('live and bots', async (t) => {
  const footfall = await startFootfall(t, { now: NOW - 400_000 })
  const { track, clock } = footfall
  const { call, path, ask } = open(footfall)
  await track.load({ address: '203.0.113.1', page: 'https://example.com/gone' })
  for (let view = 0; view < 3; view++)
    await track.load({
      address: '203.0.113.9',
      agent: GOOGLEBOT,
      page: `https://example.com/${view === 0 ? 'a' : 'b'}`,
    })
  await track.load({ address: '203.0.113.8', agent: '', page: 'https://example.com/a' })
  clock.set(NOW - 240_000)
  const ann = { address: '203.0.113.2' }
  await track.load({ ...ann, page: 'https://example.com/start', referrer: 'https://www.google.com/' })
  await track.load({ address: '203.0.113.9', agent: GOOGLEBOT, page: 'https://example.com/b' })
  clock.set(NOW - 20_000)
  await track.load({ ...ann, page: `https://example.com/${HOSTILE}` })
  await track.load({ address: '203.0.113.3', page: 'https://example.com/start' })
  clock.set(NOW)
  const other = await footfall.addProperty()
  await track.load({ ...ann, key: other.key })

  await t.test('who is here: sessions with a load in the last five minutes, once, by their page now', async () => {
    const live = await ask('live')
    assert.equal(live.count, 2)
    assert.deepEqual(
      live.series.map(({ value }: { value: number }) => value),
      [0, 1, 0, 0, 0, 0, 0, 0, 0, 2],
    )
    assert.equal(live.series[0].from_ts, NOW / 1000 + 1 - 300)
    assert.deepEqual(live.sessions.map(({ exit_path }: { exit_path: string }) => exit_path).toSorted(), [
      '/%3Csvg%20onload=alert(1)%3E',
      '/start',
    ])
    assert.deepEqual(
      live.pages.map(({ id, value, percent }: Record<string, unknown>) => [id, value, percent]),
      [
        ['/%3Csvg%20onload=alert(1)%3E', 1, 0.5],
        ['/start', 1, 0.5],
      ],
    )
    assert.deepEqual(live.sources[1], {
      id: 'Google',
      label: 'Google',
      value: 1,
      percent: 0.5,
      icon_url: '/icons/google.com.svg',
    })
    const some = await ask('live', { clauses: [{ id: 'source', op: 'equals', value: 'Google' }] })
    assert.deepEqual([some.count, some.sessions.length, some.series.at(-1).value], [1, 1, 1])
  })

  await t.test('bots are told by name and kind, apart from everybody else', async () => {
    const bots = await ask('bots', { period: 'today' })
    assert.deepEqual([bots.total, bots.views], [2, 5])
    assert.deepEqual(bots.names, [
      { name: 'Googlebot', kind: 'agent', sessions: 1, views: 4, last_ts: (NOW - 240_000) / 1000 },
      { name: 'No user agent', kind: 'empty_agent', sessions: 1, views: 1, last_ts: (NOW - 400_000) / 1000 },
    ])
    assert.deepEqual(
      bots.pages.map(({ id, value, percent }: Record<string, unknown>) => [id, value, percent]),
      [
        ['/b', 3, 0.6],
        ['/a', 2, 0.4],
      ],
    )
    assert.deepEqual(
      [bots.series.length, bots.series[12].sessions, bots.series[12].views, bots.networks],
      [14, 2, 5, []],
    )
    const [hour] = bots.series
    assert.equal(hour.to_ts - hour.from_ts, 3600)
    assert.equal((await ask('bots', { period: 'yesterday' })).total, 0)
    assert.equal((await ask('overview', { period: 'today' })).cards[0].current, 3)
    const { json } = await call('POST', `/manage/properties/${other.id}/bots`)
    assert.deepEqual([json.data.total, json.data.names], [0, []])
  })

  await t.test('what cannot be asked is refused', async () => {
    for (const [what, body] of [
      ['live', { clauses: [{ id: 'x', op: 'equals', value: 1 }] }],
      ['live', { clauses: 7 }],
      ['bots', { period: 'x' }],
      ['bots', { interval: 'century' }],
      ['bots', { clauses: [{ id: 'x', op: 'equals', value: 1 }] }],
    ] as const) {
      const { status, text } = await call('POST', `${path}/${what}`, { body })
      assert.equal(status, 422, text)
    }
    for (const what of ['live', 'bots', 'annotations']) {
      assert.equal((await call('POST', `${path}/${what}`, { token: null })).status, 401)
      assert.equal(
        (await call('POST', `/manage/properties/pr_unknown/${what}`, { body: { ts: 1, text: 'x' } })).status,
        404,
      )
    }
  })
})

test('annotations', async (t) => {
  const footfall = await startFootfall(t, { now: NOW })
  const { call, path } = open(footfall)
  const post = (body: unknown, id = '') => call('POST', `${path}/annotations${id}`, { body })
  const made = async (ts: number, text: string) => (await post({ ts, text })).json.data.annotation

  await t.test('are made, changed, listed and deleted by their property alone', async () => {
    const first = await made(1_000, ` ${HOSTILE} `)
    assert.match(first.id, /^an_\w{20}$/)
    assert.deepEqual(first, { id: first.id, ts: 1_000, text: HOSTILE, created_ts: Math.floor(NOW / 1000) })
    const second = await made(limits.MAX_TS, 'x'.repeat(limits.MAX_TEXT))
    const list = async () => (await call('GET', `${path}/annotations`)).json.data
    assert.deepEqual((await list()).data, [second, first])
    const changed = (await post({ text: 'Release' }, `/${first.id}`)).json.data.annotation
    assert.deepEqual(changed, { ...first, text: 'Release' })
    assert.deepEqual((await post({ ts: 5 }, `/${first.id}`)).json.data.annotation, { ...changed, ts: 5 })
    const other = await footfall.addProperty()
    const foreign = `/manage/properties/${other.id}/annotations`
    assert.equal((await call('POST', `${foreign}/${first.id}`, { body: { text: 'x' } })).status, 404)
    assert.equal((await call('DELETE', `${foreign}/${first.id}`)).status, 404)
    assert.deepEqual((await call('GET', foreign)).json.data.data, [])
    assert.deepEqual((await call('DELETE', `${path}/annotations/${first.id}`)).json.data, { deleted: true })
    assert.equal((await call('DELETE', `${path}/annotations/${first.id}`)).status, 404)
    assert.deepEqual((await list()).total, 1)
    assert.equal((await call('GET', `${path}/annotations`, { query: { per_page: 0 } })).status, 422)
  })

  await t.test('that cannot be are refused', async () => {
    const refused: unknown[] = [
      {},
      { ts: 1 },
      { text: 'x' },
      { ts: -1, text: 'x' },
      { ts: 1.5, text: 'x' },
      { ts: '1', text: 'x' },
      { ts: limits.MAX_TS + 1, text: 'x' },
      { ts: 1, text: ' ' },
      { ts: 1, text: 'a\nb' },
      { ts: 1, text: 'a\0b' },
      { ts: 1, text: '\ud800' },
      { ts: 1, text: 'x'.repeat(limits.MAX_TEXT + 1) },
      { ts: 1, text: 7 },
      [],
      'x',
    ]
    for (const body of refused) assert.equal((await post(body)).status, 422, JSON.stringify(body))
    assert.equal((await made(1, '🎈'.repeat(limits.MAX_TEXT))).text.length, limits.MAX_TEXT * 2)
    assert.equal((await post({ text: '' }, '/an_00000000000000000000')).status, 422)
    assert.equal((await post({}, '/an_00000000000000000000')).status, 404)
    assert.equal((await post({}, '/__proto__')).status, 404)
  })

  await t.test('end with their property, and are not without end', async () => {
    const { context } = footfall
    const other = await footfall.addProperty()
    const rows = Array.from({ length: MAX_ANNOTATIONS }, (_, n) => ({
      id: `an_${n}`,
      property_id: other.id,
      ts: n,
      text: 'x',
      created_ts: 1,
    }))
    for (let at = 0; at < rows.length; at += 500)
      await context.records
        .insertInto('annotations')
        .values(rows.slice(at, at + 500))
        .execute()
    const { status } = await call('POST', `/manage/properties/${other.id}/annotations`, { body: { ts: 1, text: 'x' } })
    assert.equal(status, 422)
    assert.equal((await call('DELETE', `/manage/properties/${other.id}`, { token: ADMIN_TOKEN })).status, 200)
    const left = await context.records
      .selectFrom('annotations')
      .select('id')
      .where('property_id', '=', other.id)
      .execute()
    assert.deepEqual(left, [])
  })
})
