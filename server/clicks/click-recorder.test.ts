// The redirect fails open: with any part behind it broken, slow or away, the visitor is sent on, and what
// became of the click is counted.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { startFootfall, type Footfall } from '../../test/support/server.ts'
import { addGroup, addLink, clicksOf, countedClicks, visit, type TestLink } from '../../test/support/visits.ts'
import { usualDeadlines } from '../context.ts'
import { Problem } from '../kernel/problem.ts'

/** Far from any midnight. */
const NOW = Date.parse('2026-11-20T12:00:00Z')

let footfall: Footfall
let group_id: string
let link: TestLink
let counted: Record<string, number>

const closers: (() => Promise<void>)[] = []

beforeEach(async () => {
  footfall = await startFootfall({ after: (close) => closers.push(close) }, { now: NOW, env: { LOG_LEVEL: 'silent' } })
  group_id = await addGroup(footfall)
  link = await addLink(footfall, { group_id })
  counted = await countedClicks(footfall)
  assert.deepEqual(counted, { stored: 0, late: 0, lost: 0, flood: 0 })
})

afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

async function assertSentOn(suffix = ''): Promise<void> {
  const { status, location } = await visit(footfall.url, `/a/${link.code}${suffix}`)
  assert.deepEqual([status, location], [302, 'https://example.com/'])
}

const broken = (): never => {
  throw new Error('broken for the test')
}
const never = (): Promise<never> => new Promise(() => undefined)

/** As the service has it: whoever waits for what never comes goes on after that. */
const withRealDeadline = () => void Object.assign(footfall.context, { deadlines: usualDeadlines })

/** @returns what puts the real one back. */
function replace<Owner extends object>(owner: Owner, name: keyof Owner, work: unknown): () => void {
  const real = owner[name]
  Object.assign(owner, { [name]: work })
  return () => void Object.assign(owner, { [name]: real })
}

async function onlyClick(): Promise<Record<string, unknown>> {
  const rows = await clicksOf(footfall, link.id)
  assert.equal(rows.length, 1)
  return rows[0]!
}

test('a click is counted once, as what became of it', async () => {
  await assertSentOn()
  await assertSentOn()
  for (let look = 0; look < 3; look++)
    assert.deepEqual(await countedClicks(footfall), { stored: 2, late: 0, lost: 0, flood: 0 })
})

test('what cannot be found out is left out, and the rest is stored', async () => {
  const parts = {
    place: ['country', ''],
    agent: ['browser', ''],
    language: ['language', ''],
    source: ['referrer_url', ''],
    bot: ['is_bot', 0],
  } as const
  const { enrich } = footfall.context
  for (const [part, [column, empty]] of Object.entries(parts)) {
    link = await addLink(footfall, { group_id })
    const restore = replace(enrich, part as keyof typeof parts, broken)
    const headers = { referer: 'https://news.example/x' }
    const { status } = await visit(footfall.url, `/a/${link.code}`, { headers })
    restore()
    assert.equal(status, 302, part)
    const row = await onlyClick()
    assert.equal(row[column], empty, part)
    if (part !== 'agent') assert.equal(row.browser, 'Chrome', part)
    if (part !== 'language') assert.equal(row.language, 'en-GB', part)
    if (part !== 'source') assert.equal(row.referrer_domain, 'news.example', part)
    assert.notEqual(row.session, '0', part)
  }
  assert.equal((await countedClicks(footfall)).stored, 5)
})

test('facts that refuse at once cost the click and not the visitor', async () => {
  const refuse = async (): Promise<void> => {
    throw new Problem('unavailable', 'Too much is waiting to be stored.', { retryAfterSeconds: 5 })
  }
  for (const append of [refuse, broken]) {
    const restore = replace(footfall.context.facts, 'append', append)
    await assertSentOn()
    restore()
  }
  assert.deepEqual(await countedClicks(footfall), { stored: 0, late: 0, lost: 2, flood: 0 })
  assert.deepEqual(await clicksOf(footfall, link.id), [])
  await assertSentOn()
  assert.equal((await countedClicks(footfall)).stored, 1)
})

test('facts that refuse for a moment are tried again while the visitor waits', async () => {
  const { facts } = footfall.context
  const real = facts.append.bind(facts)
  let refusals = 2
  const append: typeof facts.append = async (table, row) => {
    if (refusals-- > 0) throw new Problem('unavailable', 'Too much is waiting to be stored.', { retryAfterSeconds: 5 })
    await real(table, row)
  }
  const restore = replace(facts, 'append', append)
  await assertSentOn()
  restore()
  assert.deepEqual(await countedClicks(footfall), { stored: 1, late: 0, lost: 0, flood: 0 })
  await onlyClick()
})

test('facts that take long make nobody wait beyond the deadline; the click is stored when they come round, and counted as late', async () => {
  withRealDeadline()
  const { facts } = footfall.context
  const real = facts.append.bind(facts)
  const gate = Promise.withResolvers<void>()
  const appended = Promise.withResolvers<void>()
  const slow: typeof facts.append = async (table, row) => {
    await gate.promise
    await real(table, row)
    appended.resolve()
  }
  Object.assign(facts, { append: slow })
  await assertSentOn()
  assert.deepEqual(await countedClicks(footfall), { stored: 0, late: 1, lost: 0, flood: 0 })
  assert.deepEqual(await clicksOf(footfall, link.id), [])
  gate.resolve()
  await appended.promise
  assert.deepEqual(await countedClicks(footfall), { stored: 0, late: 1, lost: 0, flood: 0 })
  await onlyClick()
})

test('a click that is lost after its answer was late, and is counted as lost too', async () => {
  withRealDeadline()
  const gate = Promise.withResolvers<void>()
  Object.assign(footfall.context.facts, { append: () => gate.promise })
  await assertSentOn()
  assert.deepEqual(await countedClicks(footfall), { stored: 0, late: 1, lost: 0, flood: 0 })
  gate.reject(new Error('gone'))
  assert.deepEqual(await countedClicks(footfall), { stored: 0, late: 1, lost: 1, flood: 0 })
})

test('without the records a link in memory still leads on, and its click is stored; the session is unknown at most', async () => {
  await footfall.context.records.destroy()
  await assertSentOn()
  const row = await onlyClick()
  assert.equal(row.property, footfall.property.id)
  assert.equal((await visit(footfall.url, `/a/${link.code}+`)).status, 200)
  assert.equal((await visit(footfall.url, '/a/2222222')).status, 404)
})

test('records that hang delay nobody for longer than a moment', async () => {
  withRealDeadline()
  Object.assign(footfall.context.properties, { byId: never })
  Object.assign(footfall.context.visitors, { identify: never })
  await assertSentOn()
})

test('a visitor who cannot be identified leaves a click without a session, which begins none', async () => {
  Object.assign(footfall.context.visitors, { identify: broken })
  await assertSentOn()
  const row = await onlyClick()
  assert.deepEqual([row.session, row.session_day], ['0', row.day])
  const { json } = await footfall.call('POST', '/v2/property/signals/sessions', { body: { period: 'today' } })
  assert.deepEqual(json.data, [])
})

test('a link that is not in memory and cannot be looked up is answered with a page that asks to try again', async () => {
  const finds = [async () => broken(), broken, never]
  for (const find of finds) {
    Object.assign(footfall.context.links, { find })
    for (const suffix of ['', '+']) {
      const { status, headers, text } = await visit(footfall.url, `/a/${link.code}${suffix}`)
      assert.equal(status, 503)
      assert.equal(headers['retry-after'], '5')
      assert.equal(headers['cache-control'], 'private, no-store')
      assert.match(text, /^<!doctype html>/)
    }
  }
  assert.deepEqual(await countedClicks(footfall), counted)
})
