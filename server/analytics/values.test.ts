// Lists and links of days that are all added up come from one statement, and say what the sessions say.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Counts, readLinkCounts, readTopLinks } from '../clicks/top-facts.ts'
import { peopleOf } from '../conversions/facts.ts'
import { countAllConversions } from '../conversions/top-facts.ts'
import { readTopEvents } from '../lists/event-facts.ts'
import { readPages } from '../lists/page-facts.ts'
import { readSites } from '../sites/facts.ts'
import { DAY_MS } from '../kernel/days.ts'
import { asAsker, nobodyWaits } from '../queues/asker.ts'
import { boundsOf, countOutcomes } from '../sessions/sessions.ts'
import type { Facts } from '../stores/facts.ts'
import { freshProperty } from '../../test/support/facts-rows.ts'
import { openTestFacts } from '../../test/support/facts-store.ts'
import { readParts, type Scope } from './facts.ts'
import { readTopLists } from './tops-facts.ts'
import { figureNames } from './metrics.ts'
import { arrivalsOf, readStarts, returnsOf } from './starts-facts.ts'
import { TopPass } from './top-pass.ts'
import { TOP_ROWS } from './top-sets.ts'

const DAY = '2025-06-02'
const at = (hour: number) => Date.parse(`${DAY}T00:00:00Z`) + hour * 3_600_000
const span = { fromMs: at(0), toMs: at(48) }
const NOW = at(0) + 20 * DAY_MS

const { facts, close } = await openTestFacts()
after(close)

interface Seen {
  readonly language?: string
  readonly country_code?: string
  readonly city?: string
  /** Of the first view, and of one more an hour later. */
  readonly links?: readonly string[]
}

/** Sessions of a property on the first day, each with what it was seen with. */
async function visited(property: string, sessions: readonly Seen[], first = 1): Promise<void> {
  const rows = sessions.map((seen, index) => ({ ...seen, property, day: DAY, session: `${first + index}` }))
  const visits = rows.flatMap(({ links = [''], ...row }) => links.map((link, visit) => ({ row, link, visit })))
  await facts.appendAll(
    'views',
    visits.map(({ row, visit }) => ({ ...row, view: visit + 1, at: at(1 + visit), seen: at(1 + visit), path: '/' })),
  )
  await facts.appendAll(
    'clicks',
    visits.flatMap(({ row: { property: of, day, session }, link, visit }) =>
      link === '' ? [] : [{ property: of, day, session_day: day, session, id: `${visit}`, at: at(1 + visit), link }],
    ),
  )
}

/** The facts, and the names of statements that they were asked. */
function watched(over: Partial<Facts> = {}) {
  const [names, statements]: [string[], string[]] = [[], []]
  const own = { ...facts, ...over }
  const query: Facts['query'] = (name, sql, params) => {
    names.push(name)
    statements.push(sql)
    return own.query(name, sql, params)
  }
  return { asked: { ...own, query }, names, statements }
}

const scopeOf = (property: string): Scope => ({ propertyId: property, span, clauses: [] })

const askOf = async (asked: Facts, scope: Scope, limit: number) => ({
  window: boundsOf(scope.propertyId, span),
  hasMarks: false,
  visitors: undefined,
  settled: { days: await asked.settledDays(), layout: asked.layout },
  limit,
  arrivals: () => arrivalsOf(asked, scope),
  returns: () => returnsOf(asked, scope),
})

/** Links that sessions came through, without their clicks. */
const linksOf = async (asked: Facts, scope: Scope) =>
  readLinkCounts(asked, await askOf(asked, scope, 1000), { clicks: async () => [], returns: (read) => read() })

async function listsOf(asked: Facts, scope: Scope) {
  const [tops, links] = await Promise.all([readTopLists(asked, scope), linksOf(asked, scope)])
  return { tops, links }
}

/** As the sessions say it. */
const folded = (property: string) => listsOf({ ...facts, settledDays: async () => new Map() }, scopeOf(property))

const numbered = (count: number): Seen[] =>
  Array.from({ length: count }, (_, index) => ({ language: `x${index}-YY`, links: [`l${index}`, `r${index % 7}`] }))

test('later visits are asked for as soon as arrivals tell of links, whenever the clicks are counted', async () => {
  const property = freshProperty()
  await visited(property, [{ links: ['one', 'two'] }, { links: ['one'] }])
  const clicks = Promise.withResolvers<Counts>()
  const areAsked = Promise.withResolvers<string>()
  const links = readLinkCounts(facts, await askOf(facts, scopeOf(property), 1000), {
    clicks: () => clicks.promise,
    returns: (read) => {
      areAsked.resolve('asked')
      return read()
    },
  })
  const tooLate = sleep(5_000, 'not asked before the clicks', { ref: false })
  assert.equal(await Promise.race([areAsked.promise, tooLate]), 'asked')
  clicks.resolve([{ id: 'two', number: 1 }])
  assert.deepEqual(
    (await links).toSorted((a, b) => b.sessions - a.sessions).map(({ id, sessions, visits }) => [id, sessions, visits]),
    [
      ['one', 2, 2],
      ['two', 0, 1],
    ],
  )
})

test('lists, arrivals and later visits of a scope are one statement, and say what the sessions say', async () => {
  const property = freshProperty()
  await visited(property, [
    { language: 'de-CH', country_code: 'US', city: 'Berlin', links: ['b', 'c'] },
    { language: 'de', country_code: 'DE', city: 'Berlin', links: ['a', 'c', 'a'] },
    { language: 'pt-BR', country_code: 'AT', city: 'Wien', links: ['b'] },
    { language: 'pt', country_code: 'FR', city: 'Aix', links: ['a'] },
    { language: 'äß-x', links: ['', 'b'] },
    { country_code: 'DE', city: 'Aix' },
  ])
  await facts.settle(NOW, false)
  const { asked, names, statements } = watched()
  const { tops, links } = await listsOf(asked, scopeOf(property))
  assert.deepEqual(names, ['analytics.readValues'])
  assert.doesNotMatch(statements.join(), /quarter|WHERE 0\b|\bsettled WHERE/)
  assert.deepEqual({ tops, links }, await folded(property))
  const shown = tops.primary_language.map(({ value, sessions }) => `${value} ${sessions}`)
  assert.deepEqual(shown, ['DE 2', 'PT 2', 'äß 1'])
  const cities = tops.city.map(({ value, countryCode }) => `${value} ${countryCode}`)
  assert.deepEqual(cities, ['Aix DE', 'Aix FR', 'Berlin DE', 'Berlin US', 'Wien AT'])
  assert.deepEqual(
    links.map(({ id, sessions, visits }) => [id, sessions, visits]),
    [
      ['a', 2, 3],
      ['b', 2, 3],
    ],
  )
  await listsOf(asked, scopeOf(property))
  assert.equal(names.length, 2, 'another answer asks for itself')
})

const conversions = [
  { id: 'event', event_type: 'event', event_value: null },
  { id: 'page', event_type: 'page_view', event_value: '/' },
] as const
const ofPages = { search: '', depth: null, sort: { by: 'views', isAscending: false } } as const

/** Two of them. */
async function mostClicked(asked: Facts, scope: Scope) {
  const ask = await askOf(asked, scope, 2)
  const { clicks } = await countOutcomes(asked, ['clicks'], ask)
  return readTopLinks(
    asked,
    ask,
    clicks.past.map(({ id, used }) => ({ id, number: used })),
  )
}

/** One after the other, whatever is asked of a window. */
async function everythingOf(asked: Facts, property: string) {
  const scope = scopeOf(property)
  return {
    figures: await readParts(asked, scope, { name: 'test', edges: [span.fromMs, at(24)], figures: figureNames }),
    starts: await readStarts(asked, scope, 3600),
    events: await readTopEvents(asked, scope, 10),
    conversions: await countAllConversions(asked, conversions, { everybody: await peopleOf(asked, property, span) }),
    pages: await readPages(asked, { ...scope, ...ofPages }, { offset: 0, limit: 10 }),
    sites: await readSites(asked, { lines: [{ ids: [property], edges: [span.fromMs, span.toMs] }], live: span }),
    clicked: await mostClicked(asked, scope),
  }
}

test('no statement about days that are all added up asks for their sessions', async () => {
  const property = freshProperty()
  await visited(property, [{ links: ['a', 'b'] }, { links: ['b', 'c', 'c'] }, { links: ['', 'a'] }, {}])
  const event = { property, day: DAY, session: '1', at: at(2), name: 'e', id: '1' }
  await facts.append('events', { ...event, kind: 'event' })
  await facts.settle(NOW, false)
  const { asked, names, statements } = watched()
  const found = await everythingOf(asked, property)
  assert.deepEqual(found, await everythingOf({ ...facts, settledDays: async () => new Map() }, property))
  assert.deepEqual(
    found.conversions.past.map(({ count, sessions }) => [count, sessions]),
    [
      [1, 1],
      [8, 4],
    ],
  )
  assert.deepEqual(
    found.clicked.map(({ id, sessions, visits }) => [id, sessions, visits]),
    [
      ['a', 1, 2],
      ['b', 1, 2],
    ],
  )
  assert.doesNotMatch(statements.join('\n'), /\bWHERE 0\b|FROM (settled|settled_visits|events|views FINAL)\s/)
  assert.deepEqual(names, [
    'test',
    'analytics.starts',
    'analytics.readTopEvents',
    'automations.countAllConversions',
    'analytics.pages',
    'sites.readSites',
    'analytics.outcomes',
    'analytics.readValues',
  ])
})

test('a list that may have more values than were read is asked for by itself', async () => {
  const [whole, cut] = [freshProperty(), freshProperty()]
  await visited(whole, numbered(TOP_ROWS))
  await visited(cut, numbered(TOP_ROWS + 1))
  await facts.settle(NOW, false)
  const [few, many] = [watched(), watched()]
  assert.deepEqual(await listsOf(few.asked, scopeOf(whole)), await folded(whole))
  assert.deepEqual(few.names, ['analytics.readValues'])
  assert.deepEqual(await listsOf(many.asked, scopeOf(cut)), await folded(cut))
  assert.deepEqual(many.names.toSorted(), ['analytics.readTopLists', 'analytics.readValues', 'links.topArrivals'])
  assert.doesNotMatch(many.statements.join(), /WHERE 0\b|\bsettled WHERE/)
})

test('of sessions that are read one by one, lists and arrivals are one pass, where an answer has one', async () => {
  const property = freshProperty()
  await visited(property, [
    { language: 'de-CH', country_code: 'US', city: 'Berlin', links: ['b', 'c'] },
    { language: 'de', country_code: 'DE', city: 'Berlin', links: ['b'] },
    { language: 'pt', links: ['', 'a'] },
  ])
  const scope = scopeOf(property)
  const expected = await folded(property)
  const passed = (pass: TopPass) => ({ ...scope, pass })
  const asked = async (own: Scope) => {
    const { asked, names } = watched({ settledDays: async () => new Map() })
    assert.deepEqual(await listsOf(asked, own), expected)
    return names.toSorted()
  }
  const apart = ['analytics.readTopLists', 'links.topArrivals', 'links.topReturns']
  assert.deepEqual(await asked(scope), apart)
  assert.deepEqual(await asked(passed(new TopPass(span, TOP_ROWS))), ['analytics.readTopLists', 'links.topReturns'])
  const ofAnother = new TopPass({ ...span, fromMs: span.fromMs + 1 }, TOP_ROWS)
  assert.deepEqual(await asked(passed(ofAnother)), apart, 'a pass over other sessions says nothing of these')
  // Two links and those without one, of which it reads one and one more.
  const [short, all] = [new TopPass(span, 1), ['analytics.readTopLists', ...apart]]
  assert.deepEqual(await asked(passed(short)), all, 'there may be other links than those that it has')
})

test('a pass that failed is begun anew by whoever asks next', async () => {
  const property = freshProperty()
  await visited(property, [{ language: 'de', links: ['a'] }])
  const scope = { ...scopeOf(property), pass: new TopPass(span, TOP_ROWS) }
  const failing = watched({ query: async () => Promise.reject(new Error('no answer')) })
  await assert.rejects(readTopLists(failing.asked, scope), /no answer/)
  assert.deepEqual(await listsOf(facts, scope), await folded(property))
})

test('what was read of other copies is not shown, nor where something was added since', async () => {
  const property = freshProperty()
  const scope = scopeOf(property)
  await visited(property, [{ language: 'de' }])
  await facts.settle(NOW, false)
  const sessionsOf = async () => (await readTopLists(facts, scope)).language.map(({ sessions }) => sessions)
  assert.deepEqual(await sessionsOf(), [1])
  await visited(property, [{ language: 'de' }], 2)
  assert.deepEqual(await sessionsOf(), [2])
  await facts.settle(NOW, false)
  const { asked, names } = watched()
  assert.deepEqual((await readTopLists(asked, scope)).language, [{ value: 'de', countryCode: '', sessions: 2 }])
  assert.deepEqual(names, ['analytics.readValues'])
})

test('a read that failed is not kept, and fails nobody who asks afterwards', async () => {
  const property = freshProperty()
  const scope = scopeOf(property)
  await visited(property, [{ language: 'de', links: ['a'] }])
  await facts.settle(NOW, false)
  const failing = watched({ query: async () => Promise.reject(new Error('no answer')) })
  await assert.rejects(readTopLists(failing.asked, scope), /no answer/)
  assert.deepEqual(await listsOf(facts, scope), await folded(property))
})

test('who leaves does not take the answer of the others along', async () => {
  const property = freshProperty()
  const scope = scopeOf(property)
  await visited(property, [{ language: 'de', links: ['a'] }])
  await facts.settle(NOW, false)
  const leaving = new AbortController()
  const begun = Promise.withResolvers<void>()
  const left = Promise.withResolvers<never>()
  left.promise.catch(() => undefined)
  leaving.signal.addEventListener('abort', () => left.reject(leaving.signal.reason as Error))
  const slow = watched({
    query: () => {
      begun.resolve()
      return left.promise
    },
  })
  const asker = { propertyId: property, caller: 'one', isShared: false }
  const first = asAsker({ ...asker, signal: leaving.signal }, () => readTopLists(slow.asked, scope))
  await begun.promise
  const { asked, names } = watched()
  const others = asAsker({ ...asker, caller: 'other' }, () => listsOf(asked, scope))
  // Both have found what is being read.
  await facts.query('test', 'SELECT 1')
  leaving.abort(nobodyWaits())
  await assert.rejects(first, /canceled/)
  assert.deepEqual(await others, await folded(property))
  assert.deepEqual([slow.names, names], [['analytics.readValues'], ['analytics.readValues']])
})
