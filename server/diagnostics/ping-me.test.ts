// What a caller is told of itself: the same as a page view would hold, and nobody else's.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { test } from 'node:test'
import { CHROME, startFootfall } from '../../test/support/server.ts'

const BOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'
const GEO_DIR = join(import.meta.dirname, '../../test/fixtures/geo')
const LONDON = '81.2.69.160'
const TOKYO = '2001:200::8'
const keys =
  'ip asn as_name country country_code region city timezone lat lon device os browser language is_bot bot_name referrer'.split(
    ' ',
  )

test('a caller is told what the service sees, and null where it sees nothing', async (t) => {
  const footfall = await startFootfall(t, { env: { GEO_DIR } })
  const ask = (headers: Record<string, string>) => footfall.call('GET', '/v2/ping-me', { headers })

  const full = await ask({
    'x-forwarded-for': LONDON,
    'user-agent': CHROME,
    'accept-language': 'en-gb,en;q=0.9',
    referer: 'https://example.com/page',
  })
  assert.equal(full.status, 200)
  assert.deepEqual(Object.keys(full.json), keys)
  assert.deepEqual(full.json, {
    ip: LONDON,
    asn: 20_712,
    as_name: 'Andrews & Arnold Ltd',
    country: 'United Kingdom',
    country_code: 'GB',
    region: 'England',
    city: 'London',
    timezone: 'Europe/London',
    lat: 51.51,
    lon: -0.09,
    device: 'desktop',
    os: 'Windows',
    browser: 'Chrome',
    language: 'en-GB',
    is_bot: false,
    bot_name: null,
    referrer: 'https://example.com/page',
  })
  assert.equal(full.headers.get('cache-control'), 'private, no-store')
  assert.equal(full.headers.get('access-control-allow-origin'), '*')

  const bare = await ask({ 'x-forwarded-for': '192.168.1.5', 'user-agent': '', 'accept-language': '' })
  const { ip, is_bot, device: _device, bot_name: _name, ...rest } = bare.json
  assert.deepEqual([ip, is_bot], ['192.168.1.5', true])
  assert.deepEqual(
    Object.values(rest).filter((value) => value !== null),
    [],
  )

  const bot = await ask({ 'x-forwarded-for': LONDON, 'user-agent': BOT })
  assert.deepEqual([bot.json.is_bot, bot.json.bot_name], [true, 'Googlebot'])
  for (const headers of [
    { referer: 'x'.repeat(9000) },
    { 'user-agent': 'x'.repeat(9000) },
    { 'accept-language': '%00é;;q' },
  ])
    assert.equal((await ask({ 'x-forwarded-for': LONDON, ...headers })).status, 200)
  // It says what is, and keeps nothing of it.
  const rows = await footfall.context.facts.query<{ rows: string }>('test', 'SELECT count() AS rows FROM views')
  assert.equal(rows[0]?.rows, '0')
})

test('another address counts only from whoever may speak for visitors', async (t) => {
  const proxyKey = 'fp_of_this_test'
  const footfall = await startFootfall(t, { env: { GEO_DIR } })
  const { key } = await footfall.addProperty({ proxy_key_hash: createHash('sha256').update(proxyKey).digest('hex') })
  const ask = async (headers: Record<string, string>) =>
    (await footfall.call('GET', '/v2/ping-me', { headers: { 'user-agent': CHROME, ...headers } })).json
  const theirs = { 'x-proxy-ip': TOKYO, 'x-proxy-user-agent': 'Theirs', 'x-proxy-lang': 'ja' }
  const seen = ({ ip, country_code, language }: Record<string, unknown>) => [ip, country_code, language]

  // The test's own address is that of a trusted proxy; one that names somebody else in X-Forwarded-For passes
  // on what a browser wrote.
  assert.deepEqual(seen(await ask(theirs)), [TOKYO, 'JP', 'ja'])
  const own = { 'x-forwarded-for': LONDON, 'accept-language': 'en-GB' }
  assert.deepEqual(seen(await ask({ ...own, ...theirs })), [LONDON, 'GB', 'en-GB'])
  const keyed = { ...own, ...theirs, 'x-proxy-key': proxyKey }
  assert.deepEqual(seen(await ask({ ...keyed, 'x-svc-id': key })), [TOKYO, 'JP', 'ja'])
  assert.deepEqual(seen(await ask(keyed)), [LONDON, 'GB', 'en-GB'])
  assert.deepEqual(seen(await ask({ ...keyed, 'x-svc-id': footfall.property.key })), [LONDON, 'GB', 'en-GB'])
})
