// Whom a public request is counted for, through the front door with a limit of two a minute.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, test } from 'node:test'
import { startFootfall } from '../../test/support/server.ts'
import { VISITORS_A_FORWARDER } from './groups.ts'

const LIMIT = 2
const footfall = await startFootfall(
  { after },
  { now: Date.UTC(2026, 10, 18, 12), env: { PUBLIC_RATE_LIMIT: `${LIMIT}` } },
)
const proxyKey = 'the key of the proxy'
const { key } = await footfall.addProperty({ proxy_key_hash: createHash('sha256').update(proxyKey).digest('hex') })

/** Each test counts for itself: in a minute of its own. */
const nextMinute = (): void => footfall.clock.advance(60_000)
const statusOf = async (headers: Record<string, string>): Promise<number> =>
  (await footfall.call('POST', '/v2/signal/resolve', { headers: { 'x-svc-id': key, ...headers } })).status

async function statusesOf(all: readonly Record<string, string>[]): Promise<number[]> {
  const statuses = []
  for (const headers of all) statuses.push(await statusOf(headers))
  return statuses
}

const visitors = [1, 2, 3, 4].map((at) => ({ 'x-proxy-ip': `198.51.100.${at}` }))

test('a client has one counter, however its proxy writes the address', async () => {
  nextMinute()
  const texts = ['203.0.113.7', '203.0.113.7:41000', '[::ffff:203.0.113.7]:41001']
  assert.deepEqual(await statusesOf(texts.map((text) => ({ 'x-forwarded-for': text }))), [200, 200, 429])
})

test('what a trusted proxy passes on counts for its visitors, each below the limit', async () => {
  nextMinute()
  assert.deepEqual(await statusesOf(visitors), [200, 200, 200, 200])
  assert.deepEqual(await statusesOf([visitors[0]!, visitors[0]!]), [200, 429])
})

test('a proxy with the key of the property does the same from anywhere; a wrong key counts for the proxy', async () => {
  nextMinute()
  await footfall.context.properties.byKey(key)
  const from = (peer: string, given: string) =>
    statusesOf(visitors.map((visitor) => ({ ...visitor, 'x-forwarded-for': peer, 'x-proxy-key': given })))
  assert.deepEqual(await from('203.0.113.20', proxyKey), [200, 200, 200, 200])
  assert.deepEqual(await from('203.0.113.21', 'a guess'), [200, 200, 429, 429])
})

test('a browser behind an ordinary proxy escapes no limit with X-PROXY-IP', async () => {
  nextMinute()
  const forged = visitors.map((visitor) => ({ ...visitor, 'x-forwarded-for': '203.0.113.30' }))
  assert.deepEqual(await statusesOf(forged), [200, 200, 429, 429])
})

test('one proxy speaks for many visitors, and not for any number', async () => {
  nextMinute()
  const most = LIMIT * VISITORS_A_FORWARDER
  const statuses = []
  for (let made = 0; made < most; made += 50) {
    const batch = Array.from({ length: 50 }, (_, i) => statusOf({ 'x-proxy-ip': `10.0.${made / 50}.${i}` }))
    statuses.push(...(await Promise.all(batch)))
  }
  assert.deepEqual(new Set(statuses), new Set([200]))
  assert.equal(await statusOf({ 'x-proxy-ip': '10.1.0.1' }), 429)
})
