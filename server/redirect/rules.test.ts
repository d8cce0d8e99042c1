// Links with rules over real HTTP: where each visitor is led, what is recorded of it, and what is refused.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { startFootfall, type Footfall } from '../../test/support/server.ts'
import { addGroup, addLink, clicksOf, type TestLink, visit, type VisitOptions } from '../../test/support/visits.ts'
import { noRules } from '../links/rules-model.ts'
import { openLinkMemory } from './memory.ts'

const closers: (() => Promise<void>)[] = []
const lasting = { after: (close: () => Promise<void>) => closers.push(close) }
const now = Date.UTC(2026, 10, 18, 6)
const nowTs = now / 1000
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'
/** In the fixture: a network of people in London. */
const LONDON = '81.2.69.142'

let footfall: Footfall
let group: string

before(async () => {
  const geoDir = join(import.meta.dirname, '../../test/fixtures/geo')
  footfall = await startFootfall(lasting, { now, env: { GEO_DIR: geoDir, LOG_LEVEL: 'silent' } })
  group = await addGroup(footfall)
})
after(async () => {
  for (const close of closers) await close()
})

const none = { rules: [], split: [] }
const at = ({ id }: TestLink, rest = '') => `/manage/properties/${footfall.property.id}/links/${id}/rules${rest}`
const set = (link: TestLink, body: object, rest = '') => footfall.call('POST', at(link, rest), { body })
async function withRules(rules: object): Promise<TestLink> {
  const utm = { utm_source: 'poster' }
  const link = await addLink(footfall, { group_id: group, destination_url: 'https://example.com/all', utm })
  const { status, text } = await set(link, { ...none, ...rules })
  assert.equal(status, 200, text)
  return link
}
const follow = (link: TestLink, options: VisitOptions = {}, suffix = '') =>
  visit(footfall.url, `/a/${link.code}${suffix}`, options)

test('each visitor is led by the first rule that holds, with the UTM values, and the click remembers which', async () => {
  const link = await withRules({
    rules: [
      { when: { os: ['iOS'], country: ['GB'] }, destination_url: 'https://example.com/app?x=1' },
      { when: { language: ['de'] }, destination_url: 'https://example.com/de' },
    ],
  })
  const { rules } = (await footfall.call('GET', at(link))).json.data.rules
  const german = { headers: { 'accept-language': 'de-AT,en;q=0.5' } }
  assert.equal(
    (await follow(link, { agent: IPHONE, address: LONDON })).location,
    'https://example.com/app?x=1&utm_source=poster',
  )
  assert.equal((await follow(link, german)).location, 'https://example.com/de?utm_source=poster')
  assert.equal((await follow(link, { agent: IPHONE })).location, 'https://example.com/all?utm_source=poster')
  const clicks = await clicksOf(footfall, link.id)
  assert.deepEqual(
    clicks.map(({ rule, destination }) => `${String(rule)} ${String(destination)}`).toSorted(),
    [
      ' https://example.com/all?utm_source=poster',
      `${rules[0].id} https://example.com/app?x=1&utm_source=poster`,
      `${rules[1].id} https://example.com/de?utm_source=poster`,
    ].toSorted(),
  )
  const shown = (await footfall.call('GET', `/v2/property/clicks?link_id=${link.id}`)).json.data.data
  assert.deepEqual(
    new Set(shown.map(({ rule_id }: { rule_id: string | null }) => rule_id)),
    new Set([null, rules[0].id, rules[1].id]),
  )
  const tried = async (visitor: object, draft?: object) =>
    (await set(link, { visitor, ...(draft && { rules: draft }) }, '/try')).json.data
  assert.deepEqual(await tried({ os: 'iOS', country: 'GB' }), {
    outcome: 'redirect',
    destination_url: 'https://example.com/app?x=1&utm_source=poster',
    rule_id: rules[0].id,
    rule_number: 1,
    others: [],
  })
  const french = await tried({ language: 'fr' })
  assert.deepEqual([french.rule_id, french.rule_number], [null, null])
  assert.equal((await tried({}, { ...none, ends_ts: nowTs - 1 })).outcome, 'expired')
  assert.equal((await tried({}, { ...none, starts_ts: nowTs + 1 })).outcome, 'not_started')
  const kept = await set(link, { ...none, rules: [{ ...rules[1] }] })
  assert.equal(kept.json.data.rules.rules[0].id, rules[1].id, 'a rule that stays keeps its id')
  assert.equal(
    (await follow(link, { agent: IPHONE, address: LONDON })).location,
    'https://example.com/all?utm_source=poster',
  )
})

test('before its start a link is not there; after its end it leads elsewhere or says so, and no click is recorded', async () => {
  const early = await withRules({ starts_ts: nowTs + 1000 })
  assert.equal((await follow(early)).status, 404)
  const over = await withRules({ ends_ts: nowTs })
  for (const suffix of ['', '+']) {
    const page = await follow(over, { headers: { 'accept-language': 'de' } }, suffix)
    assert.equal(page.status, 410)
    assert.match(page.text, /Dieser Link ist abgelaufen/)
  }
  const led = await withRules({ ends_ts: nowTs, expired_url: 'https://example.com/next' })
  const seen = await follow(led)
  assert.deepEqual([seen.status, seen.location], [302, 'https://example.com/next?utm_source=poster'])
  for (const link of [early, over, led]) assert.deepEqual(await clicksOf(footfall, link.id), [])
  await set(early, none)
  assert.equal((await follow(early)).status, 302)
})

test('a split sends each visitor of a day to one place, and about as many as its weights say', async () => {
  const [one, two] = ['https://example.com/1', 'https://example.com/2']
  const link = await withRules({
    split: [
      { destination_url: one, weight: 3 },
      { destination_url: two, weight: 1 },
    ],
  })
  const counts = new Map<string, number>()
  for (let visitor = 0; visitor < 200; visitor++) {
    const address = `203.0.${100 + (visitor >> 7)}.${visitor & 127}`
    const { location = '' } = await follow(link, { address })
    if (visitor < 10) assert.equal((await follow(link, { address })).location, location, 'the same visitor again')
    const [bare = ''] = location.split('?')
    counts.set(bare, (counts.get(bare) ?? 0) + 1)
  }
  assert.equal((counts.get(one) ?? 0) + (counts.get(two) ?? 0), 200)
  // Five standard deviations of 200 visitors: once in two million runs.
  assert.ok(Math.abs((counts.get(one) ?? 0) - 150) < 31, JSON.stringify([...counts]))
})

test('rules that cannot hold, lead nowhere or lead round are refused and named, and nothing is stored', async () => {
  const link = await addLink(footfall, { group_id: group })
  const rule = { when: { os: ['iOS'] }, destination_url: 'https://example.com/' }
  const bad: [object, string][] = [
    [{ rules: [{ ...rule, when: {} }] }, 'rules.0.when'],
    [{ rules: [rule, { ...rule, destination_url: link.short_url }] }, 'rules.1.destination_url'],
    [{ rules: [{ ...rule, destination_url: 'ftp://example.com' }] }, 'rules.0.destination_url'],
    [{ rules: [{ ...rule, when: { language: ['%%'] } }] }, 'rules.0.when'],
    [{ rules: [{ ...rule, when: { country: ['1x'] } }] }, 'rules.0.when'],
    [{ rules: [{ ...rule, when: { from_ts: 2, until_ts: 2 } }] }, 'rules.0.when'],
    [{ rules: [{ ...rule, when: { device: ['toaster'] } }] }, 'rules.0.when.device.0'],
    [{ rules: Array.from({ length: 21 }, () => rule) }, 'rules'],
    [{ split: [{ destination_url: 'https://example.com/', weight: 1 }] }, 'split'],
    [{ starts_ts: 5, ends_ts: 5 }, 'ends_ts'],
    [{ expired_url: 'javascript:alert(1)' }, 'expired_url'],
  ]
  for (const [body, field] of bad) {
    const { status, json, text } = await set(link, { ...none, ...body })
    assert.equal(status, 422, text)
    assert.ok(Object.keys(json.errors).includes(field), `${field}: ${text}`)
  }
  const { rules } = (await footfall.call('GET', at(link))).json.data
  assert.deepEqual(rules, { ...noRules, used_clicks: 0, has_password: false })
  for (const rest of ['', '/try']) {
    const gone = { ...link, id: 'ln_unknown' }
    assert.equal((await set(gone, rest === '' ? none : { visitor: {} }, rest)).status, 404)
  }
})

test('a link without rules is held in memory as it always was', () => {
  const memory = openLinkMemory()
  memory.putGroup({ id: 'lg_1', propertyId: 'p', state: 'active', tracksClicks: true })
  const packed = ['1', 'ln_1', 'lg_1', 'https://example.com/', '{}'].join('\n')
  memory.putLink({ domain: 'link-a', code: 'abc', is_deleted: 0, packed })
  assert.deepEqual(Object.keys(memory.find('link-a', 'abc') ?? {}), ['linkId', 'group', 'location', 'isActive'])
})

test('whoever follows a link of the property that leads nowhere is sent where its owner says, and nothing is counted', async () => {
  const url = 'https://bücher.example/lost?x=1'
  const location = 'https://xn--bcher-kva.example/lost?x=1'
  const property = `/manage/properties/${footfall.property.id}`
  const setDead = (dead_link_url: string | null) => footfall.call('POST', property, { body: { dead_link_url } })
  const link = (path: string) => `/v2/property/links/${path}`
  const plain = () => addLink(footfall, { group_id: group })
  const restsIn = await addGroup(footfall)
  const goesWith = await addGroup(footfall)
  const dead = {
    off: await plain(),
    early: await withRules({ starts_ts: nowTs + 60 }),
    over: await withRules({ ends_ts: nowTs }),
    'used up': await withRules({ max_clicks: 1 }),
    archived: await addLink(footfall, { group_id: restsIn }),
    deleted: await plain(),
    'deleted with its group': await addLink(footfall, { group_id: goesWith }),
    'moved away': await plain(),
  }
  await footfall.call('POST', link(dead.off.id), { body: { is_active: false } })
  assert.equal((await follow(dead['used up'])).status, 302)
  await footfall.call('POST', `/v2/property/link-groups/${restsIn}`, { body: { state: 'archived' } })
  await footfall.call('DELETE', link(dead.deleted.id))
  await footfall.call('DELETE', `/v2/property/link-groups/${goesWith}`)
  await footfall.call('POST', link(dead['moved away'].id), { body: { domain: 'link-b' } })
  const own = await withRules({ ends_ts: nowTs, expired_url: 'https://example.com/over' })
  const others = await footfall.addProperty()
  const grouped = await footfall.call('POST', '/v2/property/link-groups', { token: others.token, body: { name: 'x' } })
  const body = { group_id: grouped.json.data.group.id, domain: 'link-a', destination_url: 'https://example.com/' }
  const theirs = (await footfall.call('POST', '/v2/property/links', { token: others.token, body })).json.data.link
  await footfall.call('DELETE', link(theirs.id), { token: others.token })

  assert.equal((await setDead(` ${url} `)).json.data.property.dead_link_url, url)
  for (const [name, one] of Object.entries(dead)) {
    for (const method of ['GET', 'HEAD']) {
      const seen = await follow(one, { method })
      assert.deepEqual([seen.status, seen.location], [302, location], `${method} ${name}`)
      assert.equal(seen.headers['cache-control'], 'private, no-store', name)
    }
    const shown = await follow(one, {}, '+')
    const isLocked = name === 'early' || name === 'over' || name === 'used up'
    assert.ok(isLocked || shown.status === 200, name)
    assert.equal(shown.text.includes(`href="${location}"`), shown.status === 200, name)
    assert.equal((await follow(one, { fields: { password: 'x' } })).status, 405, `a form, ${name}`)
    assert.equal((await clicksOf(footfall, one.id)).length, name === 'used up' ? 1 : 0, name)
  }
  assert.equal(
    (await follow(own)).location,
    'https://example.com/over?utm_source=poster',
    'its own fallback comes first',
  )
  const unknown = await visit(footfall.url, '/a/2222222')
  assert.deepEqual(
    [unknown.status, (await follow(theirs)).status, (await visit(footfall.url, '/a')).status],
    [404, 404, 404],
  )
  const tried = async (one: TestLink) => {
    const { outcome, destination_url } = (await set(one, { visitor: {} }, '/try')).json.data
    return [outcome, destination_url]
  }
  assert.deepEqual(await tried(dead.early), ['not_started', location])
  assert.deepEqual(await tried(dead.over), ['expired', location])

  assert.equal((await setDead('')).json.data.property.dead_link_url, null)
  for (const [name, one] of Object.entries(dead))
    assert.equal((await follow(one)).status, name === 'over' || name === 'used up' ? 410 : 404, name)
  assert.equal((await follow(dead.off)).text, unknown.text, 'visitors do not learn whether there was a link')
})

test('a URL for dead links is a web page, and no short link', async () => {
  const property = `/manage/properties/${footfall.property.id}`
  for (const [dead_link_url, reason] of [
    ['ftp://example.com/', 'must begin with http:// or https://.'],
    ['javascript:alert(1)', 'must begin with http:// or https://.'],
    ['https://a:b@example.com/', 'may not contain a user name or password.'],
    ['https://exa mple.com/', 'may not contain blanks or control characters.'],
    [`${footfall.url}/a/2222222`, 'may not lead to a short link.'],
    [`${footfall.url}/b`, 'may not lead to a short link.'],
  ]) {
    for (const [path, more] of [
      [property, {}],
      ['/manage/properties', { name: 'New', domains: [] }],
    ] as const) {
      const { status, json } = await footfall.call('POST', path, { body: { ...more, dead_link_url } })
      assert.equal(status, 422, dead_link_url)
      assert.deepEqual(json.errors, { dead_link_url: [`dead_link_url ${reason}`] })
    }
  }
  const created = { name: 'New', domains: [], dead_link_url: 'https://example.com/' }
  const { json } = await footfall.call('POST', '/manage/properties', { body: created })
  assert.equal(json.data.property.dead_link_url, 'https://example.com/')
})
