// Preview cards: what chats and social networks are shown of a link, and people never.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { startFootfall } from '../../test/support/server.ts'
import { addGroup, addLink, visit } from '../../test/support/visits.ts'

const SLACK = 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)'
const FACEBOOK = 'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)'
const GOOGLE = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'
const card = {
  title: 'Spring sale',
  description: 'All lamps, half the price',
  image_url: 'https://cdn.example/lamp.jpg',
}

async function openWorld(t: { after: (end: () => Promise<void>) => void }) {
  const footfall = await startFootfall(t)
  const link = await addLink(footfall, { group_id: await addGroup(footfall) })
  const at = `/manage/properties/${footfall.property.id}/links/${link.id}`
  const save = (body: object) => footfall.call('POST', `${at}/card`, { body })
  const { pathname } = new URL(link.short_url)
  const follow = (agent?: string, options: { method?: string; fields?: Record<string, string> } = {}) =>
    visit(footfall.url, pathname, { ...options, ...(agent !== undefined && { agent }) })
  return { footfall, link, at, save, follow, pathname }
}

/** The meta elements of a page, as a crawler would read them. */
function metaOf(html: string): Record<string, string> {
  const plain = (text: string) =>
    text.replaceAll(/&(amp|lt|gt|quot|#39|#x27);/g, (_, name: string) => {
      const characters: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", '#x27': "'" }
      return characters[name]!
    })
  const found = [...html.matchAll(/<meta (?:name|property)="([\w:]+)" content="([^"]*)">/g)]
  return Object.fromEntries(found.map(([, name, content]) => [name!, plain(content!)]))
}

test('programs that ask for a preview are shown the card, and people are sent on', async (t) => {
  const { footfall, link, at, save, follow, pathname } = await openWorld(t)
  assert.deepEqual((await footfall.call('GET', `${at}/card`)).json.data, { card: null })
  assert.equal((await follow(SLACK)).status, 302, 'without a card they read that of the destination')
  assert.deepEqual((await save({ card })).json.data, { card })
  assert.deepEqual((await footfall.call('GET', `${at}/card`)).json.data, { card })

  for (const agent of [SLACK, FACEBOOK]) {
    const seen = await follow(agent)
    assert.equal(seen.status, 200)
    assert.equal(seen.location, undefined)
    assert.match(String(seen.headers['content-security-policy']), /default-src 'none'/)
    assert.deepEqual(metaOf(seen.text), {
      description: card.description,
      'og:type': 'website',
      'og:url': link.short_url,
      'og:title': card.title,
      'og:description': card.description,
      'og:image': card.image_url,
      'twitter:card': 'summary_large_image',
    })
    assert.match(seen.text, /<title>Spring sale<\/title>/)
    assert.ok(!seen.text.includes('https://example.com/'), 'nothing is told of the destination')
  }
  assert.equal((await follow(SLACK, { method: 'HEAD' })).text, '')
  for (const agent of [undefined, GOOGLE]) {
    const { status, location } = await follow(agent)
    assert.deepEqual([status, location], [302, 'https://example.com/'])
  }
  const plus = await visit(footfall.url, `${pathname}+`, { agent: SLACK })
  assert.match(plus.text, /https:\/\/example\.com\//, 'the page that shows the destination stays')

  const { json } = await footfall.call('GET', '/v2/property/clicks', { query: { link_id: link.id, type: 'bot' } })
  const reasons = json.data.data.map(({ bot_reason }: { bot_reason: string }) => bot_reason)
  assert.deepEqual(reasons.toSorted(), ['agent', 'head', 'preview', 'preview', 'preview'])
  assert.equal((await footfall.call('GET', `/v2/property/links/${link.id}`)).json.data.link.clicks, 1)

  const file = await footfall.call('GET', at.replace(link.id, 'export'))
  assert.match(file.text, /,Spring sale,"All lamps, half the price",https:\/\/cdn\.example\/lamp\.jpg\r\n/)

  assert.deepEqual((await save({ card: null })).json.data, { card: null })
  assert.equal((await follow(SLACK)).status, 302)
})

test('a card goes with rules, password and expiry: shown where a visitor would be let in or asked, and else not', async (t) => {
  const { footfall, at, save, follow } = await openWorld(t)
  const setRules = async (body: object) => {
    const { status, text, json } = await footfall.call('POST', `${at}/rules`, {
      body: { rules: [], split: [], ...body },
    })
    assert.equal(status, 200, text)
    assert.ok(!('card' in json.data.rules))
  }
  await save({ card: { title: 'Only a title' } })
  await setRules({ password: 'opensesame', max_clicks: 1 })
  assert.equal((await follow(SLACK)).status, 200)
  const seen = await follow(FACEBOOK)
  assert.deepEqual(metaOf(seen.text)['twitter:card'], 'summary')
  assert.deepEqual(Object.keys(metaOf(seen.text)), ['og:type', 'og:url', 'og:title', 'twitter:card'])
  assert.match((await follow()).text, /<form method="post">/, 'people are asked for the password')
  await setRules({ password: null, max_clicks: 1 })
  assert.equal((await follow()).status, 302, 'no program has used up the click')
  await setRules({ ends_ts: 1 })
  assert.equal((await follow(SLACK)).status, 410)
  await setRules({ starts_ts: 4_000_000_000 })
  assert.equal((await follow(SLACK)).status, 404)
  await setRules({})
  assert.match((await follow(SLACK)).text, /Only a title/, 'rules that change leave the card')
})

test('whatever a card says, it is text in one line; what is wrong is named and nothing is changed', async (t) => {
  const { footfall, at, save, follow } = await openWorld(t)
  const written = fc.record({
    title: fc.string({ unit: 'binary', minLength: 1, maxLength: 200 }),
    description: fc.option(fc.string({ unit: 'binary', maxLength: 300 })),
  })
  await fc.assert(
    fc.asyncProperty(written, async (asked) => {
      const { status, json, text } = await save({ card: asked })
      if (status === 422) return assert.deepEqual(Object.keys(json.errors), ['title'], text)
      assert.equal(status, 200, text)
      const kept = json.data.card
      assert.ok(!/[\p{Cc}]/u.test(kept.title + (kept.description ?? '')))
      const page = (await follow(SLACK)).text
      assert.equal(metaOf(page)['og:title'], kept.title)
      assert.equal(metaOf(page)['og:description'], kept.description ?? undefined)
      assert.equal(
        page.match(/</g)?.length,
        page.match(/<(?:!doctype|\/?(?:html|head|meta|title|body|h1))[ >]/g)?.length,
      )
    }),
    { numRuns: 40 },
  )
  await save({ card: { title: '<script>alert(1)</script>', description: '"><img src=x onerror=alert(1)>' } })
  const before = (await footfall.call('GET', `${at}/card`)).json.data
  assert.ok(!/<script|<img/.test((await follow(SLACK)).text))
  for (const [field, value] of [
    ['title', ' \n '],
    ['title', 'x'.repeat(201)],
    ['description', 'x'.repeat(501)],
    ['image_url', 'javascript:alert(1)'],
    ['image_url', 'data:image/png;base64,AAAA'],
    ['image_url', 'https://a.example/x\r\nset-cookie: a=b'],
    ['image_url', '//cdn.example/x.png'],
  ] as const) {
    const { status, json } = await save({ card: { ...card, [field]: value } })
    assert.equal(status, 422, `${field} ${value.slice(0, 20)}`)
    assert.deepEqual(Object.keys(json.errors), [json.errors[`card.${field}`] ? `card.${field}` : field])
  }
  for (const body of [{}, { card: 'x' }, { card: {} }, { card: { title: 7 } }])
    assert.equal((await save(body)).status, 422, JSON.stringify(body))
  assert.deepEqual((await footfall.call('GET', `${at}/card`)).json.data, before)
})

test('cards of links that are not there, or of another property, are not found', async (t) => {
  const { footfall, link } = await openWorld(t)
  const other = await footfall.addProperty()
  for (const path of [
    `/manage/properties/${other.id}/links/${link.id}/card`,
    `/manage/properties/${footfall.property.id}/links/ln_nothing/card`,
    `/manage/properties/${footfall.property.id}/links/%00/card`,
  ]) {
    assert.equal((await footfall.call('GET', path)).status, 404, path)
    assert.equal((await footfall.call('POST', path, { body: { card } })).status, 404, path)
  }
})
