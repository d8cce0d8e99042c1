// The full lists behind the top ten, over visits counted by hand.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { type Footfall, startFootfall } from '../../test/support/server.ts'
import { bareCell } from '../csv/cells.ts'

const NOW = Date.parse('2026-11-20T13:05:07Z')
const PAGES = 34
const FORMULA = '=HYPERLINK("http://evil.example","x")'
const HOSTILE = '<script>alert(1)</script>'

/** Page n gets n % 3 + 1 visitors; the campaigns are hostile; every third visitor does something. */
async function visitAll({ track }: Footfall): Promise<number> {
  const pages = Array.from({ length: PAGES }, (_, page) => Array.from({ length: (page % 3) + 1 }, () => page)).flat()
  await Promise.all(
    pages.map(async (page, index) => {
      const who = index + 1
      const visitor = { address: `198.51.${Math.floor(who / 250)}.${who % 250}` }
      const campaign = encodeURIComponent(page % 2 === 0 ? FORMULA : HOSTILE)
      const { json } = await track.load({
        ...visitor,
        page: `https://example.com/Seite-${page}?utm_campaign=${campaign}&utm_source=Ärzteblatt`,
      })
      if (who % 3 !== 0) return
      const meta = { plan: page % 2 === 0 ? 'free' : 'Pro', colour: 'a:b' }
      await track.event(json.session_id, 'signup', { ...visitor, meta })
      await track.event(json.session_id, 'signup', visitor)
      await track.acquisition(json.session_id, { tags: ['vip', `n:${who}`] }, visitor)
    }),
  )
  return pages.length
}

interface Row {
  readonly id: string
  readonly value: number
  readonly percent: number
}

test('lists', async (t) => {
  const footfall = await startFootfall(t, { now: NOW })
  const sessions = await visitAll(footfall)
  const path = (id: string, propertyId = footfall.property.id) => `/manage/properties/${propertyId}/lists/${id}`
  const ask = async (id: string, body: object = {}) => {
    const { status, json, text } = await footfall.call('POST', path(id), { body })
    assert.equal(status, 200, text)
    return json.data
  }
  const idsOf = (rows: readonly Row[]) => rows.map(({ id }) => id)

  await t.test('pages of a list follow each other, by sessions and then by value', async () => {
    const expected = Array.from({ length: PAGES }, (_, page) => ({ id: `/Seite-${page}`, value: (page % 3) + 1 }))
      .toSorted((a, b) => b.value - a.value || (a.id < b.id ? -1 : 1))
      .map(({ id, value }) => ({ id, label: id, value, percent: Math.round((value / sessions) * 10_000) / 10_000 }))
    const pages = []
    for (const page of [1, 2, 3]) pages.push(await ask('entry_path_full', { page, per_page: 15 }))
    assert.deepEqual(
      pages.flatMap(({ rows }) => rows),
      expected,
    )
    assert.deepEqual([pages[0].total, pages[0].last_page, pages[2].page, pages[2].per_page], [PAGES, 3, 3, 15])
    const beyond = await ask('entry_path_full', { page: 9 })
    assert.deepEqual([beyond.rows, beyond.total], [[], PAGES])
  })

  await t.test('the search finds parts of all values in any case, and is no pattern', async () => {
    assert.deepEqual(idsOf((await ask('entry_path_full', { search: ' seite-3 ' })).rows), [
      '/Seite-32',
      '/Seite-31',
      '/Seite-3',
      '/Seite-30',
      '/Seite-33',
    ])
    assert.equal((await ask('source', { search: 'ÄRZTE' })).total, 1)
    assert.equal((await ask('utm_campaign', { search: '<SCRIPT>' })).total, 1)
    for (const search of ['%', '_', '.*', "'", '\\'])
      assert.equal((await ask('entry_path_full', { search })).total, 0, search)
    assert.equal(
      (await ask('channel', { search: 'unass' })).total + (await ask('channel', { search: 'referral' })).total,
      1,
    )
  })

  await t.test('tags, events, campaigns and hosts are lists too, each session once', async () => {
    const third = Math.floor(sessions / 3)
    assert.deepEqual((await ask('event_name')).rows, [
      { id: 'signup', label: 'signup', value: third, percent: Math.round((third / sessions) * 10_000) / 10_000 },
    ])
    const tags = await ask('tag')
    assert.deepEqual([tags.rows[0].id, tags.rows[0].value, tags.total], ['vip', third, third + 1])
    assert.deepEqual(idsOf((await ask('hostname')).rows), ['example.com'])
    assert.deepEqual(new Set(idsOf((await ask('utm_campaign')).rows)), new Set([FORMULA, HOSTILE]))
    assert.deepEqual((await ask('country')).rows, [])
    const narrowed = await ask('event_name', { clauses: [{ id: 'entry_path_full', op: 'equals', value: '/Seite-0' }] })
    assert.equal(narrowed.total, 0)
  })

  await t.test('properties of events are a list and a filter, each session once', async () => {
    const third = Math.floor(sessions / 3)
    const { rows } = await ask('event_meta', { metrics: ['views'] })
    const [both, ...plans] = rows.map(({ id, value, metrics }: Row & { metrics: { views: number } }) => [
      id,
      value,
      metrics.views,
    ])
    assert.deepEqual(both, ['colour:a:b', third, third])
    assert.deepEqual(new Set(plans.map(([id]: [string]) => id)), new Set(['plan:Pro', 'plan:free']))
    assert.equal(
      plans.reduce((sum: number, [, value]: [string, number]) => sum + value, 0),
      third,
    )
    const pro = plans.find(([id]: [string]) => id === 'plan:Pro')[1]
    const count = async (op: string, value?: unknown) => {
      const clauses = [
        { id: 'event_name', op: 'equals', value: 'signup' },
        { id: 'event_meta', op, value },
      ]
      return (await ask('hostname', { clauses })).rows[0]?.value ?? 0
    }
    assert.equal(await count('equals', 'plan:Pro'), pro)
    assert.equal(await count('equals', ['plan:Pro', 'plan:free']), third)
    assert.equal(await count('contains', 'PLAN:p'), pro)
    assert.equal(await count('starts_with', ['colour:', 'nothing:']), third)
    assert.equal(await count('is_set'), third)
    // The second event of each of them has none.
    assert.equal(await count('is_not_set'), third)
    assert.equal(await count('equals', 'plan:pro'), 0)
  })

  await t.test('as CSV it has every row, and no cell that a spreadsheet would run', async () => {
    const read = async (id: string, body: object = {}) => {
      const { status, headers, text } = await footfall.call('POST', path(id), { body, query: { format: 'csv' } })
      assert.equal(status, 200, text)
      assert.match(headers.get('content-type') ?? '', /^text\/csv/)
      assert.match(headers.get('content-disposition') ?? '', new RegExp(`^attachment; filename="${id}-pr_\\w+\\.csv"$`))
      return parse<Record<string, string>>(text, { columns: true })
    }
    const whole = await read('entry_path_full')
    assert.equal(whole.length, PAGES)
    assert.deepEqual(Object.keys(whole[0] ?? {}), ['id', 'label', 'sessions', 'percent', 'country_code'])
    assert.deepEqual((await read('entry_path_full', { search: 'seite-3' })).length, 5)
    const campaigns = await read('utm_campaign')
    assert.ok(campaigns.every(({ id }) => !/^[=+@-]/.test(id ?? '')))
    assert.deepEqual(new Set(campaigns.map(({ id }) => bareCell(id ?? ''))), new Set([FORMULA, HOSTILE]))
  })

  await t.test('a file of many slices has every value once, in order', async () => {
    const large = await footfall.addProperty()
    const values = 20_050
    const row = (n: number) => ({
      property: large.id,
      day: '2026-11-20',
      session: String(n + 1),
      view: 1,
      at: NOW - 1000,
      seen: NOW - 1000,
      path: `/p${n % values}`,
    })
    // Some hundred pages have two sessions: the slices are cut within the others.
    await footfall.context.facts.appendAll(
      'views',
      Array.from({ length: values + 100 }, (_, n) => row(n)),
    )
    const { text } = await footfall.call('POST', path('entry_path_full', large.id), { query: { format: 'csv' } })
    const rows = parse<{ id: string; sessions: string }>(text, { columns: true })
    assert.equal(new Set(rows.map(({ id }) => id)).size, values)
    assert.equal(rows.length, values)
    assert.deepEqual(
      rows,
      rows.toSorted((a, b) => Number(b.sessions) - Number(a.sessions) || (a.id < b.id ? -1 : 1)),
    )
  })

  await t.test('what was written since is in the next page, and other properties are not', async () => {
    const before = (await ask('entry_path_full')).total
    await footfall.track.load({ address: '192.0.2.1', page: 'https://example.com/new' })
    assert.equal((await ask('entry_path_full')).total, before + 1)
    const other = await footfall.addProperty()
    const { json } = await footfall.call('POST', path('entry_path_full', other.id))
    assert.deepEqual([json.data.rows, json.data.total], [[], 0])
  })

  await t.test('what cannot be asked is refused', async () => {
    const refused: readonly (readonly [number, string, object, string?])[] = [
      [404, 'nothing', {}],
      [404, '__proto__', {}],
      [404, 'contact_id', {}],
      [422, 'country', { page: 0 }],
      [422, 'country', { per_page: 101 }],
      [422, 'country', { per_page: 'all' }],
      [422, 'country', { search: 'x'.repeat(256) }],
      [422, 'country', { search: 'a\0b' }],
      [422, 'country', { search: '\ud800' }],
      [422, 'country', { search: 7 }],
      [422, 'country', { period: 'ever' }],
      [422, 'country', { clauses: [{ id: 'no', op: 'equals', value: 1 }] }],
      [422, 'country', { clauses: [{ id: 'no', op: 'equals', value: 1 }] }, 'csv'],
      [404, 'nothing', {}, 'csv'],
      [422, 'country', {}, 'xlsx'],
    ]
    for (const [status, id, body, format] of refused) {
      const reply = await footfall.call('POST', path(id), { body, ...(format !== undefined && { query: { format } }) })
      assert.equal(reply.status, status, `${id} ${JSON.stringify(body)}: ${reply.text}`)
    }
    assert.equal((await footfall.call('POST', path('country'), { token: null })).status, 401)
  })
})

test('visits count by where each of them came from, sessions by their first one', async (t) => {
  const day = Date.parse('2026-11-19T00:00:00Z')
  const footfall = await startFootfall(t, { now: day })
  const { track, clock, property } = footfall
  const HOUR = 3_600_000
  const newsletter = '?utm_source=Letter&utm_campaign=Weekly'
  const seen = async (address: string, hour: number, page: string) => {
    clock.set(day + hour * HOUR)
    return track.load({ address, page: `https://example.com/${page}` })
  }
  await seen('198.51.100.1', 8, 'read')
  await seen('198.51.100.2', 8, `read${newsletter}`)
  const { json: open } = await seen('198.51.100.1', 8.4, 'on')
  await seen('198.51.100.1', 12, `news${newsletter}`)
  await seen('198.51.100.1', 12.3, 'read')
  // The page is still open: nobody has come from anywhere.
  clock.set(day + 18 * HOUR)
  await track.event(open.session_id, 'copy', { address: '198.51.100.1' })
  await seen('198.51.100.3', 19, 'read')
  clock.set(day + 30 * HOUR)
  const at = `/manage/properties/${property.id}/lists`
  /** Another number a page is another question: its answer is not one that was kept. */
  let rows = 50
  const ask = async (id: string, body: object = {}) => {
    const asked = { period: 'yesterday', metrics: ['visits'], sort: 'visits', per_page: rows, ...body }
    const { status, json, text } = await footfall.call('POST', `${at}/${id}`, { body: asked })
    assert.equal(status, 200, text)
    const found: (Row & { metrics: { visits: number } })[] = json.data.rows
    return [found.map((row) => [row.id, row.value, row.metrics.visits]), json.data.total]
  }
  const check = async () => {
    assert.deepEqual(await ask('utm_source'), [[['Letter', 1, 3]], 1])
    assert.deepEqual(await ask('utm_campaign', { search: 'week' }), [[['Weekly', 1, 3]], 1])
    assert.deepEqual(await ask('entry_path_full'), [
      [
        ['/read', 3, 3],
        ['/news', 0, 2],
      ],
      2,
    ])
    assert.deepEqual(await ask('entry_path_full', { order: 'asc', per_page: 1 }), [[['/news', 0, 2]], 2])
    assert.deepEqual(await ask('hostname'), [[['example.com', 3, 5]], 1])
    assert.deepEqual(await ask('exit_path_full'), [[['/read', 3, 5]], 1], 'those of its sessions')
    assert.deepEqual(await ask('event_name'), [[['copy', 1, 3]], 1])
    const clauses = [{ id: 'utm_source', op: 'is_not_set' }]
    assert.deepEqual(await ask('utm_source', { clauses }), [[['Letter', 0, 2]], 1])
    assert.deepEqual(await ask('entry_path_full', { clauses: [{ id: 'page_path', op: 'equals', value: '/on' }] }), [
      [
        ['/news', 0, 2],
        ['/read', 1, 1],
      ],
      2,
    ])
    const everything = ['visits', 'views', 'bounce', 'duration', 'scroll', 'value']
    const { json } = await footfall.call('POST', `${at}/utm_source`, {
      body: { period: 'yesterday', metrics: everything, clauses, per_page: rows },
    })
    assert.deepEqual(json.data.rows, [
      {
        id: 'Letter',
        label: 'Letter',
        value: 0,
        percent: 0,
        metrics: { visits: 2, views: 0, bounce: null, duration: null, scroll: null, value: 0 },
      },
    ])
  }
  await check()
  assert.ok((await footfall.context.facts.settle(clock.now() + 24 * HOUR, false)).includes('2026-11-19'))
  rows = 60
  await check()
  const file = await footfall.call('POST', `${at}/utm_source`, {
    query: { format: 'csv' },
    body: { period: 'yesterday', metrics: ['visits'] },
  })
  const [letter] = parse<Record<string, string>>(file.text, { columns: true })
  assert.deepEqual([letter?.['id'], letter?.['sessions'], letter?.['visits']], ['Letter', '1', '3'])
})
