// What the demo's visitors do with its content block: the same whenever it is made, believable, and found by
// the comparison.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Block } from '../content/content-model.ts'
import { updateBlock } from '../content/blocks.ts'
import { sanitiseContent } from '../html/content-html.ts'
import { DAY_MS } from '../kernel/days.ts'
import { ADMIN_EDITOR } from '../kernel/edits.ts'
import { startFootfall } from '../../test/support/server.ts'
import { spreadOverDays } from './calendar.ts'
import { contentRows, openDemoContent, versions } from './content.ts'
import { findOrCreateDemoProperty, writeDemo } from './demo.ts'
import { visitsOf } from './traffic.ts'

const NOW = Date.parse('2026-09-16T14:30:00Z')
const YEAR = { sessions: 20_000, days: 365, seed: 5 }
const quiet = (): void => undefined

test('the HTML of the demo is what the policy lets through', () => {
  for (const { html } of versions) assert.deepEqual(sanitiseContent(html, 'standard'), { html, removed: [] })
})

test('views come before their clicks, within the day and the life of the block, robots do not click, and one version does better', async (t) => {
  const footfall = await startFootfall(t, { now: NOW })
  const { context } = footfall
  const property = await findOrCreateDemoProperty(context)
  const days = spreadOverDays({ ...YEAR, nowMs: NOW })
  const sinceMs = days[100]!.day * DAY_MS
  const block = (await openDemoContent(context, property, sinceMs)) as Block
  assert.deepEqual([block.phase, block.created_ts * 1000], [3, sinceMs])
  const visits = days.flatMap((day) => [...visitsOf(day, YEAR.seed, NOW)])
  const rows = visits.flatMap((visit) => {
    const made = contentRows(context.enrich, block, visit, NOW)
    assert.deepEqual(contentRows(context.enrich, block, visit, NOW), made, 'the same visit, the same rows')
    for (const row of made) {
      assert.deepEqual([row.session, row.phase], [visit.hash, block.phase])
      assert.ok(row.at >= Math.max(sinceMs, visit.day * DAY_MS) && row.at < Math.min(NOW, (visit.day + 1) * DAY_MS))
      assert.ok(!visit.isRobot || row.kind === 'view')
    }
    return made
  })
  assert.equal(new Set(rows.map(({ id }) => id)).size, rows.length)
  const views = new Map(rows.filter(({ kind }) => kind === 'view').map((row) => [row.request, row]))
  const clicks = rows.filter(({ kind }) => kind === 'click')
  for (const click of clicks) assert.ok(views.get(click.request)!.at <= click.at)
  const rateOf = (version: string): number => {
    const seen = [...views.values()].filter((row) => row.version === version && row.is_bot === 0)
    assert.ok(seen.length > 500, `${seen.length} views`)
    return clicks.filter((row) => row.version === version).length / seen.length
  }
  const [first, second] = block.versions.map(({ id }) => rateOf(id))
  assert.ok(first! > 0.03 && first! < second! && second! < 0.1, `${first} and ${second}`)
})

test('the comparison finds what was written, a second run adds nothing, and what the owner renamed is left alone', async (t) => {
  const footfall = await startFootfall(t, { now: NOW })
  const { context } = footfall
  const property = await findOrCreateDemoProperty(context)
  const options = { sessions: 1_500, days: 60, seed: 3 }
  const totals = await writeDemo(context, property, options, quiet)
  const path = `/manage/properties/${property.id}/content`
  const [block] = (await footfall.call('GET', path)).json.data.data
  const results = async () => (await footfall.call('GET', `${path}/${block.id}/results`)).json.data
  const first = await results()
  const count = async (): Promise<number> => {
    const [row] = await context.facts.query<{ n: string }>('test', 'SELECT count() AS n FROM impressions FINAL')
    return Number(row!.n)
  }
  assert.equal(await count(), totals.impressions)
  assert.ok(totals.impressions > 100)
  const versions: { label: string; views: number; clicks: number }[] = first.results.versions
  assert.deepEqual(
    versions.map(({ label }) => label),
    ['Price first', 'Light first'],
  )
  const figures = [...versions, first.results.bots] as { views: number; clicks: number }[]
  assert.equal(
    figures.reduce((sum, { views, clicks }) => sum + views + clicks, 0),
    totals.impressions,
  )
  assert.deepEqual(await writeDemo(context, property, options, quiet), totals)
  assert.deepEqual(await results(), first)

  await updateBlock({ ...context, editor: ADMIN_EDITOR }, property.id, block.id, { name: 'Mine now' })
  const { impressions } = await writeDemo(context, property, { ...options, seed: 4 }, quiet)
  assert.deepEqual([impressions, await count()], [0, totals.impressions])
})
