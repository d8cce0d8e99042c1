// The sessions of a filtered overview are computed once for all of its figures, and these are the same as if
// each statement computed them for itself.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addBlock } from '../../test/support/content-calls.ts'
import { askOverview, randomOutcomes, randomVisits, seededPick } from '../../test/support/overview-world.ts'
import { type Footfall, startFootfall } from '../../test/support/server.ts'
import { addGroup, addLink } from '../../test/support/visits.ts'
import type { Facts } from '../stores/facts.ts'

const START = Date.parse('2026-10-20T09:00:00Z')
const seed = Number(process.env['OVERVIEW_SEED'] ?? 7)

const filters = [
  [{ id: 'language', op: 'equals', value: ['de-CH', 'en-GB'] }],
  [{ id: 'page_path', op: 'contains', value: 'pric' }],
  [{ id: 'page_path', op: 'not_equals', value: '/' }],
  [
    { id: 'event_name', op: 'equals', value: 'signup' },
    { id: 'tag', op: 'is_not_set' },
  ],
  [{ id: 'form', op: 'is_set' }],
] as const

/** Clicks, forms, content and conversions, some of these visitors. */
async function addOutcomes(footfall: Footfall): Promise<void> {
  const { context, property } = footfall
  const manage = `/manage/properties/${property.id}`
  const link = await addLink(footfall, { group_id: await addGroup(footfall), name: 'One' })
  const block = await addBlock(context.records, property.id)
  const { json } = await footfall.call('POST', `${manage}/forms`, { body: { name: 'Contact', kind: 'open' } })
  for (const event_type of ['event', 'acquisition', 'form_submit'])
    await footfall.call('POST', `${manage}/conversions`, { body: { name: event_type, event_type, event_value: null } })
  await randomOutcomes(footfall, seededPick(seed), { links: [link.id], forms: [json.data.form.id], blocks: [block.id] })
}

interface Statement {
  readonly sql: string
  readonly span: string
}

function watch(facts: Facts): Statement[] {
  const asked: Statement[] = []
  const ask = facts.query.bind(facts)
  const query: Facts['query'] = async (name, sql, params) => {
    const { from_ms, to_ms } = params ?? {}
    if (!/live/i.test(name)) asked.push({ sql, span: `${String(from_ms)} ${String(to_ms)}` })
    return ask(name, sql, params)
  }
  Object.assign(facts, { query })
  return asked
}

test(`a filter is looked for once a part, and the answer is what it is without (OVERVIEW_SEED=${seed})`, async (t) => {
  const footfall = await startFootfall(t, { now: START })
  await randomVisits(footfall, seededPick(seed), 60, 30)
  await addOutcomes(footfall)
  const { facts } = footfall.context
  const asked = watch(facts)
  const holding = facts.holding.bind(facts)
  const without: Facts['holding'] = async (_name, _query, work) => work(undefined)
  const ask = async (body: object) => {
    await facts.command('test', 'SELECT 1') // nothing that was cached before is an answer any more
    asked.length = 0
    const { meta: _meta, ...answer } = await askOverview(footfall, body)
    const path = `/manage/properties/${footfall.property.id}/lists`
    const lists = await Promise.all(
      ['city', 'event_name', 'tag'].map((list) => footfall.call('POST', `${path}/${list}`, { body })),
    )
    return [answer, lists.map(({ json }) => json.data)]
  }
  /** For each statement that looks for itself, the sessions among which it does. */
  const looked = () => asked.filter(({ sql }) => /\{clause_0|AND session != 0/.test(sql)).map(({ span }) => span)
  for (const clauses of filters) {
    for (const period of clauses === filters[0] ? ['last_28', 'yesterday'] : ['last_28']) {
      const kept = await ask({ period, clauses })
      assert.ok(asked.some(({ sql }) => sql.includes('questions.rows_')))
      const spans = looked()
      assert.deepEqual(spans, [...new Set(spans)], JSON.stringify(clauses))
      Object.assign(facts, { holding: without })
      assert.deepEqual(await ask({ period, clauses }), kept, JSON.stringify(clauses))
      assert.ok(new Set(looked()).size < looked().length)
      Object.assign(facts, { holding })
    }
  }
})
