// A property none of whose sessions is marked as invalid is asked about without a look at marks: its
// questions are what they were before there were any. With the first mark every one of them looks, and with
// the last one taken back none does.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { askOverview } from '../../test/support/overview-world.ts'
import { startFootfall } from '../../test/support/server.ts'
import { untilEqual } from '../../test/support/until.ts'
import { addGroup, addLink } from '../../test/support/visits.ts'

// Rows of a day are kept without sessions that are marked; what is folded looks for them.
const footfall = await startFootfall({ after }, { keepsRunningDays: false })
const { context, property, track } = footfall

const manage = async (method: string, path: string, body?: object) => {
  const { status, json, text } = await footfall.call(
    method,
    `/manage/properties/${property.id}${path}`,
    body === undefined ? {} : { body },
  )
  assert.equal(status, 200, `${path}: ${text}`)
  return json.data
}

const group = await addGroup(footfall)
const link = await addLink(footfall, { group_id: group })
const { form } = await manage('POST', '/forms', { name: 'F', kind: 'open', domains: ['example.com'] })
const { content } = await manage('POST', '/content', { name: 'Top' })
await manage('POST', `/content/${content.id}/versions`, { label: 'A', html: '<p>A</p>' })

/** Every figure there is. */
async function askEverything(): Promise<void> {
  const window = { period: 'last_7' }
  await askOverview(footfall, window, property.id)
  for (const path of ['analytics/metrics', 'analytics/graph', 'analytics/live', 'sessions'])
    assert.equal((await footfall.call('POST', `/v2/property/signals/${path}`, { body: window })).status, 200, path)
  await manage('POST', '/live', {})
  await manage('POST', '/bots', window)
  await manage('GET', '/tracking')
  await manage('GET', '/forms')
  await manage('GET', `/forms/${form.id}/statistics?period=last_7`)
  await manage('GET', `/content/${content.id}/results`)
  await manage('GET', `/links/${link.id}/statistics?period=last_7`)
  await manage('GET', '/links?period=last_7')
}

test('questions look at marks from the first one on until the last one is taken back, and at no other time', async (t) => {
  const { session_id: session } = (await track.load()).json
  let statements: string[] = []
  const ask = context.facts.query.bind(context.facts)
  t.mock.method(context.facts, 'query', async (...asked: Parameters<typeof ask>) => {
    statements.push(`${asked[0]}: ${asked[1]}`)
    return ask(...asked)
  })
  const looking = async (): Promise<Set<string>> => {
    statements = []
    await askEverything()
    const those = statements.filter((statement) => /\bmarks?\b/.test(statement))
    return new Set(those.map((statement) => statement.split(':')[0]!))
  }
  assert.deepEqual(await looking(), new Set())
  assert.ok(statements.length > 25, `${statements.length} statements`)

  await manage('POST', `/sessions/${session}/mark`, { is_invalid: true })
  const marked = await looking()
  for (const name of [
    'analytics.readTopLists',
    'analytics.readLive',
    'analytics.countLive',
    'analytics.countDays',
    'analytics.trackingRecent',
    'analytics.firstView',
    'links.readClickFigures',
    'links.readArrivals',
    'links.readListClicks',
    'forms.readFigures',
    'forms.countEvents',
    'content.countSessions',
    'content.countInteractions',
  ])
    assert.ok(marked.has(name), name)

  await manage('POST', `/sessions/${session}/mark`, { is_invalid: false })
  await untilEqual(() => context.facts.hasMarks(property.id), false)
  await track.load() // kept answers are made anew
  assert.deepEqual(await looking(), new Set())
})
