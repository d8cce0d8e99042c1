// The dashboard's files through the front door: any page by its address, every file in every encoding, and
// under which policy.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, after, describe, test, type TestContext } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { fastify } from 'fastify'
import { buildPages } from '../../test/support/pages.ts'
import { startFootfall, type Footfall } from '../../test/support/server.ts'
import { packDashboard } from '../../tools/build-dashboard.mjs'
import { readConfig, SettingError } from '../config.ts'
import { errorHandler } from '../http/errors.ts'
import { openShortDomains } from '../redirect/hosts.ts'
import { buildFolder } from './files.ts'
import { findMount } from './mount.ts'
import { dashboardRoutes } from './public.ts'

interface Served {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Buffer
}

let footfall: Footfall
const ends: (() => Promise<void>)[] = []

/** As it is on the wire: fetch would unpack it. */
async function inject(
  path: string,
  headers: Record<string, string> = {},
  method: 'GET' | 'HEAD' | 'POST' = 'GET',
): Promise<Served> {
  const { statusCode, headers: given, rawPayload } = await footfall.app.inject({ method, url: path, headers })
  const pairs = Object.entries(given).map(([name, value]): [string, string] => [name, String(value)])
  return { status: statusCode, headers: new Headers(pairs), bytes: rawPayload }
}

const assets = () => readdirSync(join(buildFolder, 'assets')).filter((name) => /\.(js|css)$/.test(name))

describe('the files', () => {
  before(async () => {
    buildPages()
    footfall = await startFootfall({ after: (end) => ends.push(end) })
  })
  after(async () => {
    for (const end of ends) await end()
  })

  test('every page of the dashboard is index.html, however deep', async () => {
    const whole = (await inject('/dashboard')).bytes.toString()
    assert.match(whole, /<html lang="en" data-base="\/dashboard" data-api="" data-names="">/)
    for (const path of [
      '/',
      '/sign-in',
      '/properties/pr_1/links?page=2',
      '/properties/a/contacts/%E2%9C%93',
      '/properties/a/contacts/ada@x.example',
      '/properties/a/links/notes.pdf',
      '/account/%',
      '/properties/a/contacts/%E2%9C?q=%',
      '/properties/a/%zz/%00',
      '/assets',
      '/share/a-b_c',
    ]) {
      const { status, headers, bytes } = await inject(`/dashboard${path}`)
      assert.deepEqual([status, headers.get('content-type')], [200, 'text/html; charset=utf-8'], path)
      // Who may show a share link in a frame changes with the link.
      assert.equal(headers.get('cache-control'), path.startsWith('/share/') ? 'no-store' : 'no-cache')
      assert.equal(bytes.toString(), whole)
    }
  })

  test('the overview names its files with the page, and other pages do not', async () => {
    const linksOf = async (path: string): Promise<number> =>
      [...(await inject(`/dashboard${path}`)).bytes.toString().matchAll(/<link [^>]*data-page="overview"/g)].length
    for (const path of ['/properties/pr_1', '/properties/pr_1/', '/properties/pr_1/overview?period=today'])
      assert.ok((await linksOf(path)) >= 3, path)
    for (const path of ['', '/sign-in', '/properties/pr_1/links']) assert.equal(await linksOf(path), 0, path)
  })

  test('what is shown of the overview before its code is there is not in other pages', async () => {
    const has = async (path: string): Promise<boolean> =>
      (await inject(`/dashboard${path}`)).bytes.toString().includes('id="first"')
    assert.ok(await has('/properties/pr_1'))
    for (const path of ['', '/sign-in', '/properties/pr_1/links', '/share/a-b_c'])
      assert.equal(await has(path), false, path)
  })

  test('every address in index.html leads to a file', async () => {
    const { bytes } = await inject('/dashboard/properties/pr_1')
    const addresses = [...bytes.toString().matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] ?? '')
    assert.ok(addresses.length >= 4)
    for (const address of addresses) {
      assert.ok(address.startsWith('/dashboard/'), address)
      assert.equal((await inject(address)).status, 200, address)
    }
  })

  test('a built file is kept for good, and is the same in every encoding', async () => {
    assert.ok(assets().length > 10)
    for (const name of assets().slice(0, 8)) {
      const path = `/dashboard/assets/${name}`
      const plain = await inject(path)
      assert.equal(plain.headers.get('cache-control'), 'public, max-age=31536000, immutable')
      assert.deepEqual(plain.bytes, readFileSync(join(buildFolder, 'assets', name)))
      const br = await inject(path, { 'accept-encoding': 'gzip, br' })
      const gzip = await inject(path, { 'accept-encoding': 'gzip' })
      assert.deepEqual([br.headers.get('content-encoding'), gzip.headers.get('content-encoding')], ['br', 'gzip'])
      assert.deepEqual(brotliDecompressSync(br.bytes), plain.bytes)
      assert.deepEqual(gunzipSync(gzip.bytes), plain.bytes)
      assert.equal(br.headers.get('vary'), 'Accept-Encoding')
    }
  })

  test('what the browser has already is not sent again, and HEAD sends nothing', async () => {
    const { headers } = await inject('/dashboard/sign-in', { 'accept-encoding': 'br' })
    const tag = headers.get('etag') ?? ''
    const again = await inject('/dashboard/sign-in', { 'accept-encoding': 'br', 'if-none-match': tag })
    assert.deepEqual([again.status, again.bytes.length, again.headers.get('etag')], [304, 0, tag])
    assert.equal((await inject('/dashboard/sign-in', { 'if-none-match': tag })).status, 200, 'another encoding')
    const head = await inject('/dashboard', {}, 'HEAD')
    assert.deepEqual([head.status, head.bytes.length], [200, 0])
  })

  test('a script that is not there is not found, and nothing outside of the folder is', async () => {
    const page = (await inject('/dashboard')).bytes.toString()
    for (const path of ['/assets/index-gone.js', '/assets/', '/assets/%', '/assets/../../../package.json']) {
      const { status, bytes } = await inject(`/dashboard${path}`)
      assert.equal(status, 404, path)
      assert.doesNotMatch(bytes.toString(), /"dependencies"|<html/)
    }
    for (const path of [
      '/.built',
      '/.vite/manifest.json',
      '/index.html.br',
      '/..%2f..%2fpackage.json',
      '/%2e%2e%2f%2e%2e/package.json',
      '//etc/passwd.txt',
    ])
      assert.equal((await inject(`/dashboard${path}`)).bytes.toString(), page, path)
    assert.equal((await inject('/dashboards')).status, 404)
    assert.equal((await inject('/dashboard/sign-in', {}, 'POST')).status, 405)
  })

  test('nothing runs that is not of the build: its files, and what it has put into the page', async () => {
    const digestOf = (text = '') => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
    for (const path of ['/dashboard', '/dashboard/properties/pr_1', '/dashboard/share/x', '/dashboard/preview.js']) {
      const { headers, bytes } = await inject(path)
      const policy = headers.get('content-security-policy') ?? ''
      assert.doesNotMatch(policy, /unsafe|\*|https?:/)
      const isPage = headers.get('content-type')?.startsWith('text/html') ?? false
      const own = (tag: string) =>
        [...bytes.toString().matchAll(new RegExp(`<${tag}>(.*?)</${tag}>`, 'gs'))].map(
          ([, text]) => ` ${digestOf(text)}`,
        )
      assert.deepEqual([own('script').length, own('style').length], isPage ? [1, 1] : [0, 0], path)
      for (const rule of [
        "default-src 'none'",
        `script-src 'self'${own('script').join('')}`,
        `style-src 'self'${own('style').join('')}`,
        "frame-ancestors 'none'",
        "base-uri 'none'",
      ])
        assert.ok(policy.split('; ').includes(rule), `${rule}: ${policy}`)
      assert.equal(headers.get('referrer-policy'), 'no-referrer')
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
      assert.equal(headers.get('access-control-allow-origin'), null)
    }
    const page = (await inject('/dashboard')).bytes.toString()
    assert.doesNotMatch(page, /\sstyle=|\son\w+=|javascript:/i)
    // What is painted first waits for no file, and nothing that it does not need is asked for before it.
    const head = page.slice(0, page.indexOf('</head>'))
    assert.doesNotMatch(head, /<link rel="stylesheet"|<script src=/)
    assert.ok(page.indexOf('rel="stylesheet"') > page.indexOf('<noscript'))
  })

  test('the frame of previews has no origin, and of scripts only its own', async () => {
    const { status, headers } = await inject('/dashboard/preview.html')
    assert.equal(status, 200)
    const policy = headers.get('content-security-policy')?.split('; ') ?? []
    for (const rule of ['sandbox allow-scripts', "script-src 'self'", "default-src 'none'", "frame-ancestors 'self'"])
      assert.ok(policy.includes(rule), rule)
  })

  test('the root of the service leads to the dashboard', async () => {
    const { status, headers } = await inject('/')
    assert.deepEqual([status, headers.get('location')], [302, 'http://footfall.test/dashboard'])
  })
})

test('on a host of its own everything but the interface is a page', async (t) => {
  footfall = await startFootfall(t, { env: { DASHBOARD_URL: 'https://dash.example' } })
  const host = { host: 'Dash.example:443' }
  for (const path of ['/', '/sign-in', '/properties/pr_1/links']) {
    const { status, bytes } = await inject(path, host)
    assert.equal(status, 200, path)
    assert.match(bytes.toString(), /data-base="" data-api=""/)
  }
  const [asset = ''] = assets()
  assert.equal((await inject(`/assets/${asset}`, host)).status, 200)
  assert.deepEqual(
    (await inject('/manage/session', host)).headers.get('content-type'),
    'application/json; charset=utf-8',
  )
  assert.equal((await inject('/healthz', host)).status, 200)
  assert.equal((await inject('/sign-in', host, 'POST')).status, 404)
  assert.equal((await inject('/sign-in')).status, 404, 'on any other host')
  assert.equal((await inject('/')).headers.get('location'), 'https://dash.example')
})

test('it may have the root of the service to itself', async (t) => {
  footfall = await startFootfall(t, { env: { DASHBOARD_URL: 'http://footfall.test' } })
  assert.match((await inject('/')).bytes.toString(), /data-base=""/)
  assert.equal((await inject('/properties/pr_1')).status, 200)
  assert.equal((await inject('/v2/nope')).status, 404)
  const { status, headers } = await inject('/a/nope')
  assert.deepEqual([status, headers.get('content-type')], [404, 'text/html; charset=utf-8'], 'the page of short links')
})

/** The dashboard alone, as it was built in that folder. */
async function serveBuild(t: TestContext, folder: string) {
  const config = readConfig({})
  const shortDomains = openShortDomains(config)
  const app = fastify()
  t.after(async () => {
    await app.close()
    rmSync(folder, { recursive: true, force: true })
  })
  app.setErrorHandler(errorHandler())
  const log = { warn: () => undefined } as unknown as Footfall['context']['log']
  await app.register(
    dashboardRoutes({ config, log } as Footfall['context'], findMount(config, shortDomains), shortDomains, folder),
  )
  return app
}

test('a build that replaces the one of a running service changes nothing of what it sends', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'footfall-dashboard-'))
  const build = (name: string) => {
    mkdirSync(join(folder, 'assets'))
    writeFileSync(join(folder, 'index.html'), `<script src="./assets/${name}.js"></script>`)
    writeFileSync(join(folder, 'assets', `${name}.js`), `// ${name}`)
    packDashboard(folder)
  }
  build('old')
  const app = await serveBuild(t, folder)
  rmSync(folder, { recursive: true })
  mkdirSync(folder)
  build('new')
  const bodyOf = async (path: string) => (await app.inject(path)).body
  assert.equal(await bodyOf('/dashboard/sign-in'), '<script src="/dashboard/assets/old.js"></script>')
  assert.equal(await bodyOf('/dashboard/assets/old.js'), '// old')
  assert.equal((await app.inject('/dashboard/assets/new.js')).statusCode, 404)
})

test('when it has not been built that is said', async (t) => {
  const app = await serveBuild(t, mkdtempSync(join(tmpdir(), 'footfall-no-dashboard-')))
  const { statusCode, body } = await app.inject('/dashboard/sign-in')
  assert.equal(statusCode, 503)
  assert.match(body, /has not been built/)
})

describe('where it is', () => {
  const mountOf = (env: Record<string, string>) => {
    const config = readConfig({ BASE_URL: 'https://stats.example', ...env })
    const { route, basePath, apiPath, rewriteUrl } = findMount(config, openShortDomains(config))
    return [route, basePath, apiPath, rewriteUrl !== undefined]
  }

  test('under a path, of which a proxy may take a part off', () => {
    assert.deepEqual(mountOf({}), ['/dashboard', '/dashboard', '', false])
    assert.deepEqual(mountOf({ BASE_URL: 'https://x.example/stats' }), [
      '/dashboard',
      '/stats/dashboard',
      '/stats',
      false,
    ])
    assert.deepEqual(mountOf({ DASHBOARD_URL: 'https://stats.example/ui/' }), ['/ui', '/ui', '', false])
    assert.deepEqual(mountOf({ DASHBOARD_URL: 'http://Stats.example:81' }), ['/dashboard', '', '', true])
    assert.deepEqual(mountOf({ DASHBOARD_URL: 'https://ui.example/d' }), ['/dashboard', '/d', '', true])
  })

  test('never where something else answers', () => {
    for (const [url, more] of [
      ['https://stats.example/manage'],
      ['https://stats.example/v2/dashboard'],
      ['https://stats.example/a'],
      ['https://stats.example/a/dashboard'],
      ['https://stats.example/docs/ui'],
      ['https://stats.example/ui?x=1'],
      ['https://stats.example/%75i'],
      ['https://stats.example', { LINK_A_URL: 'https://stats.example' }],
      ['https://go.example/ui', { LINK_A_URL: 'https://go.example' }],
    ] as const)
      assert.throws(() => mountOf({ DASHBOARD_URL: url, ...more }), SettingError, url)
  })
})
