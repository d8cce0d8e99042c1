// Without TRUST_PROXY a program on this machine may speak for its visitors, and strangers whom a reverse
// proxy here lets through may not. Through the front door, over real loopback.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startFootfall } from '../../test/support/server.ts'

const LIMIT = 3
const footfall = await startFootfall(
  { after },
  { now: Date.UTC(2026, 10, 18, 12), env: { TRUST_PROXY: '', PUBLIC_RATE_LIMIT: `${LIMIT}` } },
)
const { key } = footfall.property

const visitor = {
  'x-proxy-ip': '198.51.100.9',
  'x-proxy-user-agent':
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  'x-proxy-lang': 'fr',
}
const page = { 'x-svc-id': key, 'x-svc-page': 'https://example.com/', 'x-svc-lib': '1.0.0' }
const load = (headers: Record<string, string>) =>
  footfall.call('GET', '/v2/signal/load', { headers: { ...page, ...headers } })
const resolve = (headers: Record<string, string>) =>
  footfall.call('POST', '/v2/signal/resolve', { headers: { 'x-svc-id': key, ...headers } })

/** As common reverse proxies mark what they pass on. */
const passedOn = [
  { 'x-forwarded-for': '203.0.113.1' },
  { 'x-real-ip': '203.0.113.1' },
  { forwarded: 'for=203.0.113.1' },
  { via: '1.1 proxy' },
]

test('a program on this machine speaks for its visitors, each of whom has a session and a limit of their own', async () => {
  const { session_id } = (await load(visitor)).json
  assert.equal((await resolve(visitor)).json.session_id, session_id)
  const other = { ...visitor, 'x-proxy-ip': '198.51.100.10' }
  assert.equal((await resolve(other)).json.session_id, null)
  const seen = await footfall.call('GET', '/v2/ping-me', { headers: other })
  assert.deepEqual([seen.json.ip, seen.json.language], ['198.51.100.10', 'fr'])
  assert.equal((await resolve(visitor)).status, 200)
  assert.equal((await resolve(visitor)).status, 429)
  assert.equal((await resolve(other)).status, 200)
})

for (const mark of passedOn)
  test(`a stranger behind a reverse proxy that sets ${Object.keys(mark)[0]} is nobody else, and escapes no limit`, async () => {
    footfall.clock.advance(60_000)
    const { session_id } = (await load(visitor)).json
    footfall.clock.advance(60_000)
    const own = await load({ ...visitor, ...mark })
    assert.equal(own.json.success, true)
    assert.notEqual(own.json.session_id, session_id)
    const addresses = [1, 2, 3].map((at) => ({ ...visitor, ...mark, 'x-proxy-ip': `198.51.100.${at}` }))
    const statuses = []
    for (const headers of addresses) statuses.push((await resolve(headers)).status)
    assert.deepEqual(statuses, [200, 200, 429])
  })
