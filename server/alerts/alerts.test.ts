// Alerts with real stores and a mail server behind them: what a property is watched for is told once, to
// those whom an admin named, and twice a day at most.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { addPerson } from '../../test/support/accounts.ts'
import { openMailServer } from '../../test/support/mail-server.ts'
import { startFootfall, type Footfall } from '../../test/support/server.ts'
import { untilEqual } from '../../test/support/until.ts'
import { dayOf, dayText } from '../kernel/days.ts'
import { instantOf, wallOf } from '../kernel/zones.ts'
import { openMailing } from '../mail/mailing.ts'
import { openWatch } from './alerts.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const WEEK_MS = 7 * 24 * HOUR_MS
const ZONE = 'Europe/Berlin'
/** In Berlin the hour from 11:00 to 12:00 is over. */
const NOW = Date.parse('2026-11-24T11:05:00Z')
const LAST = Date.parse('2026-11-24T10:00:00Z')

const closers: (() => Promise<void>)[] = []
const ending = { after: (close: () => Promise<void>) => closers.push(close) }
after(async () => {
  for (const close of closers.toReversed()) await close()
})
const mails = await openMailServer(ending)

async function openWorld() {
  const env = { SMTP_URL: mails.url(), MAIL_FROM: 'Footfall <footfall@example.com>' }
  const footfall = await startFootfall(ending, { env, now: NOW - 2 * HOUR_MS })
  const mailing = openMailing(footfall.context, { pollMs: 20 })
  ending.after(() => mailing.close())
  const watch = openWatch(footfall.context)
  footfall.clock.set(NOW)
  mails.received.length = 0
  const waiting = async () =>
    (await footfall.context.records.selectFrom('mails').select('id').where('state', '=', 'pending').execute()).length
  const told = async (run = watch): Promise<string[]> => {
    await run()
    await untilEqual(waiting, 0)
    return mails.received.splice(0).map(({ to, headers }) => `${to.join()}: ${headers.get('subject')}`)
  }
  const addWatched = async (body: object, recipients = ['boss@example.com']) => {
    const property = await footfall.addProperty({ name: 'Shop', timezone: ZONE })
    const at = `/manage/properties/${property.id}/alerts`
    const { status, text } = await footfall.call('POST', at, { body: { recipients, ...body } })
    assert.equal(status, 200, text)
    return { ...property, at }
  }
  return { footfall, watch, told, addWatched }
}

let session = 0
/** As many sessions, spread over the hour. */
async function visits({ context }: Footfall, property: string, fromMs: number, count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, index) => {
    const at = fromMs + Math.floor((index / count) * HOUR_MS)
    const row = { property, day: dayText(dayOf(at)), session: String(++session), view: 1, at, seen: at, path: '/' }
    return { ...row, url: 'https://example.com/', hostname: 'example.com' }
  })
  await context.facts.appendAll('views', rows)
}

/**
 * The same hour of the last eight weeks, about a hundred sessions each: in the first four of them the clocks
 * of Berlin were set an hour later.
 */
async function usualWeeks(footfall: Footfall, property: string, weeks = 8): Promise<void> {
  for (let week = 1; week <= weeks; week++)
    await visits(footfall, property, instantOf(ZONE, wallOf(ZONE, LAST) - week * WEEK_MS), 95 + week)
}

test('an hour with far fewer or far more sessions than usual is told, once, whichever process looks', async () => {
  const { footfall, watch, told, addWatched } = await openWorld()
  const quiet = await addWatched({ has_sessions: true }, ['boss@example.com', 'other@example.com'])
  const usual = await addWatched({ has_sessions: true })
  const unwatched = await addWatched({ has_conversions: true })
  for (const { id } of [quiet, usual, unwatched]) await usualWeeks(footfall, id)
  await visits(footfall, quiet.id, LAST, 12)
  await visits(footfall, usual.id, LAST, 120)
  await visits(footfall, unwatched.id, LAST, 900)
  const others = [openWatch(footfall.context), openWatch(footfall.context)]
  footfall.clock.set(NOW)
  assert.deepEqual((await told(() => Promise.all([watch(), ...others.map((run) => run())]).then(() => 0))).toSorted(), [
    'boss@example.com: Shop: Sessions far below usual',
    'other@example.com: Shop: Sessions far below usual',
  ])
  assert.deepEqual(await told(), [])

  const flooded = await addWatched({ has_sessions: true })
  await usualWeeks(footfall, flooded.id)
  await visits(footfall, flooded.id, LAST, 400)
  await watch()
  const { text, html, headers } = await mails.find('boss@example.com', /above usual/)
  assert.match(text, /24 Nov(?:ember)? 2026[^]*11:00[^]*Europe\/Berlin/)
  assert.match(text, /400 \(usually 100\)/)
  assert.match(html, /Open the overview/)
  assert.match(headers.get('list-unsubscribe') ?? '', /\/unsubscribe\/sn_/)
  await told()
})

test('nothing is told of few weeks, of hours in which the service was away, and without email or readers', async () => {
  const { footfall, told, addWatched } = await openWorld()
  const fresh = await addWatched({ has_sessions: true })
  await usualWeeks(footfall, fresh.id, 3)
  await visits(footfall, fresh.id, LAST, 300)
  assert.deepEqual(await told(), [])
  const alone = await addWatched({ has_sessions: true }, [])
  await usualWeeks(footfall, alone.id)
  assert.deepEqual(await told(), [])
  const away = await addWatched({ has_sessions: true })
  await usualWeeks(footfall, away.id)
  footfall.clock.set(LAST + MINUTE_MS)
  const late = openWatch(footfall.context)
  footfall.clock.set(NOW)
  assert.deepEqual(await told(late), [])
})

test('conversions are watched by themselves, over all goals of the property', async () => {
  const { footfall, told, addWatched } = await openWorld()
  const property = await addWatched({ has_conversions: true })
  const made = await footfall.call('POST', `/manage/properties/${property.id}/conversions`, {
    body: { name: 'Home', event_type: 'page_view', event_value: '/' },
  })
  assert.equal(made.status, 200, made.text)
  await usualWeeks(footfall, property.id)
  await visits(footfall, property.id, LAST, 10)
  assert.deepEqual(await told(), ['boss@example.com: Shop: Conversions far below usual'])
})

test('more visitors at once than wanted are told when they come, not for as long as they stay', async () => {
  const { footfall, told, addWatched } = await openWorld()
  const property = await addWatched({ live_visitors: 5 })
  const load = async (count: number) => {
    for (let n = 0; n < count; n++)
      await footfall.track.load({ key: property.key, address: `198.51.100.${n}`, page: 'https://example.com/' })
  }
  await load(5)
  assert.deepEqual(await told(), [])
  await load(6)
  assert.deepEqual(await told(), ['boss@example.com: Shop: 6 visitors right now'])
  footfall.clock.advance(2 * MINUTE_MS)
  assert.deepEqual(await told(), [])
  footfall.clock.advance(2 * HOUR_MS)
  await load(8)
  assert.deepEqual(await told(), ['boss@example.com: Shop: 8 visitors right now'])
  footfall.clock.advance(2 * HOUR_MS)
  await load(9)
  assert.deepEqual(await told(), [], 'two a day are enough')
  footfall.clock.advance(24 * HOUR_MS)
  await load(9)
  assert.deepEqual(await told(), ['boss@example.com: Shop: 9 visitors right now'])
})

test('alerts are set by admins, and what is wrong is named', async () => {
  const { footfall, addWatched } = await openWorld()
  const { id, at } = await addWatched({ live_visitors: 100, has_sessions: true }, ['b@example.com', 'a@example.com'])
  const read = async () => (await footfall.call('GET', at)).json.data
  const before = await read()
  assert.deepEqual(
    [before.live_visitors, before.has_sessions, before.has_conversions, before.missing],
    [100, true, false, []],
  )
  assert.deepEqual(
    before.recipients.map(({ email }: { email: string }) => email),
    ['b@example.com', 'a@example.com'],
  )
  for (const [field, value] of [
    ['live_visitors', 0],
    ['live_visitors', 1.5],
    ['live_visitors', 1_000_001],
    ['has_sessions', 'yes'],
    ['recipients.0', ['nobody']],
    ['recipients.0', ['a@example.com\r\nBcc: b@example.com']],
    ['recipients', Array.from({ length: 10_000 }, (_, n) => `n${n}@example.com`)],
  ] as const) {
    const { status, json } = await footfall.call('POST', at, { body: { [field.split('.')[0]!]: value } })
    assert.deepEqual([status, Object.keys(json.errors)], [422, [field]], field)
  }
  assert.deepEqual(await read(), before)
  const off = await footfall.call('POST', at, { body: { live_visitors: null } })
  assert.deepEqual([off.json.data.live_visitors, off.json.data.has_sessions], [null, true], 'what is left out stays')
  const viewer = await addPerson(footfall, { email: 'viewer@example.com', roles: { [id]: 'viewer' } })
  assert.equal((await viewer.call('GET', at)).status, 403)
})
