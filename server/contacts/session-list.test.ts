// The sessions of a contact: what each shows, and that following the cursor meets every session exactly once.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import * as fc from 'fast-check'
import { assertRefused, contactCalls, type ContactCalls } from '../../test/support/contact-calls.ts'
import { rounds } from '../../test/support/long.ts'
import { startFootfall, type Footfall } from '../../test/support/server.ts'
import { dayOf } from '../kernel/days.ts'
import { sessionId } from '../kernel/ids.ts'

const NOW = Date.UTC(2026, 10, 18, 9)
const closers: (() => Promise<void>)[] = []
let footfall: Footfall
let calls: ContactCalls

before(async () => {
  footfall = await startFootfall({ after: (close) => closers.push(close) }, { now: NOW })
  calls = contactCalls(footfall)
})

after(async () => {
  for (const close of closers) await close()
})

interface Shown {
  readonly id: string
  readonly entry_ts: number
}

/** A contact with sessions that began at these seconds; nothing of them is in the facts. */
async function contactWith(seconds: readonly number[]): Promise<{ id: string; sessions: Shown[] }> {
  const { id } = await calls.newContact()
  const propertyId = footfall.property.id
  const rows = seconds.map((entry_ts, at) => ({
    day: dayOf(entry_ts * 1000),
    hash: (BigInt(named++) << 40n) + BigInt(at),
    entry_ts,
  }))
  const own = { property_id: propertyId, contact_id: id, is_noted: 1 } as const
  const stored = rows.map(({ day, hash, entry_ts }) => ({ ...own, day, session: hash.toString(), entry_ts }))
  if (stored.length > 0) await footfall.context.records.insertInto('contact_sessions').values(stored).execute()
  const sessions = rows.map((row) => ({
    id: sessionId(footfall.context.keys, propertyId, row),
    entry_ts: row.entry_ts,
  }))
  return { id, sessions: sessions.toSorted((a, b) => b.entry_ts - a.entry_ts || (a.id < b.id ? -1 : 1)) }
}
let named = 1

const SECONDS = 10_000_000_000

/** Every page, one after the other. */
async function walk(id: string, perPage: number): Promise<Shown[][]> {
  const pages: Shown[][] = []
  let cursor: number | null = null
  do {
    calls.nextMinute()
    const reply = await calls.sessions(id, { per_page: perPage, ...(cursor !== null && { cursor }) })
    assert.equal(reply.status, 200, reply.text)
    const {
      sessions,
      paging,
    }: { sessions: Shown[]; paging: { per_page: number; has_more: boolean; next_cursor: number | null } } =
      reply.json.data
    assert.deepEqual(Object.keys(paging).toSorted(), ['has_more', 'next_cursor', 'per_page'])
    assert.equal(paging.per_page, perPage)
    assert.equal(paging.has_more, paging.next_cursor !== null)
    if (cursor !== null) {
      const [second, shown] = [cursor % SECONDS, Math.floor(cursor / SECONDS)]
      const isBefore = ({ entry_ts }: Shown) => entry_ts < second || (shown > 0 && entry_ts === second)
      assert.ok(sessions.every(isBefore), 'before the cursor, or of the second in which it stands')
    }
    pages.push(sessions.map(({ id: session, entry_ts }) => ({ id: session, entry_ts })))
    cursor = paging.next_cursor
  } while (cursor !== null && pages.length < 500)
  return pages
}

test('a session shows where it came from, where it went and how long ago, and nothing of the person', async () => {
  calls.nextMinute()
  const who = { ...calls.visitor() }
  const { session_id } = (
    await footfall.track.load({ ...who, page: 'https://example.com/start?a=1', referrer: 'https://www.google.com/' })
  ).json
  footfall.clock.advance(5_000)
  await footfall.track.load({ ...who, page: 'https://example.com/end' })
  footfall.clock.advance(2_000)
  await footfall.track.event(session_id, 'signup', who)
  const { id } = await calls.newContact({ session_id, traits: { first_name: 'Ada' } })
  const entry = Math.floor(footfall.clock.now() / 1000) - 7
  assert.deepEqual((await calls.sessions(id)).json, {
    code: 200,
    status: 'OK',
    data: {
      sessions: [
        {
          id: session_id,
          sid: session_id,
          entry_ts: entry,
          last_ts: entry + 7,
          entry_url: 'https://example.com/start?a=1',
          exit_url: 'https://example.com/end',
          bounced: false,
          views: 2,
          channel: { category: 'organic_search', name: 'Organic Search', source: 'Google' },
          geo: { country: null, city: null },
          device: 'desktop',
        },
      ],
      paging: { per_page: 25, has_more: false, next_cursor: null },
    },
  })
})

test('a visit of one page bounced, also when its visitor was identified', async () => {
  calls.nextMinute()
  const { id } = await calls.newContact({ session_id: await calls.newSession() })
  const [session] = (await calls.sessions(id)).json.data.sessions
  assert.deepEqual([session.bounced, session.views], [true, 1])
})

test('of a session whose facts are gone the id and the time of entry are left', async () => {
  calls.nextMinute()
  const entry = NOW / 1000 - 400 * 86_400
  const { id, sessions } = await contactWith([entry])
  assert.deepEqual((await calls.sessions(id)).json.data.sessions, [
    {
      id: sessions[0]!.id,
      sid: sessions[0]!.id,
      entry_ts: entry,
      last_ts: null,
      entry_url: null,
      exit_url: null,
      bounced: null,
      views: null,
      channel: { category: null, name: null, source: null },
      geo: { country: null, city: null },
      device: null,
    },
  ])
})

test('following the cursor meets every session once, newest first, however many began in one second', async () => {
  const second = NOW / 1000 - 86_400 * 30
  const seconds = fc.array(fc.integer({ min: second, max: second + 6 }), { maxLength: 20 })
  await fc.assert(
    fc.asyncProperty(seconds, fc.integer({ min: 1, max: 6 }), async (list, perPage) => {
      calls.nextMinute()
      const { id, sessions } = await contactWith(list)
      const pages = await walk(id, perPage)
      assert.deepEqual(pages.flat(), sessions)
      for (const page of pages.slice(0, -1)) assert.equal(page.length, perPage, 'every page but the last is full')
      assert.ok(pages.at(-1)!.length <= perPage, 'no page is longer')
      assert.ok(pages.at(-1)!.length > 0 || list.length === 0, 'no page is empty')
    }),
    { numRuns: rounds(20, 1_000) },
  )
})

test('a cursor is the entry_ts of the last session, and within a second says how many of it were shown', async () => {
  const second = NOW / 1000 - 86_400 * 40
  const times = fc.array(fc.integer({ min: second, max: second + 3 }), { minLength: 2, maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(times, fc.nat(), async (list, seed) => {
      calls.nextMinute()
      const { id, sessions } = await contactWith(list)
      const shown = 1 + (seed % (sessions.length - 1))
      const [last, following] = [sessions[shown - 1]!, sessions[shown]!]
      const ofSecond = sessions.slice(0, shown).filter(({ entry_ts }) => entry_ts === last.entry_ts).length
      const isInside = following.entry_ts === last.entry_ts
      const cursor = (isInside ? ofSecond : 0) * SECONDS + last.entry_ts
      assert.equal((await calls.sessions(id, { per_page: shown })).json.data.paging.next_cursor, cursor)
      const rest = (await calls.sessions(id, { cursor, per_page: 100 })).json.data.sessions
      const idsOf = (rows: readonly Shown[]) => rows.map(({ id: session }) => session)
      assert.deepEqual(idsOf(rest), idsOf(sessions.slice(shown)))
      const before = (await calls.sessions(id, { cursor: last.entry_ts, per_page: 100 })).json.data.sessions
      assert.deepEqual(idsOf(before), idsOf(sessions.filter(({ entry_ts }) => entry_ts < last.entry_ts)))
    }),
    { numRuns: rounds(20, 1_000) },
  )
})

test('a cursor behind more sessions of a second than there are goes on with those before it', async () => {
  calls.nextMinute()
  const second = NOW / 1000 - 86_400 * 50
  const { id, sessions } = await contactWith([second, second, second - 1])
  const { json } = await calls.sessions(id, { cursor: 900_000 * SECONDS + second })
  assert.deepEqual(
    json.data.sessions.map(({ id: session }: Shown) => session),
    [sessions[2]!.id],
  )
  assert.equal(json.data.paging.next_cursor, null)
})

test('a hundred sessions fit a page; the sessions of others are on none', async () => {
  calls.nextMinute()
  const start = NOW / 1000 - 5_000
  const { id, sessions } = await contactWith(Array.from({ length: 130 }, (_, n) => start + n))
  await contactWith(Array.from({ length: 20 }, (_, n) => start + n))
  const pages = await walk(id, 100)
  assert.deepEqual(
    pages.map((page) => page.length),
    [100, 30],
  )
  assert.deepEqual(pages.flat(), sessions)
})

test('what breaks a rule is refused by name', async () => {
  calls.nextMinute()
  const { id } = await calls.newContact()
  for (const cursor of ['-1', '1.5', 'x', '1e3', '9007199254740992', '99999999999999999', 'null'])
    assertRefused(await calls.sessions(id, { cursor }), 'cursor')
  for (const per_page of ['0', '101', 'x']) assertRefused(await calls.sessions(id, { per_page }), 'per_page')
  assertRefused(await footfall.call('GET', `/v2/property/contacts/${id}/sessions?cursor=1&cursor=2`), 'cursor')
  assert.deepEqual((await calls.sessions(id, { cursor: 0 })).json.data, {
    sessions: [],
    paging: { per_page: 25, has_more: false, next_cursor: null },
  })
})
