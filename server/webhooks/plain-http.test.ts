// Webhooks without TLS: to hosts that the operator names, at addresses that the operator lists, and nowhere
// else. Through the production client, to a real server on loopback.
import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import * as fc from 'fast-check'
import { openPlainEndpoint } from '../../test/support/endpoint.ts'
import { openWebhookClient, type WebhookClient, type WebhookClientOptions } from './client.ts'
import { openGuard } from './guard.ts'
import { isPublic, openRanges } from './ranges.ts'
import { checkUrl } from './url.ts'

const inside = { allow: ['127.0.0.0/8'], allowHttp: ['n8n', '127.0.0.1'] }

function openClient(t: TestContext, options: Partial<WebhookClientOptions> = {}): WebhookClient {
  const client = openWebhookClient({ ...inside, lookup: async () => ['127.0.0.1'], ...options })
  t.after(() => client.close())
  return client
}

test('a named host is called, by its name and as an address, and its connection is used again', async (t) => {
  const endpoint = await openPlainEndpoint(t)
  const client = openClient(t)
  for (const host of ['n8n', 'N8N', 'n8n.', '127.0.0.1', '127.1']) {
    const outcome = await client.post(`http://${host}:${endpoint.port}/in?a=b`, '{"n":1}', {
      'x-service-event': 'event',
    })
    assert.deepEqual([outcome.status, outcome.error, outcome.body], [200, null, 'ok'], host)
  }
  const [received] = endpoint.received
  assert.deepEqual([received?.method, received?.path, received?.body], ['POST', '/in?a=b', '{"n":1}'])
  assert.deepEqual([received?.headers.host, received?.servername], [`n8n:${endpoint.port}`, false])
  assert.ok(endpoint.connections() < endpoint.received.length)
})

test('no other host is called without TLS, and none at an address that is not listed', async (t) => {
  const endpoint = await openPlainEndpoint(t)
  const refused = async (url: string, options: Partial<WebhookClientOptions> = {}) => {
    const { status, error } = await openClient(t, options).post(url, '{}', {})
    assert.deepEqual([status, error], [null, 'refused address'], url)
  }
  const at = `:${endpoint.port}/`
  await refused(`http://n8n${at}`, { allowHttp: [] })
  for (const host of ['localhost', 'other', 'n8n.example', 'xn8n', '127.0.0.2', '[::1]'])
    await refused(`http://${host}${at}`)
  await refused(`http://user:secret@n8n${at}`)
  await refused(`ftp://n8n${at}`)
  await refused(`http://n8n${at}`, { allow: [] })
  // A public address too: what is said of people does not cross the internet in the clear.
  await refused('http://n8n/', { lookup: async () => ['8.8.8.8'] })
  await refused('http://n8n/', { lookup: async () => ['127.0.0.1', '8.8.8.8'] })
  await refused('http://n8n/', { allow: ['169.254.0.0/16'], lookup: async () => ['169.254.169.254'] })
  assert.equal(endpoint.connections(), 0)
})

test('the same is said when such a URL is saved', async () => {
  const save = (url: string, reach = inside, addresses = ['127.0.0.1']) => checkUrl(url, reach, async () => addresses)
  assert.equal(await save('http://n8n:5678/webhook/1'), undefined)
  assert.equal(await save('http://N8N./'), undefined)
  await assert.rejects(save('http://other/'), /http:\/\/ is allowed only for the hosts in WEBHOOK_ALLOW_HTTP/)
  await assert.rejects(save('http://other/', { ...inside, allowHttp: [] }), /must begin with https:\/\/\.$/)
  await assert.rejects(save('http://n8n/', inside, ['8.8.8.8']), /not in WEBHOOK_ALLOW/)
  await assert.rejects(save('http://n8n/', inside, ['10.0.0.1', '127.0.0.1']), /not in WEBHOOK_ALLOW/)
  await assert.rejects(save('http://user@n8n/'), /user name or password/)
})

test('without TLS nothing passes but what is listed, whatever the address', () => {
  const lists = ['10.0.0.0/8', '192.168.4.0/24', '8.8.8.8', 'fd12::/16']
  const [listed, plain, usual] = [openRanges(lists), openGuard(lists, false), openGuard(lists)]
  const near = fc.constantFrom(
    '10.1.2.3',
    '192.168.4.9',
    '192.168.5.9',
    '8.8.8.8',
    '8.8.4.4',
    'fd12::1',
    '::ffff:10.1.2.3',
  )
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), near), (address) => {
      if (plain.lets(address))
        assert.ok(usual.lets(address) && (listed(address) || /^64:ff9b:/i.test(address)), address)
      if (isPublic(address) && !listed(address) && !/^64:ff9b:/i.test(address)) assert.equal(plain.lets(address), false)
    }),
    { numRuns: 2_000 },
  )
  assert.deepEqual(
    ['10.1.2.3', '8.8.8.8', 'fd12::1', '64:ff9b::a01:203'].map((address) => plain.lets(address)),
    [true, true, true, true],
  )
})
