// What was sent, as its owner sees it through the front door, on both databases: shown whole, filtered,
// marked, deleted, exported.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { addPerson } from '../../test/support/accounts.ts'
import { flowOf, type Form, PAGE, personSignals } from '../../test/support/form-flow.ts'
import { startPostgres } from '../../test/support/postgres.ts'
import { type Footfall, startFootfall } from '../../test/support/server.ts'
import { addForm, addSubmissions, submissionIds } from '../../test/support/submissions.ts'
import { bareCell } from '../csv/cells.ts'
import { MAX_COLUMNS } from './export.ts'
import type { Answer } from '../forms/form-model.ts'
import { noteSubmission, noteSubmissions } from '../form-flow/note.ts'
import { findNotedSubmission } from './records.ts'
import { answersByLabel, markStored } from './submissions.ts'

const NOON = Date.UTC(2026, 10, 18, 12)
const postgres = await startPostgres({ after })

const answer = (name: string, value: Answer['value'], label = name): Answer => ({ type: 'text', name, label, value })

test('answers are named by their labels, those with the same label by their names too, whatever they are called', () => {
  const answers = [
    answer('a', 'one', 'Name'),
    answer('b', ['two', 'three'], 'Name'),
    answer('c', '', 'Rest'),
    answer('__proto__', 'x'),
    answer('constructor', 'y'),
  ]
  const fields = answersByLabel(answers)
  assert.deepEqual(Object.entries(fields), [
    ['Name (a)', 'one'],
    ['Name (b)', 'two, three'],
    ['Rest', ''],
    ['__proto__', 'x'],
    ['constructor', 'y'],
  ])
  assert.equal(Object.getPrototypeOf(fields), Object.prototype)
})

test('a field that is called like another one with its name added takes no answer away', () => {
  const answers = [answer('a', 'one', 'Name'), answer('b', 'two', 'Name'), answer('c', 'three', 'Name (a)')]
  assert.deepEqual(Object.entries(answersByLabel(answers)), [
    ['Name (a) (a)', 'one'],
    ['Name (b)', 'two'],
    ['Name (a)', 'three'],
  ])
  const twice = [...answers, answer('a) (a', 'four', 'Name'), answer('d', 'five', 'Name (a) (a)')]
  assert.deepEqual(Object.values(answersByLabel(twice)).toSorted(), ['five', 'four', 'one', 'three', 'two'])
})

const fields = { fields: { name: 'text', email: 'email', topics: 'checkbox' } }

interface World {
  readonly footfall: Footfall
  readonly form: Form
  readonly path: string
}

async function newForm(footfall: Footfall, body: object = {}): Promise<World> {
  const form = await flowOf(footfall).create(footfall.property.id, { ...body })
  return { footfall, form, path: `/manage/properties/${footfall.property.id}/forms/${form.id}/submissions` }
}

/** A person who takes their time. */
async function sendAs({ footfall, form }: World, data: object, address = '203.0.113.7'): Promise<void> {
  const flow = flowOf(footfall)
  const opened = await flow.open(form, { ...fields, source: 'spring' }, { address })
  footfall.clock.advance(30_000)
  const { json, text } = await flow.send(opened, { ...data }, { address })
  assert.equal(json.validated, true, text)
}

/** A program that fills in what is there, at once. */
async function sendByProgram({ footfall, form }: World): Promise<void> {
  const flow = flowOf(footfall)
  const opened = await flow.open(form, fields, { address: '198.51.100.9' })
  const data = { name: 'Buy', email: 'spam@example.net', [opened.hp]: '' }
  const body = { map: { name: 'text', email: 'email' }, data, _sig: { ...personSignals, w: 1, dur: 5 } }
  const { json } = await flow.process(opened.token, body, { address: '198.51.100.9' })
  assert.equal(json.validated, true)
}

const idsOf = async ({ footfall, path }: World, query: Record<string, string | number> = {}): Promise<string[]> => {
  const { status, json, text } = await footfall.call('GET', path, { query })
  assert.equal(status, 200, text)
  return json.data.data.map(({ id }: { id: string }) => id)
}

const countsOf = async ({ footfall, form }: World) => {
  const rows = await footfall.context.facts.query<{ kind: string; count: string }>(
    'test',
    `SELECT kind, uniqExact(id) AS count FROM form_events WHERE form = {form:String} AND kind IN ('submit', 'drop') GROUP BY kind`,
    { form: form.id },
  )
  return Object.fromEntries(rows.map(({ kind, count }) => [kind, Number(count)]))
}

function promises(on: string, freshUrl: () => Promise<string>): void {
  describe(on, () => {
    const closers: (() => Promise<void>)[] = []
    after(async () => {
      for (const close of closers) await close()
    })
    let opened: Promise<Footfall> | undefined
    const open = (): Promise<Footfall> =>
      (opened ??= freshUrl().then((url) =>
        startFootfall({ after: (close) => closers.push(close) }, { now: NOON, env: { DATABASE_URL: url } }),
      ))

    test('a submission is shown with all that is known, and its session when there is one', async () => {
      const footfall = await open()
      const { json: visit } = await footfall.track.load({ page: `${PAGE}/contact` })
      const world = await newForm(footfall, { name: 'Ask us' })
      await sendAs(world, { name: 'Ada', email: 'Ada@Example.com', topics: ['a', 'b'] })
      const [id] = await idsOf(world)
      const { json } = await footfall.call('GET', `${world.path}/${id}`)
      const { reasons, score, ...shown } = json.data.submission
      assert.deepEqual(shown, {
        id,
        form: { id: world.form.id, name: 'Ask us' },
        submitted_ts: Math.floor(footfall.clock.now() / 1000),
        verdict: 'clean',
        mark: null,
        is_spam: false,
        is_flagged: false,
        is_read: false,
        fields: { name: 'Ada', email: 'Ada@Example.com', topics: 'a, b' },
        files: [],
        raw_fields: [
          { type: 'text', name: 'name', label: 'name', value: 'Ada' },
          { type: 'email', name: 'email', label: 'email', value: 'Ada@Example.com' },
          { type: 'checkbox', name: 'topics', label: 'topics', value: ['a', 'b'] },
        ],
        ip: null,
        network: null,
        country: null,
        country_code: null,
        region: null,
        city: null,
        geo: { lat: null, lon: null },
        browser: 'Chrome',
        os: 'Windows',
        device: 'desktop',
        language: 'en-GB',
        is_bot: false,
        bot_name: null,
        bot_reason: null,
        source: 'spring',
        lib: 'form 1.0.0',
        session_id: visit.session_id,
        contact_id: null,
      })
      assert.equal(typeof score, 'number')
      for (const { reason, points, sentence } of reasons) assert.ok(reason && Number.isInteger(points) && sentence)
    })

    test('unread until somebody opens it; counted for its form; spam is nobody’s to read', async () => {
      const world = await newForm(await open())
      const { footfall, form, path } = world
      const unread = async () => {
        const { json } = await footfall.call('GET', path.slice(0, path.indexOf(`/${form.id}`)))
        return json.data.data.find(({ id }: { id: string }) => id === form.id).unread
      }
      const read = (at: string, body: object, options = {}) =>
        footfall.call('POST', `${path}${at}/read`, { body, ...options })
      await sendAs(world, { name: 'Ada', email: 'ada@example.com' })
      await sendAs(world, { name: 'Bea', email: 'bea@example.com' })
      await sendAs(world, { name: 'Cid', email: 'cid@example.com' })
      await sendByProgram(world)
      const [third, second, first] = await idsOf(world)
      assert.deepEqual([await unread(), await idsOf(world, { show: 'unread' })], [3, [third, second, first]])
      assert.equal(
        (await footfall.call('GET', `${path}/${first}`)).json.data.submission.is_read,
        false,
        'not by itself',
      )
      const viewer = await addPerson(footfall, { roles: { [footfall.property.id]: 'viewer' } })
      assert.deepEqual((await viewer.call('POST', `${path}/${first}/read`, { body: { is_read: true } })).json.data, {
        is_read: true,
      })
      assert.deepEqual([await unread(), await idsOf(world, { show: 'unread' })], [2, [third, second]])
      assert.equal((await footfall.call('GET', `${path}/${first}`)).json.data.submission.is_read, true)
      await read(`/${first}`, { is_read: false })
      assert.equal(await unread(), 3)
      await footfall.call('POST', `${path}/${second}`, { body: { mark: 'spam' } })
      assert.deepEqual(await idsOf(world, { show: 'unread' }), [third, first], 'who marks one has read it')
      const [spam] = await idsOf(world, { verdict: 'dropped' })
      await footfall.call('POST', `${path}/${spam}`, { body: { mark: 'not_spam' } })
      assert.equal(await unread(), 2)
      for (const body of [{}, { is_read: 'yes' }, { is_read: null }])
        assert.equal((await read(`/${first}`, body)).status, 422)
      for (const id of ['sb_00000000000000000000', 'x%00', spam?.replace('sb', 'sx')])
        assert.equal((await read(`/${id}`, { is_read: true })).status, 404, id)
      for (const [method, body] of [['GET'], ['POST', { mark: 'spam' }], ['DELETE']] as const)
        assert.equal((await footfall.call(method, `${path}/x%00`, { ...(body && { body }) })).status, 404, method)
      const other = await newForm(footfall)
      const wrong = await footfall.call('POST', `${other.path}/${first}/read`, { body: { is_read: true } })
      assert.equal(wrong.status, 404, 'of another form')
      assert.deepEqual([(await read('', {})).json.data, await unread()], [{ read: 2 }, 0])
      assert.deepEqual((await read('', {})).json.data, { read: 0 })
    })

    test('a dropped one is kept apart with its reasons; called no spam it is listed and counted, and marks can be taken back', async () => {
      const world = await newForm(await open())
      const { footfall, path } = world
      await sendAs(world, { name: 'Ada', email: 'ada@example.com' })
      await sendByProgram(world)
      const [kept] = await idsOf(world)
      const [spam] = await idsOf(world, { show: 'spam' })
      assert.deepEqual([await idsOf(world), await idsOf(world, { show: 'spam' })], [[kept], [spam]])
      assert.deepEqual(await idsOf(world, { show: 'all' }), [spam, kept])
      assert.deepEqual(await idsOf(world, { verdict: 'dropped' }), [spam])
      assert.deepEqual(await countsOf(world), { submit: 1, drop: 1 })
      const { json: before } = await footfall.call('GET', `${path}/${spam}`)
      assert.equal(before.data.submission.verdict, 'dropped')
      assert.ok(before.data.submission.score >= 80 && before.data.submission.reasons.length >= 2)

      const mark = async (id: string | undefined, word: string | null) =>
        (await footfall.call('POST', `${path}/${id}`, { body: { mark: word } })).json.data.submission
      const rescued = await mark(spam, 'not_spam')
      assert.deepEqual([rescued.mark, rescued.is_spam, rescued.verdict], ['not_spam', false, 'dropped'])
      assert.deepEqual(await idsOf(world), [spam, kept])
      assert.deepEqual(await countsOf(world), { submit: 2, drop: 1 })
      assert.equal((await mark(kept, 'spam')).is_spam, true)
      assert.deepEqual([await idsOf(world), await idsOf(world, { show: 'spam' })], [[spam], [kept]])
      assert.equal((await mark(kept, null)).is_spam, false)
      assert.equal((await mark(spam, null)).is_spam, true)
      assert.deepEqual(await idsOf(world), [kept])
    })

    test('one that was marked beside the server is in the figures after the next run of the job', async () => {
      const world = await newForm(await open())
      const { context, property } = world.footfall
      await sendByProgram(world)
      const [spam] = await idsOf(world, { show: 'spam' })
      await markStored(context, { propertyId: property.id }, spam!, 'not_spam')
      assert.deepEqual(await countsOf(world), { drop: 1 })
      assert.equal(await noteSubmissions(context), 1)
      assert.deepEqual(await countsOf(world), { drop: 1, submit: 1 })
      assert.equal(await noteSubmissions(context), 0)
    })

    test('a drop whose noting ends late does not stand over a mark of the same moment', async () => {
      const world = await newForm(await open())
      const { context, property } = world.footfall
      await sendByProgram(world)
      const [spam] = await idsOf(world, { show: 'spam' })
      const { records } = context
      await noteSubmissions(context) // what a slow store has not taken yet
      const dropped = await findNotedSubmission(records, spam!)
      assert.ok(dropped)
      const gate = Promise.withResolvers<void>()
      const append: typeof context.facts.append = async (...row) => {
        await gate.promise
        await context.facts.append(...row)
      }
      const late = noteSubmission({ records, facts: { ...context.facts, append } }, dropped)
      await markStored(context, { propertyId: property.id }, spam!, 'not_spam')
      gate.resolve()
      await late
      const row = await records.selectFrom('submissions').select('is_noted').where('id', '=', spam!).executeTakeFirst()
      assert.equal(row?.is_noted, 0)
      assert.equal(await noteSubmissions(context), 1)
      assert.deepEqual(await countsOf(world), { drop: 1, submit: 1 })
    })

    test('a search knows the capitals of every language and nothing of how answers are stored; the export finds the same', async () => {
      const world = await newForm(await open())
      const { footfall, path } = world
      await sendAs(world, { name: 'MÜLLER\nboss', email: 'mueller@example.com', topics: ['Größe', 'İZMİR'] })
      await sendAs(world, { name: 'Émile Zola', email: 'zola@example.com' })
      const [zola, mueller] = await idsOf(world)
      const found = async (search: string): Promise<(string | undefined)[]> => {
        const ids = await idsOf(world, { search })
        const { text } = await footfall.call('GET', `${path}/export`, { query: { search } })
        const [, ...rows]: string[][] = parse(text)
        assert.deepEqual(rows.map(([id]) => id).toReversed(), ids, search)
        return ids
      }
      for (const search of ['müller', 'Müller', 'MÜLLER', 'boss MÜLLER', 'größe', 'izmir'])
        assert.deepEqual(await found(search), [mueller], search)
      for (const search of ['émile', 'ÉMILE', 'E\u0301mile', 'zola émile'])
        assert.deepEqual(await found(search), [zola], search)
      assert.deepEqual(await found('topics'), [zola, mueller], 'names of fields are searched')
      for (const search of ['label', 'value', 'type', 'checkbox', 'nboss', 'müller zola', '%', '[', '":'])
        assert.deepEqual(await found(search), [], search)
    })

    test('filters by time include both ends, and pages keep the query', async () => {
      const world = await newForm(await open())
      const { footfall, path, form } = world
      const times = [0, 999, 1000, 2000].map((ms) => ({ submitted_ms: NOON + ms }))
      const [a, b, c, d] = await addSubmissions(footfall.context.records, footfall.property.id, form.id, times)
      const at = NOON / 1000
      assert.deepEqual(await idsOf(world, { from_ts: at, to_ts: at }), [b, a])
      assert.deepEqual(await idsOf(world, { from_ts: at + 1 }), [d, c])
      assert.deepEqual(await idsOf(world, { from_ts: '', to_ts: '', show: '', verdict: '', page: '', per_page: '' }), [
        d,
        c,
        b,
        a,
      ])
      const { json } = await footfall.call('GET', path, { query: { per_page: 3, page: 2, show: 'all' } })
      assert.deepEqual(
        [json.data.total, json.data.data.map(({ id }: { id: string }) => id), json.data.prev_page_url],
        [4, [a], `http://footfall.test${path}?per_page=3&show=all&page=1`],
      )
    })

    test('a deleted one is gone from every list and from the files', async () => {
      const world = await newForm(await open())
      const { footfall, path } = world
      await sendAs(world, { name: 'zqxzqxzqx', email: 'ada@example.com' })
      const [id] = await idsOf(world)
      const { json } = await footfall.call('DELETE', `${path}/${id}`)
      assert.deepEqual(json.data, { deleted: true })
      assert.deepEqual(await idsOf(world, { show: 'all' }), [])
      for (const method of ['GET', 'DELETE']) assert.equal((await footfall.call(method, `${path}/${id}`)).status, 404)
      assert.equal((await footfall.call('POST', `${path}/${id}`, { body: { mark: 'spam' } })).status, 404)
      const { dataDir } = footfall.context.config
      const files = readdirSync(dataDir).filter((file) => file.startsWith('records'))
      assert.deepEqual(
        files.filter((file) => readFileSync(join(dataDir, file)).includes('zqxzqxzqx')),
        [],
      )
    })

    test('another property or form has none of them, and nobody without the administrator’s token', async () => {
      const world = await newForm(await open())
      const { footfall, form, path } = world
      await sendAs(world, { name: 'Ada', email: 'ada@example.com' })
      const [id] = await idsOf(world)
      const other = await footfall.addProperty()
      const second = await newForm(footfall)
      const foreign = [
        `${second.path}/${id}`,
        path.replace(footfall.property.id, other.id),
        `${path.replace(footfall.property.id, other.id)}/export`,
        `${path.replace(footfall.property.id, other.id)}/${id}`,
        path.replace(form.id, 'fm_none'),
      ]
      for (const address of foreign) assert.equal((await footfall.call('GET', address)).status, 404, address)
      for (const method of ['POST', 'DELETE'])
        assert.equal((await footfall.call(method, `${second.path}/${id}`, { body: { mark: null } })).status, 404)
      for (const address of [path, `${path}/${id}`, `${path}/export`])
        for (const token of [null, footfall.token])
          assert.equal((await footfall.call('GET', address, { token })).status, 401, address)
      assert.deepEqual(await idsOf(world), [id])
    })

    test('what is no filter or no mark is a 422 that names it', async () => {
      const world = await newForm(await open())
      const { footfall, path } = world
      const queries = { show: 'none', verdict: 'good', from_ts: 'x', to_ts: '-1', page: '0', per_page: '101' }
      for (const [name, value] of Object.entries(queries)) {
        const { status, json } = await footfall.call('GET', path, { query: { [name]: value } })
        assert.deepEqual([status, Object.keys(json.errors)], [422, [name]])
        const exported = await footfall.call('GET', `${path}/export`, { query: { [name]: value } })
        assert.deepEqual([exported.status, Object.keys(exported.json.errors)], [422, [name]])
      }
      // A page of an export would be taken for all there is.
      for (const query of [{ page: '1' }, { per_page: '25' }] as const) {
        const { status, json } = await footfall.call('GET', `${path}/export`, { query })
        assert.deepEqual([status, Object.keys(json.errors)], [422, Object.keys(query)])
      }
      for (const address of [path, `${path}/export`])
        assert.equal((await footfall.call('GET', address, { query: { page: '', per_page: '' } })).status, 200)
      for (const body of [{}, { mark: 'good' }, { mark: 1 }, []])
        assert.equal((await footfall.call('POST', `${path}/sb_none`, { body })).status, 422, JSON.stringify(body))
    })

    test('the export has every answer in a column of its field, no formula, and the filters of the list', async () => {
      const world = await newForm(await open(), {
        kind: 'managed',
        fields: [
          { name: 'last', type: 'text' },
          { name: 'name', type: 'text' },
        ],
      })
      const { footfall, form, path } = world
      const send = (rows: readonly (readonly Answer[])[], row: object = {}) =>
        addSubmissions(
          footfall.context.records,
          footfall.property.id,
          form.id,
          rows.map((answers) => ({ fields: JSON.stringify(answers), ...row })),
        )
      const nasty = ['=1+1', '@SUM(A1)', '-2+3\n\t=x', 'a;=b', '"quoted", and\r\nbroken']
      await send([[answer('name', nasty[0]!), answer('id', nasty[1]!), answer('more_fields', nasty[2]!)]])
      await send([[answer('=name', nasty[3]!), answer('name', [nasty[4]!, 'two'])]], { score: 60, verdict: 'flagged' })
      await send([[answer('name', 'spam')]], { verdict: 'dropped' })
      const { status, headers, text } = await footfall.call('GET', `${path}/export`)
      assert.equal(status, 200)
      assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8')
      assert.equal(headers.get('content-disposition'), `attachment; filename="submissions-${form.id}.csv"`)
      const cells: string[][] = parse(text)
      for (const cell of cells.flat()) assert.doesNotMatch(cell, /^[\s;]*[=+@-]/)
      const [head, first, second, ...rest] = cells.map((row) => row.map(bareCell))
      assert.deepEqual(head!.slice(10), ['last', 'name', 'field.id', 'field.more_fields', '=name', 'more_fields'])
      assert.deepEqual(head!.slice(0, 5), ['id', 'submitted_at', 'verdict', 'mark', 'score'])
      assert.deepEqual(first!.slice(10), ['', nasty[0], nasty[1], nasty[2], '', ''])
      assert.deepEqual(second!.slice(10), ['', `${nasty[4]}, two`, '', '', nasty[3], ''])
      assert.deepEqual(second!.slice(1, 5), ['2026-11-10T12:00:00.000Z', 'flagged', '', '60'])
      assert.deepEqual(rest, [])
      const spam: string[][] = parse((await footfall.call('GET', `${path}/export`, { query: { show: 'spam' } })).text)
      assert.deepEqual(spam[1]!.slice(11, 12), ['spam'])
    })

    test('an export of more batches than one holds each submission once, and fields beyond its columns in one cell', async () => {
      const world = await newForm(await open())
      const { footfall, form, path } = world
      const { records } = footfall.context
      const rows = Array.from({ length: 1_203 }, (_, n) => ({
        fields: JSON.stringify([answer(`f${n % 350}`, `v${n}`)]),
      }))
      const sent = await addSubmissions(records, footfall.property.id, form.id, rows)
      await addSubmissions(
        records,
        footfall.property.id,
        await addForm(records, footfall.property.id),
        rows.slice(0, 3),
      )
      const { text } = await footfall.call('GET', `${path}/export`)
      const [head, ...cells]: string[][] = parse(text)
      assert.equal(head!.length, 10 + MAX_COLUMNS + 1)
      assert.deepEqual(
        cells.map(([id]) => id),
        sent,
      )
      for (const [n, row] of cells.entries()) {
        const at = head!.indexOf(`f${n % 350}`)
        const said: unknown = at === -1 ? JSON.parse(row.at(-1)!) : { [`f${n % 350}`]: row[at] }
        assert.deepEqual(said, { [`f${n % 350}`]: `v${n}` })
      }
    })

    test('with its form or its property go the submissions', async () => {
      const footfall = await open()
      const { records } = footfall.context
      const world = await newForm(footfall)
      await sendAs(world, { name: 'Ada', email: 'ada@example.com' })
      await footfall.call('DELETE', `/manage/properties/${footfall.property.id}/forms/${world.form.id}`)
      assert.deepEqual(await submissionIds(records, world.form.id), [])
      const { json } = await footfall.call('POST', '/manage/properties', { body: { name: 'Other', domains: [] } })
      const { id } = json.data.property
      const theirs = await addForm(records, id)
      await addSubmissions(records, id, theirs, [{}, {}])
      assert.equal((await footfall.call('DELETE', `/manage/properties/${id}`)).status, 200)
      assert.deepEqual(await submissionIds(records, theirs), [])
    })

    test('a deleted contact takes along what it sent', async () => {
      const footfall = await open()
      const { json: visit } = await footfall.track.load({ address: '203.0.113.77' })
      const world = await newForm(footfall)
      await sendAs(world, { name: 'Ada', email: 'other@example.com' }, '203.0.113.77')
      await sendAs(world, { name: 'Ada', email: 'ADA@example.com' }, '203.0.113.78')
      await sendAs(world, { name: 'Bob', email: 'bob@example.com' }, '203.0.113.79')
      const body = { session_id: visit.session_id, external_id: 'ada', email: 'ada@example.com' }
      const { json } = await footfall.call('POST', '/v2/property/contacts/identify', { body })
      assert.equal((await idsOf(world)).length, 3)
      await footfall.call('DELETE', `/v2/property/contacts/${json.data.contact.id}`)
      const { json: left } = await footfall.call('GET', world.path)
      assert.deepEqual(
        left.data.data.map((row: { fields: { name: string } }) => row.fields.name),
        ['Bob'],
      )
    })
  })
}

promises('on SQLite', async () => '')
if (postgres) promises('on PostgreSQL', async () => postgres.freshUrl())
