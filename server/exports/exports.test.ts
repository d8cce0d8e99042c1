// Exports through the front door: what stands in each file is what stands in the stores, nobody else gets it,
// and nothing of it stays.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, test, type TestContext } from 'node:test'
import { parse } from 'csv-parse/sync'
import { encode } from 'fast-png'
import { CHROME, type Reply, startFootfall } from '../../test/support/server.ts'
import { getProperty } from '../properties/properties.ts'
import { addGroup, addLink, visit } from '../../test/support/visits.ts'
import { ABANDONED_MS, type ExportKind, KEPT_MS, MAX_EXPORTS, readPlan } from './export.ts'
import { type Export, Exports } from './exports.ts'

const noon = Date.UTC(2026, 10, 18, 12)
const footfall = await startFootfall({ after }, { now: noon })
const { context, property, track } = footfall
const home = join(context.config.dataDir, 'exports')
/** The one of this process, as soon as there is an export. */
const folder = (): string => join(home, readdirSync(home).find((name) => !name.startsWith('ex_')) ?? 'none')
const call: typeof footfall.call = (method, path, options) => footfall.call(method, path, options)
const at = (propertyId: string, rest = '') => `/manage/properties/${propertyId}/exports${rest}`

interface ShownExport {
  readonly id: string
  readonly state: string
  readonly progress: number
  readonly bytes: number
  readonly file_name: string
  readonly error: { code: string; message: string } | null
}

const begin = (body: object, propertyId = property.id) => call('POST', at(propertyId), { body })

/** Ever more rarely: the clock stands still, and with it the minute in which a caller has so many calls. */
async function finished(propertyId: string, id: string): Promise<ShownExport> {
  for (let pauseMs = 10; ; pauseMs = Math.min(500, pauseMs * 2)) {
    const { json } = await call('GET', at(propertyId, `/${id}`))
    if (json.data.export.state !== 'running') return json.data.export
    await new Promise((resolve) => {
      setTimeout(resolve, pauseMs)
    })
  }
}

async function exported(body: object, propertyId = property.id): Promise<{ shown: ShownExport; file: Reply }> {
  const begun = await begin(body, propertyId)
  assert.equal(begun.status, 200, begun.text)
  const shown = await finished(propertyId, begun.json.data.export.id)
  assert.equal(shown.state, 'done', JSON.stringify(shown))
  return { shown, file: await call('GET', at(propertyId, `/${shown.id}/file`)) }
}

const rowsOf = (file: Reply): Record<string, string>[] => parse(file.text, { columns: true, record_delimiter: '\r\n' })

const HOSTILE = '=HYPERLINK("http://evil.example")'

async function someTraffic(): Promise<string[]> {
  const sessions: string[] = []
  for (const [index, day] of [-2, -1, 0].entries()) {
    footfall.clock.set(noon + day * 86_400_000)
    const visits = [0, 1, 2].map(async (visitor) => {
      const from = { address: `203.0.113.${index * 10 + visitor + 1}` }
      const page = `https://example.com/p${visitor}?utm_source=${encodeURIComponent(visitor === 0 ? HOSTILE : 'letter')}`
      const { session_id, view_id } = (await track.load({ ...from, page, title: 'Äpfel, "grün"' })).json
      await track.ping(view_id, { ...from, tos: 42, max: 80 })
      await track.event(session_id, 'signup', { ...from, value: visitor === 0 ? HOSTILE : 7 })
      return session_id as string
    })
    sessions.push(...(await Promise.all(visits)))
  }
  footfall.clock.set(noon)
  const bought = await track.acquisition(
    sessions[6]!,
    { value: 1250, currency_code: 'EUR', tags: ['plan:pro', 'shop:order:A-1'] },
    { address: '203.0.113.21' },
  )
  assert.equal(bought.json.success, true, bought.text)
  return sessions
}

const sessions = await someTraffic()
const group = await addGroup(footfall, { name: '+group' })
const link = await addLink(footfall, { group_id: group, name: '@link' })
await visit(footfall.url, `/a/${link.code}`, {})
await visit(footfall.url, `/a/${link.code}`, { agent: 'Googlebot/2.1' })

test('sessions are exported as they are, each once, in days and with safe cells', async () => {
  const { shown, file } = await exported({ kind: 'sessions' })
  const rows = rowsOf(file)
  assert.deepEqual(rows.map((row) => row['session_id'] ?? '').toSorted(), sessions.toSorted())
  const first = rows.find((row) => row['session_id'] === sessions[6])!
  assert.equal(first['day'], '2026-11-18')
  assert.equal(first['entry_at'], '2026-11-18T12:00:00.000Z')
  assert.equal(first['utm_source'], `'${HOSTILE}`)
  assert.equal(first['entry_title'], 'Äpfel, "grün"')
  assert.deepEqual(
    [first['views'], first['time_on_site'], first['avg_max_scroll'], first['bounced']],
    ['1', '42', '80', 'no'],
  )
  assert.equal(first['tags'], 'plan:pro, shop:order:A-1')
  assert.ok(Number(first['value_usd_cents']) > 1000)
  assert.equal(shown.bytes, Buffer.byteLength(file.text))
  assert.equal(shown.progress, 1)

  const window = { period: 'custom', date_from: '2026-11-17', date_to: '2026-11-17' }
  const one = await exported({ kind: 'sessions', window })
  assert.equal(one.shown.file_name, 'sessions-test-2026-11-17-2026-11-17.csv')
  assert.deepEqual([...new Set(rowsOf(one.file).map((row) => row['day']))], ['2026-11-17'])
  assert.equal(rowsOf(one.file).length, 3)
})

test('a window of a list is one of the days of the property, and of stored rows of UTC days', async () => {
  const { id } = await footfall.addProperty()
  await footfall.call('POST', `/manage/properties/${id}`, { body: { timezone: 'Pacific/Auckland' } })
  // The 18th begins in Auckland at 11:00 UTC of the 17th.
  const times = ['2026-11-17T10:59:59Z', '2026-11-17T11:00:00Z', '2026-11-18T10:59:59Z', '2026-11-18T11:00:00Z']
  const of = (at: string) => ({ property: id, day: at.slice(0, 10), session: String(Date.parse(at)) })
  const views = times.map((at) => ({ ...of(at), view: 1, at: Date.parse(at), seen: Date.parse(at), path: `/${at}` }))
  const events = times.map((at, n) => ({
    ...of(at),
    id: String(n + 1),
    kind: 'event' as const,
    name: at,
    at: Date.parse(at),
  }))
  await footfall.context.facts.appendAll('views', views)
  // One in a session of the day before.
  const late = { ...events[0]!, id: '9', name: 'late', at: Date.parse('2026-11-17T11:20:00Z') }
  await footfall.context.facts.appendAll('events', [...events, late])
  const window = { period: 'custom', date_from: '2026-11-18', date_to: '2026-11-18' }
  const own = async (ask: object) => (await exported({ ...ask, window }, id)).file
  const sorted = (texts: readonly string[]) => texts.toSorted((a, b) => (a < b ? -1 : 1))
  const column = async (kind: string, name: string) => sorted(rowsOf(await own({ kind })).map((row) => row[name] ?? ''))
  assert.deepEqual(await column('sessions', 'entry_path'), [`/${times[1]}`, `/${times[2]}`])
  assert.deepEqual(await column('events', 'name'), sorted([...times.slice(1, 3), 'late']))
})

test('more rows than a page are all there, each once', async () => {
  const { id } = await footfall.addProperty()
  // A day of more than a page, then days that make one together.
  const dayOf = (i: number) => `2026-11-${10 + (i < 4_100 ? 0 : 1 + (i % 5))}`
  const views = Array.from({ length: 4_603 }, (_, i) => ({
    property: id,
    day: dayOf(i),
    session: String(2n ** 63n + BigInt(i) * 7_919n),
    view: 1,
    at: Date.UTC(2026, 10, 10, 1) + i,
    seen: Date.UTC(2026, 10, 10, 1) + i,
    path: `/${i}`,
  }))
  const events = views.flatMap(({ at, view: _view, path: _path, seen: _seen, ...row }, i) => [
    { ...row, kind: 'event' as const, name: i % 2 ? 'a' : '-b', id: String(i), at, by_visitor: 1 },
  ])
  const clicks = views.map((row, i) => ({
    property: id,
    day: row.day,
    link_group: `lg_${i % 3}`,
    link: `ln_${i % 7}`,
    id: String(2n ** 64n - 1n - BigInt(i)),
    at: row.at,
  }))
  await context.facts.appendAll('views', views)
  await context.facts.appendAll('events', events)
  await context.facts.appendAll('clicks', clicks)
  const paths = rowsOf((await exported({ kind: 'sessions' }, id)).file).map((row) => row['entry_path'])
  assert.deepEqual(new Set(paths), new Set(views.map(({ path }) => path)))
  assert.equal(paths.length, views.length)
  const told = rowsOf((await exported({ kind: 'events' }, id)).file).map((row) => row['session_id'])
  assert.equal(told.length, events.length)
  assert.equal(new Set(told).size, events.length)
  const ids = rowsOf((await exported({ kind: 'clicks' }, id)).file).map((row) => row['click_id'])
  assert.equal(ids.length, clicks.length)
  assert.equal(new Set(ids).size, clicks.length)
})

test('events and clicks are exported with the sessions they belong to', async () => {
  const events = rowsOf((await exported({ kind: 'events' })).file)
  assert.equal(events.filter((row) => row['name'] === 'signup').length, 9)
  assert.deepEqual(new Set(events.map((row) => row['session_id'])), new Set(sessions))
  const order = events.find((row) => row['amount_minor'] === '1250')!
  assert.deepEqual([order['amount_minor'], order['currency'], order['order_id']], ['1250', 'EUR', 'A-1'])
  assert.ok(events.some((row) => row['value'] === `'${HOSTILE}`))
  const clicks = rowsOf((await exported({ kind: 'clicks' })).file)
  assert.deepEqual(clicks.map((row) => `${row['link']} ${row['is_bot']}`).toSorted(), [
    `${link.id} no`,
    `${link.id} yes`,
  ])
})

test('contacts, links, submissions and deliveries are exported as their own lists write them', async () => {
  await call('POST', '/v2/property/contacts/identify', { body: { external_id: 'u1', email: 'ada@example.com' } })
  const contacts = rowsOf((await exported({ kind: 'contacts' })).file)
  assert.deepEqual(
    contacts.map((row) => row['email']),
    ['ada@example.com'],
  )
  const links = rowsOf((await exported({ kind: 'links' })).file)
  assert.deepEqual(
    links.map((row) => row['code']),
    [link.code],
  )
  const form = await call('POST', `/manage/properties/${property.id}/forms`, { body: { name: 'F', kind: 'open' } })
  const formId = form.json.data.form.id
  const submissions = await exported({ kind: 'submissions', form: formId })
  assert.deepEqual(rowsOf(submissions.file), [])
  assert.match(submissions.file.text, /^id,submitted_at,/)
  assert.deepEqual(rowsOf((await exported({ kind: 'deliveries' })).file), [])
  assert.equal((await begin({ kind: 'submissions', form: 'fm_unknown' })).status, 404)
  const other = await footfall.addProperty()
  assert.equal((await begin({ kind: 'submissions', form: formId }, other.id)).status, 404)
})

test('records are one document of everything but the facts, without a secret', async () => {
  const automation = await call('POST', `/manage/properties/${property.id}/automations`, {
    body: {
      name: 'A',
      trigger: { event_type: 'page_view' },
      actions: [{ type: 'webhook', url: 'https://93.184.216.34/x', payload: 'envelope' }],
    },
  })
  assert.equal(automation.status, 200, automation.text)
  const block = await call('POST', `/manage/properties/${property.id}/content`, { body: { name: 'B' } })
  assert.equal(block.status, 200, block.text)
  const note = await call('POST', `/manage/properties/${property.id}/annotations`, {
    body: { ts: 1_795_000_000, text: 'Sale' },
  })
  assert.equal(note.status, 200, note.text)
  const segment = await call('POST', `/manage/properties/${property.id}/segments`, {
    body: { name: 'Blog', clauses: [{ id: 'page_path', op: 'equals', value: '/blog' }] },
  })
  assert.equal(segment.status, 200, segment.text)
  const host = { host: 'go.example.org', domain: 'link-b' }
  const domain = await call('POST', `/manage/properties/${property.id}/own-domains`, { body: host })
  assert.equal(domain.status, 200, domain.text)
  const png = encode({ width: 1, height: 1, channels: 3, data: Uint8Array.from([255, 0, 0]) })
  const look = { color: '#112233', margin: 2, has_logo: true, logo: Buffer.from(png).toString('base64') }
  const looks = await call('POST', `/manage/properties/${property.id}/qr-look`, { body: look })
  assert.equal(looks.status, 200, looks.text)
  const { file, shown } = await exported({ kind: 'records' })
  assert.match(file.headers.get('content-type') ?? '', /^application\/json/)
  const records = JSON.parse(file.text)
  assert.equal(records.property.id, property.id)
  assert.deepEqual(
    records.contacts.map(({ email }: { email: string }) => email),
    ['ada@example.com'],
  )
  assert.deepEqual(
    records.links.map(({ code }: { code: string }) => code),
    [link.code],
  )
  assert.deepEqual(
    [records.link_groups.length, records.automations.length, records.content.length, records.tokens.length],
    [1, 1, 1, 1],
  )
  assert.deepEqual(
    records.annotations.map(({ text }: { text: string }) => text),
    ['Sale'],
  )
  assert.deepEqual(
    records.segments.map(({ name }: { name: string }) => name),
    ['Blog'],
  )
  assert.deepEqual(
    records.link_domains.map(({ host: name, domain: slot }: Record<string, unknown>) => [name, slot]),
    [['go.example.org', 'link-b']],
  )
  const [{ logo, ...written }] = records.qr_look
  assert.deepEqual(written, { color: '#112233', background: '#ffffff', margin: 2, level: 'M', has_logo: true })
  const elsewhere = await footfall.addProperty()
  const carried = await call('POST', `/manage/properties/${elsewhere.id}/qr-look`, { body: { ...written, logo } })
  assert.deepEqual([carried.status, carried.json.data.is_logo_there], [200, true], carried.text)
  assert.ok(!file.text.includes(automation.json.data.signing_secret))
  assert.ok(!file.text.includes(property.token))
  assert.equal(shown.file_name, 'records-test-2026-11-18.json')
})

for (const table of ['views', 'events', 'sessions', 'clicks', 'form_events', 'impressions', 'vitals', 'lib_errors'])
  test(`the table ${table} is exported as Parquet that reads back as what is stored`, async () => {
    const { shown, file } = await exported({ kind: 'facts', table })
    assert.equal(file.headers.get('content-type'), 'application/vnd.apache.parquet')
    const path = join(folder(), `${shown.id}.parquet`)
    assert.equal(statSync(path).size, shown.bytes)
    assert.equal(statSync(path).mode & 0o777, 0o600)
    const count = async (from: string) => {
      const key = table === 'sessions' || table === 'views' ? 'toUInt64(session)' : 'toUInt64(id)'
      const sql = `SELECT count() AS rows, sum(${key}) AS keys, min(day) AS first, max(day) AS last FROM ${from}`
      return (await context.facts.query('test.read', sql, { property: property.id }))[0]
    }
    const loaded: Readonly<Record<string, string>> = { sessions: 'entry_at', views: 'at' }
    const isLoaded = loaded[table] ? `${loaded[table]} < '2299-01-01'` : '1'
    const stored = await count(`(SELECT * FROM ${table} FINAL WHERE property = {property:String} AND ${isLoaded})`)
    assert.deepEqual(await count(`file('${path}', 'Parquet')`), stored)
    const columns = await context.facts.query<{ name: string }>('test.columns', `DESCRIBE file('${path}', 'Parquet')`)
    assert.ok(!columns.some(({ name }) => name === 'property'))
  })

test('Parquet has the values of the rows, and of a window those of its days alone', async () => {
  const window = { period: 'custom', date_from: '2026-11-17', date_to: '2026-11-18' }
  const { shown } = await exported({ kind: 'facts', table: 'views', window })
  const columns = 'toString(day) AS day, toString(session) AS session, url, title, seconds, scroll, utm_source, browser'
  const read = (from: string) =>
    context.facts.query('test.read', `SELECT ${columns} FROM ${from} ORDER BY session, day`, { property: property.id })
  const stored = await read(
    `(SELECT * FROM views FINAL WHERE property = {property:String} AND day BETWEEN '2026-11-17' AND '2026-11-18')`,
  )
  assert.equal(stored.length, 6)
  assert.deepEqual(await read(`file('${join(folder(), `${shown.id}.parquet`)}', 'Parquet')`), stored)
})

test('a file is sent to be kept as a file, and nowhere in between', async () => {
  const { shown, file } = await exported({ kind: 'links' })
  assert.equal(file.headers.get('content-disposition'), `attachment; filename="${shown.file_name}"`)
  assert.equal(file.headers.get('cache-control'), 'private, no-store')
  assert.equal(file.headers.get('x-content-type-options'), 'nosniff')
  assert.equal(file.headers.get('content-length'), String(shown.bytes))
  for (const path of [home, folder()]) assert.equal(statSync(path).mode & 0o777, 0o700)
  assert.equal(statSync(join(folder(), `${shown.id}.csv`)).mode & 0o777, 0o600)
})

test('the name of a file has nothing in it that a header or a disk could take for something else', async () => {
  const { id } = await footfall.addProperty({ name: '../../etc/"passwd"; Größe\u202e 🎈' })
  const { shown } = await exported({ kind: 'links' }, id)
  assert.equal(shown.file_name, 'links-etc-passwd-gro-e-2026-11-18.csv')
})

test('of another property there is no export, and without rights there is none at all', async () => {
  const { shown } = await exported({ kind: 'links' })
  const other = await footfall.addProperty()
  for (const rest of ['', '/file']) {
    assert.equal((await call('GET', at(other.id, `/${shown.id}${rest}`))).status, 404)
    assert.equal((await call('GET', at(property.id, `/${shown.id}${rest}`), { token: null })).status, 401)
    assert.equal((await call('GET', at(property.id, `/${shown.id}${rest}`), { token: property.token })).status, 401)
    assert.equal((await call('GET', at(property.id, `/ex_unknown${rest}`))).status, 404)
  }
  assert.equal((await call('DELETE', at(other.id, `/${shown.id}`))).status, 404)
  assert.deepEqual((await call('GET', at(other.id))).json.data, { data: [] })
  assert.equal((await begin({ kind: 'links' }, 'pr_00000000000000000000')).status, 404)
})

const wrong: readonly (readonly [body: unknown, field: string])[] = [
  [{}, 'kind'],
  [{ kind: 'passwords' }, 'kind'],
  [{ kind: 'facts' }, 'table'],
  [{ kind: 'facts', table: 'salts' }, 'table'],
  [{ kind: 'links', table: 'views' }, 'table'],
  [{ kind: 'submissions' }, 'form'],
  [{ kind: 'contacts', form: 'fm_x' }, 'form'],
  [{ kind: 'contacts', window: { period: 'last_7' } }, 'window'],
  [{ kind: 'sessions', window: { period: 'last_9' } }, 'period'],
  [{ kind: 'sessions', window: { period: 'custom', date_from: '2026-02-30', date_to: '2026-03-01' } }, 'date_from'],
  [{ kind: 'sessions', window: 'last_7' }, 'window'],
]

for (const [body, field] of wrong)
  test(`an export like ${JSON.stringify(body)} is refused because of its ${field}`, async () => {
    const reply = await call('POST', at(property.id), { body })
    assert.equal(reply.status, 422, reply.text)
    assert.deepEqual(Object.keys(reply.json.errors), [field])
  })

test('an export that is deleted is gone with its file, also while it is written', async () => {
  for (const { id } of (await call('GET', at(property.id))).json.data.data)
    await call('DELETE', at(property.id, `/${id}`))
  const { shown } = await exported({ kind: 'links' })
  assert.equal((await call('DELETE', at(property.id, `/${shown.id}`))).status, 200)
  assert.equal((await call('GET', at(property.id, `/${shown.id}`))).status, 404)
  assert.ok(!existsSync(join(folder(), `${shown.id}.csv`)))
  const kinds = [{ kind: 'sessions' }, { kind: 'facts', table: 'views' }, { kind: 'records' }]
  const begun = await Promise.all(kinds.map((body) => begin(body)))
  await Promise.all(begun.map(({ json }) => call('DELETE', at(property.id, `/${json.data.export.id}`))))
  await exported({ kind: 'links' }) // behind them in the queue
  const left = new Set(readdirSync(folder()).map((name) => name.split('.')[0]))
  for (const { json } of begun) assert.ok(!left.has(json.data.export.id))
})

test('there are so many exports and no more, until some are deleted', async () => {
  const { id } = await footfall.addProperty()
  for (let n = 0; n < MAX_EXPORTS; n++) assert.equal((await begin({ kind: 'links' }, id)).status, 200)
  const refused = await begin({ kind: 'links' }, id)
  assert.equal(refused.status, 429)
  assert.equal(refused.json.error_code, 'rate_limited')
  const { data } = (await call('GET', at(id))).json.data
  assert.equal(data.length, MAX_EXPORTS)
  await call('DELETE', at(id, `/${data[0].id}`))
  assert.equal((await begin({ kind: 'links' }, id)).status, 200)
})

test('what people sent and who they are is in no file any more once somebody is erased', async () => {
  const { id, token } = await footfall.addProperty()
  const { json } = await call('POST', '/v2/property/contacts/identify', { body: { email: 'bob@example.com' }, token })
  const contacts = await exported({ kind: 'contacts' }, id)
  const records = await exported({ kind: 'records' }, id)
  const kept = await exported({ kind: 'links' }, id)
  assert.match(contacts.file.text, /bob@example\.com/)
  assert.equal((await call('DELETE', `/v2/property/contacts/${json.data.contact.id}`, { token })).status, 200)
  for (const { shown } of [contacts, records]) {
    assert.equal((await call('GET', at(id, `/${shown.id}`))).status, 404)
    assert.ok(!readdirSync(folder()).some((name) => name.startsWith(shown.id)))
  }
  assert.equal((await call('GET', at(id, `/${kept.shown.id}/file`))).status, 200)
})

test('the exports of a property go with it', async () => {
  const { id } = await footfall.addProperty()
  const { shown } = await exported({ kind: 'links' }, id)
  assert.equal((await call('DELETE', `/manage/properties/${id}`)).status, 200)
  assert.ok(!existsSync(join(folder(), `${shown.id}.csv`)))
})

test('a day later an export is gone, and what an earlier process left behind goes at the start', async () => {
  writeFileSync(join(home, 'ex_left.csv'), 'email\r\n')
  const { id } = await footfall.addProperty()
  const { shown } = await exported({ kind: 'links' }, id)
  await context.exports.sweep()
  assert.ok(!existsSync(join(home, 'ex_left.csv')))
  assert.ok(existsSync(join(folder(), `${shown.id}.csv`)))
  footfall.clock.advance(KEPT_MS + 1_000)
  await context.exports.sweep()
  assert.equal((await call('GET', at(id, `/${shown.id}`))).status, 404)
  assert.deepEqual(readdirSync(folder()), [])
  footfall.clock.set(noon)
})

test('visitors are counted while an export is written', async () => {
  const { id } = await footfall.addProperty()
  const begun = await begin({ kind: 'facts', table: 'views' }, id)
  assert.equal((await track.load({ agent: CHROME })).json.success, true)
  assert.equal((await finished(id, begun.json.data.export.id)).state, 'done')
})

// ---------------------------------------- beside another process, and with the disk against it

/** As another node has them, with the same stores. */
function beside(t: TestContext, mostBytes?: number) {
  const dataDir = mkdtempSync(join(tmpdir(), 'footfall-exports-'))
  const exports = new Exports({ ...context, config: { ...context.config, dataDir } }, mostBytes)
  t.after(async () => {
    await exports.close()
    rmSync(dataDir, { recursive: true, force: true })
  })
  return { exports, dataDir }
}

const filesIn = (dataDir: string): string[] =>
  readdirSync(join(dataDir, 'exports'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)

async function ended(one: Export): Promise<Export> {
  while (one.state === 'running')
    await new Promise((resolve) => {
      setTimeout(resolve, 5)
    })
  return one
}

async function made(exports: Exports, kind: ExportKind, propertyId = property.id): Promise<Export> {
  const found = await getProperty(context, propertyId)
  return ended(await exports.create(found, readPlan({ kind }, context.now(), found)))
}

test('a file that cannot be removed keeps no other export from its turn', async (t) => {
  const { exports, dataDir } = beside(t)
  // Where the folder would be: nothing in it can be made, or removed.
  writeFileSync(join(dataDir, 'exports'), '')
  assert.equal((await made(exports, 'links')).fault?.code, 'failed')
  rmSync(join(dataDir, 'exports'))
  assert.equal((await made(exports, 'links')).state, 'done')
})

for (const plan of [{ kind: 'sessions' }, { kind: 'facts', table: 'views' }] as const)
  test(`all files together grow no larger than they may, those that wait included: ${plan.kind}`, async (t) => {
    const found = await getProperty(context, property.id)
    const ask = readPlan(plan, context.now(), found)
    const whole = await ended(await beside(t).exports.create(found, ask))
    assert.equal(whole.state, 'done')
    const { exports, dataDir } = beside(t, Math.floor(whole.bytes * 1.5))
    // While there is room for any.
    const begun = [await exports.create(found, ask), await exports.create(found, ask)]
    const states = await Promise.all(begun.map(ended))
    assert.deepEqual(
      states.map(({ state, fault }) => [state, fault?.code]),
      [
        ['done', undefined],
        ['failed', 'too_many'],
      ],
    )
    assert.equal(filesIn(dataDir).length, 1)
    await exports.remove(property.id, begun[0]!.id)
    assert.equal((await ended(await exports.create(found, ask))).state, 'done')
    const full = beside(t, whole.bytes).exports
    assert.equal((await ended(await full.create(found, ask))).state, 'done')
    await assert.rejects(full.create(found, ask), { kind: 'rate_limited' })
  })

test('who is erased on one node is in no file of another', async (t) => {
  const { id, token } = await footfall.addProperty()
  const { exports, dataDir } = beside(t)
  const { json } = await call('POST', '/v2/property/contacts/identify', { body: { email: 'eve@example.com' }, token })
  const [contacts, records, links] = [
    await made(exports, 'contacts', id),
    await made(exports, 'records', id),
    await made(exports, 'links', id),
  ]
  ;(await exports.open(id, contacts.id)).stream.destroy()
  assert.equal((await call('DELETE', `/v2/property/contacts/${json.data.contact.id}`, { token })).status, 200)
  await assert.rejects(exports.open(id, contacts.id), { kind: 'not_found' })
  assert.equal(filesIn(dataDir).length, 2)
  await exports.sweep()
  assert.deepEqual(filesIn(dataDir), [`${links.id}.csv`])
  assert.throws(() => exports.get(id, records.id), { kind: 'not_found' })
  ;(await exports.open(id, links.id)).stream.destroy()
  const since = await made(exports, 'contacts', id)
  const { stream } = await exports.open(id, since.id)
  assert.ok(!(await text(stream)).includes('eve@example.com'))
})

test('a file that was begun before an erasure is committed is not handed out after it', async () => {
  const { id, token } = await footfall.addProperty()
  await call('POST', '/v2/property/contacts/identify', { body: { email: 'ed@example.com' }, token })
  const one = await context.records.transaction().execute(async (tx) => {
    await context.forgetSubmissions(tx, id, ['sb_1'])
    const begun = await made(context.exports, 'contacts', id)
    assert.equal(begun.state, 'done')
    return begun
  })
  const reply = await call('GET', at(id, `/${one.id}/file`))
  assert.equal(reply.status, 404)
  assert.match(reply.json.message, /another node/)
})

test('of those who share a DATA_DIR none removes what another one has, but what nobody has', async (t) => {
  const first = beside(t)
  const shared = {
    ...context,
    config: { ...context.config, dataDir: first.dataDir, clickhouseUrls: ['http://facts.test'] },
  }
  const second = new Exports(shared)
  t.after(() => second.close())
  const one = await made(first.exports, 'links')
  const path = join(first.dataDir, 'exports', 'of_a_process_that_was_killed')
  mkdirSync(path)
  writeFileSync(join(path, 'ex_1.csv'), 'email\r\n')
  await second.sweep()
  assert.deepEqual(filesIn(first.dataDir).toSorted(), ['ex_1.csv', `${one.id}.csv`].toSorted())
  const then = (context.now() - ABANDONED_MS) / 1000 - 1
  for (const old of [path, join(path, 'ex_1.csv')]) utimesSync(old, then, then)
  await second.sweep()
  assert.deepEqual(filesIn(first.dataDir), [`${one.id}.csv`])
  // One that lives says so, however long ago it made its files.
  const kept = await made(second, 'links')
  for (const old of [join(kept.path, '..'), kept.path]) utimesSync(old, then, then)
  await second.sweep()
  const third = new Exports(shared)
  t.after(() => third.close())
  await third.sweep()
  assert.deepEqual(filesIn(first.dataDir).toSorted(), [`${kept.id}.csv`, `${one.id}.csv`].toSorted())
})

test('Parquet has no session and no view of which no page was loaded', async () => {
  const row = { property: property.id, day: '2026-11-17', session: '424242' }
  const at = Date.parse('2026-11-17T12:00:00Z')
  await context.facts.append('views', { ...row, view: 1, seen: at, seconds: 7 })
  await context.facts.append('events', { ...row, kind: 'event', name: 'late', id: '424242', at })
  for (const table of ['sessions', 'views']) {
    const { shown } = await exported({ kind: 'facts', table })
    const path = join(folder(), `${shown.id}.parquet`)
    const [found] = await context.facts.query<{ rows: string; mine: string }>(
      'test.read',
      `SELECT count() AS rows, countIf(session = 424242) AS mine FROM file('${path}', 'Parquet')`,
    )
    assert.ok(Number(found?.rows) > 0, table)
    assert.equal(Number(found?.mine), 0, table)
  }
  const { shown } = await exported({ kind: 'facts', table: 'events' })
  const [kept] = await context.facts.query<{ mine: string }>(
    'test.read',
    `SELECT countIf(session = 424242) AS mine FROM file('${join(folder(), `${shown.id}.parquet`)}', 'Parquet')`,
  )
  assert.equal(Number(kept?.mine), 1, 'the event itself is kept')
})
