// Badges and embedding of share links, through the front door.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startAgain, startFootfall } from '../../test/support/server.ts'

const footfall = await startFootfall({ after }, { now: Date.parse('2026-11-20T12:00:00Z') })
const manage = `/manage/properties/${footfall.property.id}`

async function share(
  body: object,
): Promise<{ share: { id: string; badge_path: string; origins: string[] }; url: string }> {
  const reply = await footfall.call('POST', `${manage}/shares`, { body: { name: 'Client', ...body } })
  assert.equal(reply.status, 200, reply.text)
  return reply.json.data
}

const fetchAll = (path: string, query?: Record<string, string>) =>
  footfall.call('GET', path, { token: null, ...(query && { query }) })
const labelOf = (svg: string): string | undefined => /aria-label="([^"]*)"/.exec(svg)?.[1]

test('a badge says how many are there now, of its segment alone, and nothing that tells of one or two', async () => {
  for (let visitor = 1; visitor <= 7; visitor++)
    await footfall.track.load({ address: `203.0.113.${visitor}`, language: visitor > 4 ? 'de' : 'en-GB' })
  const language = (value: string) => ({ clauses: [{ id: 'language', op: 'equals', value }], is_personal: false })
  const segments = await Promise.all(
    ['en-GB', 'de'].map((value) =>
      footfall.call('POST', `${manage}/segments`, { body: { name: value, ...language(value) } }),
    ),
  )
  const [english, german] = segments.map(({ json }) => json.data.segment.id)
  const labels = await Promise.all(
    [{}, { segment_id: english }, { segment_id: german }].map(async (body) => {
      const { badge_path } = (await share({ ...body, has_badge: true })).share
      const image = await fetchAll(badge_path)
      assert.equal(image.status, 200, image.text)
      assert.match(image.headers.get('content-type') ?? '', /^image\/svg\+xml/)
      assert.match(image.headers.get('cache-control') ?? '', /^public, max-age=\d+$/)
      return labelOf(image.text)
    }),
  )
  assert.deepEqual(labels, ['7 online now', '4 online now', '3 online now'])
})

test('one or two are shown as nobody', async () => {
  const other = await startAgain(footfall, footfall.clock.now())
  await other.track.load({ address: '203.0.113.1' })
  await other.track.load({ address: '203.0.113.2' })
  const path = `/manage/properties/${other.property.id}/shares`
  const made = await footfall.call('POST', path, { body: { name: 'x', has_badge: true } })
  const label = async () => labelOf((await fetchAll(made.json.data.share.badge_path)).text)
  assert.equal(await label(), '0 online now')
  await other.track.load({ address: '203.0.113.3' })
  footfall.clock.advance(20_000)
  assert.equal(await label(), '3 online now')
})

test('a number is kept for a moment, then asked anew; a badge ends with its link', async () => {
  const { share: own } = await share({ has_badge: true })
  const label = async () => labelOf((await fetchAll(own.badge_path)).text)
  assert.equal(await label(), '7 online now')
  await footfall.track.load({ address: '203.0.113.9' })
  assert.equal(await label(), '7 online now')
  footfall.clock.advance(20_000)
  assert.equal(await label(), '8 online now')
  await footfall.call('DELETE', `${manage}/shares/${own.id}`)
  footfall.clock.advance(20_000)
  assert.equal((await fetchAll(own.badge_path)).status, 404)
})

test('links have no badge unless they are made with one, and the key of a property is none', async () => {
  const { share: own } = await share({})
  assert.equal(own.badge_path, null)
  for (const key of [own.id, footfall.property.key, 'null', 'x'.repeat(64), "'", '%00'])
    assert.equal((await fetchAll(`/icons/live/${key}.svg`)).status, 404, key)
})

test('whatever is written into the URL of a badge is text in it', async () => {
  const { share: own } = await share({ has_badge: true })
  for (const label of ['"><script>alert(1)</script>', '&amp;', '\0', ']]>', '</text>']) {
    const { status, text, headers } = await fetchAll(own.badge_path, { label })
    assert.equal(status, 200)
    assert.ok(!/<script|\0|<\/text>.*<\/text>/.test(text), text)
    assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'; sandbox/)
  }
  assert.equal((await fetchAll(own.badge_path, { label: 'x'.repeat(41) })).status, 422)
})

const framesOf = async (path: string) => {
  const { headers } = await fetchAll(path)
  const [, frames] = /frame-ancestors ([^;]*)/.exec(headers.get('content-security-policy') ?? '') ?? []
  return [frames, headers.get('x-frame-options')]
}
const none = ["'none'", 'DENY']

test('a link may be embedded by the websites that it names, and nothing else by anybody', async () => {
  const { url, share: own } = await share({
    origins: ['https://Example.com/page?x', 'shop.example:8443', 'http://localhost:3000'],
  })
  assert.deepEqual(own.origins, ['https://example.com', 'https://shop.example:8443', 'http://localhost:3000'])
  const path = new URL(url).pathname
  assert.deepEqual(await framesOf(path), [own.origins.join(' '), null])
  const closed = new URL((await share({})).url).pathname
  for (const other of [
    closed,
    `${path}x`,
    `${path}/more`,
    path.replace('/share/', '/properties/'),
    '/dashboard',
    '/dashboard/share',
  ])
    assert.deepEqual(await framesOf(other), none, other)
  const first = await fetchAll(path)
  assert.equal(first.headers.get('cache-control'), 'no-store')
  await footfall.call('DELETE', `${manage}/shares/${own.id}`)
  assert.deepEqual(await framesOf(path), none)
})

test('what is no website is refused, and nothing of it reaches the policy', async () => {
  const bad = [
    "https://a.example; script-src 'unsafe-inline'",
    '*',
    "'self'",
    'data:text/html,x',
    'https://',
    'ftp://x.example',
    'https://u:p@x.example',
    'https://a b.example',
  ]
  for (const origin of bad) {
    const reply = await footfall.call('POST', `${manage}/shares`, {
      body: { name: 'x', origins: ['https://ok.example', origin] },
    })
    assert.deepEqual([reply.status, Object.keys(reply.json.errors)], [422, ['origins.1']], `${origin} ${reply.text}`)
  }
  const many = Array.from({ length: 21 }, (_, n) => `https://s${n}.example`)
  assert.equal((await footfall.call('POST', `${manage}/shares`, { body: { name: 'x', origins: many } })).status, 422)
})
