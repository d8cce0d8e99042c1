// Links that expire after a number of clicks: never more people than the owner said, whoever asks and however
// many processes answer.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { pino } from 'pino'
import { openLinks } from '../../test/support/link-nodes.ts'
import { openHomes, testOnEach } from '../../test/support/records.ts'
import { startFootfall, type Footfall } from '../../test/support/server.ts'
import { addGroup, addLink, clicksOf, type TestLink, visit, type VisitOptions } from '../../test/support/visits.ts'
import { createLink } from '../links/links.ts'
import { noRules } from '../links/rules-model.ts'
import type { Records } from '../stores/records.ts'
import { openClickLimit } from './click-limit.ts'

const { homes } = await openHomes()
const log = pino({ level: 'silent' })

testOnEach(homes, 'of many who come at once to several nodes, exactly as many get through as may', async (t, home) => {
  const { node, propertyId, groupId, another } = await openLinks(t, home)
  const draft = { group_id: groupId, destination_url: 'https://example.com/', domain: 'link-a' } as const
  const [link, other] = [await createLink(node, propertyId, draft), await createLink(node, propertyId, draft)]
  const limits = [node, await another()].map(({ records }) => openClickLimit({ records, log }))
  const ask = (linkId: string) => ({ linkId, rules: { ...noRules, max_clicks: 25 } })
  const come = (index: number) => limits[index % 2]!.admits(ask(link.id), index % 5 !== 0)
  const admitted = await Promise.all(Array.from({ length: 100 }, (_, index) => come(index)))
  assert.equal(admitted.filter((isFree, index) => isFree && index % 5 !== 0).length, 25)
  for (const limit of limits) {
    assert.equal(await limit.admits(ask(link.id), true), false)
    assert.equal(await limit.admits(ask(link.id), false), false)
    assert.equal(await limit.admits(ask(other.id), true), true, 'another link has clicks of its own')
  }
})

testOnEach(homes, 'a link without a use left is not asked for again', async (t, home) => {
  const { node, propertyId, groupId } = await openLinks(t, home)
  const draft = { group_id: groupId, destination_url: 'https://example.com/', domain: 'link-a' } as const
  const { id } = await createLink(node, propertyId, draft)
  let statements = 0
  const records = new Proxy(node.records, {
    get(target, name: keyof Records) {
      if (name === 'updateTable' || name === 'selectFrom') statements++
      const value: unknown = target[name]
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  const limit = openClickLimit({ records, log })
  const link = { linkId: id, rules: { ...noRules, max_clicks: 1 } }
  const seen = []
  for (let n = 0; n < 10; n++) seen.push(await limit.admits(link, true))
  assert.deepEqual([seen.filter(Boolean).length, statements], [1, 2])
})

test('while the records are away everybody is led on', async () => {
  const records = new Proxy({} as Records, {
    get() {
      throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' })
    },
  })
  const limit = openClickLimit({ records, log })
  const link = { linkId: 'ln_1', rules: { ...noRules, max_clicks: 1 } }
  for (let n = 0; n < 3; n++) assert.equal(await limit.admits(link, n > 0), true)
})

// ---------------------------------------------------------------- through the front door

const closers: (() => Promise<void>)[] = []
const lasting = { after: (close: () => Promise<void>) => closers.push(close) }
const OWN = '198.51.100.9'
let footfall: Footfall
let group: string

before(async () => {
  footfall = await startFootfall(lasting, { now: Date.UTC(2026, 10, 18, 6), env: { LOG_LEVEL: 'silent' } })
  group = await addGroup(footfall)
  const { status } = await footfall.call('POST', `/manage/properties/${footfall.property.id}`, {
    body: { excluded_addresses: [OWN] },
  })
  assert.equal(status, 200)
})
after(async () => {
  for (const close of closers) await close()
})

const at = ({ id }: TestLink) => `/manage/properties/${footfall.property.id}/links/${id}/rules`
const none = { rules: [], split: [] }
const set = (link: TestLink, body: object) => footfall.call('POST', at(link), { body: { ...none, ...body } })
const used = async (link: TestLink) => {
  const { max_clicks, used_clicks } = (await footfall.call('GET', at(link))).json.data.rules
  return [max_clicks, used_clicks]
}
const follow = (link: TestLink, options: VisitOptions = {}, suffix = '') =>
  visit(footfall.url, `/a/${link.code}${suffix}`, options)

test('a limited link leads so many people on, and then expires; bots, previews and the owner take nothing', async () => {
  const link = await addLink(footfall, { group_id: group })
  await set(link, { max_clicks: 3 })
  const takesNothing: [VisitOptions, string?][] = [
    [{ method: 'HEAD' }],
    [{ headers: { 'sec-purpose': 'prefetch' } }],
    [{ agent: 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)' }],
    [{ agent: 'Googlebot/2.1 (+http://www.google.com/bot.html)' }],
    [{ address: OWN }],
    [{}, '+'],
  ]
  for (const [options, suffix] of takesNothing) assert.ok((await follow(link, options, suffix)).status <= 302)
  assert.deepEqual(await used(link), [3, 0])
  const seen = await Promise.all(Array.from({ length: 8 }, (_, n) => follow(link, { address: `203.0.113.${n}` })))
  assert.equal(seen.filter(({ status }) => status === 302).length, 3)
  assert.equal(seen.filter(({ status }) => status === 410).length, 5)
  assert.match(seen.find(({ status }) => status === 410)!.text, /This link has expired/)
  for (const [options, suffix] of takesNothing) assert.equal((await follow(link, options, suffix)).status, 410)
  assert.equal((await clicksOf(footfall, link.id)).filter(({ is_bot }) => is_bot === 0).length, 3)
  assert.deepEqual(await used(link), [3, 3])
  const tried = async (rules?: object) => {
    const at = `/manage/properties/${footfall.property.id}/links/${link.id}/rules/try`
    const { json } = await footfall.call('POST', at, { body: { visitor: {}, ...(rules && { rules }) } })
    return json.data.outcome
  }
  assert.deepEqual(
    [await tried(), await tried({ max_clicks: 4, rules: [], split: [] })],
    ['expired', 'redirect'],
    'a try knows what is used up',
  )
})

test('more clicks are given, another place is led to, and a limit that is taken away begins anew', async () => {
  const link = await addLink(footfall, { group_id: group })
  await set(link, { max_clicks: 1, expired_url: 'https://example.com/late' })
  assert.equal((await follow(link)).location, 'https://example.com/')
  assert.equal((await follow(link)).location, 'https://example.com/late')
  await set(link, { max_clicks: 2, expired_url: 'https://example.com/late' })
  assert.equal((await follow(link)).location, 'https://example.com/', 'one more')
  assert.equal((await follow(link)).location, 'https://example.com/late')
  await set(link, {})
  assert.deepEqual(await used(link), [null, 0])
  assert.equal((await follow(link)).location, 'https://example.com/')
  await set(link, { max_clicks: 1 })
  assert.deepEqual(await used(link), [1, 0])
  assert.equal((await follow(link)).location, 'https://example.com/')
  assert.equal((await follow(link)).status, 410)
})

test('a limit that is no number of clicks is refused and named', async () => {
  const link = await addLink(footfall, { group_id: group })
  for (const max_clicks of [0, -1, 1.5, 2_000_000_000, '5', true]) {
    const { status, json } = await set(link, { max_clicks })
    assert.equal(status, 422, String(max_clicks))
    assert.ok('max_clicks' in json.errors)
  }
  assert.equal((await follow(link)).status, 302)
})
