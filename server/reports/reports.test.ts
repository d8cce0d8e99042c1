// Reports through the front door, with a mail server behind it: who gets which, when, and how often.
import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { addPerson } from '../../test/support/accounts.ts'
import { openMailServer } from '../../test/support/mail-server.ts'
import { startFootfall, type TestProperty } from '../../test/support/server.ts'
import { untilEqual } from '../../test/support/until.ts'
import { openMailing } from '../mail/mailing.ts'
import { sendReports } from './sending.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const closers: (() => Promise<void>)[] = []
const ending = { after: (close: () => Promise<void>) => closers.push(close) }
after(async () => {
  for (const close of closers.toReversed()) await close()
})

const mails = await openMailServer(ending)
const env = { SMTP_URL: mails.url(), MAIL_FROM: 'Footfall <footfall@example.com>' }
// A Wednesday.
const footfall = await startFootfall(ending, { env, now: Date.UTC(2026, 8, 2, 12) })
const mailing = openMailing(footfall.context, { pollMs: 20 })
ending.after(() => mailing.close())
const { clock, context } = footfall

beforeEach(() => {
  mails.received.length = 0
})

const call = (method: string, { id }: TestProperty, rest: string, options: object = {}) =>
  footfall.call(method, `/manage/properties/${id}/reports${rest}`, options)
const waiting = async () =>
  (await context.records.selectFrom('mails').select('id').where('state', '=', 'pending').execute()).length
async function sent(): Promise<string[]> {
  await sendReports(context)
  await untilEqual(waiting, 0)
  return mails.received
    .splice(0)
    .map(({ to }) => to.join())
    .toSorted((a, b) => (a < b ? -1 : 1))
}
const advanceTo = (ms: number) => clock.advance(ms - clock.now())

let visitors = 0
async function view({ key }: TestProperty, count: number, source = 'google.com'): Promise<void> {
  for (let n = 0; n < count; n++) {
    const address = `198.51.100.${++visitors % 250}`
    const { json } = await footfall.track.load({
      key,
      page: 'https://example.com/pricing',
      referrer: `https://${source}/`,
      address,
    })
    assert.equal(json.success, true)
  }
}

describe('a weekly report', () => {
  test('is sent at seven on Monday by the clock of the property, once to each reader, with what mattered', async () => {
    const property = await footfall.addProperty({ name: 'Shop <b>', timezone: 'America/New_York' })
    await view(property, 10)
    clock.advance(7 * DAY_MS)
    await view(property, 40)
    await call('POST', property, '', { body: { weekly: ['one@example.com', 'two@example.com'] } })
    const monday = Date.UTC(2026, 8, 14, 11)
    assert.equal((await call('GET', property, '')).json.data.weekly.next_ts, monday / 1000)
    advanceTo(monday - 1_000)
    assert.deepEqual(await sent(), [])
    advanceTo(monday)
    await Promise.all([sendReports(context), sendReports(context)])
    const { text, html, headers } = await mails.find('one@example.com')
    assert.match(text, /Sessions rose by 300% to 40; Google brought the most, 30 more than the week before\./)
    assert.match(text, /Sessions {2}40 {2}\+300%/)
    assert.match(text, /Google {2}40/)
    assert.match(text, /\/pricing {2}40/)
    assert.match(html, /Shop &lt;b&gt;, 7 – 13 Sept? 2026/)
    assert.match(headers.get('list-unsubscribe') ?? '', /unsubscribe/)
    assert.deepEqual(await sent(), ['one@example.com', 'two@example.com'])
    clock.advance(HOUR_MS)
    assert.deepEqual(await sent(), [])
    const [link = ''] = /\/unsubscribe\/\w+/.exec(text) ?? []
    assert.equal((await fetch(footfall.url + link, { method: 'POST' })).status, 200)
    clock.advance(7 * DAY_MS)
    assert.deepEqual(await sent(), ['two@example.com'])
  })

  test('is not sent more than a day late, nor when there was nothing in two weeks', async () => {
    const late = await footfall.addProperty({ name: 'Late' })
    await view(late, 3)
    await call('POST', late, '', { body: { weekly: ['late@example.com'] } })
    const monday = Date.UTC(2026, 8, 28, 7)
    advanceTo(monday + DAY_MS)
    assert.equal((await sent()).includes('late@example.com'), false)
    const empty = await footfall.addProperty({ name: 'Empty' })
    await call('POST', empty, '', { body: { weekly: ['empty@example.com'], monthly: ['empty@example.com'] } })
    advanceTo(Date.UTC(2026, 9, 12, 8))
    assert.equal((await sent()).includes('empty@example.com'), false)
  })
})

test('a monthly report is about the month with its goals, on its first morning', async () => {
  const property = await footfall.addProperty({ name: 'Month' })
  for (const [name, event_value] of [
    ['Saw prices', '/pricing'],
    ['Never met', '/nowhere'],
  ])
    await footfall.call('POST', `/manage/properties/${property.id}/conversions`, {
      body: { name, event_type: 'page_view', event_value },
    })
  advanceTo(Date.UTC(2026, 9, 13, 12))
  await view(property, 3, 'news.example')
  await call('POST', property, '', { body: { monthly: ['month@example.com'] } })
  advanceTo(Date.UTC(2026, 10, 1, 6, 59))
  assert.deepEqual(await sent(), [])
  advanceTo(Date.UTC(2026, 10, 1, 7))
  await sendReports(context)
  const { text } = await mails.find('month@example.com')
  assert.match(text, /Goals\n-----\n\nSaw prices {2}3\n/)
  assert.doesNotMatch(text, /Never met/)
  assert.deepEqual(await sent(), ['month@example.com'])
})

test('an admin sees it before it is sent, and sends it to themselves alone', async () => {
  const property = await footfall.addProperty({ name: 'Own' })
  const admin = await addPerson(footfall, { email: 'admin@example.com', roles: { [property.id]: 'admin' } })
  await view(property, 2)
  clock.advance(7 * DAY_MS)
  const { subject, html, text } = (await call('GET', property, '/weekly/preview')).json.data
  assert.match(subject, /^Own: your week/)
  assert.match(html, /There were 2 sessions; the week before had none/)
  assert.match(text, /Top sources/)
  const as = { token: null, headers: { cookie: admin.cookie, 'sec-fetch-site': 'same-origin' } }
  for (let n = 0; n < 2; n++) assert.equal((await call('POST', property, '/weekly/send', as)).status, 200)
  await mails.find('admin@example.com')
  await untilEqual(waiting, 0)
  assert.equal(mails.received.length, 1)
  assert.equal((await call('POST', property, '/weekly/send')).status, 422)
  assert.equal((await call('GET', property, '/daily/preview')).status, 404)
  const many = Array.from({ length: 10_000 }, (_, n) => `n${n}@example.com`)
  for (const weekly of [many, ['nobody'], 'a@example.com'])
    assert.equal((await call('POST', property, '', { body: { weekly } })).status, 422)
})
