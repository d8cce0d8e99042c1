// What owners are told of by themselves, with a mail server behind it: whom it reaches, and that each thing
// is told once.
import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { addPerson } from '../../test/support/accounts.ts'
import { openMailServer } from '../../test/support/mail-server.ts'
import { startFootfall, type TestProperty } from '../../test/support/server.ts'
import { untilEqual } from '../../test/support/until.ts'
import { openMailing } from '../mail/mailing.ts'
import { openNotices } from './notices.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const WEEK_MS = 7 * 24 * HOUR_MS
const closers: (() => Promise<void>)[] = []
const ending = { after: (close: () => Promise<void>) => closers.push(close) }
after(async () => {
  for (const close of closers.toReversed()) await close()
})

const mails = await openMailServer(ending)
const env = { SMTP_URL: mails.url(), MAIL_FROM: 'Footfall <footfall@example.com>' }
const footfall = await startFootfall(ending, { env, now: Date.UTC(2026, 9, 5, 12) })
const mailing = openMailing(footfall.context, { pollMs: 20 })
ending.after(() => mailing.close())
const { clock, context } = footfall

beforeEach(() => {
  mails.received.length = 0
  // Nothing of one test is within weeks of the next one.
  clock.advance(10 * WEEK_MS)
})

const notify = openNotices(context)
const waiting = async () =>
  (await context.records.selectFrom('mails').select('id').where('state', '=', 'pending').execute()).length
async function told(run = notify): Promise<string[]> {
  await run()
  await untilEqual(waiting, 0)
  return mails.received.splice(0).map(({ to, headers }) => `${to.join()}: ${headers.get('subject')}`)
}

let visitors = 0
async function view({ key }: TestProperty, count = 1): Promise<void> {
  for (let n = 0; n < count; n++) {
    const address = `198.51.${Math.floor(++visitors / 250) % 250}.${visitors % 250}`
    const { json } = await footfall.track.load({ key, page: 'https://example.com/', address })
    assert.equal(json.success, true)
  }
}

/**
 * A property with an owner, and with visits at half past twelve and half past one, a week and two weeks ago.
 */
async function addLively(owner: string, each = 30): Promise<TestProperty> {
  const property = await footfall.addProperty({ name: 'Shop' })
  await addPerson(footfall, { email: owner, roles: { [property.id]: 'owner' } })
  for (let week = 0; week < 2; week++) {
    clock.advance(30 * MINUTE_MS)
    await view(property, each)
    clock.advance(HOUR_MS)
    await view(property, each)
    clock.advance(WEEK_MS - 90 * MINUTE_MS)
  }
  return property
}

describe('tracking that stops', () => {
  test('is told to the owners, once, and again only when visits had come back', async () => {
    const property = await addLively('owner@example.com')
    await addPerson(footfall, { email: 'viewer@example.com', roles: { [property.id]: 'viewer' } })
    await view(property)
    clock.advance(50 * MINUTE_MS)
    assert.deepEqual(await told(), [])
    clock.advance(20 * MINUTE_MS)
    await notify()
    const { text, html } = await mails.find('owner@example.com')
    assert.match(text, /No page views have arrived from Shop since/)
    assert.match(html, /Same hours, one week earlier/)
    assert.deepEqual(await told(), ['owner@example.com: Tracking may have stopped: Shop'])
    clock.advance(11 * MINUTE_MS)
    assert.deepEqual(await told(), [])
    await view(property)
    clock.advance(70 * MINUTE_MS)
    assert.deepEqual(await told(), ['owner@example.com: Tracking may have stopped: Shop'])
  })

  test('is not what a night, a quiet site or a week without visits looks like', async () => {
    const property = await addLively('quiet@example.com', 29)
    await view(property)
    clock.advance(70 * MINUTE_MS)
    assert.deepEqual(await told(), [])
    // Until the second half hour is over, too.
    clock.advance(30 * MINUTE_MS)
    assert.deepEqual(await told(), ['quiet@example.com: Tracking may have stopped: Shop'])
  })

  test('is not told of hours in which the service itself was away', async () => {
    const property = await addLively('restarted@example.com')
    await view(property)
    clock.advance(40 * MINUTE_MS)
    const early = openNotices(context)
    clock.advance(HOUR_MS)
    const late = openNotices(context)
    clock.advance(61 * MINUTE_MS)
    assert.deepEqual(await told(late), [])
    assert.deepEqual(await told(early), ['restarted@example.com: Tracking may have stopped: Shop'])
  })

  test('is told once by several processes, and not to who has unsubscribed', async () => {
    const property = await addLively('one@example.com')
    await addPerson(footfall, { email: 'two@example.com', roles: { [property.id]: 'owner' } })
    await view(property)
    const others = [openNotices(context), openNotices(context)]
    clock.advance(90 * MINUTE_MS)
    await Promise.all(others.map((run) => run()))
    const both = ['one@example.com', 'two@example.com'].map((to) => `${to}: Tracking may have stopped: Shop`)
    const { headers } = await mails.find('two@example.com')
    assert.deepEqual((await told()).toSorted(), both)
    const [link = ''] = /\/unsubscribe\/\w+/.exec(headers.get('list-unsubscribe') ?? '') ?? []
    assert.equal((await fetch(footfall.url + link, { method: 'POST' })).status, 200)
    await view(property)
    clock.advance(WEEK_MS - 90 * MINUTE_MS)
    await view(property, 1)
    clock.advance(90 * MINUTE_MS)
    for (const to of (await told()).map((line) => line.split(':')[0])) assert.notEqual(to, 'two@example.com')
  })
})

describe('an automation that was switched off', () => {
  async function addDisabled(property: TestProperty, name: string): Promise<void> {
    const body = {
      name,
      trigger: { event_type: 'event', event_value: null },
      actions: [{ type: 'webhook', url: 'https://example.com/hook' }],
    }
    const { status, json, text } = await footfall.call('POST', `/manage/properties/${property.id}/automations`, {
      body,
    })
    assert.equal(status, 200, text)
    await context.records
      .updateTable('automations')
      .set({
        is_active: 0,
        disabled_reason: '10 deliveries in a row failed.',
        disabled_ts: Math.floor(clock.now() / 1000),
      })
      .where('id', '=', json.data.automation.id)
      .execute()
  }

  test('is told to the owners within a day, once for each time', async () => {
    const property = await footfall.addProperty({ name: 'Shop' })
    await addPerson(footfall, { email: 'owner2@example.com', roles: { [property.id]: 'owner' } })
    await addPerson(footfall, { email: 'admin2@example.com', roles: { [property.id]: 'admin' } })
    await addDisabled(property, 'CRM <b>')
    assert.deepEqual(await told(), ['owner2@example.com: Automation turned off: CRM <b>'])
    assert.deepEqual(await told(), [])
    await addDisabled(property, 'Old')
    clock.advance(25 * HOUR_MS)
    assert.deepEqual(await told(), [])
  })

  test('of a property without owners is told to those of the installation', async () => {
    await addPerson(footfall, { email: 'chief@example.com', isOwner: true })
    const property = await footfall.addProperty({ name: 'Shop' })
    await addDisabled(property, 'Alone')
    assert.deepEqual(await told(), ['chief@example.com: Automation turned off: Alone'])
  })
})
