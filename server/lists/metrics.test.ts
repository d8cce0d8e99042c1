// Figures of the rows of a list, and conversions credited to sessions: as counted by hand from a list of what
// happened, written from docs/definitions.md alone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { seededPick } from '../../test/support/overview-world.ts'
import { openShare } from '../../test/support/shares.ts'
import { startFootfall } from '../../test/support/server.ts'
import { DAY_MS, dayOf, dayText } from '../kernel/days.ts'
import { NEVER_MS } from '../stores/tables.ts'

const NOW = Date.parse('2026-11-20T13:05:07Z')
const MINUTE_MS = 60_000

interface Done {
  readonly kind: 'event' | 'acquisition' | 'form' | 'view'
  readonly name: string
  readonly usd: number
}

interface Seen {
  readonly session: string
  readonly entryMs: number
  readonly source: string
  readonly isBot: boolean
  /** '' without one. */
  readonly contact: string
  readonly views: readonly { readonly path: string; readonly seconds: number; readonly scroll: number }[]
  readonly did: readonly Done[]
}

const pick = seededPick(20_261_120)
const oneOf = <Choice>(choices: readonly Choice[]): Choice => choices[pick(choices.length)]!

/** Some are contacts who come back; some sessions began before the window that is asked about. */
function makeWorld(): Seen[] {
  return Array.from({ length: 160 }, (_, n) => {
    const did = Array.from({ length: pick(4) }, (): Done => {
      const kind = oneOf(['event', 'event', 'acquisition', 'form'] as const)
      return {
        kind,
        name: kind === 'event' ? oneOf(['signup', 'call']) : '',
        usd: kind === 'acquisition' ? pick(9000) : 0,
      }
    })
    return {
      session: String(n + 1),
      entryMs: NOW - 60_000 - pick(30) * DAY_MS - pick(12 * 60) * MINUTE_MS,
      source: oneOf(['Google', 'Letter', 'Direct', 'Bing', '']),
      isBot: pick(9) === 0,
      contact: pick(2) === 0 ? `ct_${pick(12)}` : '',
      views: Array.from({ length: 1 + pick(3) }, () => ({
        path: oneOf(['/', '/pricing', '/thanks', '/thanks', '/Blog/one', '/Blog/two/three', '/Blog/']),
        seconds: pick(3) === 0 ? 0 : pick(40),
        scroll: pick(3) === 0 ? -1 : pick(101),
      })),
      did,
    }
  })
}

const world = makeWorld()

type Footfall = Awaited<ReturnType<typeof startFootfall>>

async function store({ context: { facts }, property }: Footfall): Promise<void> {
  for (const { session, entryMs, source, isBot, contact, views, did } of world) {
    const of = { property: property.id, day: dayText(dayOf(entryMs)), session }
    await facts.appendAll(
      'views',
      views.flatMap(({ path, seconds, scroll }, index) => {
        const at = entryMs + index * 1000
        const load = { ...of, view: index + 1, at, seen: at, path, source, is_bot: Number(isBot) }
        return [load, { ...of, view: index + 1, at: NEVER_MS, seen: at, seconds, scroll }]
      }),
    )
    const done = did.map((deed, index) => ({ ...deed, id: String(Number(session) * 100 + index) }))
    const events = done.flatMap(({ kind, name, usd, id }) =>
      kind === 'event' || kind === 'acquisition'
        ? [
            {
              ...of,
              id,
              kind,
              name: name || 'revenue',
              at: entryMs,
              amount: kind === 'event' ? null : usd,
              amount_usd: usd,
            },
          ]
        : [],
    )
    const identify = { ...of, id: '7', kind: 'identify', name: 'identify', at: entryMs, contact_id: contact } as const
    await facts.appendAll('events', [...events, ...(contact === '' ? [] : [identify])])
    const forms = done.filter(({ kind }) => kind === 'form')
    await facts.appendAll(
      'form_events',
      forms.map(({ id }) => ({
        property: property.id,
        form: 'fm_1',
        kind: 'submit' as const,
        day: of.day,
        id,
        at: entryMs,
        session_day: of.day,
        session,
        is_bot: Number(isBot),
      })),
    )
  }
}

// ---------------------------------------------------------------- counted by hand

const goals = {
  signups: {
    event_type: 'event',
    event_value: 'signup',
    meets: ({ kind, name }: Done) => kind === 'event' && name === 'signup',
  },
  orders: { event_type: 'acquisition', event_value: null, meets: ({ kind }: Done) => kind === 'acquisition' },
  leads: { event_type: 'form_submit', event_value: null, meets: ({ kind }: Done) => kind === 'form' },
  thanks: {
    event_type: 'page_view',
    event_value: '/thanks',
    meets: ({ kind, name }: Done) => kind === 'view' && name === '/thanks',
  },
} as const
type GoalName = keyof typeof goals

const people = world.filter(({ isBot }) => !isBot)
/** All that may meet a goal. */
const deedsOf = ({ did, views }: Seen): Done[] => [
  ...did,
  ...views.map(({ path }): Done => ({ kind: 'view', name: path, usd: 0 })),
]

function creditedTo(seen: Seen, attribution: string): Seen {
  if (attribution === 'last' || seen.contact === '') return seen
  const own = people.filter(({ contact }) => contact === seen.contact)
  return own.reduce((first, other) => (other.entryMs < first.entryMs ? other : first))
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)
const round = (value: number, decimals: number) => Math.round(value * 10 ** decimals) / 10 ** decimals
const mean = (numbers: readonly number[], decimals: number) =>
  numbers.length === 0 ? null : round(sum(numbers) / numbers.length, decimals)

const isOpen = ({ entryMs }: Seen) => entryMs >= Math.max(dayOf(NOW) * DAY_MS, NOW - 30 * MINUTE_MS)
const secondsOf = ({ views }: Seen) => sum(views.map(({ seconds }) => seconds))
const scrollsOf = ({ views }: Seen) => views.map(({ scroll }) => scroll).filter((scroll) => scroll >= 0)
const isMeasured = (seen: Seen) => secondsOf(seen) > 0 || scrollsOf(seen).length > 0
const hasBounced = (seen: Seen) => seen.views.length <= 1 && seen.did.length === 0 && secondsOf(seen) < 10
const usdOf = ({ did }: Seen) => sum(did.map(({ usd }) => usd))

/** @param own the sessions of the row. */
function metricsOf(own: readonly Seen[], goal: GoalName, attribution: string) {
  const credits = people.flatMap((seen) => {
    const met = deedsOf(seen).filter(goals[goal].meets)
    const credited = creditedTo(seen, attribution)
    return met.length > 0 && own.includes(credited) ? [{ credited, met }] : []
  })
  const met = credits.flatMap((credit) => credit.met)
  const measured = own.filter(isMeasured)
  return {
    sessions: own.length,
    views: sum(own.map(({ views }) => views.length)),
    bounce: mean(
      measured.filter((seen) => !hasBounced(seen) || !isOpen(seen)).map((seen) => Number(hasBounced(seen))),
      4,
    ),
    duration: mean(measured.map(secondsOf), 0),
    scroll: mean(
      own.filter((seen) => scrollsOf(seen).length > 0).map((seen) => sum(scrollsOf(seen)) / scrollsOf(seen).length),
      0,
    ),
    value: sum(own.map(usdOf)),
    conversions: met.length,
    rate: round(new Set(credits.map(({ credited }) => credited)).size / own.length, 4),
    conversion_value: goal === 'orders' ? sum(met.map(({ usd }) => usd)) : 0,
  }
}

interface Compared {
  readonly id: string
  readonly current: number
  readonly previous: number
}

interface Bucket {
  readonly from_ts: number
  readonly to_ts: number
}

type Metrics = ReturnType<typeof metricsOf>
const metricIds = Object.keys(metricsOf([], 'orders', 'last')) as (keyof Metrics)[]

const valuesOf: Readonly<Record<string, (seen: Seen) => readonly string[]>> = {
  source: ({ source }) => [source],
  entry_path_full: ({ views }) => [views[0]?.path ?? ''],
  event_name: ({ did }) => did.filter(({ kind }) => kind === 'event').map(({ name }) => name),
}

function expectedRows(list: string, own: readonly Seen[], goal: GoalName, attribution: string) {
  const values = [...new Set(own.flatMap(valuesOf[list]!))].filter((value) => value !== '')
  return values.map((id) => ({
    id,
    metrics: metricsOf(
      own.filter((seen) => valuesOf[list]!(seen).includes(id)),
      goal,
      attribution,
    ),
  }))
}

type Row = ReturnType<typeof expectedRows>[number]

/** What is not known comes last, whichever way it goes. */
function compareBy(by: keyof Metrics, order: string) {
  return (a: Row, b: Row): number => {
    const [one, other] = [a.metrics[by], b.metrics[by]]
    if (one === null || other === null) return Number(one === null) - Number(other === null)
    const sign = order === 'asc' ? 1 : -1
    return sign * (one - other) || b.metrics.sessions - a.metrics.sessions || (a.id < b.id ? -1 : 1)
  }
}

const folderOf = (path: string, depth: number | null) => {
  const parts = path.split('/')
  return depth === null || parts.length <= depth + 1 ? path : `${parts.slice(0, depth + 1).join('/')}/`
}

function expectedPages(own: readonly Seen[], depth: number | null) {
  const named = own.map((seen) => ({ views: seen.views.map((view) => ({ ...view, id: folderOf(view.path, depth) })) }))
  const ids = [...new Set(named.flatMap(({ views }) => views.map(({ id }) => id)))]
  return ids.map((id) => {
    const seen = named.filter(({ views }) => views.some((view) => view.id === id))
    const views = seen.flatMap((each) => each.views.filter((view) => view.id === id))
    return {
      id,
      label: id,
      views: views.length,
      visitors: seen.length,
      time: mean(
        views.map(({ seconds }) => seconds).filter((seconds) => seconds > 0),
        0,
      ),
      scroll: mean(
        views.map(({ scroll }) => scroll).filter((scroll) => scroll >= 0),
        0,
      ),
      entries: named.filter((each) => each.views[0]?.id === id).length,
      exits: named.filter((each) => each.views.at(-1)?.id === id).length,
    }
  })
}

type PageRow = ReturnType<typeof expectedPages>[number]
const pageMetricIds = ['views', 'visitors', 'time', 'scroll', 'entries', 'exits'] as const

function comparePages(by: (typeof pageMetricIds)[number], order: 'asc' | 'desc') {
  return (a: PageRow, b: PageRow): number => {
    if (a[by] === null || b[by] === null) return Number(a[by] === null) - Number(b[by] === null)
    const sign = order === 'asc' ? 1 : -1
    return sign * (a[by] - b[by]) || b.views - a.views || Buffer.compare(Buffer.from(a.id), Buffer.from(b.id))
  }
}

test('figures of rows', async (t) => {
  const footfall = await startFootfall(t, { now: NOW })
  await store(footfall)
  const at = `/manage/properties/${footfall.property.id}`
  const ids: Partial<Record<GoalName, string>> = {}
  for (const name of Object.keys(goals) as GoalName[]) {
    const { event_type, event_value } = goals[name]
    const { json } = await footfall.call('POST', `${at}/conversions`, { body: { name, event_type, event_value } })
    ids[name] = json.data.conversion.id
  }
  const ask = async (list: string, body: object) => {
    const { status, json, text } = await footfall.call('POST', `${at}/lists/${list}`, { body })
    assert.equal(status, 200, text)
    return json.data.rows as (Row & { readonly value: number })[]
  }
  const windowOf = (days: number) => ({
    from: (dayOf(NOW) - days + 1) * DAY_MS,
    ask: { period: days === 7 ? 'last_7' : 'last_28' },
  })

  const checkAll = async () => {
    for (const list of Object.keys(valuesOf))
      for (const goal of Object.keys(goals) as GoalName[])
        for (const attribution of ['first', 'last']) {
          const window = windowOf(oneOf([7, 28]))
          const own = people.filter(({ entryMs }) => entryMs >= window.from)
          const [sort, order] = [oneOf(metricIds), oneOf(['asc', 'desc'])]
          const body = { ...window.ask, goal: ids[goal], attribution, metrics: metricIds, sort, order }
          const rows = await ask(list, body)
          const expected = expectedRows(list, own, goal, attribution).toSorted(compareBy(sort, order))
          const got = rows.map(({ id, metrics }) => ({ id, metrics }))
          assert.deepEqual(got, expected, `${list}, ${goal}, ${attribution}, ${sort} ${order}`)
        }
  }

  await t.test('are those counted by hand, sorted by each, for every goal and attribution', checkAll)

  await t.test('are the same of days that are settled', async () => {
    assert.ok((await footfall.context.facts.settle(NOW, false)).length > 20)
    await checkAll()
  })

  await t.test('the overview counts a goal by bucket, beside the window before, and in its rows', async () => {
    for (const goal of Object.keys(goals) as GoalName[])
      for (const attribution of ['first', 'last']) {
        const body = { period: 'last_7', goal: ids[goal], attribution }
        const { status, json, text } = await footfall.call('POST', `${at}/overview`, { body })
        assert.equal(status, 200, text)
        const { goal: got, lists, series } = json.data
        const within = (from: number, to: number) => people.filter(({ entryMs }) => entryMs >= from && entryMs < to)
        const counted = (from: number, to: number) => {
          const own = within(from, to)
          return own.length === 0
            ? { conversions: 0, rate: null, conversion_value: 0 }
            : metricsOf(own, goal, attribution)
        }
        const { from } = windowOf(7)
        const [now, before] = [counted(from, NOW), counted(2 * from - NOW - 1000, from)]
        const cards = got.cards.map(({ id, current, previous }: Compared) => [id, current, previous])
        const ofMoney = [['conversion_value', now.conversion_value, before.conversion_value]]
        assert.deepEqual(
          cards,
          [
            ['conversions', now.conversions, before.conversions],
            ['rate', now.rate, before.rate],
            ...(goal === 'orders' ? ofMoney : []),
          ],
          `${goal}, ${attribution}`,
        )
        const parts = series.buckets.map(({ from_ts, to_ts }: Bucket) => counted(from_ts * 1000, to_ts * 1000))
        assert.deepEqual(
          got.series.current.conversions,
          parts.map(({ conversions }: Metrics) => conversions),
        )
        const rates = parts.map(({ rate }: Metrics) => rate)
        assert.ok(got.series.current.rate.every((rate: number, n: number) => Math.abs(rate / 100 - rates[n]) < 1e-4))
        for (const list of ['source', 'entry_path_full'] as const)
          for (const row of lists[list].rows) {
            const own = within(from, NOW).filter((seen) => valuesOf[list]!(seen).includes(row.id))
            const { conversions, rate, conversion_value } = metricsOf(own, goal, attribution)
            assert.deepEqual(row.metrics, { conversions, rate, conversion_value }, `${list} ${row.id}`)
          }
      }
  })

  const askPages = async (body: object) => {
    const { status, json, text } = await footfall.call('POST', `${at}/pages`, { body })
    assert.equal(status, 200, text)
    return json.data as { readonly rows: readonly PageRow[]; readonly total: number }
  }

  await t.test(
    'pages and their folders have the views, visitors, time, scroll, entries and exits of the window',
    async () => {
      const settled = { period: 'custom', date_from: '2026-11-02', date_to: '2026-11-15' }
      const spans = [
        [windowOf(7).ask, windowOf(7).from, NOW],
        [windowOf(28).ask, windowOf(28).from, NOW],
        [settled, Date.parse('2026-11-02'), Date.parse('2026-11-16')],
        [
          { ...settled, timezone: 'America/New_York' },
          Date.parse('2026-11-02T05:00Z'),
          Date.parse('2026-11-16T05:00Z'),
        ],
      ] as const
      for (const [window, from, to] of spans)
        for (const depth of [null, 1])
          for (const source of [null, 'Google']) {
            const own = people.filter((seen) => seen.entryMs >= from && seen.entryMs < to)
            const chosen = own.filter((seen) => source === null || seen.source === source)
            const clauses = source === null ? [] : [{ id: 'source', op: 'equals', value: source }]
            const [sort, order] = [oneOf(pageMetricIds), oneOf(['asc', 'desc'] as const)]
            const expected = expectedPages(chosen, depth).toSorted(comparePages(sort, order))
            const { rows, total } = await askPages({ ...window, clauses, depth, sort, order })
            assert.deepEqual(rows, expected, JSON.stringify([window, depth, source, sort, order]))
            assert.equal(total, expected.length)
          }
      const [page] = (await askPages({ period: 'last_28', search: 'BLOG/t', per_page: 1 })).rows
      assert.equal(page?.id, '/Blog/two/three')
      assert.deepEqual(await askPages({ period: 'last_28', page: 9, depth: 1 }), {
        rows: [],
        total: 4,
        page: 9,
        per_page: 25,
        last_page: 1,
      })
      const { text } = await footfall.call('POST', `${at}/pages`, {
        body: { period: 'last_28' },
        query: { format: 'csv' },
      })
      assert.match(text, /^path,views,visitors,time,scroll,entries,exits\r\n\/thanks,\d+,/)
    },
  )

  await t.test('stand in the file, and an unknown one is an empty cell', async () => {
    const body = { period: 'last_28', goal: ids.orders, attribution: 'last', metrics: metricIds }
    const { text } = await footfall.call('POST', `${at}/lists/source`, { body, query: { format: 'csv' } })
    const lines = parse<Record<string, string>>(text, { columns: true })
    const own = people.filter(({ entryMs }) => entryMs >= windowOf(28).from)
    for (const { id, metrics } of expectedRows('source', own, 'orders', 'last')) {
      const line = lines.find((candidate) => candidate['id'] === id)
      for (const metric of metricIds) assert.equal(line?.[metric], String(metrics[metric] ?? ''), `${id} ${metric}`)
    }
  })

  await t.test('a clause chooses the sessions that meet a conversion, and leaves them out', async () => {
    const own = people.filter(({ entryMs }) => entryMs >= windowOf(28).from)
    const count = async (op: string, value: unknown, id = 'conversion') => {
      const clauses = [{ id, op, value }]
      const { status, json, text } = await footfall.call('POST', `${at}/overview`, {
        body: { period: 'last_28', clauses },
      })
      assert.equal(status, 200, text)
      assert.match(json.data.meta.filters[0].label, /^Conversion is( not)? (signups|leads|orders|thanks)/)
      const visits = await footfall.call('POST', '/v2/property/signals/sessions', {
        body: { period: 'last_28', clauses },
      })
      assert.equal(visits.json.total, json.data.cards[0].current, visits.text)
      return json.data.cards[0].current
    }
    const met = (...names: GoalName[]) =>
      own.filter((seen) => names.some((name) => deedsOf(seen).some(goals[name].meets))).length
    assert.equal(await count('equals', ids.signups), met('signups'))
    assert.equal(await count('equals', [ids.leads, ids.orders, ids.thanks]), met('leads', 'orders', 'thanks'))
    assert.equal(await count('not_equals', [ids.leads, ids.signups]), own.length - met('leads', 'signups'))
  })

  await t.test('what a contact does later counts for a window that is over, in the next answer', async () => {
    const property = await footfall.addProperty()
    const call = (path: string, body: object) => footfall.call('POST', path, { body, token: property.token })
    const visit = async (address: string, referrer: string) => {
      const { json } = await footfall.track.load({ key: property.key, address, referrer })
      const { session_id } = json
      await call('/v2/property/contacts/identify', { session_id, external_id: 'u_1' })
      return session_id
    }
    const below = `/manage/properties/${property.id}`
    const goal = { name: 'Order', event_type: 'acquisition', event_value: null }
    const made = await footfall.call('POST', `${below}/conversions`, { body: goal })
    const yesterdays = async (attribution: string) => {
      const metrics = ['conversions', 'rate', 'conversion_value']
      const body = { period: 'yesterday', metrics, goal: made.json.data.conversion.id, attribution }
      const { json, text } = await footfall.call('POST', `${below}/lists/source`, { body })
      assert.equal(json.code, 200, text)
      return json.data.rows.map((row: { metrics: object }) => row.metrics)
    }
    await visit('198.51.100.7', 'https://www.google.com/')
    footfall.clock.advance(DAY_MS)
    const nothing = [{ conversions: 0, rate: 0, conversion_value: 0 }]
    assert.deepEqual([await yesterdays('first'), await yesterdays('last')], [nothing, nothing])
    const session_id = await visit('198.51.100.8', '')
    await call('/v2/property/session/acquisition', { session_id, value: 4900, currency_code: 'USD' })
    const one = [{ conversions: 1, rate: 1, conversion_value: 4900 }]
    assert.deepEqual([await yesterdays('first'), await yesterdays('last')], [one, nothing])
  })

  await t.test('what cannot be asked is refused, and a share link has sessions alone', async () => {
    const refused: readonly (readonly [field: string, body: object])[] = [
      ['metrics.0', { metrics: ['percent'] }],
      ['metrics', { metrics: 'views' }],
      ['sort', { sort: 'percent' }],
      ['order', { order: 'up' }],
      ['goal', { goal: 'cv_nothing' }],
      ['goal', { sort: 'rate' }],
      ['attribution', { goal: ids.orders, attribution: 'linear' }],
      ['clauses.0.op', { clauses: [{ id: 'conversion', op: 'contains', value: ids.orders }] }],
      ['clauses.0.value', { clauses: [{ id: 'conversion', op: 'equals', value: 'cv_nothing' }] }],
    ]
    for (const [field, body] of refused) {
      const { status, json, text } = await footfall.call('POST', `${at}/lists/source`, { body })
      assert.deepEqual([status, Object.keys(json.errors ?? {})], [422, [field]], text)
    }
    for (const [field, body] of [
      ['sort', { sort: 'sessions' }],
      ['order', { order: 'up' }],
      ['depth', { depth: 0 }],
      ['depth', { depth: 9 }],
      ['search', { search: 'a\0b' }],
    ] as const) {
      const { status, json, text } = await footfall.call('POST', `${at}/pages`, { body })
      assert.deepEqual([status, Object.keys(json.errors ?? {})], [422, [field]], text)
    }
    const asBearer = await openShare(footfall, footfall.property.id)
    const asked = async (body: object) =>
      (await footfall.call('POST', `${at}/lists/source`, { body, ...asBearer })).status
    assert.equal(await asked({}), 200)
    const overview = { body: { goal: ids.orders }, ...asBearer }
    assert.equal((await footfall.call('POST', `${at}/overview`, overview)).status, 422)
    assert.equal((await footfall.call('POST', `${at}/pages`, { body: {}, ...asBearer })).status, 404)
    for (const metric of ['views', 'cost']) assert.equal(await asked({ metrics: [metric] }), 422)
    assert.equal(await asked({ sort: 'value' }), 422)
    assert.equal(await asked({ clauses: [{ id: 'conversion', op: 'equals', value: ids.orders }] }), 422)
  })
})
