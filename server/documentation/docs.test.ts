// The documentation and the other files that anybody may fetch: every page and link of it, from memory, in
// the smallest form, and counted for each address.
import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { endpoints } from '../endpoints.ts'
import { buildPages } from '../../test/support/pages.ts'
import { startFootfall } from '../../test/support/server.ts'
import { filesByUrl } from './documentation.ts'
import { renderMarkdown } from './markdown.ts'
import { allPages, hrefFrom, linkFrom, REFERENCE } from './pages.ts'
import { endpointsOf } from './reference.ts'

/** As it is on the wire: fetch would unpack it. */
async function get(of: FastifyInstance, url: string, headers: Record<string, string> = {}) {
  const { statusCode, headers: given, rawPayload } = await of.inject({ url, headers })
  return { status: statusCode, headers: given, bytes: rawPayload }
}

const urlOf = (path: string): string => (path === '' ? '/docs' : `/docs/${path}`)

describe('the documentation', () => {
  let app: FastifyInstance
  const closers: (() => Promise<void>)[] = []

  before(async () => {
    buildPages()
    app = (await startFootfall({ after: (close) => closers.push(close) })).app
  })

  after(async () => {
    for (const close of closers) await close()
  })

  test('every link and file of every page is there, with the heading that it names', async () => {
    const pages = new Map<string, string>()
    for (const path of [...allPages.map((page) => page.path), REFERENCE]) {
      const { status, headers, bytes } = await get(app, urlOf(path))
      assert.deepEqual([status, headers['content-type']], [200, 'text/html; charset=utf-8'], path)
      pages.set(urlOf(path), bytes.toString())
    }
    const files = filesByUrl()
    for (const [url, html] of pages)
      for (const [, address = ''] of html.matchAll(/(?:src|href|data-search)="([^"]+)"/g)) {
        const { host, pathname, hash } = new URL(address.replaceAll('&amp;', '&'), `http://footfall.test${url}`)
        if (host !== 'footfall.test') continue
        assert.ok(files.has(pathname.slice(1)), `${url}: ${address} is no page, and none of the static site`)
        if (hash !== '')
          assert.ok(pages.get(pathname)?.includes(`id="${decodeURIComponent(hash.slice(1))}"`), `${url}: ${address}`)
      }
    for (const url of files.keys()) assert.equal((await get(app, `/${url}`)).status, 200, url)
    assert.ok(files.has('docs/static/inter.woff2'))
  })

  test('every guide of the repository is a page', () => {
    const docs = new URL('../../docs/', import.meta.url).pathname
    const written = globSync(['*.md', 'api/*.md'], { cwd: docs })
    assert.deepEqual(new Set(allPages.map(({ file }) => file)), new Set(written))
  })

  test('the reference has every endpoint, folded, with what it takes', async () => {
    const html = (await get(app, '/docs/reference')).bytes.toString()
    const described = endpointsOf(JSON.parse((await get(app, '/openapi.json')).bytes.toString()))
    assert.ok(described.length >= endpoints.length)
    for (const { method, path } of described)
      assert.ok(html.includes(`${method}</span> <code>${path}</code>`), `${method} ${path}`)
    assert.equal(html.match(/<details class="operation"/g)?.length, described.length)
    assert.doesNotMatch(html, /<details[^>]* open/)
  })

  test('the index finds guides by their headings and endpoints by their addresses', async () => {
    const index = JSON.parse((await get(app, '/docs/static/search.json')).bytes.toString()) as string[][]
    const pathOf = (heading: string) => index.find((entry) => entry[2] === heading)?.[0]
    assert.equal(pathOf('Web Vitals'), 'browser#web-vitals')
    assert.equal(pathOf('Getting started'), '')
    assert.equal(pathOf('POST /manage/properties/{property}/speed')?.split('#')[0], 'reference')
    const textOf = (heading: string) => index.find((entry) => entry[2] === heading)?.at(-1)
    assert.match(textOf('Top pages') ?? '', /sessions whose entry page/, 'items of a list are found, too')
  })

  test('a page comes compressed with a tag, is not sent again to who has it, and runs nothing of others', async () => {
    const url = '/docs/definitions'
    const [br, gzip, bare] = await Promise.all([
      get(app, url, { 'accept-encoding': 'gzip, br' }),
      get(app, url, { 'accept-encoding': 'gzip' }),
      get(app, url),
    ])
    assert.deepEqual([br.headers['content-encoding'], gzip.headers['content-encoding']], ['br', 'gzip'])
    assert.deepEqual([brotliDecompressSync(br.bytes), gunzipSync(gzip.bytes)], [bare.bytes, bare.bytes])
    const again = await get(app, url, { 'accept-encoding': 'br', 'if-none-match': String(br.headers.etag) })
    assert.deepEqual([again.status, again.bytes.length], [304, 0])
    assert.match(String(br.headers['content-security-policy']), /default-src 'none'.*frame-ancestors 'none'/)
  })

  test('the description comes compressed, too, and the same under its other address', async () => {
    const br = await get(app, '/openapi.json', { 'accept-encoding': 'br' })
    const plain = await get(app, '/openapi.json')
    assert.equal(br.headers['content-encoding'], 'br')
    assert.deepEqual(brotliDecompressSync(br.bytes), plain.bytes)
    assert.deepEqual((await get(app, '/docs/json')).bytes, plain.bytes)
    assert.match((await get(app, '/docs/yaml')).bytes.toString(), /^openapi: 3\.1\.0$/m)
    const again = await get(app, '/openapi.json', { 'if-none-match': String(plain.headers.etag) })
    assert.equal(again.status, 304)
    assert.equal((await get(app, '/docs/')).headers.location, '../docs')
  })
})

test('links between pages hold below any path, and those to the sources lead there', () => {
  for (const base of ['http://x.test/docs', 'http://x.test/deep/er/docs'])
    for (const from of ['', 'browser', 'api/forms'])
      for (const to of ['', 'browser', 'api', 'api/forms', 'static/docs.css']) {
        const at = from === '' ? base : `${base}/${from}`
        assert.equal(new URL(hrefFrom(from, to), at).href, to === '' ? base : `${base}/${to}`, `${from} → ${to}`)
      }
  const forms = { path: 'api/forms', file: 'api/forms.md' }
  assert.equal(linkFrom(forms, '../browser.md#calls'), '../browser#calls')
  assert.equal(linkFrom(forms, '#limits'), '#limits')
  assert.equal(linkFrom(forms, 'https://example.com/'), 'https://example.com/')
  assert.match(linkFrom(forms, '../decisions/0009-forwarding-proxies.md'), /^https:.*\/docs\/decisions\/0009-/)
})

test('what looks like markup in code is shown, and headings are found by their words', () => {
  const { html, title, sections } = renderMarkdown(
    '# A `<b>` title\n\nText <one>\n\n## What’s *new*?\n\n`<i>`',
    (href) => href,
  )
  assert.match(html, /<code>&lt;i&gt;<\/code>/)
  assert.match(title, /^A .* title$/)
  assert.equal(sections[1]?.id, 'whats-new')
})

test('files are counted for each address, apart from what visitors send', async (t) => {
  const noon = Date.UTC(2026, 10, 22, 12)
  const footfall = await startFootfall(t, { now: noon, env: { PUBLIC_RATE_LIMIT: '2' } })
  const files = ['/docs', '/openapi.json', '/signals.js', '/dashboard', '/icons/example.com.svg']
  const statusFor = async (path: string, address: string): Promise<number> =>
    (await get(footfall.app, path, { 'x-forwarded-for': address })).status
  for (const path of [...files, ...files]) assert.notEqual(await statusFor(path, '203.0.113.1'), 429, path)
  for (const path of [...files, '/docs/static/docs.css', '/docs/yaml', '/', '/dashboard/assets/none.js'])
    assert.equal(await statusFor(path, '203.0.113.1'), 429, path)
  assert.equal(await statusFor('/docs', '203.0.113.2'), 200, 'another address')
  assert.equal(await statusFor('/readyz', '203.0.113.1'), 200, 'who watches the service is counted apart')
  assert.equal(await statusFor('/healthz', '203.0.113.1'), 200)
  const visit = await footfall.call('POST', '/v2/signal/resolve', { headers: { 'x-forwarded-for': '203.0.113.1' } })
  assert.notEqual(visit.status, 429, 'visitors are counted apart')
  for (let asked = 1; asked < 10; asked++) assert.equal(await statusFor('/readyz', '203.0.113.1'), 200)
  assert.equal(await statusFor('/readyz', '203.0.113.1'), 429)
})
