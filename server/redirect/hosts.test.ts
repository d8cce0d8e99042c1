// Short domains by host and by path on one port: each host serves what is its own, and no Host header opens
// anything else.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import * as fc from 'fast-check'
import { ADMIN_TOKEN, startFootfall, type Footfall } from '../../test/support/server.ts'
import { addGroup, addLink, visit, type Seen, type TestLink } from '../../test/support/visits.ts'
import { readConfig, SettingError } from '../config.ts'
import { anyCharacter } from '../../test/support/texts.ts'
import { HOST_ROUTE, openShortDomains, ownPaths } from './hosts.ts'

const open = (env: Record<string, string>) =>
  openShortDomains(readConfig({ BASE_URL: 'https://stats.example', ...env }))

describe('the settings', () => {
  test('by default both are paths under BASE_URL, whose own path a proxy takes off', () => {
    const paths = [
      { domain: 'link-a', path: '/a' },
      { domain: 'link-b', path: '/b' },
    ]
    for (const BASE_URL of ['https://stats.example', 'https://stats.example/x', 'http://127.0.0.1:8080']) {
      const { paths: shown, rewriteUrl } = open({ BASE_URL })
      assert.deepEqual(shown, paths)
      assert.equal(rewriteUrl, undefined, 'nobody else pays for hosts')
    }
  })

  test('one may have a host of its own, both may share one, and the root of BASE_URL will do', () => {
    const { paths, readHost } = open({ LINK_A_URL: 'https://GO.example/', LINK_B_URL: 'http://Stats.example:81/' })
    assert.deepEqual(paths, [{ domain: 'link-b', path: '' }])
    assert.deepEqual(readHost('go.example', '/abc'), { domain: 'link-a', text: 'abc' })
    const shared = open({ LINK_A_URL: 'https://go.example', LINK_B_URL: 'https://go.example/b/' })
    assert.deepEqual(shared.paths, [])
    assert.deepEqual(shared.readHost('go.example', '/abc'), { domain: 'link-a', text: 'abc' })
    assert.deepEqual(shared.readHost('go.example', '/b/abc'), { domain: 'link-b', text: 'abc' })
  })

  test('a host has many spellings', () => {
    const { isShortHost } = open({ LINK_A_URL: 'https://bücher.example:8443' })
    for (const host of [
      'xn--bcher-kva.example',
      'XN--bcher-KVA.example:80',
      'xn--bcher-kva.example.',
      'xn--bcher-kva.example.:8443',
    ])
      assert.ok(isShortHost(host), host)
    for (const host of [
      undefined,
      '',
      ':',
      '.',
      'example',
      'a.xn--bcher-kva.example',
      'xn--bcher-kva.example.evil',
      'stats.example',
    ])
      assert.ok(!isShortHost(host), host)
  })

  test('what could not be served stops the start and is named', () => {
    const wrong = {
      LINK_A_URL: [
        'https://go.example/?x',
        'https://go.example/#',
        'https://u:p@go.example',
        'https://go.example/:code',
        'https://go.example/*',
      ],
      LINK_B_URL: ['https://stats.example/a', 'https://STATS.example:8080/a/'],
    }
    for (const [name, values] of Object.entries(wrong))
      for (const value of values) {
        const named = (error: unknown) => error instanceof SettingError && error.message.startsWith(`${name} `)
        assert.throws(() => open({ [name]: value }), named, value)
      }
  })

  test('an address of the service itself is no short domain, with a BASE_URL that has a path too', () => {
    for (const own of ownPaths)
      for (const [BASE_URL, url] of [
        ['https://stats.example', `https://STATS.example:444${own}/`],
        ['https://stats.example', `https://stats.example${own}/deeper`],
        ['https://stats.example/x', `https://stats.example/x${own}`],
      ] as const)
        for (const name of ['LINK_A_URL', 'LINK_B_URL'])
          assert.throws(
            () => open({ BASE_URL, [name]: url }),
            (error) => error instanceof SettingError && error.message.startsWith(`${name} must not lie at ${own}, `),
            url,
          )
    for (const near of ['https://go.example/v2', 'https://stats.example/v2x', 'https://stats.example/x/v2'])
      open({ LINK_A_URL: near })
    open({ LINK_A_URL: 'https://stats.example/go', LINK_B_URL: 'https://stats.example' })
  })

  test('no host and no target, however strange, makes the reader throw or leaves the domain', () => {
    const { rewriteUrl, readHost } = open({ LINK_A_URL: 'https://go.example/x' })
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), fc.string({ unit: anyCharacter }), (host, url) => {
        assert.equal(rewriteUrl!({ headers: { host }, url }), url)
        assert.equal(rewriteUrl!({ headers: { host: 'go.example' }, url }), HOST_ROUTE)
        assert.equal(readHost(host, url), undefined)
        const asked = readHost('go.example', url)
        assert.ok(asked === undefined || /^([a-z][a-z\d+.-]*:\/\/[^/?#]*)?\/x\//i.test(url))
      }),
    )
  })
})

// ---------------------------------------------------------------- over HTTP

const closers: (() => Promise<void>)[] = []
const GO = 'go.example'
let footfall: Footfall
let a: TestLink
let b: TestLink

before(async () => {
  footfall = await startFootfall(
    { after: (close) => closers.push(close) },
    { env: { LINK_A_URL: `https://${GO}`, LOG_LEVEL: 'silent' } },
  )
  const group_id = await addGroup(footfall)
  a = await addLink(footfall, { group_id })
  b = await addLink(footfall, { group_id, domain: 'link-b' })
})

after(async () => {
  for (const close of closers) await close()
})

test('every route of the service lies at an address that no short domain can take', () => {
  const routes = footfall.app.printRoutes({ commonPrefix: false })
  // All lie below the root, which leads to the dashboard where no short domain has it.
  const begins = new Set([...routes.matchAll(/^ {4}[├└]── ([^\s/:]+)/gm)].map(([, begin]) => `/${begin}`))
  assert.ok(begins.size >= 9, routes)
  begins.delete('/b') // link-b itself
  assert.deepEqual(
    [...begins].filter((begin) => !ownPaths.includes(begin)),
    [],
  )
})

const onGo = (target: string, options = {}) => visit(footfall.url, target, { host: GO, ...options })

function assertMissing({ status, headers, text, location }: Seen, what: string): void {
  assert.equal(status, 404, what)
  assert.equal(location, undefined, what)
  assert.match(text, /^<!doctype html>/, what)
  assert.equal(headers['cache-control'], 'private, no-store', what)
}

test('a link is found on its own domain and on no other one', async () => {
  assert.equal(a.short_url, `https://${GO}/${a.code}`)
  assert.equal((await onGo(`/${a.code}`)).location, 'https://example.com/')
  assert.equal((await onGo(`/${a.code}?x=/y`)).location, 'https://example.com/')
  assert.equal((await onGo(`/${a.code}+`)).status, 200)
  assert.equal((await onGo(`/${a.code}`, { host: `${GO.toUpperCase()}.:443` })).status, 302)
  assert.equal((await visit(footfall.url, `/b/${b.code}`)).status, 302)
  for (const target of [`/a/${a.code}`, `/${a.code}`, `/b/${a.code}`])
    assert.equal((await visit(footfall.url, target)).status, 404, target)
  for (const target of [`/${b.code}`, `/b/${b.code}`, `/a/${a.code}`]) assertMissing(await onGo(target), target)
})

test('on the host of a short domain nothing else is served, whatever comes along', async () => {
  const targets = [
    '/',
    '/manage/properties',
    '/v2/property/links',
    '/v2/signal/load',
    '/metrics',
    '/healthz',
    '/readyz',
    '/docs',
    '/openapi.json',
    '/icons/example.com.svg',
    HOST_ROUTE,
    '//manage/properties',
    '/%6danage/properties',
    '/x/../manage/properties',
    '/%2e%2e/manage/properties',
    '/%',
    '/%00',
    `/${'x'.repeat(9_000)}`,
    `http://${GO}/manage/properties`,
    'http://footfall.test/manage/properties',
    'https://footfall.test/metrics?x',
    '*',
  ]
  const headers = {
    authorization: `Bearer ${ADMIN_TOKEN}`,
    'x-forwarded-host': 'footfall.test',
    forwarded: 'host=footfall.test',
  }
  for (const target of targets) {
    assertMissing(await onGo(target, { headers }), target)
    assert.equal((await onGo(target, { headers, method: 'HEAD' })).status, 404, target)
  }
  const broken = { ...headers, 'content-type': 'application/json', 'content-length': '1' }
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'])
    for (const target of ['/manage/properties', '/v2/property/links', '/x', `/${a.code}`, HOST_ROUTE, '/%zz']) {
      const seen = await onGo(target, { headers, method })
      assertMissing(seen, `${method} ${target}`)
      assert.equal(seen.headers.allow, undefined)
    }
  const lines = Object.entries(broken).map(([name, value]) => `${name}: ${value}`)
  const answer = await raw(['POST /v2/property/links HTTP/1.1', `Host: ${GO}`, ...lines, 'Connection: close', '', '{'])
  assert.match(answer, /^HTTP\/1\.1 404 [^]*<!doctype html>/)
})

test('an encoded letter of a code is that letter, under a path and on a host', async () => {
  const encoded = (code: string) => `%${code.charCodeAt(0).toString(16)}${code.slice(1)}`
  assert.equal((await visit(footfall.url, `/b/${encoded(b.code)}`)).status, 302)
  assert.equal((await onGo(`/${encoded(a.code)}`)).status, 302)
  for (const plus of ['+', '%2B', '%2b']) {
    assert.equal((await visit(footfall.url, `/b/${encoded(b.code)}${plus}`)).status, 200, plus)
    assert.equal((await onGo(`/${encoded(a.code)}${plus}`)).status, 200, plus)
  }
  for (const target of [`/${a.code}%`, `/%zz`, '/%ff', `/x%2F${a.code}`, `/%25${encoded(a.code).slice(1)}`])
    assertMissing(await onGo(target), target)
})

test('the host of BASE_URL, and any other one, is not captured', async () => {
  const admin = { authorization: `Bearer ${ADMIN_TOKEN}` }
  const hosts = [
    'footfall.test',
    'anything.example',
    `${GO}.evil.example`,
    `x${GO}`,
    '127.0.0.1',
    '[::1]',
    '%',
    `${GO}:x`,
  ]
  for (const host of hosts) {
    const forged = { ...admin, 'x-forwarded-host': GO, forwarded: `host=${GO}`, 'x-original-host': GO }
    assert.equal((await visit(footfall.url, '/manage/properties', { host, headers: forged })).status, 200, host)
    assert.equal((await visit(footfall.url, '/healthz', { host })).status, 200, host)
    for (const target of [HOST_ROUTE, `${HOST_ROUTE}/${a.code}`, `${HOST_ROUTE}?${a.code}`]) {
      const { status, headers } = await visit(footfall.url, target, { host })
      assert.equal(status, 404, `${host} ${target}`)
      assert.match(String(headers['content-type']), /json/)
    }
  }
})

async function raw(lines: readonly string[]): Promise<string> {
  const { hostname, port } = new URL(footfall.url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.write(`${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`)
  return text(socket)
}

test('of two Host headers, none at all, or a target that names another host, nothing follows that should not', async () => {
  const admin = `Authorization: Bearer ${ADMIN_TOKEN}`
  const manage = 'GET /manage/properties HTTP/1.1'
  assert.match(await raw([manage, `Host: ${GO}`, 'Host: footfall.test', admin]), /^HTTP\/1\.1 (404|400) /)
  assert.match(
    await raw([`GET http://${GO}/manage/properties HTTP/1.1`, 'Host: footfall.test', admin]),
    /^HTTP\/1\.1 200 /,
  )
  assert.match(await raw([manage, admin]), /^HTTP\/1\.1 400 /)
  assert.match(await raw([`GET /${a.code} HTTP/1.0`]), /^HTTP\/1\.1 404 /)
  assert.match(await raw([`GET http://${GO}/${a.code} HTTP/1.1`, `Host: ${GO}`]), /^HTTP\/1\.1 302 /)
})

test('both on one host, one of them under a path, are told apart', async () => {
  await closers.pop()!()
  const env = { LINK_A_URL: `https://${GO}/x`, LINK_B_URL: `https://${GO}` }
  footfall = await startFootfall({ after: (close) => closers.push(close) }, { env: { ...env, LOG_LEVEL: 'silent' } })
  const group_id = await addGroup(footfall)
  const [one, two] = [await addLink(footfall, { group_id }), await addLink(footfall, { group_id, domain: 'link-b' })]
  assert.deepEqual([one.short_url, two.short_url], [`https://${GO}/x/${one.code}`, `https://${GO}/${two.code}`])
  assert.equal((await onGo(`/x/${one.code}`)).status, 302)
  assert.equal((await onGo(`/${two.code}`)).status, 302)
  for (const target of [`/x/${two.code}`, `/${one.code}`, '/x', '/x/']) assertMissing(await onGo(target), target)
})

test('at the root of BASE_URL a short domain takes only what no other address is, and no limit of requests holds for it', async () => {
  await closers.pop()!()
  const env = { LINK_B_URL: 'http://footfall.test', PUBLIC_RATE_LIMIT: '1' }
  footfall = await startFootfall({ after: (close) => closers.push(close) }, { env: { ...env, LOG_LEVEL: 'silent' } })
  const link = await addLink(footfall, { group_id: await addGroup(footfall), domain: 'link-b' })
  assert.equal(link.short_url, `http://footfall.test/${link.code}`)
  for (let n = 0; n < 4; n++) assert.equal((await visit(footfall.url, `/${link.code}`)).status, 302)
  assert.equal((await visit(footfall.url, '/healthz')).status, 200)
  assert.equal((await visit(footfall.url, '/openapi.json')).status, 200)
  assert.match(String((await visit(footfall.url, '/v2/nothing')).headers['content-type']), /json/)
  assert.equal((await visit(footfall.url, '/nothing')).status, 404)
  assertMissing(await visit(footfall.url, '/%zz'), 'a code that the router cannot read')
  assert.match(String((await visit(footfall.url, '/v2/%zz')).headers['content-type']), /json/)
})
