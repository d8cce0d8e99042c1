import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { CHROME, startFootfall, type Footfall } from '../../test/support/server.ts'
import { type Home, openHomes, openMigrated, testOnEach } from '../../test/support/records.ts'
import { addForm, addFormSession, addSubmissions } from '../../test/support/submissions.ts'
import { settledWithin, type Wait } from '../queues/deadline.ts'
import { readSessionId, type SessionRef } from '../kernel/ids.ts'
import type { Records } from '../stores/records.ts'
import { gatherEvidence, type Submitting } from './evidence.ts'
import { findVisit } from './facts.ts'
import { scoreOf } from './score.ts'
import { addressMac, agentMac, findVisitSession } from '../form-flow/form-sessions.ts'
import { readSignals } from './signals.ts'

const NOW = Date.parse('2026-11-20T13:05:07Z')
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** Of each gathering alone; more than a busy machine takes. */
const wait: Wait = (work, failed) => settledWithin(work, 60_000, failed)
const visitor = { address: '203.0.113.7', agent: CHROME, language: 'en-GB' }
const frozen = {
  fields: ['name', 'email', 'message'].map((name) => ({
    name,
    type: name === 'message' ? 'textarea' : 'text',
    label: name,
  })),
  validation: {},
}
const answers = { name: 'Ada', email: 'ada@example.com', message: 'Could you tell me what a lovelace costs this year?' }
const signals = readSignals({ dur: 40_001, gt: 'focus', k: 70, f: 3, m: 1, s: 1, t: 3, w: 0, p: 5, l: 2 })

const closers: (() => Promise<void>)[] = []
let footfall: Footfall
before(async () => {
  footfall = await startFootfall({ after: (close) => closers.push(close) }, { now: NOW })
})
after(async () => {
  for (const close of closers) await close()
})
const { homes } = await openHomes()

const PROPERTY = 'pr_00000000000000000001'

interface Stage {
  readonly records: Records
  readonly formId: string
  readonly mine: { readonly address_mac: string; readonly agent_mac: string }
  readonly gather: (
    change?: Partial<Submitting>,
    session?: Partial<Submitting['formSession']>,
  ) => ReturnType<typeof gatherEvidence>
}

/** A form on empty records, and facts without a visit. */
async function setUp(t: Parameters<typeof openMigrated>[0], home: Home): Promise<Stage> {
  const { records } = await openMigrated(t, home)
  const property = { id: PROPERTY, key: 'k', name: 'n', domains: '[]', default_period: null, plan: 'paid' } as const
  await records
    .insertInto('properties')
    .values({ ...property, proxy_key_hash: null, created_ts: 0 })
    .execute()
  const formId = await addForm(records, PROPERTY)
  const { keys } = footfall.context
  const mine = {
    address_mac: addressMac(keys, PROPERTY, visitor),
    agent_mac: agentMac(keys, PROPERTY, visitor),
  }
  const submitting: Submitting = {
    formSession: {
      token_hash: 'mine',
      property_id: PROPERTY,
      form_id: formId,
      ...mine,
      opened_ms: NOW - 45_000,
      traps: 0,
      has_origin: 1,
    },
    frozen,
    answers,
    signals,
    visitor,
    headers: {},
    wait,
    atMs: NOW,
    session: Promise.resolve(undefined),
    hasHoneypot: true,
    isScripted: true,
  }
  const gather: Stage['gather'] = (change = {}, session = {}) =>
    gatherEvidence(
      { ...footfall.context, records },
      { ...submitting, ...change, formSession: { ...submitting.formSession, ...session } },
    )
  return { records, formId, mine, gather }
}

testOnEach(homes, 'of somebody who was never here nothing is known, and the score is 0', async (t, home) => {
  const { gather } = await setUp(t, home)
  const evidence = await gather()
  assert.match(evidence.bodyMac ?? '', /^[0-9a-f]{64}$/)
  assert.match(evidence.signalsMac ?? '', /^[0-9a-f]{64}$/)
  const { elapsedMs, trapsBefore, sameTexts, sameSignals, recentSubmissions, hasAgentChanged, visit } = evidence
  assert.deepEqual(
    { elapsedMs, trapsBefore, sameTexts, sameSignals, recentSubmissions, hasAgentChanged, visit },
    {
      elapsedMs: 45_000,
      trapsBefore: 'none',
      sameTexts: 0,
      sameSignals: 0,
      recentSubmissions: 1,
      hasAgentChanged: false,
      visit: { isSeen: false, isMeasured: false },
    },
  )
  assert.deepEqual(scoreOf(evidence), { score: 0, reasons: [], verdict: 'clean' })
})

testOnEach(
  homes,
  'a filled honeypot is held against its visitor, less against the address, and for a day',
  async (t, home) => {
    const { records, formId, mine, gather } = await setUp(t, home)
    const trapsBefore = async () => (await gather()).trapsBefore
    const trap = { traps: 1, opened_ms: NOW - HOUR }
    // Its own tries are no history, nor is what others did.
    await addFormSession(records, PROPERTY, formId, { ...mine, ...trap, token_hash: 'mine' })
    await addFormSession(records, PROPERTY, formId, { ...trap, agent_mac: mine.agent_mac })
    await addFormSession(records, PROPERTY, formId, { ...mine, ...trap, opened_ms: NOW - DAY - 1 })
    assert.equal(await trapsBefore(), 'none')
    await addFormSession(records, PROPERTY, formId, { ...trap, address_mac: mine.address_mac })
    assert.equal(await trapsBefore(), 'address')
    await addFormSession(records, PROPERTY, formId, { ...mine, ...trap })
    assert.equal(await trapsBefore(), 'visitor')
  },
)

testOnEach(
  homes,
  'submissions of the address in the last ten minutes are counted, by any browser and to any form',
  async (t, home) => {
    const { records, formId, mine, gather } = await setUp(t, home)
    const other = await addForm(records, PROPERTY)
    const { address_mac } = mine
    const sent = (ago: number) => ({ address_mac, opened_ms: NOW - ago - MINUTE, consumed_ms: NOW - ago })
    await addFormSession(records, PROPERTY, formId, sent(MINUTE))
    await addFormSession(records, PROPERTY, other, sent(10 * MINUTE - 1))
    await addFormSession(records, PROPERTY, formId, sent(10 * MINUTE))
    await addFormSession(records, PROPERTY, formId, { ...sent(0), consumed_ms: null })
    await addFormSession(records, PROPERTY, formId, { ...sent(0), address_mac: 'another' })
    assert.equal((await gather()).recentSubmissions, 3)
  },
)

testOnEach(
  homes,
  'time runs since the form was opened; of one that its page opened anew since the first',
  async (t, home) => {
    const { records, formId, mine, gather } = await setUp(t, home)
    const justOpened = { opened_ms: NOW - 200 }
    const slow = readSignals({ dur: 1_150_000, k: 900, f: 3, t: 3 })
    const elapsedMs = async (of: Submitting['signals']) => (await gather({ signals: of }, justOpened)).elapsedMs
    const first = { ...mine, opened_ms: NOW - 20 * MINUTE }
    // Those do not count: used, of another browser, of another form, too long ago.
    await addFormSession(records, PROPERTY, formId, { ...first, consumed_ms: NOW - MINUTE })
    await addFormSession(records, PROPERTY, formId, { ...first, agent_mac: 'another' })
    await addFormSession(records, PROPERTY, await addForm(records, PROPERTY), first)
    await addFormSession(records, PROPERTY, formId, { ...first, opened_ms: NOW - HOUR - 1 })
    assert.equal(await elapsedMs(slow), 200)
    await addFormSession(records, PROPERTY, formId, first)
    assert.equal(await elapsedMs(slow), 20 * MINUTE)
    assert.equal(scoreOf(await gather({ signals: slow }, justOpened)).verdict, 'clean')
    // A page that does not claim to be there for longer was not.
    assert.equal(await elapsedMs(signals && { ...signals, durationMs: 150 }), 200)
    assert.equal(await elapsedMs(undefined), 200)
  },
)

testOnEach(
  homes,
  'the same text is found again for seven days, the same signals with another text for one',
  async (t, home) => {
    const { records, formId, gather } = await setUp(t, home)
    const { bodyMac, signalsMac } = await gather()
    const add = (row: object) => addSubmissions(records, PROPERTY, formId, [row])
    await add({ body_mac: bodyMac, submitted_ms: NOW - 7 * DAY - 1 })
    await add({ signals_mac: signalsMac, body_mac: 'b', submitted_ms: NOW - DAY - 1 })
    await add({ signals_mac: 's', body_mac: 'b', submitted_ms: NOW })
    assert.deepEqual([(await gather()).sameTexts, (await gather()).sameSignals], [0, 0])
    // Pressed twice: the same text, so the same signals are no wonder.
    await add({ signals_mac: signalsMac, body_mac: bodyMac, submitted_ms: NOW - 1000 })
    assert.deepEqual([(await gather()).sameTexts, (await gather()).sameSignals], [1, 0])
    await add({ signals_mac: signalsMac, body_mac: 'b', submitted_ms: NOW - 2000 })
    await add({ signals_mac: signalsMac, body_mac: null, submitted_ms: NOW - 3000 })
    assert.deepEqual([(await gather()).sameTexts, (await gather()).sameSignals], [1, 2])
    const shouted = { ...answers, message: `  ${answers.message.toUpperCase()}` }
    assert.equal((await gather({ answers: shouted })).bodyMac, bodyMac)
    assert.notEqual((await gather({ answers: { ...answers, name: 'Ida' } })).bodyMac, bodyMac)
  },
)

test('texts and signals that many people have are not compared', async (t) => {
  const { gather } = await setUp(t, homes[0]!)
  assert.equal((await gather({ answers: { email: 'ada@example.com' } })).bodyMac, null)
  const compared = async (value: unknown) => (await gather({ signals: readSignals(value) })).signalsMac !== null
  assert.equal(await compared(undefined), false)
  assert.equal(await compared({ dur: 'x' }), false)
  assert.equal(await compared({ dur: 4001, k: 1, f: 1 }), false)
  assert.equal(await compared({ dur: 4001, k: 1, f: 1, t: 1 }), true)
  // A clock in tenths of a second.
  assert.equal(await compared({ dur: 4000, k: 1, f: 4, t: 4 }), false)
  assert.equal(await compared({ dur: 4000, k: 10, f: 4, t: 4 }), true)
})

test('who opened and who sends are compared by their agents, and an agent or brand that names a program is known', async (t) => {
  const { gather } = await setUp(t, homes[0]!)
  const by = async (agent: string, headers = {}) => {
    const { botReason, hasAgentChanged } = await gather({ visitor: { ...visitor, agent }, headers })
    return [botReason, hasAgentChanged]
  }
  assert.deepEqual(await by(CHROME), ['', false])
  assert.deepEqual(await by(`${CHROME} `), ['', true])
  assert.deepEqual(await by('curl/8.9.1'), ['agent', true])
  assert.deepEqual(await by(''), ['empty_agent', true])
  assert.deepEqual(await by(CHROME, { 'sec-ch-ua': '"HeadlessChrome";v="142"' }), ['headless', false])
})

const stranger = { token_hash: 'x', address_mac: 'a', agent_mac: 'b', traps: 0, has_origin: 1, opened_ms: NOW - MINUTE }
const told = { frozen, answers, signals, visitor, wait, atMs: NOW, hasHoneypot: true, isScripted: true }

test('the visit behind it: its pages, its seconds, its bots; and none with Global Privacy Control', async () => {
  const { context, track, property } = footfall
  const formSession = { ...stranger, property_id: property.id, form_id: await addForm(context.records, property.id) }
  const read = (id: string) => readSessionId(context.keys, property.id, id)
  const gatherOf = async (session: SessionRef | undefined, headers = {}) =>
    (await gatherEvidence(context, { ...told, formSession, headers, session: Promise.resolve(session) })).visit
  const gather = (id: string | undefined, headers = {}) => gatherOf(id === undefined ? undefined : read(id), headers)
  assert.deepEqual(await gather(undefined), { isSeen: false, isMeasured: false })
  const { json } = await track.load(visitor)
  assert.deepEqual(await gather(undefined), { isSeen: false, isMeasured: true })
  assert.equal(await gather(undefined, { 'sec-gpc': '1' }), undefined)
  assert.deepEqual(await gather(json.session_id), {
    isSeen: true,
    botReason: '',
    seconds: 0,
    views: 1,
    isContact: false,
  })
  await track.load({ ...visitor, page: 'https://example.com/two' })
  await track.ping(json.view_id, { ...visitor, tos: 12 })
  const { status } = await footfall.call('POST', '/v2/property/contacts/identify', {
    body: { session_id: json.session_id, email: 'ada@example.com' },
  })
  assert.equal(status, 200)
  assert.deepEqual(await gather(json.session_id), {
    isSeen: true,
    botReason: '',
    seconds: 12,
    views: 2,
    isContact: true,
  })
  const bot = await track.load({ ...visitor, agent: 'curl/8.9.1' })
  assert.deepEqual(await gather(bot.json.session_id), {
    isSeen: true,
    botReason: 'agent',
    seconds: 0,
    views: 1,
    isContact: false,
  })
  // Nothing is stored of it any more.
  assert.equal(await gatherOf({ ...read(json.session_id)!, hash: 12_345n }), undefined)
})

test('submissions of one moment are each scored by the visit behind them, and share the question about it', async (t) => {
  const { context, track } = footfall
  const { id: propertyId, key } = await footfall.addProperty()
  const visits = await Promise.all(
    [1, 2, 3].map(async (views) => {
      const sender = { key, address: `198.51.100.${views}` }
      let id = ''
      for (let view = 0; view < views; view++) id = (await track.load(sender)).json.session_id
      return { views, session: readSessionId(context.keys, propertyId, id) }
    }),
  )
  const lookup = t.mock.method(context.facts, 'lookup')
  const found = await Promise.all(
    visits.map(({ session }) => findVisit(context.facts, propertyId, session, context.now())),
  )
  assert.deepEqual(
    found.map((visit) => visit?.isSeen && visit.views),
    visits.map(({ views }) => views),
  )
  assert.ok(lookup.mock.callCount() <= 2, 'one question, and one for those who came while it was under way')
  // That the property measures is looked up once.
  for (let n = 0; n < 3; n++)
    assert.deepEqual(await findVisit(context.facts, propertyId, undefined, context.now()), {
      isSeen: false,
      isMeasured: true,
    })
  assert.ok(lookup.mock.callCount() <= 3)
  const later = context.now() + 9 * DAY
  assert.deepEqual(await findVisit(context.facts, propertyId, undefined, later), { isSeen: false, isMeasured: false })
})

test('a property without page views is asked about once, until it has one; nobody looks for sessions in it', async (t) => {
  const { context, track } = footfall
  const { id: propertyId, key } = await footfall.addProperty()
  const lookup = t.mock.method(context.facts, 'lookup')
  const sender = { ...visitor, address: '198.51.100.77' }
  const session = () => findVisitSession(context, propertyId, { headers: {}, wait }, sender)
  const visit = () => findVisit(context.facts, propertyId, undefined, context.now())
  for (let n = 0; n < 3; n++)
    assert.deepEqual([await session(), await visit()], [undefined, { isSeen: false, isMeasured: false }])
  // Once among what is stored, and once with what is about to be.
  assert.equal(lookup.mock.callCount(), 2)
  const { json } = await track.load({ key, ...sender })
  assert.deepEqual(await session(), readSessionId(context.keys, propertyId, json.session_id))
  assert.deepEqual(await visit(), { isSeen: false, isMeasured: true })
})

test('a session that this process has stored is known while the facts are away', async (t) => {
  const { context, track } = footfall
  const { id: propertyId, key } = await footfall.addProperty()
  const sender = { ...visitor, address: '198.51.100.78' }
  const { json } = await track.load({ key, ...sender })
  t.mock.method(context.facts, 'lookup', () => Promise.reject(new Error('away')))
  const found = await findVisitSession(context, propertyId, { headers: {}, wait }, sender)
  assert.deepEqual(found, readSessionId(context.keys, propertyId, json.session_id))
})

test('without the facts, or with facts that do not answer, it is scored by what is known', async (t) => {
  const { gather, records } = await setUp(t, homes[0]!)
  const formSession = { ...stranger, property_id: PROPERTY, form_id: 'fm' }
  const { bodyMac } = await gather()
  for (const lookup of [() => Promise.reject(new Error('away')), () => new Promise<never>(() => {})]) {
    const facts = { ...footfall.context.facts, lookup }
    const impatient: Wait = (work, failed) => settledWithin(work, 300, failed)
    const evidence = await gatherEvidence(
      { ...footfall.context, records, facts },
      { ...told, wait: impatient, formSession, headers: {}, session: Promise.resolve({ day: 20_777, hash: 1n }) },
    )
    assert.deepEqual([evidence.visit, evidence.bodyMac], [undefined, bodyMac])
  }
})
