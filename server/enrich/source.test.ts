import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { anyCharacter } from '../../test/support/texts.ts'
import type { ChannelId } from './channels.ts'
import { openSources, type Source } from './source.ts'
import { domainOfSource, findSourceByHost } from './sources.ts'

const read = openSources()
const ownDomains = ['www.example.com', 'example.net']

function visit(query: string, referrer = ''): Source {
  return read({ page: new URL(`https://example.com/landing${query}`), referrer, ownDomains })
}

/** Referrer → source, channel, referrer_domain. */
const referrers: readonly (readonly [string, string, ChannelId, string])[] = [
  ['https://www.google.com/', 'Google', 'organic_search', 'google.com'],
  ['https://www.google.co.uk/search?q=x', 'Google', 'organic_search', 'google.co.uk'],
  ['https://google.com.br', 'Google', 'organic_search', 'google.com.br'],
  [
    'android-app://com.google.android.googlequicksearchbox/',
    'Google',
    'organic_search',
    'com.google.android.googlequicksearchbox',
  ],
  ['https://www.bing.com/', 'Bing', 'organic_search', 'bing.com'],
  ['https://r.search.yahoo.com/_ylt=1', 'Yahoo', 'organic_search', 'r.search.yahoo.com'],
  ['https://duckduckgo.com/', 'DuckDuckGo', 'organic_search', 'duckduckgo.com'],
  ['https://kagi.com/', 'Kagi', 'organic_search', 'kagi.com'],
  ['https://yandex.kz/', 'Yandex', 'organic_search', 'yandex.kz'],
  ['https://chatgpt.com/', 'ChatGPT', 'ai_assistants', 'chatgpt.com'],
  ['https://www.perplexity.ai/search/1', 'Perplexity', 'ai_assistants', 'perplexity.ai'],
  ['https://claude.ai/', 'Claude', 'ai_assistants', 'claude.ai'],
  ['https://gemini.google.com/app', 'Gemini', 'ai_assistants', 'gemini.google.com'],
  ['https://copilot.microsoft.com/', 'Microsoft Copilot', 'ai_assistants', 'copilot.microsoft.com'],
  ['https://chat.deepseek.com/', 'DeepSeek', 'ai_assistants', 'chat.deepseek.com'],
  ['https://grok.com/', 'Grok', 'ai_assistants', 'grok.com'],
  ['https://l.facebook.com/l.php?u=x', 'Facebook', 'organic_social', 'l.facebook.com'],
  ['https://t.co/abc', 'X', 'organic_social', 't.co'],
  ['https://out.reddit.com/', 'Reddit', 'organic_social', 'out.reddit.com'],
  ['https://www.threads.net/', 'Threads', 'organic_social', 'threads.net'],
  ['https://news.ycombinator.com/item?id=1', 'Hacker News', 'organic_social', 'news.ycombinator.com'],
  ['android-app://com.slack/', 'Slack', 'organic_social', 'com.slack'],
  ['https://www.youtube.com/', 'YouTube', 'organic_video', 'youtube.com'],
  ['https://www.amazon.de/', 'Amazon', 'organic_shopping', 'amazon.de'],
  ['https://mail.google.com/', 'Gmail', 'email', 'mail.google.com'],
  ['android-app://com.google.android.gm/', 'Gmail', 'email', 'com.google.android.gm'],
  ['https://webmail.freenet.de/', 'Freenet', 'email', 'webmail.freenet.de'],
  ['https://github.com/a/b', 'GitHub', 'referral', 'github.com'],
  ['https://docs.google.com/', 'Google Docs', 'referral', 'docs.google.com'],
  ['https://www.some-blog.org/post', 'some-blog.org', 'referral', 'some-blog.org'],
  ['https://foo.github.io/', 'foo.github.io', 'referral', 'foo.github.io'],
  ['android-app://org.unknown.app/', 'org.unknown.app', 'referral', 'org.unknown.app'],
  ['http://[2001:db8::1]:81/', '[2001:db8::1]', 'referral', '[2001:db8::1]'],
  // Look-alikes are nobody's.
  ['https://google.evil/', 'google.evil', 'referral', 'google.evil'],
  ['https://notfacebook.com/', 'notfacebook.com', 'referral', 'notfacebook.com'],
  ['https://facebook.com.evil.org/', 'facebook.com.evil.org', 'referral', 'facebook.com.evil.org'],
  ['https://evilexample.com/', 'evilexample.com', 'referral', 'evilexample.com'],
]

for (const [referrer, source, channel, domain] of referrers) {
  test(`a visit from ${referrer} comes from ${source}, ${channel}`, () => {
    const found = visit('', referrer)
    assert.deepEqual(
      [found.source, found.channel, found.referrer_domain, found.method, found.is_internal],
      [source, channel, domain, 'referrer', false],
    )
  })
}

/** Query → method, source, channel, click id. */
const tagged: readonly (readonly [string, Source['method'], string, ChannelId, string])[] = [
  ['?utm_source=google&utm_medium=cpc', 'utm', 'Google', 'paid_search', ''],
  ['?utm_source=fb&utm_medium=paid', 'utm', 'Facebook', 'paid_social', ''],
  ['?utm_source=chatgpt.com', 'utm', 'ChatGPT', 'ai_assistants', ''],
  ['?utm_source=News%20Letter&utm_medium=Email', 'utm', 'News Letter', 'email', ''],
  ['?utm_source=partner', 'utm', 'partner', 'unassigned', ''],
  ['?UTM_Source=bing&UTM_MEDIUM=CPC', 'utm', 'Bing', 'paid_search', ''],
  ['?utm_medium=social', 'utm', 'Not set', 'organic_social', ''],
  ['?utm_source=(direct)&utm_medium=(none)', 'utm', 'Direct', 'direct', ''],
  ['?utm_source=google&gclid=1', 'utm', 'Google', 'paid_search', 'gclid'],
  ['?utm_campaign=x&msclkid=1', 'utm', 'Bing', 'paid_search', 'msclkid'],
  ['?gclid=1', 'click_id', 'Google', 'paid_search', 'gclid'],
  ['?gbraid=1', 'click_id', 'Google', 'paid_search', 'gbraid'],
  ['?wbraid=1', 'click_id', 'Google', 'paid_search', 'wbraid'],
  ['?dclid=1', 'click_id', 'Google', 'display', 'dclid'],
  ['?msclkid=1&fbclid=2', 'click_id', 'Bing', 'paid_search', 'msclkid'],
  ['?ttclid=1', 'click_id', 'TikTok', 'paid_social', 'ttclid'],
  ['?twclid=1', 'click_id', 'X', 'paid_social', 'twclid'],
  ['?li_fat_id=1', 'click_id', 'LinkedIn', 'paid_social', 'li_fat_id'],
  ['?ScCid=1', 'click_id', 'Snapchat', 'paid_social', 'ScCid'],
  ['?fbclid=1', 'click_id', 'Facebook', 'organic_social', 'fbclid'],
  ['?gclid=', 'none', 'Direct', 'direct', ''],
  ['', 'none', 'Direct', 'direct', ''],
]

for (const [query, method, source, channel, click] of tagged) {
  test(`a link ending in ${query || 'nothing'} is ${source}, ${channel}`, () => {
    const found = visit(query)
    assert.deepEqual([found.method, found.source, found.channel, found.click_id], [method, source, channel, click])
  })
}

test("a link's own words win over click ids, and these over the referrer", () => {
  assert.equal(visit('?utm_source=bing&gclid=1', 'https://t.co/').source, 'Bing')
  assert.equal(visit('?gclid=1', 'https://t.co/').source, 'Google')
  assert.equal(visit('?utm_source=bing', 'https://t.co/').referrer_domain, 't.co', 'the referrer is kept all the same')
})

test('a campaign without a source takes it from the referrer', () => {
  const found = visit('?utm_campaign=spring', 'https://www.google.com/')
  assert.deepEqual([found.method, found.source, found.channel], ['utm', 'Google', 'organic_search'])
})

test("the property's own pages refer nobody", () => {
  const own = [
    'https://example.com/',
    'https://www.example.com/a',
    'https://shop.example.com/',
    'https://EXAMPLE.net/',
    'http://a.b.example.net:8080/',
  ]
  for (const referrer of own) {
    const found = visit('', referrer)
    assert.deepEqual(
      [found.source, found.channel, found.method, found.referrer_domain, found.referrer_url, found.is_internal],
      ['Direct', 'direct', 'none', '', '', true],
      referrer,
    )
  }
  assert.equal(visit('?utm_source=bing', 'https://example.com/').source, 'Bing', 'tags count on internal links too')
})

test("the page's own host is the property's, even when it is in no list", () => {
  const page = new URL('https://www.unlisted.org/a')
  assert.equal(read({ page, referrer: 'https://unlisted.org/b', ownDomains: [] }).is_internal, true)
  assert.equal(read({ page, referrer: 'https://listed.org/b', ownDomains: [] }).is_internal, false)
})

test('a referrer that is no web page or app counts as none', () => {
  for (const referrer of [
    'javascript:alert(1)',
    'about:blank',
    'data:text/html,x',
    'ftp://a.org/',
    'file:///etc',
    'nonsense',
    'http://',
    '://',
    'android-app:',
    '\0',
    '\ud800',
  ]) {
    assert.equal(visit('', referrer).method, 'none', referrer)
  }
})

test('a referrer is kept without passwords and fragment', () => {
  assert.equal(visit('', 'https://user:secret@a.org/x?y=1#z').referrer_url, 'https://a.org/x?y=1')
})

test('only the name of a click id is kept', () => {
  assert.ok(!JSON.stringify(visit('?gclid=SECRET')).includes('SECRET'))
})

test('no query and no referrer makes this throw, and what comes out is bounded and clean', () => {
  const nasty = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 3000 }),
    fc.webUrl({ withQueryParameters: true, withFragments: true }),
    fc.string({ unit: 'grapheme' }),
  )
  const longest: Partial<Record<keyof Source, number>> = { referrer_url: 2048 }
  fc.assert(
    fc.property(nasty, nasty, nasty, nasty, (referrer, utm, medium, other) => {
      const page = new URL('https://example.com/')
      page.search = `?${new URLSearchParams({ utm_source: utm, utm_medium: medium, utm_term: other }).toString()}&${other}`
      const found = read({ page, referrer, ownDomains })
      for (const [key, value] of Object.entries(found) as [keyof Source, unknown][]) {
        if (typeof value !== 'string') continue
        assert.ok(value.length <= (longest[key] ?? 255), key)
        assert.ok(value.isWellFormed() && !value.includes('\0'), key)
      }
    }),
  )
})

test('a value is cut between characters, and NUL and lone surrogates are replaced', () => {
  const page = new URL(
    `https://example.com/?utm_source=${encodeURIComponent(`${'a'.repeat(254)}😀`)}&utm_term=%00x%00y`,
  )
  const found = read({ page, referrer: '', ownDomains })
  assert.equal(found.utm_source, 'a'.repeat(254))
  assert.equal(found.utm_term, 'x y')
})

test('tags and click ids are read from a route, when the address has no query of its own', () => {
  const found = (query: string) => {
    const { source, method, utm_source, utm_campaign, click_id } = visit(query)
    return [source, method, utm_source, utm_campaign, click_id]
  }
  assert.deepEqual(found('#/sale?utm_source=News&utm_campaign=May'), ['News', 'utm', 'News', 'May', ''])
  assert.deepEqual(found('#!/sale?gclid=1'), ['Google', 'click_id', '', '', 'gclid'])
  assert.deepEqual(found('?#/sale?gclid=1'), ['Google', 'click_id', '', '', 'gclid'])
  const direct = ['Direct', 'none', '', '', '']
  assert.deepEqual(found('?page=1#/sale?utm_source=News'), direct, 'the address has a query')
  for (const text of ['#sale?utm_source=News', '#/sale', '#/', '#?gclid=1', '#/sale?'])
    assert.deepEqual(found(text), direct, text)
})

test('the address of a referrer is kept without click ids', () => {
  const kept = (referrer: string) => visit('', referrer).referrer_url
  assert.equal(kept('https://a.org/x?gclid=SECRET&y=1&fbclid=2'), 'https://a.org/x?y=1')
  assert.equal(kept('https://a.org/?msclkid=SECRET'), 'https://a.org/')
  assert.equal(kept('https://a.org/x?y=a%20b&z'), 'https://a.org/x?y=a%20b&z')
})

test('a known source has a domain, a host is its own, a campaign name has none', () => {
  assert.equal(domainOfSource('Google'), 'google.com')
  assert.equal(domainOfSource('X'), 'x.com')
  assert.equal(domainOfSource('Freenet'), 'webmail.freenet.de')
  assert.equal(domainOfSource('some-blog.org'), 'some-blog.org')
  for (const name of ['Direct', 'newsletter', 'a b.org', '<script>.com', 'x'.repeat(300), ''])
    assert.equal(domainOfSource(name), null, name)
})

test('hosts of any form can be looked up', () => {
  fc.assert(
    fc.property(fc.oneof(fc.domain(), fc.string(), fc.ipV4(), fc.ipV6()), (host) => void findSourceByHost(host)),
  )
  for (const host of ['', '.', 'constructor', '__proto__', 'localhost']) assert.equal(findSourceByHost(host), undefined)
})
