// Two nodes on one PostgreSQL and one two-shard ClickHouse, with one SECRET: a visitor gets the same version
// from both, and either may be told.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { addBlock, impressionsOf, render, renderIds, track } from '../../test/support/content-calls.ts'
import type { Footfall } from '../../test/support/server.ts'
import { openTwoNodes } from '../../test/support/two-nodes.ts'

const noon = Date.UTC(2026, 10, 18, 12)
let one: Footfall
let two: Footfall
let propertyId: string

const nodes = await openTwoNodes(noon)

before(async () => {
  if (!nodes) return
  ;[one, two] = nodes
  propertyId = (await one.addProperty()).id
})

const isRunning = (): boolean => nodes !== undefined

const visitors = Array.from({ length: 24 }, (_, i) => ({ address: `198.51.100.${i}` }))

test('every visitor gets one version, whichever node answers', async () => {
  if (!isRunning()) return
  const { key, versions } = await addBlock(one.context.records, propertyId)
  const seen = (node: Footfall) =>
    Promise.all(visitors.map(async (visitor) => (await renderIds(node, key, visitor)).version_id))
  const [first, second] = await Promise.all([seen(one), seen(two)])
  assert.deepEqual(first, second)
  assert.deepEqual(new Set(first), new Set(versions))
})

test('what one node rendered the other one takes, once, however often and to whomever it is told', async () => {
  if (!isRunning()) return
  const { id, key } = await addBlock(one.context.records, propertyId)
  const tellThrice = async (visitor: { readonly address: string }) => {
    const view = { ...(await renderIds(one, key, visitor)), action: 'view' }
    const told = [
      await track(two, { ...view, dwell_ms: 900 }, visitor),
      await track(one, { ...view, dwell_ms: 300 }, visitor),
      await track(two, { ...view, dwell_ms: 600 }, visitor),
    ]
    assert.deepEqual(new Set(told.map(({ json }) => json.success)), new Set([true]))
    assert.equal(new Set(told.map(({ json }) => json.interaction_id)).size, 1)
  }
  await Promise.all(visitors.map(tellThrice))
  const rows = await impressionsOf(two, id)
  assert.equal(rows.length, visitors.length)
  assert.deepEqual(new Set(rows.map((row) => row.dwell_ms)), new Set([900]))
})

test('a version that is taken out of use on one node is served by the other for two seconds at most', async () => {
  if (!isRunning()) return
  const { id, key } = await addBlock(one.context.records, propertyId)
  assert.equal((await render(two, key)).json.success, true)
  const { records, content } = one.context
  await records.updateTable('content_versions').set({ is_active: 0 }).where('block_id', '=', id).execute()
  content.forget(id)
  assert.equal((await render(one, key)).json.message, 'No active version')
  two.clock.advance(2_001)
  assert.equal((await render(two, key)).json.message, 'No active version')
  two.clock.set(noon)
})
