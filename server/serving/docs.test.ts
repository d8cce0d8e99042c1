// The documentation and the other files that anybody may fetch: from memory, in the smallest form, and
// counted for each address.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { startFootfall } from '../../test/support/server.ts'

const packaged = join(dirname(createRequire(import.meta.url).resolve('@fastify/swagger-ui')), 'static')

/** As it is on the wire: fetch would unpack it. */
async function get(of: FastifyInstance, url: string, headers: Record<string, string> = {}) {
  const { statusCode, headers: given, rawPayload } = await of.inject({ url, headers })
  return { status: statusCode, headers: given, bytes: rawPayload }
}

describe('the documentation', () => {
  let app: FastifyInstance
  const closers: (() => Promise<void>)[] = []

  before(async () => {
    app = (await startFootfall({ after: (close) => closers.push(close) })).app
  })

  after(async () => {
    for (const close of closers) await close()
  })

  test('every address of the documentation leads to a file, with and without a slash at its end', async () => {
    for (const path of ['/docs', '/docs/']) {
      const { bytes, headers } = await get(app, path)
      assert.equal(headers['content-type'], 'text/html; charset=utf-8')
      const addresses = [...bytes.toString().matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] ?? '')
      assert.equal(addresses.length, 7)
      for (const address of addresses) {
        const { pathname } = new URL(address, `http://footfall.test${path}`)
        assert.equal((await get(app, pathname)).status, 200, pathname)
      }
    }
  })

  test('its files come compressed with a tag, are not sent again to who has them, and are those of the package', async () => {
    for (const [url, file] of [
      ['/docs/static/swagger-ui-bundle.js', 'swagger-ui-bundle.js'],
      ['/docs/static/swagger-ui.css', 'swagger-ui.css'],
    ] as const) {
      const plain = readFileSync(join(packaged, file))
      const [br, gzip, bare] = await Promise.all([
        get(app, url, { 'accept-encoding': 'gzip, br' }),
        get(app, url, { 'accept-encoding': 'gzip' }),
        get(app, url),
      ])
      assert.deepEqual([br.headers['content-encoding'], gzip.headers['content-encoding']], ['br', 'gzip'])
      assert.deepEqual([brotliDecompressSync(br.bytes), gunzipSync(gzip.bytes), bare.bytes], [plain, plain, plain])
      const again = await get(app, url, { 'accept-encoding': 'br', 'if-none-match': String(br.headers.etag) })
      assert.deepEqual([again.status, again.bytes.length], [304, 0])
      assert.match(String(br.headers['content-security-policy']), /frame-ancestors 'none'/)
    }
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
  })
})

test('files are counted for each address, apart from what visitors send', async (t) => {
  const noon = Date.UTC(2026, 10, 22, 12)
  const footfall = await startFootfall(t, { now: noon, env: { PUBLIC_RATE_LIMIT: '2' } })
  const files = ['/docs', '/openapi.json', '/signals.js', '/dashboard', '/icons/example.com.svg']
  const statusFor = async (path: string, address: string): Promise<number> =>
    (await get(footfall.app, path, { 'x-forwarded-for': address })).status
  for (const path of [...files, ...files]) assert.notEqual(await statusFor(path, '203.0.113.1'), 429, path)
  for (const path of [...files, '/docs/static/swagger-ui.css', '/docs/yaml', '/', '/dashboard/assets/none.js'])
    assert.equal(await statusFor(path, '203.0.113.1'), 429, path)
  assert.equal(await statusFor('/docs', '203.0.113.2'), 200, 'another address')
  assert.equal(await statusFor('/readyz', '203.0.113.1'), 200, 'who watches the service is counted apart')
  assert.equal(await statusFor('/healthz', '203.0.113.1'), 200)
  const visit = await footfall.call('POST', '/v2/signal/resolve', { headers: { 'x-forwarded-for': '203.0.113.1' } })
  assert.notEqual(visit.status, 429, 'visitors are counted apart')
  for (let asked = 1; asked < 10; asked++) assert.equal(await statusFor('/readyz', '203.0.113.1'), 200)
  assert.equal(await statusFor('/readyz', '203.0.113.1'), 429)
})
