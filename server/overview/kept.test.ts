// What an overview keeps of today and of the window before says what reading it again says, whatever was
// written since; and a page view leaves most of it as it was.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addBlock } from '../../test/support/content-calls.ts'
import { rounds } from '../../test/support/long.ts'
import { askOverview, type Pick, randomOutcomes, randomVisits, seededPick } from '../../test/support/overview-world.ts'
import { watchQuestions } from '../../test/support/questions.ts'
import { type Footfall, startFootfall } from '../../test/support/server.ts'
import { addGroup, addLink, type TestLink, visit } from '../../test/support/visits.ts'

const START = Date.parse('2026-10-24T07:00:00Z')
const TODAY = Date.parse('2026-11-20T08:00:00Z')
const MINUTE_MS = 60_000
const BOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'
const seed = Number(process.env['OVERVIEW_SEED'] ?? 5)

interface World {
  readonly footfall: Footfall
  readonly link: TestLink
  readonly form: string
  readonly block: string
  /** Their ids. */
  readonly goals: readonly string[]
}

async function openWorld(footfall: Footfall, pick: Pick): Promise<World> {
  const { context, property, clock } = footfall
  const manage = `/manage/properties/${property.id}`
  const link = await addLink(footfall, { group_id: await addGroup(footfall), name: 'One' })
  const block = (await addBlock(context.records, property.id)).id
  const { json } = await footfall.call('POST', `${manage}/forms`, { body: { name: 'Contact', kind: 'open' } })
  const form = json.data.form.id
  const goals: string[] = []
  for (const event_type of ['event', 'acquisition', 'form_submit', 'page_view', 'identify']) {
    const body = { name: event_type, event_type, event_value: null }
    const made = await footfall.call('POST', `${manage}/conversions`, { body })
    goals.push(made.json.data.conversion.id)
  }
  await randomVisits(footfall, pick, 60, 25)
  await randomOutcomes(footfall, pick, { links: [link.id], forms: [form], blocks: [block] })
  clock.set(TODAY)
  return { footfall, link, form, block, goals }
}

/** What may be written of one visitor today; some of it long after the rest. */
type Deed = (world: World, who: string, pick: Pick) => Promise<unknown>

const load: Deed = ({ footfall: { track } }, address) => track.load({ address })

/** A row of a visitor who may have a session. */
async function rowOf({ footfall: { track, context, property } }: World, address: string, pick: Pick) {
  const hasSession = pick(2) === 0
  if (hasSession) await track.load({ address })
  const [known] = await context.facts.query<{ day: string; session: string }>(
    'test.sessions',
    'SELECT day, session FROM sessions FINAL WHERE property = {property:String} ORDER BY last_at DESC, session LIMIT 1',
    { property: property.id },
  )
  const at = context.now()
  const own = hasSession
    ? { session_day: known!.day, session: known!.session }
    : { session_day: '1970-01-01', session: '0' }
  return { property: property.id, day: new Date(at).toISOString().slice(0, 10), at, id: String(pick(1e9)), ...own }
}

async function markInvalid({ call, property }: Footfall, sessionId: string): Promise<void> {
  const path = `/manage/properties/${property.id}/sessions/${sessionId}/mark`
  const { status, text } = await call('POST', path, { body: { is_invalid: true } })
  assert.equal(status, 200, text)
}

const deeds: readonly Deed[] = [
  load,
  load,
  (world, address) => world.footfall.track.load({ address, agent: BOT }),
  async (world, address, pick) => {
    const { footfall } = world
    await visit(footfall.url, `/a/${world.link.code}`, { address })
    if (pick(3) > 0) await footfall.track.load({ address })
  },
  async ({ footfall: { track, clock } }, address, pick) => {
    const { json } = await track.load({ address })
    clock.advance(pick(9) * MINUTE_MS)
    await track.ping(json.view_id, { address, tos: 20 })
  },
  async ({ footfall: { track } }, address) => {
    const { json } = await track.load({ address })
    await track.event(json.session_id, 'signup', { address })
  },
  async ({ footfall: { track } }, address) => {
    const { json } = await track.load({ address })
    await track.acquisition(json.session_id, { value: 500, currency_code: 'USD' }, { address })
  },
  async ({ footfall }, address, pick) => {
    const { json } = await footfall.track.load({ address })
    const body = { session_id: json.session_id, external_id: `${pick(3)}` }
    await footfall.call('POST', '/v2/property/contacts/identify', { body })
  },
  async (world, address, pick) => {
    const row = await rowOf(world, address, pick)
    await world.footfall.context.facts.append('form_events', { ...row, form: world.form, kind: 'submit' })
  },
  async (world, address, pick) => {
    const row = { ...(await rowOf(world, address, pick)), block: world.block, request: '1' }
    await world.footfall.context.facts.append('impressions', { ...row, kind: 'view' })
  },
  async ({ footfall }, address) => {
    const { json } = await footfall.track.load({ address })
    await markInvalid(footfall, json.session_id)
  },
]

/** Without what tells one answer from an equal one. */
const told = ({ meta: { took_ms: _ms, is_cached: _kept, ...meta }, ...rest }: { meta: Record<string, unknown> }) => ({
  meta,
  ...rest,
})

/** The same answer with nothing that is kept. */
async function askAnew(footfall: Footfall, body: object) {
  const { answers } = footfall.context
  const get = answers.get.bind(answers)
  Object.assign(answers, {
    get: (async (_version, _ask, make) => ({ answer: await make(), isCached: false })) satisfies typeof get,
  })
  try {
    return await askOverview(footfall, body)
  } finally {
    Object.assign(answers, { get })
  }
}

const asks = [
  { period: 'last_28' },
  { period: 'last_7' },
  { period: 'last_7', compare: 'year' },
  { period: 'last_28', interval: 'week' },
  { period: 'last_7', clauses: [{ id: 'page_path', op: 'contains', value: 'pric' }] },
  { period: 'last_7', compare: 'custom', compare_from: '2026-11-02', compare_to: '2026-11-05' },
] as const

test(`what is kept says what is read anew (OVERVIEW_SEED=${seed})`, async (t) => {
  const footfall = await startFootfall(t, { now: START })
  const pick = seededPick(seed)
  const world = await openWorld(footfall, pick)
  for (let round = 0; round < rounds(20, 400); round++) {
    const deed = deeds[pick(deeds.length)]!
    await deed(world, `203.0.113.${1 + pick(6)}`, pick)
    // Later visits begin after half an hour; edges that were read ahead are those of the next two minutes.
    footfall.clock.advance(pick(3) === 0 ? (25 + pick(20)) * MINUTE_MS : pick(50) * 1000)
    if (footfall.clock.now() > TODAY + 14 * 60 * MINUTE_MS) footfall.clock.set(TODAY)
    await load(world, `203.0.113.${7 + pick(2)}`, pick)
    const goal = pick(2) === 0 ? {} : { goal: world.goals[pick(5)], attribution: ['first', 'last'][pick(2)] }
    const body = { ...asks[round % asks.length], ...goal }
    assert.deepEqual(told(await askOverview(footfall, body)), told(await askAnew(footfall, body)), `round ${round}`)
  }
})

test('after a page view only what it may have changed is asked for', async (t) => {
  const footfall = await startFootfall(t, { now: START })
  const world = await openWorld(footfall, seededPick(seed))
  const { link } = world
  const ann = { address: '203.0.113.200' }
  await visit(footfall.url, `/a/${link.code}`, ann)
  const { json } = await footfall.track.load(ann)
  await footfall.track.event(json.session_id, 'signup', ann)
  footfall.clock.advance(40 * MINUTE_MS)
  await visit(footfall.url, `/a/${link.code}`, ann)
  await footfall.track.load(ann)
  const ask = () => askOverview(footfall, { period: 'last_28' })
  const { outcomes } = await ask()
  const [{ visits }] = outcomes.links
  const seen = watchQuestions(footfall.context.facts)
  await footfall.track.load({ address: '203.0.113.201' })
  footfall.clock.advance(3_000)
  await ask()
  const asked = seen.names.filter((name) => !/live/i.test(name)).toSorted()
  assert.deepEqual(asked, [
    'analytics.overview',
    'analytics.readTopLists',
    'automations.countAllConversions',
    'automations.countAllConversions',
  ])
  footfall.clock.advance(40 * MINUTE_MS)
  await footfall.track.load({ address: '203.0.113.202' })
  await ask() // for a minute it would do
  await visit(footfall.url, `/a/${link.code}`, ann)
  await footfall.track.load(ann)
  const [{ clicks, visits: later }] = (await ask()).outcomes.links
  assert.equal(later, visits + 1)
  await markInvalid(footfall, json.session_id)
  assert.equal((await ask()).outcomes.links[0].clicks, clicks - 3, 'without those of a session that is marked')
})
