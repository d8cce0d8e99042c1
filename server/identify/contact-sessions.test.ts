// Links between sessions and contacts in the facts, over the real stores: what a crash left out is made up
// for, once.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { pino } from 'pino'
import { startFootfall } from '../../test/support/server.ts'
import { startJob } from '../jobs.ts'
import { readSessionId, type SessionRef } from '../kernel/ids.ts'
import { sessionKey } from '../sessions/facts.ts'
import type { Facts } from '../stores/facts.ts'
import { getContact } from '../contacts/contacts.ts'
import { readEntryMs, readLastActivity } from './facts.ts'
import { identifyContact } from './identify.ts'
import { noteLinks } from './contact-sessions.ts'

const NOON = Date.UTC(2026, 10, 10, 12)
const footfall = await startFootfall({ after }, { now: NOON })
const { clock, context, property, track } = footfall

let visitors = 0
async function openSession(): Promise<{ id: string; ref: SessionRef; address: string }> {
  visitors += 1
  const address = `203.0.113.${visitors}`
  const id: string = (await track.load({ address })).json.session_id
  return { id, ref: readSessionId(context.keys, property.id, id)!, address }
}

const identify = (session: SessionRef, external_id: string) =>
  identifyContact(context, property.id, { by: 'token', identification: { external_id }, session })

async function contactOf(sessionId: string): Promise<string | undefined> {
  const body = { period: 'today', limit: 100 }
  const { json } = await footfall.call('POST', '/v2/property/signals/sessions', { body })
  return json.data.find((session: { id: string }) => session.id === sessionId)?.contact_id
}

async function identifyRows(session: SessionRef): Promise<number> {
  const [row] = await context.facts.query<{ rows: string }>(
    'test.identifyRows',
    `SELECT count() AS rows FROM events FINAL WHERE kind = 'identify' AND session = {session:UInt64}`,
    { session: session.hash.toString() },
  )
  return Number(row?.rows)
}

test('a linked session names its contact in the very next question', async () => {
  const session = await openSession()
  const { contact } = await identify(session.ref, 'next')
  assert.equal(await contactOf(session.id), contact.id)
  assert.equal(await identifyRows(session.ref), 1)
})

test('a link that was left unnoted is noted by the job, with the sessions of many others', async (t) => {
  const sessions = [await openSession(), await openSession()]
  const append = t.mock.method(context.facts, 'append', async () => {
    throw new Error('the process died here')
  })
  for (const [n, { ref }] of sessions.entries()) await assert.rejects(identify(ref, `left-${n}`))
  append.mock.restore()
  for (const { id } of sessions) assert.equal(await contactOf(id), undefined)
  const { promise, resolve } = Promise.withResolvers<number>()
  const run = async () => resolve(await noteLinks(context))
  t.after(startJob({ name: 'note', everyMs: 60_000, run }, pino({ level: 'silent' })))
  assert.equal(await promise, 2)
  for (const { id, ref } of sessions) {
    assert.match((await contactOf(id)) ?? '', /^ct_/)
    assert.equal(await identifyRows(ref), 1)
  }
  assert.equal(await noteLinks(context), 0, 'nothing is left')
})

test('a link that is noted twice is there once', async () => {
  const session = await openSession()
  const { contact } = await identify(session.ref, 'twice')
  await context.records.updateTable('contact_sessions').set({ is_noted: 0 }).execute()
  clock.advance(1000)
  assert.ok((await noteLinks(context)) >= 1)
  assert.equal(await identifyRows(session.ref), 1)
  assert.equal(await contactOf(session.id), contact.id)
})

test('more links than one insert takes are all noted', async () => {
  const { contact } = await identify((await openSession()).ref, 'many')
  const link = { property_id: property.id, day: 20_000, contact_id: contact.id, entry_ts: 1, is_noted: 0 }
  const links = Array.from({ length: 1201 }, (_, n) => ({ ...link, session: String(10_000 + n) }))
  await context.records.insertInto('contact_sessions').values(links).execute()
  assert.equal(await noteLinks(context), 1201)
  const left = await context.records.selectFrom('contact_sessions').select('day').where('is_noted', '=', 0).execute()
  assert.deepEqual(left, [])
})

const askFacts: Facts['query'] = async (name, sql, params) => context.facts.query(name, sql, params)

test('when a session began and was last active is read from the facts; identify is no activity', async () => {
  clock.set(NOON + 3_600_000)
  const session = await openSession()
  const key = sessionKey(session.ref)
  clock.advance(60_000)
  await identify(session.ref, 'facts')
  assert.equal(await readEntryMs(context.facts, property.id, key), NOON + 3_600_000)
  assert.deepEqual([...(await readLastActivity(askFacts, property.id, [key])).values()], [NOON + 3_600_000])
  const { contact } = await identify(session.ref, 'facts')
  assert.deepEqual([contact.first_seen_ts, contact.session_count], [NOON / 1000 + 3600, 1])
  clock.advance(60_000)
  await track.event(session.id, 'click', { address: session.address })
  assert.equal((await getContact(context, property.id, contact.id)).last_seen_ms, NOON + 3_720_000)
})

test('a session of which the facts know nothing, or the identification alone, has no beginning', async () => {
  const key = { day: '2026-11-10', session: '18446744073709551615' }
  assert.equal(await readEntryMs(context.facts, property.id, key), undefined)
  const { contact } = await identify({ day: 20_767, hash: 18446744073709551615n }, 'ghost')
  assert.equal(contact.first_seen_ts, Date.UTC(2026, 10, 10) / 1000)
  assert.equal(await readEntryMs(context.facts, property.id, key), undefined)
  assert.equal((await readLastActivity(askFacts, property.id, [])).size, 0)
})
