// The endpoints of groups and links through the front door, on SQLite and on PostgreSQL: who may call, what
// is refused, what a page says.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { assertRefused } from '../../test/support/contact-calls.ts'
import { startPostgres } from '../../test/support/postgres.ts'
import { ALL_SCOPES, type Footfall, type Reply, startFootfall } from '../../test/support/server.ts'
import { utmRecord } from './link-model.ts'

const GROUPS = '/v2/property/link-groups'
const LINKS = '/v2/property/links'
const NOW = Date.UTC(2026, 10, 18, 9, 30, 15, 250)

const postgres = await startPostgres({ after })

const endpoints: readonly (readonly [method: string, path: string, scope: string])[] = [
  ['GET', LINKS, 'shortlinks:read'],
  ['POST', LINKS, 'shortlinks:write'],
  ['GET', `${LINKS}/{link}`, 'shortlinks:read'],
  ['POST', `${LINKS}/{link}`, 'shortlinks:write'],
  ['DELETE', `${LINKS}/{link}`, 'shortlinks:write'],
  ['GET', GROUPS, 'shortlinks:read'],
  ['POST', GROUPS, 'shortlinks:write'],
  ['GET', `${GROUPS}/{group}`, 'shortlinks:read'],
  ['POST', `${GROUPS}/{group}`, 'shortlinks:write'],
  ['DELETE', `${GROUPS}/{group}`, 'shortlinks:write'],
]

function ok(reply: Reply) {
  assert.equal(reply.status, 200, reply.text)
  const { code, status, data } = reply.json
  assert.deepEqual([code, status], [200, 'OK'])
  return data
}

function assertNotFound(reply: Reply, what: string): void {
  assert.equal(reply.status, 404, reply.text)
  assert.deepEqual([reply.json.error_code, reply.json.message], ['not_found', `The ${what} is not in this property.`])
}

const hostileIds = ['%00', 'a%00b', '%F0%9F%98%80', '..%2f', "'", 'lg_%00', 'ln_%00', 'x'.repeat(900), 'ln_x@link-a']
const hostileText = 'a\0b\uD800c%_\\"\'*<script>\u202e'

/** Both databases answer alike. One server at a time in a process, so they follow each other. */
function promises(kind: string, databaseUrl: () => Promise<string | undefined>): void {
  describe(kind, () => {
    const closers: (() => Promise<void>)[] = []
    let footfall: Footfall
    let other: { readonly id: string; readonly token: string }
    const call = (method: string, path: string, body?: unknown, token?: string) =>
      footfall.call(method, path, { ...(body !== undefined && { body }), ...(token !== undefined && { token }) })
    const newGroup = async (body: object = {}) => ok(await call('POST', GROUPS, { name: 'Group', ...body })).group
    const newLink = async (group_id: string, body: object = {}) =>
      ok(await call('POST', LINKS, { group_id, destination_url: 'https://example.com/', domain: 'link-a', ...body }))
        .link

    before(async () => {
      const url = await databaseUrl()
      const env = {
        BASE_URL: 'https://footfall.test',
        LINK_B_URL: 'https://go.example',
        ...(url && { DATABASE_URL: url }),
      }
      footfall = await startFootfall({ after: (close) => closers.push(close) }, { now: NOW, env })
      other = await footfall.addProperty()
    })

    after(async () => {
      for (const close of closers) await close()
    })

    test('each endpoint needs a token with its own scope', async () => {
      footfall.clock.advance(60_000)
      const group = await newGroup()
      const link = await newLink(group.id)
      const inverse = { 'shortlinks:read': 'shortlinks:write', 'shortlinks:write': 'shortlinks:read' } as const
      for (const [method, path, scope] of endpoints) {
        const url = path.replace('{group}', group.id).replace('{link}', link.id)
        const body = method === 'POST' ? {} : undefined
        const lacking = ALL_SCOPES.filter((name) => name !== scope)
        assert.ok(lacking.includes(inverse[scope as keyof typeof inverse]))
        const without = await call(method, url, body, await footfall.addToken(footfall.property.id, lacking))
        assert.deepEqual([without.status, without.json.error_code], [403, 'insufficient_scope'], url)
        assert.equal((await footfall.call(method, url, { token: null })).status, 401, url)
        const allowed = await call(method, url, body, await footfall.addToken(footfall.property.id, [scope]))
        assert.ok([200, 422].includes(allowed.status), `${method} ${url}: ${allowed.text}`)
      }
    })

    test('a group is created, listed, changed and deleted', async () => {
      footfall.clock.advance(60_000)
      const description = 'x'.repeat(500)
      const group = await newGroup({ name: 'n'.repeat(120), description, purpose: 'affiliate', track_clicks: false })
      assert.deepEqual(group, {
        id: group.id,
        name: 'n'.repeat(120),
        description,
        purpose: 'affiliate',
        state: 'active',
        track_clicks: false,
        utm_template: utmRecord(() => null),
        count_links: 0,
        count_clicks: 0,
        created_at: group.created_at,
      })
      assert.match(group.created_at, /^2026-11-18T09:\d\d:15\.000Z$/)
      assert.deepEqual(ok(await call('GET', GROUPS)).groups[0], group)
      const url = `${GROUPS}/${group.id}`
      assert.deepEqual(ok(await call('GET', url)).group, group)
      for (const purpose of ['campaign', 'affiliate', 'newsletter', 'partner', 'social'])
        assert.equal(ok(await call('POST', url, { purpose })).group.purpose, purpose)
      for (const state of ['archived', 'archived', 'active'])
        assert.equal(ok(await call('POST', url, { state })).group.state, state)
      assert.equal(ok(await call('POST', url, { description: null })).group.description, null)
      await newLink(group.id)
      assert.equal(ok(await call('POST', url, {})).group.count_links, 1)
      assert.deepEqual(ok(await call('DELETE', url)), { deleted: true })
      for (const method of ['GET', 'POST', 'DELETE'])
        assertNotFound(await call(method, url, method === 'POST' ? { name: 'x' } : undefined), 'group')
    })

    test('what breaks a rule of a group is refused and named, and nothing of it is kept', async () => {
      footfall.clock.advance(60_000)
      const group = await newGroup()
      const wrong: readonly (readonly [string, unknown])[] = [
        ['name', ''],
        ['name', '  '],
        ...['\u200b', '\u2060\u00ad', '\u0007\u202e', '\u3000\u2028', '\u3164', '\u2800', '\ufe0f'].map(
          (text) => ['name', text] as const,
        ),
        ['name', null],
        ['name', 'x'.repeat(121)],
        ['name', 1],
        ['description', 'x'.repeat(501)],
        ['description', []],
        ['purpose', 'other'],
        ['purpose', 'Campaign'],
        ['purpose', null],
        ['track_clicks', 'true'],
        ['track_clicks', 1],
        ['track_clicks', null],
      ]
      for (const [field, value] of wrong) {
        assertRefused(await call('POST', GROUPS, { name: 'x', [field]: value }), field)
        assertRefused(await call('POST', `${GROUPS}/${group.id}`, { purpose: 'social', [field]: value }), field)
      }
      for (const state of ['deleted', '', null, 'Active', true])
        assertRefused(await call('POST', `${GROUPS}/${group.id}`, { purpose: 'social', state }), 'state')
      assertRefused(await call('POST', GROUPS, {}), 'name')
      for (const body of ['[]', '"x"', 'null', '{']) assert.equal((await call('POST', GROUPS, body)).status, 422, body)
      assert.deepEqual(ok(await call('GET', `${GROUPS}/${group.id}`)).group, group)
    })

    test('a link is created on either domain, listed, changed and deleted', async () => {
      footfall.clock.advance(60_000)
      const group = await newGroup()
      const utm = Object.fromEntries(
        ['source', 'medium', 'campaign', 'term', 'content'].map((name) => [
          `utm_${name}`,
          name.repeat(60).slice(0, 255),
        ]),
      )
      const destination_url = `https://example.com/${'ä'.repeat(900)}${'x'.repeat(1128)}`
      const link = await newLink(group.id, { domain: 'link-b', utm, destination_url, name: 'n'.repeat(120) })
      assert.deepEqual(link, {
        id: link.id,
        group_id: group.id,
        name: 'n'.repeat(120),
        code: link.code,
        short_url: `https://go.example/${link.code}`,
        destination_url,
        domain: 'link-b',
        utm,
        is_active: true,
        tags: [],
        notes: null,
        is_archived: false,
        past_groups: [],
        clicks: 0,
        created_ts: Math.floor(footfall.clock.now() / 1000),
      })
      const url = `${LINKS}/${link.id}`
      assert.deepEqual(ok(await call('GET', url)).link, link)
      assert.deepEqual(ok(await call('GET', LINKS)).data[0], link)
      assert.deepEqual(ok(await call('POST', url, {})).link, link)
      assert.deepEqual(ok(await call('POST', url, { id: 'x', code: 'x', clicks: 9, group_id: 'x' })).link, link)
      const moved = ok(await call('POST', url, { domain: 'link-a', is_active: false, utm: { utm_term: null } })).link
      assert.equal(moved.short_url, `https://footfall.test/a/${link.code}`)
      assert.deepEqual([moved.is_active, moved.utm], [false, { ...utm, utm_term: null }])
      assert.equal(ok(await call('POST', url, { name: null })).link.name, null)
      assert.deepEqual(ok(await call('DELETE', url)), { deleted: true })
      for (const method of ['GET', 'POST', 'DELETE'])
        assertNotFound(await call(method, url, method === 'POST' ? { is_active: true } : undefined), 'link')
    })

    test('what breaks a rule of a link is refused and named, and nothing of it is kept', async () => {
      footfall.clock.advance(60_000)
      const group = await newGroup()
      const link = await newLink(group.id)
      const wrong: readonly (readonly [string, unknown, string?])[] = [
        ...[
          '',
          'example.com',
          'ftp://example.com',
          'https://a:b@example.com',
          `https://example.com/${'x'.repeat(2029)}`,
        ].map((text) => ['destination_url', text] as const),
        ['destination_url', 'https://footfall.test/a/abc'],
        ['destination_url', 'http://127.0.0.1:3000/a/abc'],
        ['destination_url', `https://example.com/${'🎉'.repeat(2020)}`],
        ['destination_url', 'http://GO.example./abc?x'],
        ['destination_url', null],
        ['destination_url', 7],
        ['domain', 'link-c'],
        ['domain', null],
        ['domain', 'constructor'],
        ['name', 'x'.repeat(121)],
        ['name', {}],
        ['utm', 'utm_source=x'],
        ['utm', []],
        ['utm', { utm_source: 'x'.repeat(256) }, 'utm.utm_source'],
        ['utm', { utm_content: 7 }, 'utm.utm_content'],
      ]
      const good = { group_id: group.id, destination_url: 'https://example.com/', domain: 'link-a' }
      for (const [field, value, named = field] of wrong) {
        assertRefused(await call('POST', LINKS, { ...good, [field]: value }), named)
        assertRefused(await call('POST', `${LINKS}/${link.id}`, { is_active: false, [field]: value }), named)
      }
      // Each may be alone; together they are more than a header can carry.
      const long = `https://example.com/${'ä'.repeat(1300)}`
      const wide = await newLink(group.id, { destination_url: long })
      assertRefused(
        await call('POST', LINKS, { ...good, destination_url: long, utm: { utm_term: 'ä'.repeat(255) } }),
        'destination_url',
      )
      assertRefused(
        await call('POST', `${LINKS}/${wide.id}`, { utm: { utm_term: 'ä'.repeat(255) } }),
        'destination_url',
      )
      assert.deepEqual(ok(await call('GET', `${LINKS}/${wide.id}`)).link, wide)
      ok(await call('DELETE', `${LINKS}/${wide.id}`))
      for (const is_active of ['false', 0, null])
        assertRefused(await call('POST', `${LINKS}/${link.id}`, { name: 'x', is_active }), 'is_active')
      for (const field of ['group_id', 'destination_url', 'domain'])
        assertRefused(await call('POST', LINKS, { ...good, [field]: undefined }), field)
      for (const group_id of [null, 7, '', 'lg_nothing', link.id, 'lg_\0'])
        assertRefused(await call('POST', LINKS, { ...good, group_id }), 'group_id')
      assert.deepEqual(ok(await call('GET', `${LINKS}/${link.id}`)).link, link)
      assert.equal(ok(await call('GET', `${GROUPS}/${group.id}`)).group.count_links, 1)
    })

    test('what belongs to another property is a 404, and as a group of a new link a 422', async () => {
      footfall.clock.advance(60_000)
      const group = await newGroup()
      const link = await newLink(group.id)
      const asOther = (method: string, path: string, body?: unknown) => call(method, path, body, other.token)
      for (const id of [group.id, ...hostileIds]) {
        assertNotFound(await asOther('GET', `${GROUPS}/${id}`), 'group')
        assertNotFound(await asOther('POST', `${GROUPS}/${id}`, { name: 'x' }), 'group')
        assertNotFound(await asOther('DELETE', `${GROUPS}/${id}`), 'group')
      }
      for (const id of [link.id, ...hostileIds]) {
        assertNotFound(await asOther('GET', `${LINKS}/${id}`), 'link')
        assertNotFound(await asOther('POST', `${LINKS}/${id}`, { is_active: false }), 'link')
        assertNotFound(await asOther('DELETE', `${LINKS}/${id}`), 'link')
      }
      const draft = { group_id: group.id, destination_url: 'https://example.com/', domain: 'link-a' }
      assertRefused(await asOther('POST', LINKS, draft), 'group_id')
      assert.equal(ok(await asOther('GET', `${LINKS}?group_id=${group.id}`)).total, 0)
      assert.equal(ok(await asOther('GET', GROUPS)).total, 0)
      assert.deepEqual(ok(await call('GET', `${LINKS}/${link.id}`)).link, link)
    })

    test('texts that a database might choke on are stored as what is left of them', async () => {
      footfall.clock.advance(60_000)
      const left = 'ab\uFFFDc%_\\"\'*<script>\u202e'
      const group = await newGroup({ name: hostileText, description: hostileText })
      assert.deepEqual([group.name, group.description], [left, left])
      const link = await newLink(group.id, {
        name: hostileText,
        utm: { utm_source: hostileText, other: 'x', __proto__: 1 },
      })
      assert.deepEqual([link.name, link.utm.utm_source, Object.keys(link.utm).length], [left, left, 5])
      for (const group_id of ['%00', "'", '%F0%9F%98%80', 'x'.repeat(2000)])
        assert.equal(ok(await call('GET', `${LINKS}?group_id=${group_id}`)).total, 0)
      assert.ok([200, 422].includes((await call('GET', `${LINKS}?group_id=a&group_id=b`)).status))
    })

    test('both lists are pages: newest first, 25 of them when nothing is said, with addresses that keep the query', async () => {
      footfall.clock.advance(60_000)
      const { token } = await footfall.addProperty()
      const post = async (path: string, body: object) => ok(await call('POST', path, body, token))
      const ids: string[] = []
      for (let i = 0; i < 27; i++) ids.unshift((await post(GROUPS, { name: `g${i}` })).group.id)
      const [group_id] = ids
      const link = { group_id, destination_url: 'https://example.com/', domain: 'link-a' }
      const linkIds: string[] = []
      for (let i = 0; i < 27; i++) linkIds.unshift((await post(LINKS, link)).link.id)
      for (const [path, key, all] of [
        [GROUPS, 'groups', ids],
        [LINKS, 'data', linkIds],
      ] as const) {
        // oxlint-disable-next-line typescript/no-explicit-any -- an answer
        const idsOf = (page: any) => page[key].map(({ id }: { id: string }) => id)
        const first = ok(await call('GET', path, undefined, token))
        assert.deepEqual(idsOf(first), all.slice(0, 25))
        const { current_page, per_page, total, last_page, from, to, prev_page_url } = first
        assert.deepEqual(
          [current_page, per_page, total, last_page, from, to, prev_page_url],
          [1, 25, 27, 2, 1, 25, null],
        )
        assert.equal(first.next_page_url, `https://footfall.test${path}?page=2`)
        assert.deepEqual(idsOf(ok(await call('GET', `${path}?page=2`, undefined, token))), all.slice(25))
        const third = ok(await call('GET', `${path}?page=3&per_page=10`, undefined, token))
        assert.deepEqual(idsOf(third), all.slice(20))
        assert.equal(third.prev_page_url, `https://footfall.test${path}?per_page=10&page=2`)
        assert.deepEqual(idsOf(ok(await call('GET', `${path}?page=99`, undefined, token))), [])
        for (const per_page of [1, 100])
          assert.equal(
            idsOf(ok(await call('GET', `${path}?per_page=${per_page}`, undefined, token))).length,
            Math.min(per_page, 27),
          )
        for (const [name, value] of ['0', '101', '-1', 'x', '1.5'].map((text) => ['per_page', text] as const))
          assertRefused(await call('GET', `${path}?${name}=${value}`, undefined, token), name)
        for (const page of ['0', 'x', '-1'])
          assertRefused(await call('GET', `${path}?page=${page}`, undefined, token), 'page')
        assert.deepEqual(idsOf(ok(await call('GET', `${path}?page=&per_page=`, undefined, token))), all.slice(0, 25))
      }
      const filtered = ok(await call('GET', `${LINKS}?group_id=${group_id}&per_page=20`, undefined, token))
      assert.equal(filtered.next_page_url, `https://footfall.test${LINKS}?group_id=${group_id}&per_page=20&page=2`)
      assert.equal(ok(await call('GET', `${LINKS}?group_id=`, undefined, token)).total, 27)
      assert.equal(ok(await call('GET', `${LINKS}?group_id=${ids[1]}`, undefined, token)).total, 0)
    })

    test('links made at the same moment have codes of their own, and each is known at once', async () => {
      footfall.clock.advance(60_000)
      const group = await newGroup()
      const links = await Promise.all(Array.from({ length: 60 }, () => newLink(group.id)))
      assert.equal(new Set(links.map(({ code }) => code)).size, 60)
      for (const { id, code } of links) assert.equal((await footfall.context.links.find('link-a', code))?.linkId, id)
      assert.equal(ok(await call('GET', `${GROUPS}/${group.id}`)).group.count_links, 60)
    })

    test('the redirect follows each change at once: active, archived, moved, deleted, without its property', async () => {
      footfall.clock.advance(60_000)
      const site = await footfall.addProperty()
      const post = async (path: string, body: object) => ok(await call('POST', path, body, site.token))
      const { group } = await post(GROUPS, { name: 'x', track_clicks: false })
      const draft = { group_id: group.id, destination_url: 'https://example.com/', domain: 'link-a' }
      const { link } = await post(LINKS, draft)
      const { link: second } = await post(LINKS, draft)
      const statusOf = async (code: string) => (await footfall.call('GET', `/a/${code}`)).status
      assert.equal(await statusOf(link.code), 302)
      await post(`${LINKS}/${link.id}`, { is_active: false })
      assert.equal(await statusOf(link.code), 404)
      await post(`${LINKS}/${link.id}`, { is_active: true })
      assert.equal(await statusOf(link.code), 302)
      await post(`${GROUPS}/${group.id}`, { state: 'archived' })
      assert.equal(await statusOf(link.code), 404)
      const { link: edited } = await post(`${LINKS}/${link.id}`, { destination_url: 'https://example.org/' })
      assert.equal(edited.destination_url, 'https://example.org/', 'links of an archived group may be edited')
      await post(`${GROUPS}/${group.id}`, { state: 'active' })
      assert.equal(await statusOf(link.code), 302)
      await post(`${LINKS}/${link.id}`, { domain: 'link-b' })
      assert.equal(await statusOf(link.code), 404)
      await post(`${LINKS}/${link.id}`, { domain: 'link-a' })
      await call('DELETE', `${LINKS}/${link.id}`, undefined, site.token)
      assert.equal(await statusOf(link.code), 404)
      assert.equal(await statusOf(second.code), 302)
      assert.equal((await footfall.call('DELETE', `/manage/properties/${site.id}`)).status, 200)
      assert.equal(await statusOf(second.code), 404)
    })
  })
}

promises('on SQLite', async () => undefined)
if (postgres) promises('on PostgreSQL', async () => postgres.freshUrl())
