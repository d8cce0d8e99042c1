// The figures of a phase are those that can be counted by hand: for every kind of goal, in the process and on
// two servers.
import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { pino } from 'pino'
import { startClickHouse } from '../../test/support/clickhouse.ts'
import {
  BLOCK,
  type ContentWorld,
  countWorld,
  foreignRows,
  makeContentWorld,
  phases,
  PROPERTY,
  VERSIONS,
  worldGoals,
} from '../../test/support/content-world.ts'
import { newDataDir, openNode } from '../../test/support/records.ts'
import { type Facts, type FactsOptions, openFacts } from '../stores/facts.ts'
import { migrateFacts } from '../stores/migrations/facts.ts'
import { migrateRecords } from '../stores/migrations/records.ts'
import type { Records } from '../stores/records.ts'
import type { Goal } from '../content/content-model.ts'
import { findGoalRows } from './goals.ts'
import { noFigures, readPhaseFigures } from './facts.ts'

/** What the owner would choose, by the name that the world has for it. */
const goals: Readonly<Record<string, Goal>> = {
  'any click': { type: 'click', value: null },
  'a click on buy': { type: 'click', value: 'buy' },
  signup: { type: 'event', value: 'signup' },
  'form, clean': { type: 'form', value: 'fm_1' },
  money: { type: 'conversion', value: 'cv_money' },
  'any event': { type: 'conversion', value: 'cv_event' },
  thanks: { type: 'conversion', value: 'cv_thanks' },
  'form, any': { type: 'conversion', value: 'cv_form' },
}

const conversions = [
  { id: 'cv_money', event_type: 'acquisition', event_value: null },
  { id: 'cv_event', event_type: 'event', event_value: null },
  { id: 'cv_thanks', event_type: 'page_view', event_value: '/thanks*' },
  { id: 'cv_form', event_type: 'form_submit', event_value: 'fm_1' },
] as const

const of = { property_id: PROPERTY, name: 'World', created_ts: 1 }
const property = {
  id: PROPERTY,
  key: 'ff_world',
  name: 'World',
  domains: '[]',
  default_period: null,
  plan: 'paid',
  proxy_key_hash: null,
  created_ts: 1,
} as const

async function openRecordsOf(t: TestContext): Promise<Records> {
  const records = await openNode(t, { databaseUrl: null, dataDir: newDataDir(t) })
  await migrateRecords(records)
  await records.insertInto('properties').values(property).execute()
  await records
    .insertInto('conversions')
    .values(conversions.map((row) => ({ ...of, ...row })))
    .execute()
  return records
}

async function openFactsOf(t: TestContext, where: Partial<FactsOptions>): Promise<Facts> {
  const facts = await openFacts({
    dataDir: newDataDir(t),
    urls: [],
    cluster: null,
    memoryMb: 768,
    threads: 2,
    fsync: false,
    log: pino({ level: 'silent' }),
    ...where,
  })
  t.after(() => facts.close())
  await migrateFacts(facts)
  return facts
}

/** In two halves, the later one first, so that what folds lies in several parts. */
async function store(facts: Facts, world: ContentWorld): Promise<void> {
  const halves = <Row>(rows: readonly Row[]) => [rows.slice(rows.length / 2), rows.slice(0, rows.length / 2)]
  for (const rows of halves(world.impressions)) await facts.appendAll('impressions', rows)
  for (const rows of halves(world.events)) await facts.appendAll('events', rows)
  for (const rows of halves(world.views)) await facts.appendAll('views', rows)
  for (const rows of halves(world.forms)) await facts.appendAll('form_events', rows)
}

async function compareAll(facts: Facts, records: Records): Promise<void> {
  const world = makeContentWorld(400)
  await store(facts, world)
  await store(facts, foreignRows(world))
  assert.deepEqual(Object.keys(goals).toSorted(), Object.keys(worldGoals).toSorted())
  for (const [name, goal] of Object.entries(goals)) {
    const rows = await findGoalRows(records, PROPERTY, goal)
    assert.ok(rows)
    for (const phase of phases) {
      const figures = await readPhaseFigures(
        facts,
        { propertyId: PROPERTY, blockId: BLOCK, versions: VERSIONS, ...phase },
        rows,
      )
      const versions = VERSIONS.map((version) => ({ version, ...(figures.byVersion.get(version) ?? noFigures) }))
      const expected = countWorld(world, phase.number, worldGoals[name]!)
      assert.deepEqual({ versions, bots: figures.bots }, expected, `${name} in phase ${phase.number}`)
      assert.ok(
        expected.versions.every(({ n }) => n > 5),
        'there is something to count',
      )
    }
  }
}

test('in the process', async (t) => {
  const [records, facts] = [await openRecordsOf(t), await openFactsOf(t, {})]
  await compareAll(facts, records)
  // A version that is none of the phase is in no figure of the others, and a phase without any has none.
  const click = await findGoalRows(records, PROPERTY, { type: 'click', value: null })
  for (const versions of [VERSIONS.slice(1), []]) {
    const of = { propertyId: PROPERTY, blockId: BLOCK, ...phases[0] }
    const [all, some] = [
      { ...of, versions: VERSIONS },
      { ...of, versions },
    ]
    const [whole, part] = [await readPhaseFigures(facts, all, click), await readPhaseFigures(facts, some, click)]
    for (const version of versions) assert.deepEqual(part.byVersion.get(version), whole.byVersion.get(version))
  }
  const phase = { propertyId: PROPERTY, blockId: 'cb_none', versions: VERSIONS, ...phases[0] }
  assert.deepEqual(await readPhaseFigures(facts, phase, undefined), {
    byVersion: new Map(),
    bots: { views: 0, clicks: 0 },
  })
  assert.equal(await findGoalRows(records, PROPERTY, { type: 'conversion', value: 'cv_gone' }), undefined)
  assert.equal(await findGoalRows(records, 'pr_other', { type: 'conversion', value: 'cv_money' }), undefined)
})

test('on a cluster of two, where the rows of a session are on one node', async (t) => {
  const records = await openRecordsOf(t)
  const cluster = await startClickHouse({ shards: 2 })
  t.after(() => cluster.remove())
  await compareAll(await openFactsOf(t, { urls: cluster.urls, cluster: cluster.cluster }), records)
})
