// DEMO=on: anybody reads the sample data, and nobody changes anything, whatever they send and whomever they
// say to be. Every endpoint is called, also those that are added later.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { endpoints } from '../server/endpoints.ts'
import { isForGuests } from '../server/http/demo.ts'
import { describedRaw } from '../server/raw-routes.ts'
import { openSamples } from '../server/demo/sample.ts'
import { addPerson, type Person } from './support/accounts.ts'
import { ADMIN_TOKEN, type CallOptions, type Footfall, startFootfall } from './support/server.ts'
import { untilEqual } from './support/until.ts'

const NOW = Date.UTC(2026, 10, 18, 12)
const closers: (() => Promise<void>)[] = []
let footfall: Footfall
let sampleId = ''
let owner: Person

/** An owner who signed in before the installation became a demo: no cookie is worth anything afterwards. */
async function signInFirst(dataDir: string): Promise<Person> {
  const ends: (() => Promise<void>)[] = []
  const open = await startFootfall({ after: (close) => ends.push(close) }, { now: NOW, dataDir })
  const person = await addPerson(open, { isOwner: true })
  for (const end of ends) await end()
  return person
}

before(async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'footfall-demo-'))
  closers.push(async () => rmSync(dataDir, { recursive: true, force: true }))
  owner = await signInFirst(dataDir)
  const options = { now: NOW, dataDir, env: { DEMO: 'on' } }
  footfall = await startFootfall({ after: (close) => closers.unshift(close) }, options)
  const samples = openSamples(footfall.context, { sessions: 60, days: 20 })
  sampleId = (await samples.begin()).property_id
  await untilEqual(async () => (await samples.find())?.state, 'done')
})

// Each test has a minute of its own: together they send more requests than one address may in a minute.
beforeEach(() => footfall.clock.advance(60_000))

after(async () => {
  for (const close of closers) await close()
})

/** What anybody may try to be. */
const credentials = (): Readonly<Record<string, CallOptions>> => ({
  'a stranger': { token: null },
  'the administrator': { token: ADMIN_TOKEN },
  'an owner': { token: null, headers: { cookie: owner.cookie, 'sec-fetch-site': 'same-origin' } },
  'a token': { token: footfall.token },
})

/** Everything in the records, but what counts requests and time. */
async function recordsNow(): Promise<string> {
  const { records } = footfall.context
  const tables = [
    'properties',
    'tokens',
    'users',
    'members',
    'shares',
    'contacts',
    'links',
    'link_groups',
    'forms',
  ] as const
  const more = ['submissions', 'conversions', 'automations', 'content_blocks', 'user_sessions', 'invitations'] as const
  const all = [...tables, ...more].map(async (table) => records.selectFrom(table).selectAll().execute())
  return JSON.stringify(await Promise.all(all))
}

const pathOf = (url: string): string => url.replace(':property', sampleId).replaceAll(/:\w+/g, 'nothing')

test('an endpoint that writes is refused, whoever calls', async () => {
  const before = await recordsNow()
  const writing = endpoints.filter((endpoint) => !isForGuests(endpoint))
  assert.ok(writing.length > 60)
  for (const [who, options] of Object.entries(credentials()))
    for (const { method, url } of writing) {
      const headers = { ...options.headers, ...(url.startsWith('/v2/') && { 'x-footfall-property': sampleId }) }
      const { status, json } = await footfall.call(method, pathOf(url), { ...options, headers })
      assert.equal(`${status} ${json?.error_code}`, '403 insufficient_scope', `${who}: ${method} ${url}`)
    }
  assert.equal(await recordsNow(), before)
})

test('an endpoint that is left open changes nothing, and tells no more than a viewer may know', async () => {
  const before = await recordsNow()
  const [stranger, administrator] = Object.entries(credentials())
  for (const [who, options] of [stranger!, administrator!])
    for (const { method, url, access } of endpoints.filter(isForGuests)) {
      const headers = { ...options.headers, ...(url.startsWith('/v2/') && { 'x-footfall-property': sampleId }) }
      const body = method === 'GET' ? {} : { body: {} }
      const { status } = await footfall.call(method, pathOf(url), { ...options, headers, ...body })
      assert.ok(status < 500, `${who}: ${method} ${url} ${status}`)
      const { right } = access
      const isAboveViewer = right.kind === 'role' && right.role !== 'viewer'
      if (isAboveViewer) assert.ok(status === 403 || status === 404, `${who}: ${method} ${url} ${status}`)
    }
  assert.equal(await recordsNow(), before)
})

test('other properties of the installation are not there', async () => {
  for (const [who, options] of Object.entries(credentials())) {
    const path = `/manage/properties/${footfall.property.id}`
    assert.equal((await footfall.call('GET', path, options)).status, 404, who)
    const { json } = await footfall.call('GET', '/manage/session', options)
    assert.deepEqual(
      json.data.properties.map(({ id, role }: { id: string; role: string }) => [id, role]),
      [[sampleId, 'viewer']],
    )
    assert.deepEqual([json.data.is_demo, json.data.is_setup_open, json.data.user.is_owner], [true, false, false])
  }
})

test('no call of a visitor’s browser is taken: views, forms, content, errors, clicks', async () => {
  const isCall = ([, url]: readonly [string, string, ...unknown[]]) => /^\/v2\/(?!ping-me)/.test(url)
  const calls = describedRaw.filter(isCall)
  assert.ok(calls.length > 8)
  for (const [method, url] of calls)
    assert.equal((await footfall.call(method, pathOf(url), { token: null })).status, 404, `${method} ${url}`)
  const [link] = await footfall.context.records.selectFrom('links').select('code').execute()
  const answer = await fetch(`${footfall.url}/a/${link?.code}`, { redirect: 'manual' })
  assert.equal(answer.status, 404)
})

test('the sample has goals, notes, an automation, suspicious and spam submissions in the order of time, and speed', async () => {
  const ask = async (method: string, path: string) => {
    const body = method === 'GET' ? {} : { body: { period: 'last_28' } }
    const { status, json, text } = await footfall.call(method, `/manage/properties/${sampleId}${path}`, body)
    assert.equal(status, 200, text)
    return json.data
  }
  assert.equal((await ask('GET', '')).property.name, 'Lumen & Lark')
  assert.equal((await ask('GET', '/conversions')).total, 3)
  assert.equal((await ask('GET', '/automations')).total, 1)
  assert.ok((await ask('GET', '/annotations')).total >= 3)
  assert.ok((await ask('POST', '/speed')).all.loads > 10)
  const stored = await footfall.context.records
    .selectFrom('submissions')
    .select(['submitted_ms'])
    .orderBy('seq')
    .execute()
  const times = stored.map(({ submitted_ms }) => submitted_ms)
  assert.deepEqual(
    times,
    times.toSorted((a, b) => a - b),
  )
})
