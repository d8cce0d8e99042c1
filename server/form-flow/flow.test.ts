// The form flow through the front door: what init, validate and process answer, in which order they refuse,
// and what is stored.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import {
  contactFields,
  DAY_MS,
  flowOf,
  type Form,
  type FormFlow,
  type Opened,
  PAGE,
  personSignals,
  sent,
  signature,
} from '../../test/support/form-flow.ts'
import { startFootfall, type Footfall } from '../../test/support/server.ts'
import { eventually } from '../../test/support/site.ts'

/** 18 November 2026, 12:00 UTC. */
const NOON = Date.UTC(2026, 10, 18, 12)
const closers: (() => Promise<void>)[] = []
let footfall: Footfall
let flow: FormFlow
let form: Form

const answers = { name: 'Ada', email: 'Ada@Example.com' }

before(async () => {
  footfall = await startFootfall({ after: (close) => closers.push(close) }, { now: NOON })
  flow = flowOf(footfall)
  form = await flow.create(footfall.property.id)
})

after(async () => {
  for (const close of closers) await close()
})

beforeEach(() => {
  footfall.clock.advance(3_600_000)
})

const submissions = () => footfall.context.records.selectFrom('submissions').selectAll().orderBy('seq').execute()
const lastSubmission = async () => (await submissions()).at(-1)!
const lastNoted = () => eventually(lastSubmission, ({ is_noted }) => is_noted === 1)
const sessionOf = (honeypot: string) =>
  footfall.context.records
    .selectFrom('form_sessions')
    .selectAll()
    .where('honeypot', '=', honeypot)
    .executeTakeFirstOrThrow()
const events = (honeypotId: string) =>
  footfall.context.facts.query<{ kind: string; session: string; submission: string; source: string }>(
    'test',
    'SELECT kind, session, submission, source FROM form_events FINAL WHERE id = {id:UInt64} ORDER BY kind',
    { id: honeypotId },
  )

/** A wait as long as a person takes. */
const fillIn = () => footfall.clock.advance(30_000)

describe('init', () => {
  test('answers with a token, a honeypot, the success HTML and the attribution, and keeps of the token its hash alone', async () => {
    const { status, json, text } = await flow.init(form)
    assert.equal(status, 200)
    assert.match(json.token, /^[0-9A-Za-z]{32}$/)
    assert.match(json.hp, /^extra_[a-z]{8}$/)
    assert.deepEqual(json, {
      error_type: false,
      message: null,
      token: json.token,
      hp: json.hp,
      ty: '<p>Thank you. Your message has been sent.</p>',
      branding: 'Forms by Footfall',
      branding_link: 'http://footfall.test',
    })
    const row = await sessionOf(json.hp)
    assert.equal(row.expires_ms - row.opened_ms, 600_000)
    assert.doesNotMatch(JSON.stringify(row), new RegExp(`${json.token}|203\\.0\\.113`))
    assert.equal(text.includes(row.fact_id), false)
  })

  test('of a managed form hands out its blueprint, and takes no fields or rules from the page', async () => {
    const managed = await flow.create(footfall.property.id, {
      kind: 'managed',
      branding: false,
      fields: [{ name: 'email', type: 'email', label: 'Your address' }],
      validation: { email: { required: 'Please.' } },
      success_html: '<b>Done</b>',
    })
    const { json } = await flow.init(managed, { fields: 'nonsense', validation: [7] })
    assert.deepEqual([json.error_type, json.branding, json.branding_link, json.ty], [false, false, null, '<b>Done</b>'])
    assert.deepEqual(Object.keys(json.form_blueprint), [
      'fields',
      'button',
      'header',
      'footer',
      'theme',
      'form_type',
      'website_theme',
    ])
    const without = await flow.validate(json.token, { data: {} })
    assert.deepEqual(without.json, { validated: false, errors: { email: ['Please.'] } })
    const strange = await flow.validate(json.token, { data: { name: 'x' } })
    assert.equal(strange.status, 419)
    assert.equal((await flow.open(managed, undefined)).token.length, 32)
  })

  test('is 200 with error_type 1 for a key of no form, whatever else is wrong', async () => {
    for (const key of ['fk_00000000000000000000', 'nothing', '%00', '__proto__', form.key.toLowerCase()]) {
      const { status, json } = await flow.init({ id: '', key }, [], { signature: null, headers: { origin: 'null' } })
      assert.deepEqual([status, json], [200, { error_type: 1, message: 'Form not found' }], key)
    }
  })

  test('is 200 with error_type 1 for a form of a property that is gone', async () => {
    const property = await footfall.addProperty({ id: `pr_${'x'.repeat(20)}` })
    const gone = await flow.create(property.id)
    await flow.open(gone)
    await footfall.call('DELETE', `/manage/properties/${property.id}`)
    assert.deepEqual((await flow.init(gone)).json, { error_type: 1, message: 'Form not found' })
  })

  test('who tries a draft is counted once a day, and shown to its owner until it is published', async () => {
    const { id } = footfall.property
    const path = (of: Form) => `/manage/properties/${id}/forms/${of.id}`
    const tried = async (of: Form) => {
      const { json } = await footfall.call('GET', path(of))
      const listed = await footfall.call('GET', `/manage/properties/${id}/forms?search=${of.key}`)
      assert.equal(listed.json.data.data[0].tried, json.data.form.tried)
      return json.data.form.tried
    }
    const change = (of: Form, body: object) => footfall.call('POST', path(of), { body })
    const draft = await flow.create(id, { is_published: false })
    const sent = { ...contactFields, tried: 2 }
    await flow.init(draft)
    assert.equal(await tried(draft), 0, 'it was only shown')
    await footfall.call('POST', `/manage/properties/${id}`, { body: { excluded_addresses: ['203.0.113.99'] } })
    for (const from of [
      { agent: 'Googlebot/2.1 (+http://www.google.com/bot.html)' },
      { address: '203.0.113.99' },
      { headers: { origin: 'https://example.org' } },
      { signature: '1' },
    ])
      await flow.init(draft, sent, from)
    await footfall.call('POST', `/manage/properties/${id}`, { body: { excluded_addresses: [] } })
    assert.equal(await tried(draft), 0, 'bots, the owner, other websites, and programs that did not read the page')
    for (const address of ['203.0.113.7', '203.0.113.7', '203.0.113.8'])
      assert.equal((await flow.init(draft, sent, { address })).json.error_type, 2)
    assert.equal(await tried(draft), 2)
    footfall.clock.advance(DAY_MS)
    await flow.init(draft, sent)
    assert.equal(await tried(draft), 3, 'the next day is another one')
    for (let person = 0; person < 3_000; person++) footfall.context.draftTries.note(draft.id, `${person}`)
    assert.equal(await tried(draft), 1_002, 'a flood is no crowd')
    const rows = () => footfall.context.records.selectFrom('draft_tries').select('day').where('form_id', '=', draft.id)
    assert.equal((await rows().execute()).length, 2, 'a row for each day')
    footfall.clock.advance(29 * DAY_MS)
    assert.equal(await tried(draft), 1_000)
    footfall.clock.advance(DAY_MS)
    assert.equal(await tried(draft), 0)

    await flow.init(draft, sent)
    assert.equal((await change(draft, { is_published: true })).json.data.form.tried, 0)
    assert.equal((await flow.init(draft, sent)).json.error_type, false, 'published meanwhile, it is sent')
    assert.equal((await change(draft, { is_published: false })).json.data.form.tried, 0, 'counted anew')
    const field = { name: 'name', type: 'text', label: 'Name' }
    const managed = await flow.create(id, { kind: 'managed', is_published: false, fields: [field] })
    await flow.init(managed, {})
    assert.equal(await tried(managed), 1, 'whoever comes to it cannot use it')
    await change(managed, { is_archived: true })
    await flow.init(managed, {}, { address: '203.0.113.8' })
    assert.equal(await tried(managed), 0, 'an archived form is no draft')
  })

  test('is 200 with error_type 2 and a sentence that names the cause, the first in the order of the contract', async () => {
    const draft = await flow.create(footfall.property.id, { is_published: false })
    const foreign = { origin: 'https://example.org' }
    const unsigned = { signature: null }
    const nameless = { fields: { '': 'text' } }
    const cases = [
      [draft, nameless, { ...unsigned, headers: foreign }, /^Lib error: /],
      [draft, nameless, { headers: foreign }, /not published/],
      [form, nameless, { headers: foreign }, /domain/],
      [form, nameless, { headers: { origin: 'null' } }, /domain/],
      [form, nameless, { headers: { referer: 'https://example.org/page' } }, /domain/],
      [form, nameless, {}, /name/],
      [form, {}, {}, /field/],
      [form, { fields: { a: 'password' } }, {}, /a.*password|password.*a/],
      [form, { fields: { a: 'text' }, validation: { a: { shout: null } } }, {}, /shout/],
      [form, { fields: { a: 'text' }, validation: { b: { required: null } } }, {}, /b/],
      [form, { ...contactFields, source: 7 }, {}, /source/],
      [form, { ...contactFields, successContent: 'x'.repeat(4_001) }, {}, /successContent/],
      [form, '[]', {}, /body/],
      [form, '"text"', {}, /body/],
      [form, '{"fields":', {}, /JSON/],
      [form, '{"fields":{"__proto__":"text"}}', {}, /__proto__/],
      [form, { ...contactFields, more: 'x'.repeat(66_000) }, {}, /too large/],
      [form, '<xml/>', { headers: { 'content-type': 'application/xml' } }, /JSON/],
    ] as const
    for (const [asked, body, from, message] of cases) {
      const reply = await flow.init(asked, body, from)
      assert.equal(reply.status, 200, reply.text)
      assert.deepEqual(Object.keys(reply.json), ['error_type', 'message'], reply.text)
      assert.equal(reply.json.error_type, 2)
      assert.match(reply.json.message, message)
    }
    await footfall.call('POST', `/manage/properties/${footfall.property.id}/forms/${draft.id}`, {
      body: { is_archived: true },
    })
    assert.match((await flow.init(draft)).json.message, /archived/)
  })

  test('takes the signatures of today and yesterday (UTC), exactly as they are written', async () => {
    const now = footfall.clock.now()
    const today = signature(form.key, now)
    for (const right of [today, signature(form.key, now - DAY_MS)])
      assert.equal((await flow.init(form, contactFields, { signature: right })).json.error_type, false)
    const wrong = [
      signature(form.key, now + DAY_MS),
      signature(form.key, now - 2 * DAY_MS),
      `0${today}`,
      `+${today}`,
      `${today}.0`,
      `${Number(today) - 2 ** 32}`,
      signature('another', now),
    ]
    for (const text of wrong) {
      const { json } = await flow.init(form, contactFields, { signature: text })
      assert.equal(json.error_type, 2)
      assert.match(json.message, /^Lib error: /)
    }
  })

  test('a page of a subdomain, one of the form alone, and a program that names no page are let in; the program is remembered as one', async () => {
    const own = await flow.create(footfall.property.id, { domains: ['shop.example.net', 'localhost'] })
    for (const origin of ['https://www.example.com', 'http://shop.example.net:8080', 'http://localhost:3000']) {
      const { hp } = await flow.open(own, contactFields, { headers: { origin } })
      assert.equal((await sessionOf(hp)).has_origin, 1)
    }
    const nameless = await flow.open(own, contactFields, { headers: { origin: '' } })
    assert.equal((await sessionOf(nameless.hp)).has_origin, 0)
    assert.equal(
      (await flow.init(form, contactFields, { headers: { origin: 'http://localhost:3000' } })).json.error_type,
      2,
    )
  })

  test('what PHP makes of empty objects is empty; a source that is too long is cut', async () => {
    const { hp } = await flow.open(form, { fields: { a: 'text' }, validation: [], source: 'é'.repeat(300) })
    assert.equal((await sessionOf(hp)).source, 'é'.repeat(255))
    assert.equal((await flow.init(form, { fields: [] })).json.error_type, 2)
  })
})

describe('validate and process refuse', () => {
  test('a wrong signature: 403, before anything else', async () => {
    const opened = await flow.open(form)
    for (const call of [flow.validate, flow.process]) {
      for (const wrong of [
        null,
        '0',
        signature(form.key, footfall.clock.now()),
        signature(opened.token, NOON - 9 * DAY_MS),
      ]) {
        const { status, json } = await call(opened.token, 'broken'.length, {
          signature: wrong,
          address: '198.51.100.1',
        })
        assert.deepEqual([status, json.error_code, json.success], [403, 'lib_error', false])
        assert.match(json.message, /^Lib error: /)
      }
    }
  })

  test('a token that is none, or ten minutes old: 419', async () => {
    const opened = await flow.open(form)
    for (const token of ['x', '0'.repeat(32), opened.token.slice(1), `${opened.token}0`, form.key]) {
      for (const call of [flow.validate, flow.process]) {
        const { status, json } = await call(token, sent(opened, answers))
        assert.deepEqual([status, json.error_code], [419, 'session_expired'])
        assert.match(json.message, /^Session expired: /)
      }
    }
    footfall.clock.advance(600_000)
    assert.equal((await flow.validate(opened.token, { data: answers })).json.validated, true)
    footfall.clock.advance(1)
    assert.equal((await flow.validate(opened.token, { data: answers })).status, 419)
    assert.equal((await flow.send(opened, answers)).status, 419)
  })

  test('another address at process: 419, and the form stays open for the first one; validate does not ask', async () => {
    const opened = await flow.open(form)
    fillIn()
    assert.equal((await flow.send(opened, answers, { address: '203.0.113.8' })).status, 419)
    assert.equal(
      (await flow.validate(opened.token, { data: answers }, { address: '203.0.113.8' })).json.validated,
      true,
    )
    assert.equal((await flow.send(opened, answers)).json.validated, true)
  })

  test('data with a field that was not declared at init, or that map leaves out: 419, naming it', async () => {
    const opened = await flow.open(form)
    const before = await submissions()
    const cases = [
      [
        { map: { name: 'text', email: 'email', more: 'text' }, data: { ...answers, more: '' } },
        /^Data discrepancy: .*more/,
      ],
      [{ map: { name: 'text' }, data: answers }, /^Data discrepancy: .*email/],
      [{ map: [], data: answers }, /^Data discrepancy: .*name/],
      [{ map: { constructor: 'text' }, data: { constructor: 'x' } }, /^Data discrepancy: .*constructor/],
    ] as const
    for (const [body, message] of cases) {
      const { status, json } = await flow.process(opened.token, body)
      assert.deepEqual([status, json.error_code], [419, 'data_discrepancy'])
      assert.match(json.message, message)
    }
    // None, or one of another shape, whatever else is wrong with the body.
    const { map: _map, ...mapless } = sent(opened, answers)
    const maps = [null, 1, 'name', true, ['name'], [['name', 'text']]].map((map) => ({ ...mapless, map }))
    for (const body of [mapless, {}, { data: 'text' }, ...maps]) {
      const { status, json } = await flow.process(opened.token, body)
      assert.deepEqual([status, json.error_code], [419, 'data_discrepancy'], JSON.stringify(body))
      assert.match(json.message, /^Data discrepancy: .*map/)
    }
    const unsigned = await flow.process(opened.token, mapless, { signature: null })
    assert.equal(unsigned.status, 403, 'the signature comes first')
    assert.equal((await flow.validate(opened.token, { data: { other: 1 } })).json.error_code, 'data_discrepancy')
    assert.deepEqual(await submissions(), before)
  })

  test('bodies of another shape: 422 or 413, and nothing is stored', async () => {
    const opened = await flow.open(form)
    const before = await submissions()
    const bodies = [
      [{ map: {} }, 422],
      [{ map: {}, data: 'text' }, 422],
      [{ map: {}, data: ['x'] }, 422],
      [{ map: { name: 'text' }, data: { name: { first: 'Ada' } } }, 422],
      [{ map: { name: 'text' }, data: { name: [['Ada']] } }, 422],
      [{ ...sent(opened, answers), ty: 7 }, 422],
      [{ ...sent(opened, answers), ty: 'x'.repeat(4_001) }, 422],
      ['[]', 422],
      ['{"map":', 422],
      ['', 422],
      ['{"map":{"__proto__":"text"},"data":{}}', 422],
      [{ ...sent(opened, answers), more: 'x'.repeat(66_000) }, 413],
    ] as const
    for (const [body, status] of bodies) {
      const reply = await flow.process(opened.token, body)
      assert.equal(reply.status, status, `${JSON.stringify(body).slice(0, 80)} ${reply.text}`)
      assert.deepEqual([reply.json.code, reply.json.status, reply.json.success], [status, 'Error', false])
    }
    assert.deepEqual(await submissions(), before)
    fillIn()
    assert.equal((await flow.send(opened, answers)).json.validated, true)
  })

  test('a token of one form says nothing of another', async () => {
    const other = await flow.create(footfall.property.id)
    const opened = await flow.open(other, { fields: { only: 'text' } })
    assert.equal((await flow.send(opened, answers)).status, 419)
  })

  test('GET and HEAD: 405; OPTIONS lets any page send its headers', async () => {
    const { token } = await flow.open(form)
    for (const path of [`/v2/form/${form.key}/init`, `/v2/form/${token}/validate`, `/v2/form/${token}/process`]) {
      for (const method of ['GET', 'HEAD', 'PUT', 'DELETE'])
        assert.equal((await footfall.call(method, path)).status, 405, `${method} ${path}`)
      const { status, headers } = await footfall.call('OPTIONS', path, { headers: { origin: PAGE } })
      assert.deepEqual([status, headers.get('access-control-allow-methods')], [204, 'POST, OPTIONS'])
      for (const name of ['X-SVC-FORM', 'X-SVC-SESSION', 'X-SVC-SID', 'X-SVC-LIB'])
        assert.ok(headers.get('access-control-allow-headers')?.includes(name))
    }
    const { headers } = await flow.init(form)
    assert.equal(headers.get('access-control-allow-origin'), '*')
    assert.equal(headers.get('cache-control'), 'no-store')
  })
})

describe('validate', () => {
  test('says what is wrong by field, keeps nothing and leaves the form open', async () => {
    const opened = await flow.open(form)
    const before = await submissions()
    const wrong = await flow.validate(opened.token, {
      map: {},
      data: { name: ' ', email: 'no', [opened.hp]: 'filled' },
    })
    assert.deepEqual([wrong.status, wrong.json.validated], [200, false])
    assert.deepEqual(Object.keys(wrong.json.errors), ['name', 'email'])
    const right = await flow.validate(opened.token, { map: {}, data: answers })
    assert.deepEqual(right.json, { validated: true, errors: null })
    assert.deepEqual(await submissions(), before)
    assert.equal((await sessionOf(opened.hp)).consumed_ms, null)
  })
})

describe('process', () => {
  test('stores what was sent in the order of the form, and answers with the success HTML and what was sent', async () => {
    const opened = await flow.open(form, {
      fields: { name: 'text', email: 'email', topics: 'checkbox', message: 'textarea', age: 'number' },
      source: 'Footer',
    })
    fillIn()
    const data = { topics: ['a', 'b'], email: 'Ada@Example.com', name: '\uD83D\uDE00 Ada\r\nByron', age: 36 }
    const { status, json } = await flow.send(opened, data)
    assert.equal(status, 200)
    assert.deepEqual(json, {
      validated: true,
      ty: '<p>Thank you. Your message has been sent.</p>',
      original: data,
    })
    const row = await lastNoted()
    assert.match(row.id, /^sb_[0-9A-Za-z]{20}$/)
    assert.deepEqual(JSON.parse(row.fields), [
      { type: 'text', name: 'name', label: 'name', value: '\uD83D\uDE00 Ada\r\nByron' },
      { type: 'email', name: 'email', label: 'email', value: 'Ada@Example.com' },
      { type: 'checkbox', name: 'topics', label: 'topics', value: ['a', 'b'] },
      { type: 'textarea', name: 'message', label: 'message', value: '' },
      { type: 'number', name: 'age', label: 'age', value: '36' },
    ])
    assert.deepEqual(
      [row.form_id, row.property_id, row.verdict, row.mark, row.ip, row.source, row.lib, row.is_noted],
      [form.id, footfall.property.id, 'clean', null, '', 'Footer', 'form 1.0.0', 1],
    )
    assert.deepEqual(
      [row.browser, row.os, row.device, row.language, row.is_bot, row.submitted_ms],
      ['Chrome', 'Windows', 'desktop', 'en-GB', 0, footfall.clock.now()],
    )
    assert.equal(row.fact_id, (await sessionOf(opened.hp)).fact_id)
    assert.deepEqual(
      (await events(row.fact_id)).map(({ kind, submission, source }) => [kind, submission, source]),
      [
        ['open', '', 'Footer'],
        ['submit', row.id, 'Footer'],
        ['view', '', 'Footer'],
      ],
    )
  })

  test('what does not pass is not stored, and the form stays open for another try; a token is used once', async () => {
    const opened = await flow.open(form)
    fillIn()
    const before = await submissions()
    const wrong = await flow.send(opened, { name: 'Ada', email: 'no' })
    assert.deepEqual([wrong.status, wrong.json.validated], [200, false])
    assert.deepEqual(Object.keys(wrong.json), ['validated', 'errors'])
    assert.deepEqual(Object.keys(wrong.json.errors), ['email'])
    assert.deepEqual(await submissions(), before)
    assert.equal((await flow.send(opened, answers)).json.validated, true)
    const again = await flow.send(opened, answers)
    assert.deepEqual([again.status, again.json.error_code], [419, 'session_expired'])
    assert.equal((await flow.validate(opened.token, { data: answers })).status, 419)
    assert.equal((await submissions()).length, before.length + 1)
  })

  test('whatever becomes of what is sent, the form was begun, once', async () => {
    const after = async (opened: Opened, body: ReturnType<typeof sent>) => {
      const { json } = await flow.process(opened.token, body)
      const { is_started, fact_id } = await sessionOf(opened.hp)
      return [json.validated, is_started, (await events(fact_id)).map(({ kind }) => kind)]
    }
    const [wrong, trapped, right] = [await flow.open(form), await flow.open(form), await flow.open(form)]
    fillIn()
    const trap = sent(trapped, answers)
    trap.data[trapped.hp] = 'x'
    assert.deepEqual(await after(wrong, sent(wrong, { name: 'Ada', email: 'no' })), [false, 1, ['open', 'view']])
    assert.deepEqual(await after(right, sent(right, answers)), [true, 1, ['open', 'submit', 'view']])
    assert.deepEqual(await after(trapped, trap), [undefined, 1, ['open', 'view']])
  })

  test('of many calls at once on one token exactly one is stored and told so', async () => {
    const opened = await flow.open(form)
    fillIn()
    const before = (await submissions()).length
    const replies = await Promise.all(Array.from({ length: 8 }, () => flow.send(opened, answers)))
    assert.deepEqual(
      replies.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, ...Array.from({ length: 7 }, () => 419)],
    )
    assert.equal((await submissions()).length, before + 1)
  })

  test('a honeypot that was filled in is refused and counted, and the form stays open; a name like it is only a name', async () => {
    const opened = await flow.open(form)
    fillIn()
    const before = await submissions()
    const fills = ['x', ' ', ['x'], { a: 1 }, 1, true]
    for (const trap of fills) {
      const body = sent(opened, answers)
      const { status, json } = await flow.process(opened.token, { ...body, data: { ...body.data, [opened.hp]: trap } })
      assert.deepEqual([status, json.error_code], [403, 'data_invalidated'])
      assert.match(json.message, /^Data invalidated: /)
    }
    assert.equal((await sessionOf(opened.hp)).traps, fills.length)
    assert.deepEqual(await submissions(), before)
    const body = sent(opened, answers)
    const { json } = await flow.process(opened.token, { ...body, data: { ...body.data, [opened.hp]: [] } })
    assert.deepEqual([json.validated, json.original], [true, answers])
    const named = await flow.open(form, { fields: { extra_abcdefgh: 'text' } })
    assert.notEqual(named.hp, 'extra_abcdefgh')
    assert.equal((await flow.send(named, { extra_abcdefgh: 'x' })).json.validated, true)
  })

  test("success HTML: the call's over the page's over the form's; harmless whatever is in it", async () => {
    const own = await flow.create(footfall.property.id, { success_html: '<p>From %name%</p>' })
    const ty = async (init: object, process: object, data: Record<string, unknown> = { name: 'Ada' }) => {
      const opened = await flow.open(own, { fields: { name: 'text', list: 'checkbox' }, ...init })
      fillIn()
      return (await flow.process(opened.token, { ...sent(opened, data), ...process })).json.ty
    }
    assert.equal(await ty({}, {}), '<p>From Ada</p>')
    assert.equal(await ty({ successContent: '<i>%name%</i>' }, {}), '<i>Ada</i>')
    assert.equal(await ty({ successContent: '<i>%name%</i>' }, { ty: '<b>%name% %other%</b>' }), '<b>Ada %other%</b>')
    assert.equal(await ty({ successContent: '' }, { ty: null }), '<p>From Ada</p>')
    assert.equal(await ty({ successContent: '<script>1</script>' }, { ty: '<script>1</script>' }), '<p>From Ada</p>')
    assert.equal(await ty({}, {}, { name: '<img src=x onerror=1>' }), '<p>From &lt;img src=x onerror=1&gt;</p>')
    assert.equal(await ty({ successContent: '%list%' }, {}, { list: ['a', 'b'] }), 'a, b')
    const link = await ty({}, { ty: '<a href="%name%">x</a><p onclick="1">y</p>' }, { name: 'javascript:alert(1)' })
    assert.doesNotMatch(link, /javascript|onclick/)
  })

  test('clean and dropped are answered alike, byte for byte', async () => {
    const shown = ({ status, text, headers }: { status: number; text: string; headers: Headers }) => ({
      status,
      text,
      headers: [...headers].filter(([name]) => !/^(date|ratelimit-.*)$/.test(name)),
    })
    // At an address, and with a text, of which nothing is known.
    const unheard = { name: 'Grace', email: 'grace@example.com' }
    const person = await flow.open(form, undefined, { address: '203.0.113.65' })
    fillIn()
    const kept = await flow.send(person, unheard, { address: '203.0.113.65' })
    assert.equal((await lastSubmission()).verdict, 'clean')
    // A program that says so itself, twice: its driver's flag, and no time at all to type what it sends.
    const program = await flow.open(form, undefined, { address: '203.0.113.66' })
    const body = { ...sent(program, unheard), _sig: { ...personSignals, w: 1, k: 60, dur: 5 } }
    const dropped = await flow.process(program.token, body, { address: '203.0.113.66' })
    const row = await lastNoted()
    assert.deepEqual([row.verdict, row.is_noted], ['dropped', 1])
    assert.deepEqual(shown(dropped), shown(kept))
    assert.deepEqual(
      (await events(row.fact_id)).map(({ kind }) => kind),
      ['drop', 'open', 'view'],
    )
    assert.equal((await flow.process(program.token, body, { address: '203.0.113.66' })).status, 419)
  })

  test('an answer that is no Latin, empty ones and every field missing are as good as any', async () => {
    const opened = await flow.open(form, { fields: { a: 'text', b: 'text' } })
    fillIn()
    assert.equal((await flow.process(opened.token, { map: [], data: [] })).json.validated, true)
    assert.deepEqual(
      JSON.parse((await lastSubmission()).fields).map(({ value }: { value: string }) => value),
      ['', ''],
    )
  })

  test('a hundred fields are taken, a thousand are not', async () => {
    const fields = (n: number) => Object.fromEntries(Array.from({ length: n }, (_, i) => [`f${i}`, 'text']))
    assert.equal((await flow.init(form, { fields: fields(1000) })).json.error_type, 2)
    const opened = await flow.open(form, { fields: fields(100) })
    fillIn()
    assert.equal((await flow.send(opened, fields(100))).json.validated, true)
    const more = await flow.open(form, { fields: fields(100) })
    assert.equal((await flow.send(more, fields(1000))).status, 419)
  })

  test('names of the language itself are names like any other', async () => {
    const fields = { constructor: 'text', toString: 'text', hasOwnProperty: 'text' }
    const opened = await flow.open(form, { fields, validation: { constructor: { required: null } } })
    fillIn()
    const { json } = await flow.send(opened, { toString: 'x' })
    assert.deepEqual(Object.keys(json.errors), ['constructor'])
    assert.equal((await flow.send(opened, { constructor: 'y', toString: 'x' })).json.validated, true)
    assert.equal(({} as { polluted?: unknown }).polluted, undefined)
  })
})
