// Links with a password: nobody learns where one leads without it, by whatever way they ask.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startFootfall, type Footfall } from '../../test/support/server.ts'
import {
  addGroup,
  addLink,
  clicksOf,
  type Seen,
  type TestLink,
  visit,
  type VisitOptions,
} from '../../test/support/visits.ts'
import { visitorLanguages, visitorTexts } from '../visitor-texts/visitor-texts.ts'
import { PASS_SECONDS } from './pass.ts'

const GO = 'go.example'
const SECRET_PLACE = 'https://hidden.example/place'
const PASSWORD = 'ünder the mat'

const closers: (() => Promise<void>)[] = []
const lasting = { after: (close: () => Promise<void>) => closers.push(close) }
let footfall: Footfall
let group: string

before(async () => {
  const env = { LINK_B_URL: `https://${GO}`, LOG_LEVEL: 'silent' }
  footfall = await startFootfall(lasting, { now: Date.UTC(2026, 10, 18, 6), env })
  group = await addGroup(footfall)
})
after(async () => {
  for (const close of closers) await close()
})

const at = ({ id }: TestLink) => `/manage/properties/${footfall.property.id}/links/${id}/rules`
const set = (link: TestLink, body: object) =>
  footfall.call('POST', at(link), { body: { rules: [], split: [], ...body } })

async function lockedLink(body: object = {}, rules: object = {}): Promise<TestLink> {
  const link = await addLink(footfall, { group_id: group, destination_url: SECRET_PLACE, ...body })
  const { status, text } = await set(link, { password: PASSWORD, ...rules })
  assert.equal(status, 200, text)
  return link
}

const follow = ({ code, domain }: TestLink, options: VisitOptions = {}, suffix = '') =>
  domain === 'link-a'
    ? visit(footfall.url, `/a/${code}${suffix}`, options)
    : visit(footfall.url, `/${code}${suffix}`, { host: GO, ...options })
const give = (link: TestLink, password: string, options: VisitOptions = {}, suffix = '') =>
  follow(link, { ...options, fields: { password } }, suffix)
const passOf = ({ headers }: Seen) => String(headers['set-cookie']).split(';', 1)[0]!

function assertTellsNothing(seen: Seen, what: string): void {
  assert.doesNotMatch(JSON.stringify([seen.headers, seen.text]), /hidden\.example|place/, what)
  assert.equal(seen.location, undefined, what)
}

test('whoever has no password is asked for it and learns nothing of the destination', async () => {
  const links = [await lockedLink(), await lockedLink({ domain: 'link-b', utm: { utm_source: 'place' } })]
  const ways: [VisitOptions, string?][] = [
    [{}],
    [{}, '+'],
    [{ method: 'HEAD' }],
    [{ agent: 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)' }],
    [{ headers: { cookie: 'footfall-pass=0000000000000000000000000000000' } }],
    [{ headers: { cookie: `footfall-pass=${'0'.repeat(32)}; footfall-pass` } }],
    [{ fields: { password: 'wrong' } }],
    [{ fields: { password: '' } }],
    [{ fields: { password: PASSWORD.toUpperCase() } }],
    [{ fields: { password: PASSWORD + 'x'.repeat(200) } }],
    [{ fields: { other: PASSWORD } }],
    [{ fields: { password: 'wrong' } }, '+'],
  ]
  for (const link of links) {
    for (const [options, suffix] of ways) {
      const seen = await follow(link, options, suffix)
      assert.equal(seen.status, options.fields ? 403 : 200)
      assert.equal(seen.headers['cache-control'], 'private, no-store')
      assert.equal(seen.headers['x-robots-tag'], 'noindex, nofollow')
      if (options.method !== 'HEAD') assert.match(seen.text, /<form method="post">.*type="password"/s)
      assertTellsNothing(seen, JSON.stringify([options, suffix]))
    }
    assert.deepEqual(await clicksOf(footfall, link.id), [])
  }
})

test('the password leads on at once, without cookies or scripts, and the click is recorded', async () => {
  const link = await lockedLink({ utm: { utm_source: 'poster' } })
  const seen = await give(link, PASSWORD)
  assert.deepEqual([seen.status, seen.location], [303, `${SECRET_PLACE}?utm_source=poster`])
  const [click, ...rest] = await clicksOf(footfall, link.id)
  assert.deepEqual([rest.length, click?.['is_bot']], [0, 0])
  const shown = await give(link, PASSWORD, {}, '+')
  assert.equal(shown.status, 200)
  assert.match(shown.text, /hidden\.example/, 'the page that shows where it leads')
})

test('a pass is good for its link, its password and a quarter of an hour', async () => {
  const [link, other] = [await lockedLink({ domain: 'link-b' }), await lockedLink({ domain: 'link-b' })]
  const given = await give(link, PASSWORD)
  assert.match(
    String(given.headers['set-cookie']),
    new RegExp(`^footfall-pass=\\w{32}; Path=/${link.code}; Max-Age=${PASS_SECONDS}; HttpOnly; SameSite=Lax; Secure$`),
  )
  const headers = { cookie: passOf(given) }
  assert.equal((await follow(link, { headers })).location, SECRET_PLACE)
  assert.equal((await follow(link, { headers: { cookie: `a=b; ${headers.cookie}; c` } })).status, 302)
  assertTellsNothing(await follow(other, { headers }), 'another link')
  footfall.clock.advance((PASS_SECONDS + 1) * 1000)
  assertTellsNothing(await follow(link, { headers }), 'too late')
  const again = { cookie: passOf(await give(link, PASSWORD)) }
  assert.equal((await follow(link, { headers: again })).status, 302)
  await set(link, { password: 'another one' })
  assertTellsNothing(await follow(link, { headers: again }), 'another password')
  assertTellsNothing(await give(link, PASSWORD), 'the old password')
  await set(link, { max_clicks: null })
  assert.equal((await give(link, 'another one')).status, 303, 'a change that says nothing of it leaves it')
  await set(link, { password: null })
  assert.equal((await follow(link)).location, SECRET_PLACE)
})

test('guessing ends after twenty wrong tries from one address, and others are not shut out', async () => {
  const link = await lockedLink()
  const address = '198.51.100.20'
  for (let n = 0; n < 20; n++) assert.equal((await give(link, `guess ${n}`, { address })).status, 403)
  for (const password of ['guess', PASSWORD]) {
    const seen = await give(link, password, { address })
    assert.equal(seen.status, 429)
    assert.ok(Number(seen.headers['retry-after']) > 0)
    assertTellsNothing(seen, password)
  }
  assert.equal((await give(link, PASSWORD, { address: '198.51.100.21' })).status, 303)
  footfall.clock.advance(15 * 60_000)
  assert.equal((await give(link, PASSWORD, { address })).status, 303)
})

test('dates, rules and the limit hold behind the password as before it', async () => {
  const nowTs = Math.floor(footfall.clock.now() / 1000)
  assert.equal((await follow(await lockedLink({}, { starts_ts: nowTs + 100 }))).status, 404)
  assert.equal((await give(await lockedLink({}, { ends_ts: nowTs - 1 }), PASSWORD)).status, 410)
  const to = `${SECRET_PLACE}/de`
  const ruled = await lockedLink({}, { rules: [{ when: { language: ['de'] }, destination_url: to }], max_clicks: 1 })
  const german = { headers: { 'accept-language': 'de' } }
  assert.equal((await follow(ruled, german)).status, 200, 'asking takes no click')
  assert.equal((await give(ruled, PASSWORD, german)).location, to)
  assert.equal((await give(ruled, PASSWORD)).status, 410)
})

test('the owner sees that there is a password, and nobody ever the password or its hash', async () => {
  const link = await lockedLink()
  const answers = [
    await footfall.call('GET', at(link)),
    await footfall.call('GET', `/v2/property/links/${link.id}`),
    await footfall.call('GET', `/manage/properties/${footfall.property.id}/links/export`),
    await set(link, { password: PASSWORD }),
  ]
  for (const { text } of answers) assert.doesNotMatch(text, /\bmat\b|argon2/)
  assert.equal(answers[0]!.json.data.rules.has_password, true)
  const rule = { when: { os: ['iOS'] }, destination_url: 'https://example.com/ios' }
  await set(link, { rules: [rule], max_clicks: 7, ends_ts: 1_900_000_000 })
  const file = (await footfall.call('GET', `/manage/properties/${footfall.property.id}/links/export`)).text
  const line = file.split('\r\n').find((row) => row.includes(link.id)) ?? ''
  assert.match(line, /,1900000000,7,0,,true,.*example\.com\/ios.*iOS/, 'a file says what is set, but for the password')
  assert.doesNotMatch(file, /\bmat\b|argon2/)
  for (const password of ['abc', '', 'x'.repeat(129), 5]) {
    const { status, json } = await set(link, { password })
    assert.equal(status, 422, String(password))
    assert.ok('password' in json.errors)
  }
})

test('the page is in the language of the browser', async () => {
  const link = await lockedLink()
  for (const language of visitorLanguages) {
    const { text } = await follow(link, { headers: { 'accept-language': language } })
    assert.ok(text.includes(`<html lang="${language}"`))
    assert.ok(text.includes(visitorTexts(language).link.password.label))
  }
})

test('a form for any other link finds nothing, and a large one is refused', async () => {
  const [open, locked] = [
    await addLink(footfall, { group_id: group, domain: 'link-b' }),
    await lockedLink({ domain: 'link-b' }),
  ]
  assert.equal((await give(open, PASSWORD)).status, 404)
  assert.equal((await visit(footfall.url, '/none', { host: GO, fields: { password: PASSWORD } })).status, 404)
  const large = await give(locked, 'x'.repeat(5_000))
  assert.equal(large.status, 413)
  assertTellsNothing(large, 'large')
})
