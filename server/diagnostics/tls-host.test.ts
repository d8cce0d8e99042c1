// A TLS server before the service learns for which hosts it may get a certificate, and nobody learns it
// through that server.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startFootfall } from '../../test/support/server.ts'

const footfall = await startFootfall(
  { after },
  {
    env: {
      BASE_URL: 'https://stats.example.com/f',
      DASHBOARD_URL: 'https://dash.example.com',
      LINK_A_URL: 'https://GO.example:8443',
      LINK_B_URL: 'https://stats.example.com/f/b',
      TRUST_PROXY: '',
    },
  },
)
const ask = async (domain: string, headers: Record<string, string> = {}) =>
  (await fetch(`${footfall.url}/tls-host?domain=${encodeURIComponent(domain)}`, { headers })).status

test('hosts at which the service answers are known, however they are written, and no other', async () => {
  for (const host of ['stats.example.com', 'STATS.example.com', 'stats.example.com.', 'dash.example.com', 'go.example'])
    assert.equal(await ask(host), 200, host)
  const others = [
    'example.com',
    'x.go.example',
    'go.example:8443',
    'go.example/x',
    'a@go.example',
    '',
    ' ',
    '127.0.0.1',
  ]
  for (const host of others) assert.equal(await ask(host), 404, host)
  for (const query of ['', '?domain=go.example&domain=dash.example.com'])
    assert.equal((await fetch(`${footfall.url}/tls-host${query}`)).status, 404, query)
})

test('a stranger whose request is passed on learns nothing, and the administrator does', async () => {
  assert.equal(await ask('go.example', { 'x-forwarded-for': '203.0.113.1' }), 404)
  assert.equal(await ask('go.example', { via: '2.0 Caddy' }), 404)
  const authorization = 'Bearer an-administrator-token-for-tests-only'
  assert.equal(await ask('go.example', { 'x-forwarded-for': '203.0.113.1', authorization }), 200)
})
