// Who arrived: people who saw a page within a minute of their click, whether or not they had been on the site
// before.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { flowOf } from '../../test/support/form-flow.ts'
import { type Footfall, startAgain, startFootfall } from '../../test/support/server.ts'
import { untilEqual } from '../../test/support/until.ts'
import { addGroup, addLink, visit, type TestLink } from '../../test/support/visits.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const DAY = 86_400 * SECOND
const FIRST = Date.parse('2026-11-02T00:00:00Z')

const closers: (() => Promise<void>)[] = []
const shared = await startFootfall({ after: (close) => closers.push(close) }, { now: FIRST })
after(async () => {
  for (const close of closers) await close()
})

/** Days of its own for each test, which come one after the other. */
let nextDay = FIRST

interface Stage extends Footfall {
  readonly midnight: number
  readonly group: string
  readonly link: TestLink
  /** Milliseconds after midnight. */
  readonly at: (ms: number) => void
  readonly click: (address: string, link?: TestLink) => Promise<void>
  readonly figures: (what?: string, query?: Record<string, string>) => Promise<Record<string, number>>
  /** Arrived, already on the site, engaged: of the link, the same day. */
  readonly told: (query?: Record<string, string>) => Promise<(number | undefined)[]>
}

async function openStage(): Promise<Stage> {
  nextDay += 7 * DAY
  const midnight = nextDay
  const footfall = await startAgain(shared, midnight - DAY)
  const group = await addGroup(footfall)
  const link = await addLink(footfall, { group_id: group })
  const figures: Stage['figures'] = async (what = `links/${link.id}`, query = { period: 'today' }) => {
    const path = `/manage/properties/${footfall.property.id}/${what}/statistics`
    const { status, json, text } = await footfall.call('GET', path, { query })
    assert.equal(status, 200, text)
    return json.data.statistics
  }
  return {
    ...footfall,
    midnight,
    group,
    link,
    at: (ms) => footfall.clock.set(midnight + ms),
    click: async (address, { short_url } = link) => {
      const { status } = await visit(footfall.url, new URL(short_url).pathname, { address })
      assert.equal(status, 302)
    },
    figures,
    told: async (query) => {
      const { arrived, already_on_site, engaged } = await figures(undefined, query)
      return [arrived, already_on_site, engaged]
    },
  }
}

interface LinkFigures {
  readonly clicks: number
  readonly arrived: number
  readonly engaged: number
}

/** Of all links of the property by their ids, the same day. */
async function figuresOfLinks({ call, property }: Pick<Stage, 'call' | 'property'>): Promise<Map<string, LinkFigures>> {
  const query = { period: 'today', per_page: 50 }
  const { status, json, text } = await call('GET', `/manage/properties/${property.id}/links`, { query })
  assert.equal(status, 200, text)
  return new Map(json.data.data.map((link: { id: string; figures: LinkFigures }) => [link.id, link.figures]))
}

const NOON = 12 * 60 * MINUTE

test('who was on the site earlier the same day and follows a link has arrived, and its session keeps its first touch', async () => {
  const stage = await openStage()
  const { at, click, track, told, figures, property, link, group } = stage
  const address = '203.0.113.1'
  at(NOON - 60 * MINUTE)
  await track.load({ address })
  await track.load({ address, page: 'https://example.com/more' })
  at(NOON)
  await click(address)
  at(NOON + 5 * SECOND)
  await track.load({ address })
  at(NOON + MINUTE)
  assert.deepEqual(await told(), [1, 1, 0])
  const expected = { clicks: 1, visitors: 1, arrived: 1, arrival_rate: 1, engagement_rate: 0 }
  for (const what of [`links/${link.id}`, `link-groups/${group}`]) {
    const statistics = await figures(what)
    for (const [name, value] of Object.entries(expected)) assert.equal(statistics[name], value, `${what} ${name}`)
  }
  const list = await stage.call('GET', `/manage/properties/${property.id}/links`, { query: { period: 'today' } })
  assert.deepEqual(list.json.data.data[0].figures, { clicks: 1, arrived: 1, engaged: 0 })
  const body = { period: 'today', clauses: [{ id: 'link', op: 'equals', value: link.id }] }
  assert.equal((await stage.call('POST', '/v2/property/signals/sessions', { body })).json.total, 0)
})

test('a page view counts from the click to a whole minute after it; the first one of a session also two seconds before', async () => {
  const rows: readonly { before?: number; view: number; expected: number }[] = [
    { view: 0, expected: 1 },
    { view: MINUTE, expected: 1 },
    { view: MINUTE + 1, expected: 0 },
    { view: -2 * SECOND, expected: 1 },
    { view: -2 * SECOND - 1, expected: 0 },
    { before: -10 * MINUTE, view: 0, expected: 1 },
    { before: -10 * MINUTE, view: MINUTE, expected: 1 },
    { before: -10 * MINUTE, view: MINUTE + 1, expected: 0 },
    { before: -10 * MINUTE, view: -1, expected: 0 },
  ]
  const stage = await openStage()
  const { at, click, track, figures, group } = stage
  // A visitor and a link each: what is of one moment comes together, and the views before the clicks.
  const visits = await Promise.all(
    rows.map(async (row, index) => {
      const link = await addLink(stage, { group_id: group })
      const address = `203.0.113.${index}`
      const seen = [row.view, ...(row.before === undefined ? [] : [row.before])]
      return { ...row, link, seen, load: () => track.load({ address }), click: () => click(address, link) }
    }),
  )
  const moments = [...new Set([0, ...visits.flatMap(({ seen }) => seen)])].toSorted((a, b) => a - b)
  for (const ms of moments) {
    at(NOON + ms)
    await Promise.all(visits.filter(({ seen }) => seen.includes(ms)).map(({ load }) => load()))
    if (ms === 0) await Promise.all(visits.map((visited) => visited.click()))
  }
  at(NOON + 10 * MINUTE)
  const ofLinks = await figuresOfLinks(stage)
  for (const [index, { link, expected }] of visits.entries())
    assert.equal(ofLinks.get(link.id)?.arrived, expected, JSON.stringify(rows[index]))
  const whole = await figures(`link-groups/${group}`)
  assert.deepEqual([whole['arrived'], whole['already_on_site'], whole['engaged']], [5, 2, 0])
})

test('who arrives several times has arrived once, and was not there before when it was the first time that brought them', async () => {
  const stage = await openStage()
  const { at, click, track, told, figures, link, group } = stage
  const other = await addLink(stage, { group_id: group, domain: 'link-b' })
  for (const [index, through] of [link, link, other].entries()) {
    at(NOON + index * 30 * MINUTE)
    await click('203.0.113.1', through)
    at(NOON + index * 30 * MINUTE + SECOND)
    await track.load({ address: '203.0.113.1' })
  }
  at(NOON + 120 * MINUTE)
  assert.deepEqual(await told(), [1, 0, 1])
  const { arrived, already_on_site, visitors } = await figures(`links/${other.id}`)
  assert.deepEqual([visitors, arrived, already_on_site], [1, 1, 1])
  const whole = await figures(`link-groups/${group}`)
  assert.deepEqual([whole.clicks, whole.visitors, whole.arrived, whole.already_on_site], [3, 1, 1, 0])
})

test('engaged is who did something from the arrival on: what came before it does not count', async () => {
  const stage = await openStage()
  const { at, click, track, figures, property } = stage
  const flow = flowOf(stage)
  const form = await flow.create(property.id)
  type Here = { readonly address: string; readonly view: string; readonly session: string }
  const after: Readonly<Record<string, (here: Here) => Promise<unknown>>> = {
    nothing: async () => undefined,
    'nine seconds': ({ view, address }) => track.ping(view, { tos: 9, address }),
    'ten seconds': ({ view, address }) => track.ping(view, { tos: 10, address }),
    'another page': ({ address }) => track.load({ address, page: 'https://example.com/more' }),
    'an event': ({ session, address }) => track.event(session, 'signup', { address }),
    'an order': ({ session, address }) => track.acquisition(session, { value: 100 }, { address }),
    'a form': async ({ address }) =>
      flow.send(await flow.open(form, undefined, { address }), { name: 'Ann', email: 'ann@example.com' }, { address }),
  }
  const isEngaged = (name: string) => !['nothing', 'nine seconds'].includes(name)
  // A visitor and a link each, who do all of it at the same moments.
  const groups = { hereBefore: await addGroup(stage), new: stage.group }
  const groupOf = (wasHere: boolean): string => (wasHere ? groups.hereBefore : groups.new)
  const visits = await Promise.all(
    [false, true]
      .flatMap((wasHere) => Object.entries(after).map(([name, go]) => ({ wasHere, name, go })))
      .map(async (visited, index) => {
        const link = await addLink(stage, { group_id: groupOf(visited.wasHere) })
        return { ...visited, link, address: `203.0.113.${index + 1}` }
      }),
  )
  const each = (go: (visited: (typeof visits)[number]) => Promise<unknown>) => Promise.all(visits.map(go))
  at(NOON - 5 * MINUTE)
  await each(async ({ wasHere, address }) => {
    if (!wasHere) return
    const { json } = await track.load({ address })
    await track.ping(json.view_id, { tos: 50, address })
    await track.event(json.session_id, 'before', { address })
  })
  at(NOON)
  await each(({ address, link }) => click(address, link))
  at(NOON + 2 * SECOND)
  const loads = new Map<string, Here>()
  await each(async ({ address }) => {
    const { json } = await track.load({ address })
    loads.set(address, { address, view: json.view_id, session: json.session_id })
  })
  at(NOON + 30 * SECOND)
  await each(({ address, go }) => go(loads.get(address)!))
  const told = async () => {
    const ofLinks = await figuresOfLinks(stage)
    return visits.map(({ name, wasHere, link }) => ({ name, wasHere, ...ofLinks.get(link.id) }))
  }
  // A submission may be answered before the facts know of it.
  await untilEqual(
    told,
    visits.map(({ name, wasHere }) => ({ name, wasHere, clicks: 1, arrived: 1, engaged: Number(isEngaged(name)) })),
  )
  const number = visits.length / 2
  for (const wasHere of [false, true]) {
    const { visitors, already_on_site: here } = await figures(`link-groups/${groupOf(wasHere)}`)
    assert.deepEqual([visitors, here], [number, wasHere ? number : 0])
  }
})

test('who carries on over midnight arrives in the session of the day before; the click says in which window', async () => {
  const { at, click, track, told } = await openStage()
  const address = '203.0.113.1'
  at(-20 * MINUTE)
  await track.load({ address })
  at(-10 * SECOND)
  await click(address)
  at(5 * SECOND)
  await track.load({ address })
  at(MINUTE * 5)
  assert.deepEqual(await told(), [0, 0, 0])
  assert.deepEqual(await told({ period: 'yesterday' }), [1, 1, 0])
  await click(address)
  at(5 * MINUTE + SECOND)
  await track.load({ address })
  assert.deepEqual(await told(), [1, 1, 0])
  assert.deepEqual(await told({ period: 'yesterday' }), [1, 1, 1])
  assert.deepEqual(await told({ period: 'last_7' }), [1, 1, 1], 'a visitor of one session is one')

  const stranger = '203.0.113.2'
  at(DAY - SECOND)
  await click(stranger)
  at(DAY + SECOND)
  await track.load({ address: stranger })
  at(DAY + MINUTE)
  assert.deepEqual(
    await told({ period: 'yesterday' }),
    [1, 1, 0],
    'whom the new day does not know again has not arrived',
  )
})

test('programs do not arrive, and a program that passes for a person may click and look around as often as it likes', async () => {
  const stage = await openStage()
  const { at, click, track, told, figures, link, url, property, context, midnight } = stage
  at(NOON - MINUTE)
  await track.load({ address: '203.0.113.1' })
  at(NOON)
  await visit(url, new URL(link.short_url).pathname, {
    address: '203.0.113.1',
    headers: { 'sec-purpose': 'prefetch' },
  })
  at(NOON + SECOND)
  await track.load({ address: '203.0.113.1' })
  assert.deepEqual(await told(), [0, 0, 0])

  await click('203.0.113.2')
  at(NOON + 2 * SECOND)
  const { json } = await track.load({ address: '203.0.113.2' })
  assert.deepEqual(await told(), [1, 0, 0])
  const list = await stage.call('POST', '/v2/property/signals/sessions', { body: { period: 'today' } })
  assert.ok(list.json.data.some(({ id }: { id: string }) => id === json.session_id))
  const [row] = await context.facts.query<{ day: string; session: string }>(
    'test.session',
    'SELECT toString(session_day) AS day, toString(session) AS session FROM clicks WHERE property = {property:String} AND is_bot = 0',
    { property: property.id },
  )
  const many = <Row>(make: (index: number) => Row) => Array.from({ length: 20_000 }, (_, index) => make(index))
  const own = { property: property.id, day: row!.day, session: row!.session }
  await context.facts.appendAll(
    'clicks',
    many((index) => ({
      ...own,
      session_day: own.day,
      link_group: link.group_id,
      link: link.id,
      id: String(index + 1),
      at: midnight + index * SECOND,
    })),
  )
  await context.facts.appendAll(
    'views',
    many((index) => ({ ...own, view: index + 1, at: midnight + NOON + index, seen: midnight + NOON + index })),
  )
  at(NOON + MINUTE)
  assert.equal((await figures())['visitors'], 1)
  assert.deepEqual(await told(), [1, 0, 1])

  await context.facts.append('views', { ...own, view: 1, is_bot: 1 })
  assert.deepEqual(await told(), [0, 0, 0], 'a session known to be of a program')
})

test('rows that are sent twice, in whatever order, and weeks that are settled change nothing', async () => {
  const { at, context, property, link, midnight, told } = await openStage()
  const day = new Date(midnight).toISOString().slice(0, 10)
  const own = { property: property.id, day, session: '77' }
  const view = (id: number, ms: number) => ({ ...own, view: id, at: midnight + ms, seen: midnight + ms })
  const views = [view(2, NOON + 3 * SECOND), view(1, NOON - MINUTE)]
  const ping = { ...own, view: 2, seen: midnight + NOON + 20 * SECOND, seconds: 17 }
  const clicked = {
    ...own,
    session_day: day,
    link_group: link.group_id,
    link: link.id,
    id: '5',
    at: midnight + NOON,
  }
  at(NOON + MINUTE)
  const send = async () => {
    await context.facts.append('views', ping)
    for (const row of views) await context.facts.append('views', row)
    await context.facts.append('clicks', clicked)
  }
  for (let round = 0; round < 2; round++) {
    await send()
    assert.deepEqual(await told(), [1, 1, 1])
  }
  at(30 * DAY)
  const dates = { period: 'custom', date_from: day, date_to: day }
  await context.facts.settle(midnight + 30 * DAY, false)
  assert.deepEqual(await told(dates), [1, 1, 1])
  await send()
  assert.deepEqual(await told(dates), [1, 1, 1])
})
