// Other names for the browser libraries and for what they call: through the front door, with all that holds
// for the service's own names.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { readConfig } from '../config.ts'
import { findMount } from '../dashboard/mount.ts'
import { openShortDomains } from '../redirect/hosts.ts'
import { buildLibraries } from '../../test/support/libraries.ts'
import { buildPages } from '../../test/support/pages.ts'
import { startFootfall } from '../../test/support/server.ts'
import { openPublicPaths } from './public-paths.ts'
import { SCRIPT_NAMES } from './scripts.ts'

const NAMES = {
  '/signals.js': '/site/js/a.js',
  '/extras.js': '/site/js/more/f.js',
  '/vitals.js': '/site/js/more/v.js',
  '/form.js': '/site/b.js',
  '/filling.js': '/site/js/c.js',
  '/managed.js': '/d.js',
  '/notes.js': '/n.js',
  '/content.js': '/site/js/e',
  '/tag.js': '/site/t.js',
  '/v2/signal': '/api/s',
  '/v2/form': '/api/f',
  '/v2/content': '/api/c',
  '/v2/lib': '/api/l',
}
const setting = Object.entries(NAMES)
  .map((pair) => pair.join('='))
  .join(', ')

buildLibraries()
buildPages()
const footfall = await startFootfall(
  { after },
  { env: { PUBLIC_PATHS: setting, DASHBOARD_URL: 'http://127.0.0.1/', LINK_A_URL: 'https://go.example' } },
)
const { key } = footfall.property
const page = { 'x-svc-id': key, 'x-svc-page': 'https://example.com/', 'x-svc-lib': '1.0.0' }

test('a visitor is measured under either name, in one session', async () => {
  const one = await footfall.call('GET', '/api/s/load', { headers: page })
  const other = await footfall.call('GET', '/v2/signal/load?x=1', { headers: page })
  assert.equal(one.json.success, true)
  assert.equal(other.json.session_id, one.json.session_id)
  const ping = { event: 'hide', tos: 5, max: 10 }
  const pinged = await footfall.call('POST', `/api/s/${one.json.view_id}/ping`, { headers: page, body: ping })
  assert.equal(pinged.json.success, true)
  const opened = await footfall.call('POST', '/api/f/fk_none%/init', { body: {} })
  assert.equal(opened.json.error_type, 1)
  const shown = await footfall.call('GET', '/api/c/none/render', { headers: page })
  assert.equal(shown.json.message, 'Content not found')
  assert.equal((await footfall.call('POST', '/api/l/error', { body: {} })).status, 422)
})

test('pages of any origin may ask there, and what is not there is not found', async () => {
  const asked = await fetch(`${footfall.url}/api/s/load`, { method: 'OPTIONS' })
  assert.equal(asked.status, 204)
  assert.equal(asked.headers.get('access-control-allow-origin'), '*')
  assert.equal((await fetch(`${footfall.url}/api/s/load`, { method: 'DELETE' })).status, 405)
  for (const path of ['/api/s', '/api/signal/load', '/api/s2/load', '/api/s/none/at/all'])
    assert.equal((await fetch(footfall.url + path, { method: 'POST' })).status, 404, path)
})

test('a library under another name asks under other names alone, in every encoding', async () => {
  for (const name of SCRIPT_NAMES) {
    const own = readFileSync(new URL(`../../dist/browser/${name}.js`, import.meta.url), 'utf8')
    const url = footfall.url + NAMES[`/${name}.js`]
    const text = await (await fetch(url, { headers: { 'accept-encoding': 'identity' } })).text()
    for (const from of Object.keys(NAMES)) assert.ok(!text.includes(from), `${name} names ${from}`)
    for (const [from, to] of Object.entries(NAMES))
      assert.equal(own.includes(`${from}/`), text.includes(`${to}/`), name)
    assert.equal(await (await fetch(`${footfall.url}/${name}.js`)).text(), own, 'its own name goes on')
    const packed = await fetch(url, { headers: { 'accept-encoding': 'br' } })
    assert.equal(packed.headers.get('content-encoding'), 'br')
    assert.equal(await packed.text(), text)
    assert.notEqual(packed.headers.get('etag'), (await fetch(`${footfall.url}/${name}.js`)).headers.get('etag'))
  }
})

test('the host of a short domain is for links alone, whatever their codes look like', async () => {
  const { request } = await import('node:http')
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const asked = request(`${footfall.url}/api/s/load`, { headers: { ...page, host: 'go.example' } }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
    asked.on('error', reject).end()
  })
  assert.equal(status, 404)
})

test('the dashboard is told the names for its snippets', async () => {
  const html = await (await fetch(`${footfall.url}/`)).text()
  assert.match(html, /data-names="\/signals\.js=\/site\/js\/a\.js [^"]*\/v2\/lib=\/api\/l"/)
})

const open = (PUBLIC_PATHS: string, env: Record<string, string> = {}) => {
  const config = readConfig({ PUBLIC_PATHS, ...env })
  const shortDomains = openShortDomains(config)
  return openPublicPaths(config, { dashboard: findMount(config, shortDomains).taken, shortDomains })
}

test('no page of a dashboard at the root can be given away', () => {
  const app = readFileSync(new URL('../../dashboard/app.tsx', import.meta.url), 'utf8')
  const pages = [...app.matchAll(/<Route path="(\/[\w-]+)/g)].map(([, path]) => path!)
  assert.ok(pages.length > 5)
  for (const path of [...pages, '/assets']) {
    assert.throws(() => open(`/v2/signal=${path}`, { DASHBOARD_URL: 'http://127.0.0.1:8080' }), / is taken/, path)
    assert.ok(open(`/v2/signal=${path}`))
  }
})

test('a name that cannot be given is refused at the start, in one sentence', () => {
  const refused: readonly (readonly [string, RegExp, Record<string, string>?])[] = [
    ['/signals.js', /^PUBLIC_PATHS must be pairs like/],
    ['signals.js=/a.js', /must be pairs/],
    ['/signals.js=/a.js=/b.js', /must be pairs/],
    ['/manage=/m', /cannot rename \/manage/],
    ['/v2=/api', /cannot rename \/v2:/],
    ['/signals.js=/', /a name has one to five parts/],
    ['/signals.js=/a/../b.js', /one to five parts/],
    ['/signals.js=/.well-known/x', /one to five parts/],
    ['/signals.js=/a b.js', /one to five parts/],
    ['/signals.js=/a%2f.js', /one to five parts/],
    ['/signals.js=/a//b.js', /one to five parts/],
    ['/v2/signal=/v2/x', /\/v2 is taken/],
    ['/v2/signal=/manage/x', /\/manage is taken/],
    ['/v2/signal=/healthz', /\/healthz is taken/],
    ['/signals.js=/dashboard/a.js', /\/dashboard is taken/],
    ['/signals.js=/a/x.js', /\/a is taken/],
    ['/signals.js=/x.js,/form.js=/x.js', /\/x\.js is taken/],
    ['/signals.js=/x/a.js,/v2/signal=/x', /\/x\/a\.js is taken/],
    ['/signals.js=/x.js,/signals.js=/y.js', /renames \/signals\.js twice/],
    ['/signals.js=/x.js', /would be a short link/, { LINK_A_URL: 'http://127.0.0.1:8080' }],
  ]
  for (const [value, words, env] of refused) {
    assert.throws(
      () => open(value, env),
      (error: Error) => words.test(error.message) && error.name === 'SettingError' && !error.message.includes('\n'),
      value,
    )
  }
  assert.equal(open('').rewriteUrl, undefined)
  assert.equal(open('/signals.js=/x/a.js', { LINK_A_URL: 'http://127.0.0.1:8080' }).scripts.get('signals'), '/x/a.js')
})
