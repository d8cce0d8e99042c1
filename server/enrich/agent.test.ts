import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { anyCharacter } from '../../test/support/texts.ts'
import { openAgents, type Device } from './agent.ts'
import { openBots, type BotReason } from './bots.ts'
import { findServerNetwork } from './networks.ts'

const agentOf = openAgents()
const judge = openBots()

const windows =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36'
const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)'
const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)'
const android = 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko)'

/** Agents as the browsers send them. */
const people: readonly (readonly [string, string, string, Device])[] = [
  [windows, 'Chrome', 'Windows', 'desktop'],
  [`${windows} Edg/131.0.0.0`, 'Edge', 'Windows', 'desktop'],
  [`${windows} OPR/116.0.0.0`, 'Opera', 'Windows', 'desktop'],
  [`${windows} Vivaldi/7.0`, 'Vivaldi', 'Windows', 'desktop'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:133.0) Gecko/20100101 Firefox/133.0', 'Firefox', 'Windows', 'desktop'],
  ['Mozilla/5.0 (Windows NT 6.1; WOW64; Trident/7.0; rv:11.0) like Gecko', 'Internet Explorer', 'Windows', 'desktop'],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 YaBrowser/24.12.0.0 Safari/537.36',
    'Yandex',
    'Windows',
    'desktop',
  ],
  [`${mac} Version/18.1 Safari/605.1.15`, 'Safari', 'macOS', 'desktop'],
  [`${mac} Version/17.4 Safari/605.1.15 DuckDuckGo/7`, 'DuckDuckGo', 'macOS', 'desktop'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0', 'Firefox', 'Linux', 'desktop'],
  ['Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0', 'Firefox', 'Ubuntu', 'desktop'],
  [
    'Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
    'Chrome',
    'Chrome OS',
    'desktop',
  ],
  [`${iphone} Version/18.1 Mobile/15E148 Safari/604.1`, 'Safari', 'iOS', 'mobile'],
  [`${iphone} CriOS/131.0.6778.73 Mobile/15E148 Safari/604.1`, 'Chrome', 'iOS', 'mobile'],
  [`${iphone} FxiOS/133.0 Mobile/15E148 Safari/605.1.15`, 'Firefox', 'iOS', 'mobile'],
  [`${iphone} GSA/342.0.693 Mobile/15E148 Safari/604.1`, 'Google App', 'iOS', 'mobile'],
  [
    `${iphone} Mobile/22B83 Instagram 357.0.0.30.100 (iPhone14,5; iOS 18_1; en_GB; en; scale=3.00)`,
    'Instagram',
    'iOS',
    'mobile',
  ],
  [
    `${iphone} Mobile/22B83 [FBAN/FBIOS;FBAV/490.0.0.51.104;FBDV/iPhone14,5;FBMD/iPhone;FBSN/iOS;FBSV/18.1]`,
    'Facebook',
    'iOS',
    'mobile',
  ],
  [
    'Mozilla/5.0 (iPad; CPU OS 17_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.6 Mobile/15E148 Safari/604.1',
    'Safari',
    'iOS',
    'tablet',
  ],
  [`${android} Chrome/131.0.0.0 Mobile Safari/537.36`, 'Chrome', 'Android', 'mobile'],
  [`${android} SamsungBrowser/27.0 Chrome/125.0.0.0 Mobile Safari/537.36`, 'Samsung Internet', 'Android', 'mobile'],
  [
    'Mozilla/5.0 (Linux; Android 14; SM-X710) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
    'Chrome',
    'Android',
    'tablet',
  ],
  ['Mozilla/5.0 (Android 14; Mobile; rv:133.0) Gecko/133.0 Firefox/133.0', 'Firefox', 'Android', 'mobile'],
  [
    'Mozilla/5.0 (Linux; Android 11; KFTRWI) AppleWebKit/537.36 (KHTML, like Gecko) Silk/131.3.1 like Chrome/131.0.0.0 Safari/537.36',
    'Silk',
    'Android',
    'tablet',
  ],
  [
    'Opera/9.80 (Android; Opera Mini/36.2.2254/119.132; U; id) Presto/2.12.423 Version/12.16',
    'Opera Mini',
    'Android',
    'mobile',
  ],
  [
    'Mozilla/5.0 (Web0S; Linux/SmartTV) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/94.0.4606.128 Safari/537.36 WebAppManager',
    'Chrome',
    'webOS',
    'tv',
  ],
  [
    'Mozilla/5.0 (PlayStation; PlayStation 5/9.00) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/15.4 Safari/605.1.15',
    'Safari',
    'PlayStation',
    'console',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64; Xbox; Xbox One) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0',
    'Edge',
    'Xbox',
    'console',
  ],
]

for (const [userAgent, browser, os, device] of people) {
  test(`${browser} on ${os} (${device}) is known, and is a person: ${userAgent.slice(-60)}`, () => {
    assert.deepEqual(agentOf(userAgent), { browser, os, device })
    assert.deepEqual(judge({ userAgent }), { is_bot: false, name: '', reason: '' })
  })
}

test('client hints name the browser that hides behind Chrome, and the phone behind a desktop agent', () => {
  const brands = '"Brave";v="131", "Chromium";v="131", "Not_A Brand";v="24"'
  assert.equal(agentOf(windows, { brands, mobile: '?0', platform: '"Windows"' }).browser, 'Brave')
  assert.equal(agentOf(windows, { brands: '"Google Chrome";v="131", "Chromium";v="131"' }).browser, 'Chrome')
  assert.equal(
    agentOf(`${windows} Edg/131.0.0.0`, { brands }).browser,
    'Edge',
    'an agent that names itself is believed',
  )
  assert.equal(agentOf(windows, { mobile: '?1' }).device, 'mobile')
  assert.equal(agentOf('Something/1.0', { platform: '"Chrome OS"' }).os, 'Chrome OS')
})

test('an empty agent is of no browser', () => {
  assert.deepEqual(agentOf('  '), { browser: '', os: '', device: 'other' })
})

const bots: readonly (readonly [string, string, BotReason])[] = [
  ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', 'Googlebot', 'agent'],
  [
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm) Chrome/116.0 Safari/537.36',
    'bingbot',
    'agent',
  ],
  [
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; GPTBot/1.2; +https://openai.com/gptbot',
    'GPTBot',
    'agent',
  ],
  [
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)',
    'ClaudeBot',
    'agent',
  ],
  ['Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)', 'YandexBot', 'agent'],
  ['facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)', 'facebookexternalhit', 'agent'],
  ['Twitterbot/1.0', 'Twitterbot', 'agent'],
  ['Mozilla/5.0 (compatible; strangecrawler-x/1.0)', 'strangecrawler-x', 'agent'],
  [
    'Mozilla/5.0 (Macintosh) AppleWebKit (KHTML, like Gecko) Chrome Safari Chrome-Lighthouse',
    'Chrome-Lighthouse',
    'agent',
  ],
  ['curl/8.4.0', 'curl', 'agent'],
  ['python-requests/2.31.0', 'python-requests', 'agent'],
  ['Go-http-client/2.0', 'Go-http-client', 'agent'],
  ['', 'No user agent', 'empty_agent'],
  [' \t ', 'No user agent', 'empty_agent'],
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/131.0.0.0 Safari/537.36',
    'HeadlessChrome',
    'headless',
  ],
  [
    'Mozilla/5.0 (Unknown; Linux x86_64) AppleWebKit/538.1 (KHTML, like Gecko) PhantomJS/2.1.1 Safari/538.1',
    'PhantomJS',
    'headless',
  ],
]

for (const [userAgent, name, reason] of bots) {
  test(`${JSON.stringify(userAgent.slice(0, 70))} is the bot ${name}`, () => {
    assert.deepEqual(judge({ userAgent }), { is_bot: true, name, reason })
  })
}

test('a browser in a rented server is a bot of its network, and a bot with a name keeps it', () => {
  assert.deepEqual(judge({ userAgent: windows, place: { asn: 16509 } }), {
    is_bot: true,
    name: 'Amazon Web Services',
    reason: 'network',
  })
  assert.equal(judge({ userAgent: 'curl/8.4.0', place: { asn: 16509 } }).reason, 'agent')
  assert.equal(judge({ userAgent: windows, place: { asn: null } }).is_bot, false)
})

test('people behind relays, gateways and access providers stay people', () => {
  const cloudflare = 13335,
    fastly = 54113,
    akamai = 36183,
    google = 15169,
    zscaler = 22616,
    m247 = 9009,
    datacamp = 60068,
    telekom = 3320,
    comcast = 7922
  for (const asn of [cloudflare, fastly, akamai, google, zscaler, m247, datacamp, telekom, comcast])
    assert.equal(findServerNetwork(asn), undefined, String(asn))
})

test('headless Chrome behind a borrowed agent is seen by its brand', () => {
  assert.deepEqual(judge({ userAgent: windows, brands: '"HeadlessChrome";v="131", "Chromium";v="131"' }), {
    is_bot: true,
    name: 'HeadlessChrome',
    reason: 'headless',
  })
})

test('any text is an agent, and every name that comes out is short and clean', () => {
  const text = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 3000 }),
    fc.string().map((part) => `Mozilla/5.0 (${part}; bot ${part}) Chrome/${part}`),
  )
  fc.assert(
    fc.property(text, text, (userAgent, hint) => {
      const agent = agentOf(userAgent, { brands: hint, mobile: hint, platform: hint })
      for (const name of [agent.browser, agent.os, judge({ userAgent, brands: hint }).name]) {
        assert.ok(name.length <= 64 && name.isWellFormed() && !name.includes('\0'))
      }
    }),
  )
})
