// Sample data beside a service that goes on: there once, marked as made up, answered like anything else, and
// gone when it is not wanted.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { addPerson } from '../../test/support/accounts.ts'
import { startFootfall } from '../../test/support/server.ts'
import { openSamples } from './sample.ts'
import type { SampleJson } from './schema.ts'
import { CLAIMED_MS, claimSample } from './sample-run.ts'

const footfall = await startFootfall({ after }, { now: Date.UTC(2026, 10, 18, 12), env: { LOG_LEVEL: 'silent' } })
const { context } = footfall
const call: typeof footfall.call = (method, path, options) => footfall.call(method, path, options)

const size = { sessions: 400, days: 90 }
const small = () => openSamples(context, size)

const soon = () =>
  new Promise((resolve) => {
    setTimeout(resolve, 5)
  })

async function whole(samples: ReturnType<typeof small>): Promise<SampleJson> {
  for (let seen = 0; ;) {
    const sample = await samples.find()
    assert.ok(sample)
    if (sample.state !== 'running') return sample
    assert.ok(sample.progress >= seen && sample.progress < 1)
    seen = sample.progress
    await soon()
  }
}

const sessionsOf = async (propertyId: string): Promise<number> => {
  const sql = `SELECT count() AS sessions FROM sessions FINAL
    WHERE property = {property:String} AND is_bot = 0 AND entry_at < toDateTime64('2200-01-01', 3, 'UTC')`
  const [row] = await context.facts.query<{ sessions: string }>('test.count', sql, { property: propertyId })
  return Number(row?.sessions)
}

test('sample data is made once, whole, marked as such, and completed rather than made again', async () => {
  const samples = small()
  const [first, second] = await Promise.all([samples.begin(), samples.begin()])
  assert.equal(first.property_id, second.property_id)
  assert.deepEqual([first.state, second.state], ['running', 'running'])
  const done = await whole(samples)
  assert.deepEqual(done, { property_id: first.property_id, state: 'done', progress: 1 })
  assert.equal(await sessionsOf(done.property_id), size.sessions)
  const shown = await call('GET', `/manage/properties/${done.property_id}`)
  assert.equal(shown.json.data.property.is_sample, true)
  const asked = await call('GET', `/manage/properties/${footfall.property.id}`)
  assert.equal(asked.json.data.property.is_sample, false)
  const session = await (await addPerson(footfall, { isOwner: true })).call('GET', '/manage/session')
  const marks = session.json.data.properties.map((own: { id: string; is_sample: boolean }) => [own.id, own.is_sample])
  assert.deepEqual(
    new Map(marks),
    new Map([
      [done.property_id, true],
      [footfall.property.id, false],
    ]),
  )

  const again = await samples.begin()
  assert.equal(again.property_id, first.property_id)
  await whole(samples)
  assert.equal(await sessionsOf(done.property_id), size.sessions)
  assert.equal(await sessionsOf(footfall.property.id), 0)
  assert.equal(await samples.remove(), true)
  assert.equal(await samples.find(), null)
  assert.equal(await samples.remove(), false)
})

test('what was broken off is told as such, and the next one completes it', async () => {
  const samples = small()
  const { property_id } = await samples.begin()
  await samples.close()
  const broken = small()
  assert.deepEqual(await broken.find(), { property_id, state: 'failed', progress: 0 })
  assert.equal((await broken.begin()).property_id, property_id)
  assert.equal((await whole(broken)).state, 'done')
  assert.equal(await sessionsOf(property_id), size.sessions)
  await broken.remove()
})

test('two nodes: one writes it, the other says how far it is and begins none of its own', async () => {
  const [one, other] = [small(), small()]
  const { property_id } = await one.begin()
  assert.deepEqual(await other.find(), { property_id, state: 'running', progress: 0 })
  assert.deepEqual(await other.begin(), { property_id, state: 'running', progress: 0 })
  assert.equal((await whole(other)).state, 'done')
  assert.equal((await one.find())?.state, 'done')
  assert.equal(await sessionsOf(property_id), size.sessions)

  const again = await Promise.all([one.begin(), other.begin()])
  assert.deepEqual(new Set(again.map((sample) => sample.property_id)), new Set([property_id]))
  assert.equal((await whole(one)).state, 'done')
  await one.remove()
})

test('of a process that was killed it is nobody’s after a while, and until then it is running', async () => {
  const samples = small()
  const { property_id } = await samples.begin()
  await samples.close()
  const killed = await claimSample(context, property_id, '')
  assert.ok(killed)
  assert.equal(await claimSample(context, property_id, ''), undefined)
  assert.equal((await samples.begin()).state, 'running')
  assert.equal((await samples.find())?.state, 'running')
  footfall.clock.advance(CLAIMED_MS + 1)
  assert.equal((await samples.find())?.state, 'failed')
  await samples.begin()
  assert.equal((await whole(samples)).state, 'done')
  await killed.release() // too late: it holds nothing
  await samples.remove()
})

test('the other node sees it grow, and what that one removes is written no further', async () => {
  const one = openSamples(context, { sessions: 20_000, days: 90 }, 0)
  const other = small()
  const { property_id } = await one.begin()
  while (((await other.find())?.progress ?? 0) === 0) await soon()
  assert.equal((await other.find())?.state, 'running')
  assert.equal(await other.remove(), true)
  assert.equal(await other.find(), null)
  while ((await one.find()) !== null) await soon() // ended by itself
  assert.equal((await call('GET', `/manage/properties/${property_id}`)).status, 404)
})

test('through the front door it begins, is looked at, and ends at once when it is removed; for owners alone', async () => {
  assert.equal((await call('POST', '/manage/sample', { token: null })).status, 401)
  assert.equal((await call('POST', '/manage/sample', { token: footfall.token })).status, 401)
  assert.deepEqual((await call('GET', '/manage/sample')).json.data, { sample: null })
  assert.equal((await call('DELETE', '/manage/sample')).status, 404)
  const begun = await call('POST', '/manage/sample', { body: {} })
  assert.equal(begun.status, 200, begun.text)
  const { property_id: id, state } = begun.json.data.sample
  assert.equal(state, 'running')
  assert.equal((await call('GET', '/manage/sample')).json.data.sample.property_id, id)
  // Visitors are counted meanwhile.
  assert.equal((await footfall.track.load()).json.success, true)
  assert.deepEqual((await call('DELETE', '/manage/sample')).json.data, { deleted: true })
  assert.equal((await call('GET', `/manage/properties/${id}`)).status, 404)
  assert.deepEqual((await call('GET', '/manage/sample')).json.data, { sample: null })
})
