// Domains of properties' own: proven twice, one property's at a time, with links of their own.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startFootfall, type Footfall, type TestProperty } from '../../test/support/server.ts'
import { type Seen, visit } from '../../test/support/visits.ts'
import { PROOF_PATH } from './domain-model.ts'
import type { DomainProbe } from './domain-probe.ts'

const closers: (() => Promise<void>)[] = []
const lasting = { after: (close: () => Promise<void>) => closers.push(close) }
let footfall: Footfall

/** What name servers say, and which hosts lead to the service under which name. */
const texts = new Map<string, readonly string[]>()
const leads = new Map<string, string>()

const domainProbe: DomainProbe = {
  txt: async (name) => {
    const found = texts.get(name)
    if (found?.includes('away')) throw new Error('no name server answers')
    return found ?? []
  },
  ask: async (url) => {
    const { host, pathname } = new URL(url)
    const passedOn = leads.get(host)
    if (passedOn === undefined) return { fault: 'not_reached' }
    const seen = await visit(footfall.url, pathname, { host: passedOn, method: 'POST', fields: {} })
    return { body: seen.text }
  },
}

before(async () => {
  footfall = await startFootfall(lasting, { now: Date.UTC(2026, 10, 18, 6), env: { LOG_LEVEL: 'silent' }, domainProbe })
})
after(async () => {
  for (const close of closers) await close()
})

type Of = Pick<TestProperty, 'id' | 'token'>
const at = ({ id }: Of, rest = '') => `/manage/properties/${id}/own-domains${rest}`
const add = (of: Of, host: string, domain = 'link-a') => footfall.call('POST', at(of), { body: { host, domain } })
const check = async (of: Of, host: string) => {
  const { status, json, text } = await footfall.call('POST', at(of, `/${host}/check`), { body: {} })
  assert.equal(status, 200, text)
  return json.data.domain
}
const list = async (of: Of) => (await footfall.call('GET', at(of))).json.data.domains

/** The owner enters both records. */
async function enter(of: Of, host: string): Promise<void> {
  const { records } = (await list(of)).find((one: { host: string }) => one.host === host)
  const [name, text] = records
  assert.deepEqual([name.type, name.name, text.type, text.name], ['CNAME', host, 'TXT', `_footfall.${host}`])
  texts.set(text.name, ['something else', text.value])
  leads.set(host, host)
}

async function withDomain(of: Of, host: string, domain = 'link-a'): Promise<void> {
  const { status, text } = await add(of, host, domain)
  assert.equal(status, 200, text)
  await enter(of, host)
  assert.equal((await check(of, host)).is_verified, true)
}

async function groupOf({ token }: Of): Promise<string> {
  const { json } = await footfall.call('POST', '/v2/property/link-groups', { token, body: { name: 'Group' } })
  return json.data.group.id
}

async function create(of: Of, body: object) {
  const draft = { group_id: await groupOf(of), domain: 'link-a', destination_url: 'https://example.com/', ...body }
  return footfall.call('POST', '/v2/property/links', { token: of.token, body: draft })
}
const linkOf = async (of: Of, body: object) => (await create(of, body)).json.data.link
const follow = (host: string, path: string) => visit(footfall.url, path, { host })
const leadsTo = ({ status, location }: Seen) => (status === 302 ? location : status)

test('links answer on a domain once both records are entered, and the fault says which one is missing', async () => {
  const of = await footfall.addProperty()
  assert.equal((await add(of, ' https://GO.Client.example/ ')).json.data.domain.host, 'go.client.example')
  const HOST = 'go.client.example'
  const fault = async () => (await check(of, HOST)).fault
  assert.equal(await fault(), 'txt_missing')
  texts.set(`_footfall.${HOST}`, ['away'])
  assert.equal(await fault(), 'dns_away')
  await enter(of, HOST)
  leads.delete(HOST)
  assert.equal(await fault(), 'not_reached')
  leads.set(HOST, 'footfall.test')
  assert.equal(await fault(), 'other_service', 'a proxy that hides the name')
  assert.match((await linkOf(of, {})).short_url, /\/a\//, 'not before it is verified')
  leads.set(HOST, HOST)
  const verified = await check(of, HOST)
  assert.deepEqual([verified.is_verified, verified.fault, verified.url], [true, null, `https://${HOST}`])
  const link = await linkOf(of, { code: 'spring' })
  assert.deepEqual([link.domain, link.short_url], ['link-a', `https://${HOST}/spring`])
  assert.equal(leadsTo(await follow(HOST, '/spring')), 'https://example.com/')
  assert.equal(leadsTo(await follow(`${HOST.toUpperCase()}.:8443`, '/spring')), 'https://example.com/')
  assert.equal(leadsTo(await follow('127.0.0.1', '/a/spring')), 404, 'it lives on its own domain alone')
  const [shown] = await list(of)
  assert.equal(shown.count_links, 1)
  const { domains } = (await footfall.call('GET', `/manage/properties/${of.id}/link-domains`)).json.data
  assert.deepEqual(domains[0], { domain: 'link-a', url: `https://${HOST}` })
  leads.delete(HOST)
  const later = await check(of, HOST)
  assert.deepEqual([later.is_verified, later.fault], [true, 'not_reached'], 'a fault that may pass takes nothing away')
  assert.equal(leadsTo(await follow(HOST, '/spring')), 'https://example.com/')
})

test('on a domain nothing but the links of its property is served', async () => {
  const [of, other] = [await footfall.addProperty(), await footfall.addProperty()]
  const HOST = 'own.example.com'
  const theirs = await linkOf(other, {})
  const earlier = await linkOf(of, {})
  await withDomain(of, HOST)
  assert.equal(leadsTo(await follow(HOST, `/${earlier.code}`)), 'https://example.com/', 'those of before answer too')
  assert.equal(leadsTo(await follow('127.0.0.1', `/a/${earlier.code}`)), 'https://example.com/')
  for (const path of [
    `/${theirs.code}`,
    `/a/${earlier.code}`,
    '/',
    '/dashboard',
    '/metrics',
    '/v2/ping-me',
    '/%zz',
    '//x',
  ]) {
    const seen = await follow(HOST, path)
    assert.equal(seen.status, 404, path)
    assert.match(seen.text, /<!doctype html>/, path)
  }
  for (const host of ['nobody.example.com', `x.${HOST}`, `${HOST}.evil.example`])
    assert.notEqual((await follow(host, `/${earlier.code}`)).status, 302, host)
})

test('two domains may have the same code; on one a code is given once, also where a link has it on both', async () => {
  const [one, two] = [await footfall.addProperty(), await footfall.addProperty()]
  const earlier = await linkOf(one, { code: 'winter' })
  await withDomain(one, 'one.example.com')
  await withDomain(two, 'two.example.com')
  const [first, second] = [
    await linkOf(one, { code: 'sale', destination_url: 'https://example.com/1' }),
    await linkOf(two, { code: 'sale', destination_url: 'https://example.com/2' }),
  ]
  assert.deepEqual(
    [first.short_url, second.short_url],
    ['https://one.example.com/sale', 'https://two.example.com/sale'],
  )
  assert.equal(leadsTo(await follow('one.example.com', '/sale')), 'https://example.com/1')
  assert.equal(leadsTo(await follow('two.example.com', '/sale')), 'https://example.com/2')
  for (const code of ['sale', earlier.code]) assert.equal((await create(one, { code })).status, 422, code)
  assert.equal((await create(two, { code: earlier.code })).status, 200)
  const asked = `/manage/properties/${one.id}/links/code?domain=link-a&code=`
  for (const code of ['sale', earlier.code])
    assert.equal((await footfall.call('GET', asked + code)).json.data.reason, 'taken')
  const csv = 'destination_url,code\nhttps://example.com/,sale\nhttps://example.com/,winter\nhttps://example.com/,new\n'
  const body = { csv, group: await groupOf(one), domain: 'link-a' }
  const { faults } = (await footfall.call('POST', `/manage/properties/${one.id}/links/import`, { body })).json.data
  assert.deepEqual(
    faults.map(({ line }: { line: number }) => line),
    [2, 3],
  )
})

test('whoever proves a domain last has it; codes of before lead nobody elsewhere, and come back with their owner', async () => {
  const [old, fresh] = [await footfall.addProperty(), await footfall.addProperty()]
  const HOST = 'sold.example.com'
  await withDomain(old, HOST)
  await linkOf(old, { code: 'kept', destination_url: 'https://example.com/old' })
  assert.equal((await add(fresh, HOST)).status, 200, 'to ask is free')
  assert.equal((await check(fresh, HOST)).fault, 'txt_missing')
  assert.equal(leadsTo(await follow(HOST, '/kept')), 'https://example.com/old')
  await enter(fresh, HOST)
  assert.equal((await check(fresh, HOST)).is_verified, true)
  assert.equal((await list(old))[0].fault, 'taken_over')
  assert.equal((await list(old))[0].is_verified, false)
  assert.equal(leadsTo(await follow(HOST, '/kept')), 404)
  assert.equal((await create(fresh, { code: 'kept' })).status, 422, 'a code in print never leads to a stranger')
  assert.equal((await check(old, HOST)).fault, 'txt_missing', 'the record is the new owner’s')
  await footfall.call('DELETE', at(fresh, `/${HOST}`))
  await enter(old, HOST)
  assert.equal((await check(old, HOST)).is_verified, true)
  assert.equal(leadsTo(await follow(HOST, '/kept')), 'https://example.com/old')
})

test('a domain that is removed answers no more; its links move on, or wait for it', async () => {
  const of = await footfall.addProperty()
  const HOST = 'gone.example.com'
  await withDomain(of, HOST, 'link-b')
  const [moved, waits] = [await linkOf(of, { domain: 'link-b' }), await linkOf(of, { domain: 'link-b' })]
  assert.equal((await footfall.call('DELETE', at(of, `/${HOST}`))).status, 200)
  assert.deepEqual(await list(of), [])
  assert.notEqual((await follow(HOST, `/${moved.code}`)).status, 302)
  const body = { domain: 'link-b' }
  const { link } = (await footfall.call('POST', `/v2/property/links/${moved.id}`, { token: of.token, body })).json.data
  assert.match(link.short_url, new RegExp(`/b/${moved.code}$`))
  assert.equal(leadsTo(await follow('127.0.0.1', `/b/${moved.code}`)), 'https://example.com/')
  assert.match((await linkOf(of, body)).short_url, /\/b\//)
  await withDomain(of, HOST, 'link-b')
  assert.equal(leadsTo(await follow(HOST, `/${waits.code}`)), 'https://example.com/')
  for (const rest of [`/${HOST}x`, '/nothing']) {
    assert.equal((await footfall.call('DELETE', at(of, rest))).status, 404)
    assert.equal((await footfall.call('POST', at(of, `${rest}/check`), { body: {} })).status, 404)
  }
})

test('a link keeps its domain when it is changed, and moves with its code to the other one', async () => {
  const of = await footfall.addProperty()
  await withDomain(of, 'stay.example.com')
  const link = await linkOf(of, { code: 'stays' })
  const change = async (body: object) =>
    (await footfall.call('POST', `/v2/property/links/${link.id}`, { token: of.token, body })).json.data.link.short_url
  assert.equal(await change({ name: 'x', domain: 'link-a' }), link.short_url)
  assert.match(await change({ domain: 'link-b' }), /\/b\/stays$/)
  assert.equal(leadsTo(await follow('stay.example.com', '/stays')), 404)
  assert.equal(await change({ domain: 'link-a' }), link.short_url)
  assert.equal(leadsTo(await follow('stay.example.com', '/stays')), 'https://example.com/')
})

test('links that lead to a host before it is a domain lead on, but never round', async () => {
  const of = await footfall.addProperty()
  const HOST = 'later.example.com'
  const to = (code: string) => `https://${HOST}/${code}`
  const group_id = await groupOf(of)
  const draft = async (code: string, destination_url: string) => linkOf(of, { code, destination_url, group_id })
  await draft('itself', to('itself'))
  await draft('there', to('back'))
  await draft('back', to('there'))
  await draft('first', to('last'))
  await draft('last', 'https://example.com/end')
  const { id } = await draft('over', 'https://example.com/')
  const rules = { ends_ts: 1, expired_url: to('over'), rules: [], split: [] }
  const ruled = await footfall.call('POST', `/manage/properties/${of.id}/links/${id}/rules`, { body: rules })
  assert.equal(ruled.status, 200, ruled.text)
  await withDomain(of, HOST)
  assert.equal(leadsTo(await follow(HOST, '/first')), to('last'))
  assert.equal(leadsTo(await follow('127.0.0.1', '/a/first')), to('last'))
  for (const [code, status] of [
    ['itself', 404],
    ['there', 404],
    ['back', 404],
    ['over', 410],
  ] as const)
    for (const seen of [await follow(HOST, `/${code}`), await follow('127.0.0.1', `/a/${code}`)])
      assert.equal(leadsTo(seen), status, code)
  const clicks = await footfall.call('GET', `/v2/property/clicks?group_id=${group_id}`, { token: of.token })
  assert.equal(clicks.json.data.total, 2, 'nobody who is not sent on has clicked')
})

test('no link leads to a short link of anybody, and only names become domains', async () => {
  const of = await footfall.addProperty()
  await withDomain(of, 'loop.example.com')
  const other = await footfall.addProperty()
  for (const destination_url of [
    'https://loop.example.com/x',
    'http://LOOP.example.com:8080',
    'https://loop.example.com./x',
  ]) {
    assert.equal((await create(other, { destination_url })).status, 422, destination_url)
    const preview = { token: other.token, body: { destination_url } }
    const told = await footfall.call('POST', '/v2/property/attribution/preview', preview)
    assert.deepEqual([told.status, Object.keys(told.json.errors ?? {})], [422, ['destination_url']], destination_url)
  }
  const bad = [
    '',
    'localhost',
    '127.0.0.1',
    '[::1]',
    'a b.example',
    'go.example/x',
    'go.example:80',
    'x@go.example',
    'a..example',
  ]
  for (const host of [
    ...bad,
    '*.example.com',
    `${'a'.repeat(64)}.example`,
    `${'a.'.repeat(130)}example`,
    'x.1',
    'evil.example#',
    '%00.example',
  ])
    assert.equal((await add(other, host)).status, 422, host)
  assert.equal((await add(other, 'bücher.example')).json.data.domain.host, 'xn--bcher-kva.example')
  assert.equal((await add(other, 'second.example.com')).status, 422, 'link-a has one already')
  assert.equal((await add(of, 'loop.example.com', 'link-b')).status, 422, 'twice')
})

test('a TLS server may get a certificate for a domain in the hour after its text record was found, and for good once it is verified', async () => {
  const of = await footfall.addProperty()
  const HOST = 'tls.example.com'
  const ask = async () =>
    (await fetch(`${footfall.url}/tls-host?domain=${HOST}`, { headers: { authorization: `Bearer ${footfall.admin}` } }))
      .status
  await add(of, HOST)
  assert.equal((await check(of, HOST)).fault, 'txt_missing')
  assert.equal(await ask(), 404)
  await enter(of, HOST)
  leads.delete(HOST)
  assert.equal((await check(of, HOST)).fault, 'not_reached')
  assert.equal(await ask(), 200)
  footfall.clock.advance(3_601_000)
  assert.equal(await ask(), 404, 'it never led here')
  assert.equal((await check(of, HOST)).fault, 'not_reached')
  assert.equal(await ask(), 200)
  texts.delete(`_footfall.${HOST}`)
  assert.equal((await check(of, HOST)).fault, 'txt_missing')
  assert.equal(await ask(), 404, 'its record has gone')
  await enter(of, HOST)
  assert.equal((await check(of, HOST)).is_verified, true)
  texts.delete(`_footfall.${HOST}`)
  assert.equal((await check(of, HOST)).fault, 'txt_missing')
  footfall.clock.advance(3_601_000)
  assert.equal(await ask(), 200, 'links in print need their certificate renewed')
  await footfall.call('DELETE', at(of, `/${HOST}`))
  assert.equal(await ask(), 404)
})

test('the proof of one host is not that of another, nor of another installation', async () => {
  const proof = async (host: string) => (await visit(footfall.url, PROOF_PATH, { host, fields: {} })).text
  assert.notEqual(await proof('a.example'), await proof('b.example'))
  assert.equal(await proof('a.example'), await proof('A.example:443'))
  const second = await startFootfall(lasting, { env: { LOG_LEVEL: 'silent' } })
  assert.notEqual(
    (await visit(second.url, PROOF_PATH, { host: 'a.example', fields: {} })).text,
    await proof('a.example'),
  )
})

test('on a domain everything that is no link leads where its property says, but for files', async (t) => {
  const of = await footfall.addProperty()
  const [HOST, SOON] = ['lost.example.com', 'soon.example.com']
  await withDomain(of, HOST)
  const set = (body: object) => footfall.call('POST', `/manage/properties/${of.id}`, { body })
  await set({ domains: [HOST, 'localhost', 'shop.example'] })
  const page = await follow(HOST, '/nothing')
  assert.equal(page.status, 404)
  assert.match(page.text, /<a href="https:\/\/shop\.example\/">Go to shop\.example<\/a>/)
  assert.doesNotMatch(page.text, /src=|url\(/, 'nothing is loaded from elsewhere')
  assert.equal((await follow(HOST, '/')).text, page.text)

  const dead_link_url = 'https://shop.example/links'
  await add(of, SOON, 'link-b')
  for (const url of [`https://${HOST}/x`, `https://${SOON}/`]) {
    const { status, json } = await set({ dead_link_url: url })
    assert.deepEqual([status, json.message], [422, 'dead_link_url may not lead to a short link.'])
  }
  await set({ dead_link_url })
  const { code } = await linkOf(of, {})
  assert.equal(leadsTo(await follow(HOST, `/${code}`)), 'https://example.com/')
  for (const path of ['/', '/nothing', '/2222222', `/${code}/more`, '/spring.', '/?x=1'])
    assert.equal(leadsTo(await follow(HOST, path)), dead_link_url, path)
  for (const path of ['/favicon.ico', '/robots.txt', '/.well-known/security.txt', '/.env', '/wp-login.php'])
    assert.equal(leadsTo(await follow(HOST, path)), 404, path)
  assert.equal((await visit(footfall.url, '/nothing', { host: HOST, method: 'DELETE' })).status, 404)
  assert.equal(leadsTo(await follow('127.0.0.1', '/a/nothing')), 404, 'a code of nobody, on a domain of all')

  const away = [() => Promise.reject(new Error('the records are away')), () => new Promise<undefined>(() => {})]
  for (const findProperty of away) {
    const mocked = t.mock.method(footfall.context.properties, 'byId', findProperty)
    assert.equal(leadsTo(await follow(HOST, '/nothing')), 404, 'nobody waits for records that are away')
    mocked.mock.restore()
  }

  await withDomain(await footfall.addProperty(), 'shop.example')
  assert.equal(leadsTo(await follow(HOST, '/nothing')), 404, 'the website has become a short domain: no way round')
})
