// The redirect over real HTTP: where it leads, what it says on the way, what it records, and that nobody is
// kept by what goes wrong behind it.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { CHROME, startFootfall, type Footfall } from '../../test/support/server.ts'
import { addGroup, addLink, clicksOf, visit, type TestLink } from '../../test/support/visits.ts'
import { foldedColumn } from '../stores/session-columns.ts'

const closers: (() => Promise<void>)[] = []
const lasting = { after: (close: () => Promise<void>) => closers.push(close) }
const now = Date.UTC(2026, 10, 18, 6)
/** In the fixture: a network of people in London, and one of servers. */
const LONDON = '81.2.69.142'
const SERVERS = '52.94.1.1'

let footfall: Footfall
let group: string

before(async () => {
  const geoDir = join(import.meta.dirname, '../../test/fixtures/geo')
  footfall = await startFootfall(lasting, { now, env: { GEO_DIR: geoDir, LOG_LEVEL: 'silent' } })
  group = await addGroup(footfall)
})

after(async () => {
  for (const close of closers) await close()
})

const follow = (link: TestLink, options = {}, suffix = '') =>
  visit(footfall.url, `/${link.domain === 'link-a' ? 'a' : 'b'}/${link.code}${suffix}`, options)

/** A row without what differs from click to click. */
async function lastClick(link: TestLink): Promise<Record<string, unknown>> {
  const { id, ...row } = (await clicksOf(footfall, link.id)).at(-1) ?? {}
  assert.match(String(id), /^\d+$/)
  return row
}

describe('the answer', () => {
  test('a code leads to its destination with the UTM values that it lacks, and says to be kept nowhere', async () => {
    const destination_url = 'https://bücher.example/a%2Fb?x=1&utm_source=own#top'
    const utm = { utm_source: 'letter', utm_medium: 'e mail' }
    const link = await addLink(footfall, { group_id: group, destination_url, utm })
    const { status, location, headers, text } = await follow(link)
    assert.equal(status, 302)
    assert.equal(location, 'https://xn--bcher-kva.example/a%2Fb?x=1&utm_source=own&utm_medium=e%20mail#top')
    assert.equal(headers['cache-control'], 'private, no-store')
    assert.equal(headers['referrer-policy'], undefined, 'the destination hears where its visitor comes from')
    assert.equal(headers['set-cookie'], undefined)
    assert.equal(text, '')
  })

  test('HEAD answers as GET does, on links, pages and where nothing is', async () => {
    const link = await addLink(footfall, { group_id: group })
    for (const suffix of ['', '+', 'x']) {
      const [got, head] = [await follow(link, {}, suffix), await follow(link, { method: 'HEAD' }, suffix)]
      const { date: _, ...shown } = got.headers
      const { date: __, ...seen } = head.headers
      assert.equal(head.status, got.status)
      assert.deepEqual(seen, shown)
      assert.equal(head.text, '')
    }
  })

  test('each short domain has its own codes', async () => {
    const link = await addLink(footfall, { group_id: group, domain: 'link-b' })
    assert.equal((await visit(footfall.url, `/b/${link.code}`)).status, 302)
    assert.equal((await visit(footfall.url, `/a/${link.code}`)).status, 404)
  })

  test('the query of the short URL is dropped and decides nothing', async () => {
    const link = await addLink(footfall, { group_id: group, destination_url: 'https://example.com/x' })
    for (const query of ['?url=https://evil.example', '?utm_source=x&fbclid=y', '?', '?+', '#x', '?/../../z'])
      assert.equal((await follow(link, {}, query)).location, 'https://example.com/x', query)
  })

  test('what is unknown, switched off, archived or deleted is one and the same page', async () => {
    const other = await addGroup(footfall)
    const off = await addLink(footfall, { group_id: group })
    const deleted = await addLink(footfall, { group_id: group })
    const archived = await addLink(footfall, { group_id: other })
    assert.equal((await follow(archived)).status, 302)
    await footfall.call('POST', `/v2/property/links/${off.id}`, { body: { is_active: false } })
    await footfall.call('DELETE', `/v2/property/links/${deleted.id}`)
    await footfall.call('POST', `/v2/property/link-groups/${other}`, { body: { state: 'archived' } })
    const pages = await Promise.all([off, deleted, archived].map((link) => follow(link)))
    pages.push(
      await follow({ ...off, code: '2222222' }),
      ...(await Promise.all([off, archived].map((l) => follow(l, {}, '+')))),
    )
    for (const { status, text, headers } of pages) {
      assert.equal(status, 404)
      assert.equal(text, pages[0]!.text)
      assert.equal(headers['content-type'], 'text/html; charset=utf-8')
      assert.equal(headers['cache-control'], 'private, no-store')
      assert.match(String(headers['content-security-policy']), /^default-src 'none'; style-src 'sha256-[^']+'; /)
    }
    await footfall.call('POST', `/v2/property/links/${off.id}`, { body: { is_active: true } })
    await footfall.call('POST', `/v2/property/link-groups/${other}`, { body: { state: 'active' } })
    assert.deepEqual([(await follow(off)).status, (await follow(archived)).status], [302, 302])
    await footfall.call('DELETE', `/v2/property/link-groups/${other}`)
    assert.equal((await follow(archived)).status, 404)
  })

  test('the links of a property that is gone lead nowhere', async () => {
    const { id, token } = await footfall.addProperty()
    const made = await footfall.call('POST', '/v2/property/link-groups', { token, body: { name: 'Gone' } })
    const body = { group_id: made.json.data.group.id, domain: 'link-a', destination_url: 'https://example.com/' }
    const { json } = await footfall.call('POST', '/v2/property/links', { token, body })
    assert.equal((await follow(json.data.link)).status, 302)
    assert.equal((await footfall.call('DELETE', `/manage/properties/${id}`)).status, 200)
    assert.equal((await follow(json.data.link)).status, 404)
  })

  test('{code}+ shows where the link leads, as text, and records nothing', async () => {
    const destination_url = `https://example.com/'"><script>alert(1)</script>&lt;?a=1&b='2'`
    const link = await addLink(footfall, { group_id: group, destination_url, utm: { utm_source: '<b>"' } })
    for (const plus of ['+', '%2B', '%2b']) {
      const { status, text, headers, location } = await follow(link, {}, plus)
      assert.equal(status, 200)
      assert.equal(location, undefined)
      const shown =
        'https://example.com/&#39;&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;lt;?a=1&amp;b=&#39;2&#39;&amp;utm_source=%3Cb%3E%22'
      assert.ok(text.includes(`<a href="${shown}" rel="nofollow noreferrer">${shown}</a>`), text)
      assert.doesNotMatch(text, /<script|src=|<link|<img|http-equiv/i)
      assert.equal(headers['x-robots-tag'], 'noindex, nofollow')
      assert.equal(headers['cache-control'], 'private, no-store')
    }
    assert.deepEqual(await clicksOf(footfall, link.id), [])
  })

  test('the one style of a page is the one that its policy lets through', async () => {
    const { text, headers } = await visit(footfall.url, '/a/2222222')
    const [, style = ''] = /<style>(.*?)<\/style>/s.exec(text) ?? []
    const digest = createHash('sha256').update(style).digest('base64')
    assert.ok(String(headers['content-security-policy']).includes(`style-src 'sha256-${digest}'`))
  })

  test('other methods are told which ones there are', async () => {
    const link = await addLink(footfall, { group_id: group })
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const { status, headers } = await follow(link, { method })
      assert.equal(status, 405)
      // A link with a password takes a form as well.
      assert.equal(headers.allow, method === 'POST' ? 'GET, HEAD' : 'GET, HEAD, POST')
    }
    assert.deepEqual(await clicksOf(footfall, link.id), [])
  })

  test('what the router cannot read, and the domain without a code, is the page of any unknown code', async () => {
    const link = await addLink(footfall, { group_id: group })
    const unknown = await visit(footfall.url, '/a/2222222')
    const targets = ['/a/%zz', `/a/${link.code}%`, '/a/%ff', '/b/%', '/a/%zz?x', '/a', '/b?x', '/a/']
    for (const target of targets) {
      const { status, text, headers } = await visit(footfall.url, target)
      const { date: _, ...shown } = headers
      const { date: __, ...expected } = unknown.headers
      assert.deepEqual([status, text, shown], [404, unknown.text, expected], target)
      const head = await visit(footfall.url, target, { method: 'HEAD' })
      assert.deepEqual([head.status, head.headers['content-type']], [404, shown['content-type']], target)
    }
    for (const target of ['/%zz', '/ab/%zz', '/v2/a/%zz', '/a%zz'])
      assert.match(String((await visit(footfall.url, target)).headers['content-type']), /json/, target)
  })

  test('no code, however long or strange, is more than a page that says no', async () => {
    const strange = [
      '',
      '+',
      '++',
      '%2B',
      '%',
      '%00',
      '%zz',
      '..',
      '%2e%2e%2fmetrics',
      '..%2f..%2fmanage',
      'a/b/c',
      '//evil.example',
      '\\evil.example',
      '2222222/',
      '2222222%0d%0aSet-Cookie:a=b',
      "' OR 1=1 --".replaceAll(' ', '%20'),
      '__proto__',
      'constructor',
      'x'.repeat(64),
      'x'.repeat(8_000),
      '%F0%9F%98%80'.repeat(100),
      '%C3%28',
    ]
    for (const code of strange) {
      for (const method of ['GET', 'HEAD']) {
        const { status, location, headers } = await visit(footfall.url, `/a/${code}`, { method })
        assert.equal(status, 404, code.slice(0, 40))
        assert.equal(location, undefined)
        assert.equal(headers['set-cookie'], undefined)
        assert.match(String(headers['cache-control']), /no-store/)
      }
    }
  })
})

describe('the click', () => {
  test('is stored with who, whence and whither before the answer, and names the session of the page view that follows', async () => {
    const link = await addLink(footfall, { group_id: group, utm: { utm_source: 'letter' } })
    const headers = { referer: 'https://user:secret@www.news.example/story?id=7#part' }
    const { location } = await follow(link, { address: LONDON, headers })
    const { session, ...row } = await lastClick(link)
    assert.equal(location, 'https://example.com/?utm_source=letter')
    assert.deepEqual(row, {
      property: footfall.property.id,
      day: '2026-11-18',
      link_group: group,
      link: link.id,
      at: '2026-11-18 06:00:00.000',
      session_day: '2026-11-18',
      destination: location,
      referrer_url: 'https://www.news.example/story?id=7',
      referrer_domain: 'news.example',
      country_code: 'GB',
      country: 'United Kingdom',
      region: 'England',
      city: 'London',
      network: 'Andrews & Arnold Ltd',
      browser: 'Chrome',
      os: 'Windows',
      device: 'desktop',
      language: 'en-GB',
      is_bot: 0,
      bot_name: '',
      bot_reason: '',
      count: 1,
      rule: '',
      is_scan: 0,
    })
    footfall.clock.advance(1_000)
    await footfall.track.load({ address: LONDON, page: location })
    const [arrived] = await footfall.context.facts.query<Record<string, unknown>>(
      'test.session',
      `SELECT ${foldedColumn('entry_link')} AS link, ${foldedColumn('entry_link_group')} AS link_group FROM sessions FINAL WHERE session = {session:UInt64}`,
      { session },
    )
    assert.deepEqual(arrived, { link: link.id, link_group: group })
  })

  const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)'
  const verdicts: readonly (readonly [string, object, string, string])[] = [
    ['a person', {}, '', ''],
    ['a person in an app', { agent: `${iphone} Mobile/15E148 Instagram 350.0.0.1.1 (iPhone14,5; iOS 18_6)` }, '', ''],
    ['a person in an app', { agent: `${iphone} Mobile/15E148 [FBAN/FBIOS;FBAV/489.0]` }, '', ''],
    ['a person in an app', { agent: `${iphone} Mobile/15E148 [LinkedInApp]/9.30` }, '', ''],
    [
      'a crawler',
      { agent: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' },
      'agent',
      'Googlebot',
    ],
    ['no agent', { agent: '' }, 'empty_agent', 'No user agent'],
    ['a driven browser', { agent: CHROME.replace('Chrome', 'HeadlessChrome') }, 'headless', 'HeadlessChrome'],
    ['a server', { address: SERVERS }, 'network', 'Amazon Web Services'],
    ['HEAD', { method: 'HEAD' }, 'head', ''],
    ['a prefetch', { headers: { 'sec-purpose': 'prefetch;prerender' } }, 'prefetch', ''],
    ['a prefetch', { headers: { purpose: 'prefetch' } }, 'prefetch', ''],
    ['a prefetch', { headers: { 'x-moz': 'prefetch' } }, 'prefetch', ''],
    ['a prefetch', { headers: { 'x-purpose': 'preview' } }, 'prefetch', ''],
    ['a prefetch by HEAD', { method: 'HEAD', headers: { purpose: 'prefetch' } }, 'prefetch', ''],
    [
      'Slack',
      { agent: 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)' },
      'preview',
      'Slackbot-LinkExpanding',
    ],
    ['Facebook', { agent: 'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)' }, 'preview', ''],
    ['WhatsApp', { agent: 'WhatsApp/2.24.20.89 A' }, 'preview', ''],
    ['Telegram', { agent: 'TelegramBot (like TwitterBot)' }, 'preview', ''],
    ['X', { agent: 'Twitterbot/1.0' }, 'preview', 'Twitterbot'],
    ['LinkedIn', { agent: 'LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient)' }, 'preview', 'LinkedInBot'],
    [
      'Discord',
      { agent: 'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)' },
      'preview',
      'Discordbot',
    ],
    ['Teams', { agent: 'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5' }, 'preview', ''],
    [
      'iMessage',
      {
        agent:
          'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0',
      },
      'preview',
      '',
    ],
    ['Slack by HEAD', { agent: 'Slackbot-LinkExpanding 1.0', method: 'HEAD' }, 'head', 'Slackbot-LinkExpanding'],
  ]
  for (const [who, options, reason, name] of verdicts) {
    test(`${who} is recorded as ${reason === '' ? 'a person' : `a bot because of ${reason}`}: ${JSON.stringify(options).slice(0, 90)}`, async () => {
      const link = await addLink(footfall, { group_id: group })
      assert.equal((await follow(link, options)).status, 302)
      const row = await lastClick(link)
      assert.deepEqual([row.is_bot, row.bot_reason], [reason === '' ? 0 : 1, reason])
      if (name !== '') assert.equal(row.bot_name, name)
      if (reason === '') assert.equal(row.bot_name, '')
    })
  }

  test('of a group that does not track, none is kept', async () => {
    const silent = await addGroup(footfall, { track_clicks: false })
    const link = await addLink(footfall, { group_id: silent })
    assert.equal((await follow(link)).status, 302)
    assert.deepEqual(await clicksOf(footfall, link.id), [])
    await footfall.call('POST', `/v2/property/link-groups/${silent}`, { body: { track_clicks: true } })
    await follow(link)
    assert.equal((await clicksOf(footfall, link.id)).length, 1)
  })

  test('nothing that names the visitor is in any column, nor the query of the short URL', async () => {
    const link = await addLink(footfall, { group_id: group })
    const headers = { cookie: 'id=marker-cookie', referer: 'not a url marker-referer', 'x-real-ip': '198.51.100.77' }
    await follow(link, { address: '198.51.100.77', agent: `${CHROME} marker-agent`, headers }, '?who=marker-query')
    const [row] = await clicksOf(footfall, link.id)
    assert.ok(row)
    assert.doesNotMatch(JSON.stringify(row), /marker|198\.51|secret/)
  })

  test('clicks of one moment are as many rows', async () => {
    const link = await addLink(footfall, { group_id: group })
    await Promise.all(Array.from({ length: 50 }, () => follow(link)))
    assert.equal((await clicksOf(footfall, link.id)).length, 50)
  })
})
