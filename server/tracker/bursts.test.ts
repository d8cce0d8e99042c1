// Many visitors in one moment: what has to be known before something is stored is read for all of them
// together, each gets the answer to their own call, and whoever comes when too many wait is told so.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startFootfall } from '../../test/support/server.ts'

const footfall = await startFootfall({ after }, { now: Date.parse('2026-03-10T12:00:00Z') })
const { context, property, track } = footfall

/** More than a few statements could answer one by one. */
const VISITORS = 120
/** Of one kind, while so many ask: one for each would be three times as many, however slowly they come in. */
const MOST_STATEMENTS = VISITORS / 3

interface Visit {
  readonly visitor: { readonly address: string }
  readonly session: string
}

let networks = 0
/** Visitors of addresses of their own, each with a page view. */
async function openVisits(count: number, key = property.key): Promise<Visit[]> {
  networks += 1
  const visitors = Array.from({ length: count }, (_, n) => ({ address: `203.0.${networks}.${n}` }))
  const loads = await Promise.all(visitors.map((visitor) => track.load({ ...visitor, key })))
  return visitors.map((visitor, n) => ({ visitor, session: loads[n]!.json.session_id as string }))
}

/** How often each look-up was put while the work went on, by the caller's name. */
async function countLookups(work: () => Promise<unknown>): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  const facts = context.facts as { lookup: typeof context.facts.lookup }
  const { lookup } = facts
  facts.lookup = (name, sql, params) => {
    counts.set(name, (counts.get(name) ?? 0) + 1)
    return lookup(name, sql, params)
  }
  await work().finally(() => (facts.lookup = lookup))
  return counts
}

function assertFew(counts: ReadonlyMap<string, number>): void {
  assert.ok(counts.size > 0, 'something was looked up')
  for (const [name, count] of counts) assert.ok(count <= MOST_STATEMENTS, `${name} was put ${count} times`)
}

const order = (n: number, value: number) => ({ value, currency_code: 'EUR', tags: [`shop:order:${n}`] })

test('money of many visitors at once is a few look-ups, and each is told of their own session', async () => {
  const other = await footfall.addProperty()
  const visits = [
    ...(await openVisits(VISITORS / 2)),
    ...(await openVisits(VISITORS / 2, other.key)).map((visit) => ({ ...visit, key: other.key })),
  ]
  const pay = (value: (n: number) => number) =>
    Promise.all(
      visits.map(({ visitor, session, ...site }, n) =>
        track.acquisition(session, order(n, value(n)), { ...visitor, ...site }),
      ),
    )
  await pay((n) => 100 + n)
  let answers: Awaited<ReturnType<typeof pay>> = []
  // Every second one repeats its order, which counts once; the others pay the same order another amount.
  const again = (n: number): number => (n % 2 === 0 ? 100 + n : 1)
  const counts = await countLookups(async () => (answers = await pay(again)))
  assertFew(counts)
  for (const [n, { json }] of answers.entries()) {
    assert.equal(json.success, true)
    assert.equal(json.value.amount, n % 2 === 0 ? 100 + n : 101 + n)
    assert.deepEqual(json.acquisition_meta.tags, [`shop:order:${n}`])
  }
})

test('orders of one session that are reported at once each find their own', async () => {
  const [visit] = await openVisits(1)
  const { visitor, session } = visit!
  const numbers = Array.from({ length: 30 }, (_, n) => n)
  await Promise.all(numbers.map((n) => track.acquisition(session, order(n, 500), visitor)))
  // Another shop's order of the same number and amount is another order.
  const theirs = { ...order(3, 500), tags: ['till:order:3'] }
  await Promise.all(numbers.map((n) => track.acquisition(session, order(n, 500), visitor)))
  const { json } = await track.acquisition(session, theirs, visitor)
  assert.equal(json.value.amount, 31 * 500)
  assert.equal(json.acquisition_meta.tags.length, 31)
})

const identify = ({ visitor, session }: Visit, external_id: string) =>
  footfall.call('POST', `/v2/signal/${session}/identify`, {
    token: null,
    headers: { 'x-svc-id': property.key, 'x-forwarded-for': visitor.address },
    body: { external_id },
  })

async function sessionsOf(externalIds: readonly string[]): Promise<number[]> {
  const rows = await context.records
    .selectFrom('contacts')
    .select('session_count')
    .where('external_id', 'in', externalIds)
    .execute()
  return rows.map((row) => row.session_count)
}

test('many visitors who say at once who they are become a contact each, with a few look-ups', async () => {
  const visits = await openVisits(VISITORS)
  const ids = visits.map((_, n) => `burst-${n}`)
  let answers: Awaited<ReturnType<typeof identify>>[] = []
  const counts = await countLookups(async () => {
    answers = await Promise.all(visits.map((visit, n) => identify(visit, ids[n]!)))
  })
  assertFew(counts)
  assert.ok(answers.every(({ json }) => json.success === true && json.linked_to_session === true))
  assert.equal(new Set(answers.map(({ json }) => json.contact_id)).size, VISITORS)
  assert.deepEqual(
    await sessionsOf(ids),
    ids.map(() => 1),
  )
})

test('of calls that share a commit one that fails takes nothing of the others along', async () => {
  const visits = await openVisits(20)
  const meta = Array.from({ length: 60 }, (_, n) => ({ key: `k${n}`, value: 'v' }))
  const identifyAs = (external_id: string, traits: object, session_id?: string) =>
    footfall.call('POST', '/v2/property/contacts/identify', { body: { external_id, traits, session_id } })
  // Two halves of too many entries: the second one is refused inside the transaction.
  await identifyAs('shared-full', { meta: meta.slice(0, 50) })
  const answers = await Promise.all([
    ...visits.slice(0, 10).map(({ session }, n) => identifyAs(`shared-${n}`, {}, session)),
    identifyAs('shared-full', { meta: meta.slice(50), first_name: 'Never' }),
    ...visits.slice(10).map(({ session }, n) => identifyAs(`shared-${n + 10}`, {}, session)),
  ])
  assert.deepEqual(
    answers.map(({ status }) => status),
    visits.map(() => 200).toSpliced(10, 0, 422),
  )
  const ids = visits.map((_, n) => `shared-${n}`)
  assert.deepEqual(
    await sessionsOf(ids),
    ids.map(() => 1),
  )
  const full = await context.records
    .selectFrom('contacts')
    .select('first_name')
    .where('external_id', '=', 'shared-full')
    .executeTakeFirst()
  assert.equal(full?.first_name, null)
})

/** Far more than may wait to write. @returns how many of them were stored. */
async function countStored(writes: readonly Promise<unknown>[]): Promise<number> {
  const told = await Promise.allSettled(writes)
  return told.filter(({ status }) => status === 'fulfilled').length
}

test('whoever comes while too many wait to write is told to come again, and what was taken is stored', async () => {
  const [visit] = await openVisits(1)
  const begun = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  const holding = context.records.transaction().execute(() => {
    begun.resolve()
    return held.promise
  })
  await begun.promise
  const salts = Array.from({ length: 1_500 }, (_, n) => ({ day: 1_000 + n, salt: 'x' }))
  const stored = countStored(salts.map((salt) => context.records.insertInto('salts').values(salt).execute()))
  const busy = await identify(visit!, 'too-late').finally(() => held.resolve())
  await holding
  assert.equal(busy.status, 503)
  assert.ok(Number(busy.headers.get('retry-after')) > 0)
  const count = await stored
  assert.ok(count > 0 && count < salts.length)
  const rows = await context.records.selectFrom('salts').select('day').where('salt', '=', 'x').execute()
  assert.equal(rows.length, count)
  assert.deepEqual(await sessionsOf(['too-late']), [])
  assert.equal((await identify(visit!, 'in-time')).json.success, true)
})
