// What every facts store promises of what is written to it: it is there at once, once, as it was, and in the
// session that it belongs to.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import type { Facts } from '../../server/stores/facts.ts'
import { DAY, fold, FOLDED_SQL, traffic, type Hit } from './facts-fold.ts'
import { freshProperty, hostile } from './facts-rows.ts'
import { rounds } from './long.ts'

export function writingContract(where: string, facts: () => Facts): void {
  test(`${where}: of two rows of one event the earlier one stays, whichever came first`, async () => {
    const property = freshProperty()
    const order = { property, day: DAY, kind: 'acquisition', session: '7', id: '9', amount: 100 } as const
    await facts().append('events', { ...order, at: 2_000, amount_usd: 2 })
    await facts().append('events', { ...order, at: 1_000, amount_usd: 1 })
    await facts().append('events', { ...order, at: 3_000, amount_usd: 3 })
    const rows = await facts().query('test', 'SELECT amount_usd FROM events FINAL WHERE property = {property:String}', {
      property,
    })
    assert.deepEqual(rows, [{ amount_usd: '1' }])
  })

  test(`${where}: what was appended is in the next question, each of many at once`, async () => {
    const property = freshProperty()
    await Promise.all(
      Array.from({ length: 40 }, async (_, i) => {
        await facts().append('views', { property, day: DAY, session: String(i), view: i, at: 1, seen: 1 })
        const rows = await facts().query(
          'test',
          'SELECT view FROM views WHERE property = {property:String} AND session = {session:UInt64}',
          {
            property,
            session: String(i),
          },
        )
        assert.deepEqual(rows, [{ view: i }])
      }),
    )
  })

  test(`${where}: sessions are the fold of their hits, in any order, any number of times, in any batches`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(sending, { minLength: TOGETHER, maxLength: TOGETHER }), async (sendings) => {
        const worlds = sendings.map(({ hits, random }) => ({
          property: freshProperty(),
          hits,
          batches: inBatches(hits, () => random.next().value!),
        }))
        for (let batch = 0; batch < BATCHES; batch++)
          await Promise.all(worlds.map(({ property, batches }) => appendHits(facts(), property, batches[batch]!)))
        for (const { property, hits } of worlds)
          assert.deepEqual(await facts().query('test', FOLDED_SQL, { property }), fold(hits))
      }),
      // On servers it is the same engine once more, at twice the cost.
      { numRuns: rounds(facts().layout.database === null ? 5 : 2, 20) },
    )
  })

  test(`${where}: a click that was stored twice is one, whatever became of its parts`, async () => {
    const property = freshProperty()
    const click = { property, day: DAY, link_group: 'g', link: 'l', id: '18446744073709551615', at: 1_772_600_000_000 }
    await facts().append('clicks', click)
    await facts().append('clicks', click)
    await facts().append('clicks', { ...click, id: '1' })
    const rows = await facts().query(
      'test',
      'SELECT id FROM clicks FINAL WHERE property = {property:String} ORDER BY id',
      {
        property,
      },
    )
    assert.deepEqual(rows, [{ id: '1' }, { id: '18446744073709551615' }])
  })

  test(`${where}: no text can break out of its place, as a value or as a parameter`, async () => {
    const property = freshProperty()
    await facts().appendAll(
      'views',
      hostile.map((title, view) => ({ property, day: DAY, session: '1', view, at: 1, seen: 1, title })),
    )
    await facts().append('events', {
      property,
      day: DAY,
      session: '1',
      id: '1',
      at: 1,
      name: 'n',
      tags: hostile,
      meta: Object.fromEntries(hostile.map((key) => [key, key])),
    })
    const views = await facts().query<{ title: string }>(
      'test',
      'SELECT title FROM views FINAL WHERE property = {property:String} ORDER BY view',
      { property },
    )
    assert.deepEqual(
      views.map((row) => row.title),
      hostile,
    )
    const [event] = await facts().query<{ tags: string[]; meta: Record<string, string> }>(
      'test',
      'SELECT tags, meta FROM events FINAL WHERE property = {property:String}',
      { property },
    )
    assert.deepEqual(event!.tags, hostile)
    assert.deepEqual(event!.meta, Object.fromEntries(hostile.map((key) => [key, key])))
    const [list] = await facts().query<{ list: string[] }>('test', 'SELECT {list:Array(String)} AS list', {
      list: hostile,
    })
    assert.deepEqual(list!.list, hostile)
    await Promise.all(
      hostile.map(async (one) =>
        assert.deepEqual(await facts().query('test', 'SELECT {one:String} AS one', { one }), [{ one }]),
      ),
    )
  })

  test(`${where}: half a character is replaced, and its row is kept`, async () => {
    const property = freshProperty()
    await facts().append('views', {
      property,
      day: DAY,
      session: '1',
      view: 1,
      at: 1,
      seen: 1,
      title: 'a\ud83dz',
      url: String.raw`\ud83d`,
    })
    const rows = await facts().query('test', 'SELECT title, url FROM views FINAL WHERE property = {property:String}', {
      property,
    })
    assert.deepEqual(rows, [{ title: 'a\ufffdz', url: String.raw`\ud83d` }])
    assert.deepEqual(await facts().query('test', 'SELECT {text:String} AS text', { text: 'a\ud83dz' }), [
      { text: 'a\ufffdz' },
    ])
  })

  test(`${where}: one row that cannot be stored takes no other along`, async () => {
    const property = freshProperty()
    // Few: they are halved until it is known which ones it is, which must not take so long that the store is
    // taken for gone.
    const results = await Promise.allSettled(
      Array.from({ length: 6 }, (_, view) =>
        facts().append('views', {
          property,
          day: view === 2 ? 'no day' : DAY,
          session: view === 4 ? 'x' : '1',
          view,
          at: 1,
          seen: 1,
        }),
      ),
    )
    const failed = results.flatMap((result, view) => (result.status === 'rejected' ? [view] : []))
    // Acknowledged from the log, nobody knows yet; the rows are kept apart, and the log of the service says
    // so.
    assert.deepEqual(failed, where === 'embedded' ? [] : [2, 4])
    const [row] = await facts().query(
      'test',
      'SELECT count() AS views FROM views FINAL WHERE property = {property:String}',
      { property },
    )
    assert.deepEqual(row, { views: '4' })
  })
}

/** Properties that are written at the same time, whose rows are stored together. */
const TOGETHER = 5
const BATCHES = 4

const sending = fc.record({ hits: traffic, random: fc.infiniteStream(fc.nat()) })

/** In any order, some of them twice. */
function inBatches(hits: readonly Hit[], random: () => number): Hit[][] {
  const sent = shuffled([...hits, ...hits.filter(() => random() % 3 === 0)], random)
  const cuts = [0, ...Array.from({ length: BATCHES - 1 }, () => random() % (sent.length + 1)), sent.length]
  const sorted = cuts.toSorted((a, b) => a - b)
  return Array.from({ length: BATCHES }, (_, batch) => sent.slice(sorted[batch], sorted[batch + 1]))
}

async function appendHits(facts: Facts, property: string, hits: readonly Hit[]): Promise<void> {
  await Promise.all(
    hits.map((hit) => {
      if ('views' in hit) return facts.append('views', { ...hit.views, property })
      if ('events' in hit) return facts.append('events', { ...hit.events, property })
      return facts.append('clicks', { ...hit.clicks, property })
    }),
  )
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const out = [...items]
  for (let i = out.length - 1; i > 0; i--) {
    const j = random() % (i + 1)
    ;[out[i], out[j]] = [out[j]!, out[i]!]
  }
  return out
}
