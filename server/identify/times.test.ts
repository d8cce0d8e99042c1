// When a contact was seen, and how often: the figures of docs/definitions.md, "Contacts", through the front
// door.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { contactCalls, type ContactCalls } from '../../test/support/contact-calls.ts'
import { startFootfall, type Footfall } from '../../test/support/server.ts'

const closers: (() => Promise<void>)[] = []
let footfall: Footfall
let calls: ContactCalls

before(async () => {
  footfall = await startFootfall({ after: (close) => closers.push(close) }, { now: Date.UTC(2026, 10, 18, 9) })
  calls = contactCalls(footfall)
})

after(async () => {
  for (const close of closers) await close()
})

const nowTs = (): number => Math.floor(footfall.clock.now() / 1000)

interface Times {
  readonly first_seen_ts: number
  readonly identified_ts: number
  readonly last_seen_ts: number
  readonly session_count: number
}

async function timesOf(id: string): Promise<Times> {
  const { first_seen_ts, identified_ts, last_seen_ts, session_count } = (await calls.get(id)).json.data.contact
  return { first_seen_ts, identified_ts, last_seen_ts, session_count }
}

async function documentOf(session: string): Promise<{ contact_id?: string; last_ts: number; re_entry_count: number }> {
  const { json } = await footfall.call('POST', '/v2/property/signals/sessions', {
    body: { period: 'last_7', limit: 100 },
  })
  return json.data.find(({ id }: { id: string }) => id === session)
}

test('first seen is the first visit, identified the first identification, last seen the last activity of any kind', async () => {
  const [who, email] = [calls.visitor(), calls.address()]
  const entry = nowTs()
  const { session_id, view_id } = (await footfall.track.load(who)).json
  footfall.clock.advance(120_000)
  const identified = nowTs()
  const { id } = await calls.newContact({ email, session_id })
  const known = { first_seen_ts: entry, identified_ts: identified, session_count: 1 }
  assert.deepEqual(await timesOf(id), { ...known, last_seen_ts: identified })

  footfall.clock.advance(60_000)
  await footfall.track.ping(view_id, { ...who, tos: 30 })
  assert.deepEqual(await timesOf(id), { ...known, last_seen_ts: nowTs() }, 'activity of a linked session')
  const [listed] = (await calls.list({ search: email })).json.data.data
  assert.equal(listed.last_seen_ts, nowTs(), 'in the list too')

  footfall.clock.advance(60_000)
  await calls.identify({ email })
  assert.deepEqual(await timesOf(id), { ...known, last_seen_ts: nowTs() }, 'an identification without a session')
})

test('a session of yesterday that is linked today makes first seen earlier; each session counts once', async () => {
  const email = calls.address()
  const [yesterday, entry] = [await calls.newSession(), nowTs()]
  footfall.clock.advance(86_400_000)
  const { id } = await calls.newContact({ email })
  const made = nowTs()
  assert.deepEqual(await timesOf(id), {
    first_seen_ts: made,
    identified_ts: made,
    last_seen_ts: made,
    session_count: 0,
  })
  for (let time = 0; time < 2; time++) await calls.identify({ email, session_id: yesterday })
  await calls.identify({ email, session_id: await calls.newSession() })
  assert.deepEqual(await timesOf(id), {
    first_seen_ts: entry,
    identified_ts: made,
    last_seen_ts: made,
    session_count: 2,
  })
})

test('an address means the contact whose visitor was active last, not the one identified last', async () => {
  const email = calls.address()
  const [ann, bob] = [calls.visitor(), calls.visitor()]
  const visits = [(await footfall.track.load(ann)).json, (await footfall.track.load(bob)).json]
  const ids: string[] = []
  for (const [at, { session_id }] of visits.entries()) {
    footfall.clock.advance(60_000)
    ids.push((await calls.newContact({ external_id: `${email}-${at}`, email, session_id })).id)
  }
  assert.equal((await calls.identify({ email })).json.data.contact.id, ids[1], 'the one identified last')
  footfall.clock.advance(60_000)
  await footfall.track.ping(visits[0].view_id, { ...ann, tos: 90 })
  footfall.clock.advance(60_000)
  assert.equal((await calls.identify({ email })).json.data.contact.id, ids[0], 'the one whose page was left open')
})

test('to be identified is no activity: the session stays as it was, but for its contact', async () => {
  const session_id = await calls.newSession()
  const before = await documentOf(session_id)
  assert.ok(!('contact_id' in before), 'there is no contact before')
  footfall.clock.advance(40 * 60_000)
  const { id } = await calls.newContact({ session_id })
  assert.deepEqual(await documentOf(session_id), { ...before, contact_id: id })
})

test('an identification leaves an unsubscribed contact unsubscribed; such a one can be deleted', async () => {
  const { id, email } = await calls.newContact()
  await calls.update(id, { state: 'unsubscribed' })
  assert.equal((await calls.identify({ email, traits: { city: 'Rome' } })).json.data.contact.state, 'unsubscribed')
  const session = await footfall.track.load(calls.visitor())
  await calls.identifyVisitor(session.json.session_id, { email }, calls.visitor())
  assert.equal((await calls.get(id)).json.data.contact.state, 'unsubscribed')
  await calls.remove(id)
  assert.equal((await calls.get(id)).json.data.contact.state, 'deleted')
})
