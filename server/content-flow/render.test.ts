// A block as a page asks for it: whom it is served to, in which version, and that nobody else hears of it.
import assert from 'node:assert/strict'
import { request as httpRequest } from 'node:http'
import { json } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import * as fc from 'fast-check'
import { addBlock, type From, render, type RenderFrom, type TestBlock } from '../../test/support/content-calls.ts'
import { rounds } from '../../test/support/long.ts'
import { CHROME, startAgain, startFootfall, type Footfall } from '../../test/support/server.ts'
import { anyCharacter } from '../../test/support/texts.ts'

const DAY_MS = 86_400_000
const noon = Date.UTC(2026, 10, 18, 12)

const ends: (() => Promise<void>)[] = []
let shared: Footfall
before(async () => {
  shared = await startFootfall({ after: (end) => ends.push(end) }, { now: noon })
})
/** Before a service that a test has to itself: a process holds one. */
const endShared = async (): Promise<void> => {
  for (const end of ends.splice(0)) await end()
}
after(endShared)

const start = (): Promise<Footfall> => startAgain(shared, noon)
const add = (footfall: Footfall, options?: Parameters<typeof addBlock>[2]): Promise<TestBlock> =>
  addBlock(footfall.context.records, footfall.property.id, options)

async function refusalOf(footfall: Footfall, key: string, from?: RenderFrom): Promise<string | undefined> {
  const { status, json: answer, text } = await render(footfall, key, from)
  assert.equal(status, 200, text)
  if (answer.success === true) return undefined
  assert.deepEqual(Object.keys(answer), ['success', 'message'])
  return answer.message
}

const versionFor = async (footfall: Footfall, key: string, from?: RenderFrom): Promise<string> =>
  (await render(footfall, key, from)).json.version_id

/** Enough visitors for a version that one of two hundred of them got to be seen. */
const visitors: readonly From[] = Array.from({ length: 40 }, (_, i) => ({ address: `198.51.100.${i}` }))

test('a block is answered with exactly the keys of the contract, in their order, and is kept by no cache', async () => {
  const footfall = await start()
  const ctas = [
    { key: 'buy', label: 'Buy now', url: 'https://example.com/buy' },
    { key: 'later', label: '', url: null },
  ]
  const block = await add(footfall, { versions: [{ label: 'First', html: '<p>Hello</p>', ctas }] })
  const { status, json: answer, headers } = await render(footfall, block.key)
  assert.equal(status, 200)
  const { request_id, ...rest } = answer
  assert.deepEqual(Object.entries(rest), [
    ['success', true],
    ['content_id', block.id],
    ['content_key', block.key],
    ['version_id', block.versions[0]],
    ['version_label', 'First'],
    ['html', '<p>Hello</p>'],
    ['ctas', ctas],
  ])
  assert.equal(Object.keys(answer)[1], 'request_id')
  assert.match(request_id, /^[0-9a-z]{56}$/)
  assert.equal(headers.get('cache-control'), 'private, no-store')
  assert.equal(headers.get('access-control-allow-origin'), '*')
  assert.equal(headers.get('access-control-allow-credentials'), null)
  assert.equal(headers.get('set-cookie'), null)
  assert.notEqual((await render(footfall, block.key)).json.request_id, request_id)
})

test('what cannot be shown is told in one of three ways, who may not see it before what there is to see', async () => {
  const footfall = await start()
  const other = await footfall.addProperty()
  const [block, archived, resting] = [
    await add(footfall),
    await add(footfall, { isArchived: true }),
    await add(footfall, { versions: [{ is_active: false }, { weight: 0 }] }),
  ]
  const none = await add(footfall, { versions: [] })
  for (const key of [
    'ck_nothing',
    'no such key',
    '%00',
    'x'.repeat(65),
    'ключ',
    block.id,
    '../render',
    block.key.slice(1),
  ])
    assert.equal(await refusalOf(footfall, key), 'Content not found', key)
  // The router could not read these.
  for (const key of ['%zz', '%E0%A4%A', '%', '%ff%41', 'x%']) {
    const { status, json: answer } = await footfall.call('GET', `/v2/content/${key}/render?a=%zz`)
    assert.deepEqual([status, answer], [200, { success: false, message: 'Content not found' }], key)
  }
  assert.equal((await footfall.call('GET', '/v2/content/%zz/other')).status, 404)
  assert.equal(await refusalOf(footfall, archived.key), 'Content not found')
  assert.equal(await refusalOf(footfall, archived.key, { referer: null }), 'Content not found')
  for (const referer of [null, 'https://evil.example/', 'nonsense'])
    assert.equal(await refusalOf(footfall, block.key, { referer }), 'Domain not authorized')
  assert.equal(await refusalOf(footfall, resting.key, { referer: null }), 'Domain not authorized')
  assert.equal(await refusalOf(footfall, resting.key), 'No active version')
  assert.equal(await refusalOf(footfall, none.key), 'No active version')
  // A property that is being removed is closed first.
  const closing = await addBlock(footfall.context.records, other.id)
  assert.equal(await refusalOf(footfall, closing.key), undefined)
  const close = footfall.context.records.updateTable('properties').set({ key: `removed_${other.id}` })
  await close.where('id', '=', other.id).execute()
  footfall.context.properties.forget(other.id)
  assert.equal(await refusalOf(footfall, closing.key), 'Content not found')
})

test('a page that was there before its block gets it the moment there is one, and the next one under the same key', async () => {
  const footfall = await start()
  const at = `/manage/properties/${footfall.property.id}/content`
  assert.equal(await refusalOf(footfall, 'hero'), 'Content not found')
  for (const html of ['<p>One</p>', '<p>Two</p>']) {
    const made = await footfall.call('POST', at, { body: { name: 'Hero', key: 'hero' } })
    const { id } = made.json.data.content
    assert.equal(await refusalOf(footfall, 'hero'), 'No active version')
    await footfall.call('POST', `${at}/${id}/versions`, { body: { label: 'A', html } })
    assert.equal((await render(footfall, 'hero')).json.html, html)
    await footfall.call('DELETE', `${at}/${id}`)
    assert.equal(await refusalOf(footfall, 'hero'), 'Content not found')
  }
})

test('the page may be anywhere on the base domain, and nowhere else', async () => {
  const footfall = await start()
  const domains = ['www.example.com', 'one.github.io', 'localhost']
  const { id } = await footfall.addProperty({ domains: JSON.stringify(domains) })
  const { key } = await addBlock(footfall.context.records, id)
  const pages = [
    'https://example.com/',
    'http://shop.example.com:8080/x?y#z',
    'https://one.github.io/',
    'http://localhost:5173/',
  ]
  for (const referer of pages) assert.equal(await refusalOf(footfall, key, { referer }), undefined, referer)
  const strangers = [
    'https://two.github.io/',
    'https://github.io/',
    'https://example.com.evil.example/',
    'https://example.com@evil.example/',
    'http://127.0.0.1/',
  ]
  for (const referer of strangers)
    assert.equal(await refusalOf(footfall, key, { referer }), 'Domain not authorized', referer)
  // What a page cannot be kept from sending is not believed instead.
  const headers = { origin: 'https://example.com', 'x-forwarded-host': 'example.com', host: 'example.com' }
  assert.equal(await refusalOf(footfall, key, { referer: null, headers }), 'Domain not authorized')
})

test('a visitor keeps the version for the day, and over midnight for as long as the visit lasts; visitors are divided by weight', async () => {
  const footfall = await start()
  const block = await add(footfall, { versions: [{ weight: 3 }, { weight: 1 }, { weight: 0 }, { is_active: false }] })
  const first = await Promise.all(visitors.map((visitor) => versionFor(footfall, block.key, visitor)))
  const [a, b, ...never] = block.versions
  assert.deepEqual(new Set(first), new Set([a, b]))
  assert.ok(never.every((id) => !first.includes(id)))
  footfall.clock.set(Date.UTC(2026, 10, 18, 23, 59))
  assert.deepEqual(await Promise.all(visitors.map((visitor) => versionFor(footfall, block.key, visitor))), first)

  // Half of them are still here at midnight; on a new day the others are strangers, who get either version
  // again.
  const staying = visitors.slice(0, 20)
  await Promise.all(staying.map((visitor) => footfall.track.load(visitor)))
  footfall.clock.advance(10 * 60_000)
  const after = await Promise.all(visitors.map((visitor) => versionFor(footfall, block.key, visitor)))
  assert.deepEqual(after.slice(0, 20), first.slice(0, 20))
  footfall.clock.set(noon + DAY_MS)
  const nextDay = await Promise.all(visitors.map((visitor) => versionFor(footfall, block.key, visitor)))
  assert.notDeepEqual(nextDay, first)
})

test('moved weights leave most visitors where they were', async () => {
  const footfall = await start()
  const block = await add(footfall)
  const before = await Promise.all(visitors.map((visitor) => versionFor(footfall, block.key, visitor)))
  const heavier = footfall.context.records.updateTable('content_versions').set({ weight: 3 })
  await heavier.where('id', '=', block.versions[0]!).execute()
  footfall.context.content.forget(block.id)
  const after = await Promise.all(visitors.map((visitor) => versionFor(footfall, block.key, visitor)))
  const moved = visitors.flatMap((_, i) => (before[i] === after[i] ? [] : [after[i]]))
  assert.ok(moved.length > 0 && moved.length <= 20, String(moved.length))
  assert.deepEqual([...new Set(moved)], [block.versions[0]], 'nobody leaves the version that grew')
})

test('a proxy that may speak for a visitor gets the version of the visitor', async () => {
  const footfall = await start()
  const block = await add(footfall)
  const seen = await Promise.all(visitors.map((visitor) => versionFor(footfall, block.key, visitor)))
  // TRUST_PROXY is this machine; without X-Forwarded-For it is a peer that speaks for others.
  const proxied = (address: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const headers = {
        referer: 'https://example.com/',
        'x-proxy-ip': address,
        'user-agent': CHROME,
        'accept-language': 'en-GB,en;q=0.9',
      }
      const sent = httpRequest(`${footfall.url}/v2/content/${block.key}/render`, { headers }, (answer) => {
        json(answer).then((body) => resolve((body as { version_id: string }).version_id), reject)
      })
      sent.on('error', reject).end()
    })
  assert.deepEqual(await Promise.all(visitors.map(({ address }) => proxied(address!))), seen)
})

test('HTML that was stored under a wider policy is served under that of now', async () => {
  const footfall = await start()
  const html = '<p style="color:red" onclick="run()">Hello<script>run()</script></p>'
  const block = await add(footfall, { versions: [{ html }] })
  const servedUnder = async (content_policy: 'standard' | 'wide'): Promise<string> => {
    const { records, properties } = footfall.context
    await records.updateTable('properties').set({ content_policy }).where('id', '=', footfall.property.id).execute()
    properties.forget(footfall.property.id)
    return (await render(footfall, block.key)).json.html
  }
  assert.equal(await servedUnder('standard'), '<p>Hello</p>')
  assert.equal(await servedUnder('wide'), '<p style="color: red">Hello</p>')
  assert.equal(await servedUnder('standard'), '<p>Hello</p>')
  // Another text of the same version is not taken for the one that was held.
  const changed = footfall.context.records.updateTable('content_versions').set({ html: '<p>New</p>' })
  await changed.where('block_id', '=', block.id).execute()
  footfall.context.content.forget(block.id)
  assert.equal((await render(footfall, block.key)).json.html, '<p>New</p>')
})

test('Global Privacy Control changes nothing: nobody is named', async () => {
  const footfall = await start()
  const block = await add(footfall)
  const gpc = { headers: { 'sec-gpc': '1' } }
  assert.equal(await versionFor(footfall, block.key, gpc), await versionFor(footfall, block.key))
})

test('whatever is asked, from wherever, the answer is a block or one of the three sentences', async () => {
  const footfall = await start()
  const block = await add(footfall)
  // All that HTTP lets into a header.
  const letter = fc.integer({ min: 0x20, max: 0xff }).filter((code) => code !== 0x7f)
  const header = fc.string({ unit: letter.map((code) => String.fromCharCode(code)) })
  const sentences = new Set([undefined, 'Content not found', 'Domain not authorized', 'No active version'])
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.constant(block.key), fc.string({ unit: anyCharacter, minLength: 1 })),
      fc.oneof(header, fc.webUrl(), fc.constant('https://example.com/')),
      header,
      header,
      async (key, referer, agent, language) => {
        fc.pre(key.isWellFormed() && !/^\.{1,2}$/.test(key))
        assert.ok(sentences.has(await refusalOf(footfall, key, { referer, agent, language })))
      },
    ),
    { numRuns: rounds(80, 5_000) },
  )
})

test('a render leaves no trace in the facts; once warm it asks neither them nor the records', async (t) => {
  await endShared()
  const footfall = await startFootfall(t, { now: noon })
  const block = await add(footfall)
  await render(footfall, block.key)
  const { facts } = footfall.context
  const tables = ['views', 'events', 'sessions', 'clicks', 'impressions']
  for (const table of tables)
    assert.deepEqual(await facts.query('test', `SELECT count() AS n FROM ${table}`), [{ n: '0' }], table)
  await facts.close()
  await footfall.context.records.destroy()
  for (const visitor of visitors) assert.equal(await refusalOf(footfall, block.key, visitor), undefined)
})

test('a block is counted by address like every public call, and its preflight is not', async (t) => {
  await endShared()
  const footfall = await startFootfall(t, { now: noon, env: { PUBLIC_RATE_LIMIT: '3' } })
  const block = await add(footfall)
  const preflight = await footfall.call('OPTIONS', `/v2/content/${block.key}/render`, {
    headers: { origin: 'https://example.com', 'access-control-request-method': 'GET' },
  })
  assert.equal(preflight.status, 204)
  assert.equal(preflight.headers.get('access-control-allow-methods'), 'GET, OPTIONS')
  for (let made = 0; made < 3; made++) assert.equal((await render(footfall, block.key)).json.success, true)
  const refused = await render(footfall, block.key)
  assert.deepEqual([refused.status, refused.json.error_code, refused.json.success], [429, 'rate_limited', false])
  assert.ok(Number(refused.headers.get('retry-after')) > 0)
  assert.equal((await render(footfall, block.key, { address: '198.51.100.1' })).json.success, true)
})
