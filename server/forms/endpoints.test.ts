// Forms under /manage through the front door, on SQLite and on PostgreSQL: made, changed, published,
// archived, deleted, and what init says of each.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { assertRefused } from '../../test/support/contact-calls.ts'
import { contactFields, flowOf, type FormFlow } from '../../test/support/form-flow.ts'
import { startPostgres } from '../../test/support/postgres.ts'
import { type Footfall, type Reply, startFootfall, type TestProperty } from '../../test/support/server.ts'
import { defaultPresentation, fieldTypes, type Form, MAX_FORMS } from './form-model.ts'
import { insertForm } from './records.ts'

const NOW = Date.UTC(2026, 10, 18, 9, 30, 15)
const postgres = await startPostgres({ after })

function ok(reply: Reply) {
  assert.equal(reply.status, 200, reply.text)
  assert.deepEqual([reply.json.code, reply.json.status], [200, 'OK'])
  return reply.json.data
}

const managed = {
  name: 'Newsletter',
  kind: 'managed',
  domains: ['Shop.Example', 'bücher.example'],
  fields: [
    { name: 'email', type: 'email', label: 'Your e-mail', autocomplete: 'email', placeholder: 'you@example.com' },
    { name: 'topics[]', type: 'checkbox', options: ['news', { value: 'offers', label: 'Our offers' }] },
    { name: 'note', type: 'textarea', rows: 4, width: 'half', help: 'Anything else?', value: null },
  ],
  validation: { email: { required: 'We need it.' }, note: { 'max_length[100]': null } },
  button: { label: 'Join' },
  header: { title: 'Stay in touch' },
  footer: { text: 'No spam.' },
  theme: { accent: '#0A66C2', radius_px: 0, density: 'compact' },
  form_type: 'popup',
  website_theme: 'dark',
  success_html: '<p onclick="x()">Thanks, %email%</p><script>x()</script>',
  is_published: true,
  branding: false,
  retention_days: 90,
}

const refused: readonly (readonly [body: Record<string, unknown>, field: string])[] = [
  [{ name: '' }, 'name'],
  [{ name: '  ' }, 'name'],
  [{ name: 'x'.repeat(121) }, 'name'],
  [{ name: 'a\nb' }, 'name'],
  [{ name: 7 }, 'name'],
  [{ kind: 'closed' }, 'kind'],
  [{ domains: ['https://example.com'] }, 'domains.0'],
  [{ domains: ['example.com', ''] }, 'domains.1'],
  [{ domains: 'example.com' }, 'domains'],
  [{ domains: Array.from({ length: 51 }, (_, index) => `a${index}.example`) }, 'domains'],
  [{ fields: {} }, 'fields'],
  [{ fields: [{}] }, 'fields.0.name'],
  [{ fields: [{ name: 'a' }, { name: ' ' }] }, 'fields.1.name'],
  [{ fields: [{ name: 'a b' }] }, 'fields.0.name'],
  [{ fields: [{ name: 'é' }] }, 'fields.0.name'],
  [{ fields: [{ name: '-a' }] }, 'fields.0.name'],
  [{ fields: [{ name: '__proto__' }] }, 'fields.0.name'],
  [{ fields: [{ name: 'a' }, { name: 'b' }, { name: 'a' }] }, 'fields.2.name'],
  [{ fields: [{ name: 'a' }, { name: 'b' }, { name: 'c', type: 'sparkle' }] }, 'fields.2.type'],
  [{ fields: [{ name: 'a', type: 'password' }] }, 'fields.0.type'],
  [{ fields: [{ name: 'a', label: 'x'.repeat(256) }] }, 'fields.0.label'],
  [{ fields: [{ name: 'a', options: ['x'] }] }, 'fields.0.options'],
  [{ fields: [{ name: 'a', type: 'select' }] }, 'fields.0.options'],
  [{ fields: [{ name: 'a', type: 'radio', options: ['x', 'y', 'x '] }] }, 'fields.0.options.2.value'],
  [{ fields: [{ name: 'a', type: 'radio', options: [{ label: 'x' }] }] }, 'fields.0.options.0.value'],
  [{ fields: [{ name: 'a', type: 'radio', options: [7] }] }, 'fields.0.options.0'],
  [{ fields: [{ name: 'a', autocomplete: 'E-mail!' }] }, 'fields.0.autocomplete'],
  [{ fields: [{ name: 'a', rows: 0 }] }, 'fields.0.rows'],
  [{ fields: [{ name: 'a', width: 'third' }] }, 'fields.0.width'],
  [{ fields: Array.from({ length: 101 }, (_, index) => ({ name: `f${index}` })) }, 'fields'],
  [{ fields: Array.from({ length: 70 }, (_, index) => ({ name: `f${index}`, help: 'x'.repeat(1000) })) }, 'fields'],
  [{ validation: { b: { required: null } } }, 'validation.b'],
  [{ fields: [{ name: 'email' }], validation: { email: { 'min_length[x]': null } } }, 'validation.email.min_length[x]'],
  [{ fields: [{ name: 'email' }], validation: { email: { emial: null } } }, 'validation.email.emial'],
  [{ fields: [{ name: 'email' }], validation: { email: { 'regex[(?=x)]': null } } }, 'validation.email.regex[(?=x)]'],
  [{ fields: [{ name: 'email' }], validation: { email: { required: 7 } } }, 'validation.email.required'],
  [{ button: { label: 'x'.repeat(256) } }, 'button.label'],
  [{ button: null }, 'button'],
  [{ header: { text: 'x' } }, 'header.title'],
  [{ footer: {} }, 'footer.text'],
  [{ theme: { accent: 'red' } }, 'theme.accent'],
  [{ theme: { radius_px: 41 } }, 'theme.radius_px'],
  [{ theme: { font: 'comic' } }, 'theme.font'],
  [{ form_type: 'modal' }, 'form_type'],
  [{ website_theme: 'pink' }, 'website_theme'],
  [{ success_html: 'x'.repeat(20_001) }, 'success_html'],
  [{ is_published: true }, 'fields'],
  [{ is_published: true, is_archived: true, fields: [{ name: 'a' }] }, 'is_published'],
  [{ is_published: 1 }, 'is_published'],
  [{ branding: 'no' }, 'branding'],
  [{ retention_days: 0 }, 'retention_days'],
  [{ retention_days: 3651 }, 'retention_days'],
  [{ is_ip_kept: 1 }, 'is_ip_kept'],
  [{ ip_retention_days: 0 }, 'ip_retention_days'],
  [{ ip_retention_days: 3651 }, 'ip_retention_days'],
]

const hostileIds = [
  'fm_%00',
  'fm_%F0%9F%98%80',
  '..%2f',
  "fm_'",
  'x'.repeat(900),
  'fm_00000000000000000000',
  'constructor',
]

function promises(kind: string, databaseUrl: () => Promise<string | undefined>): void {
  describe(kind, () => {
    const closers: (() => Promise<void>)[] = []
    let footfall: Footfall
    let flow: FormFlow
    let other: TestProperty
    const path = (id = '') => `/manage/properties/${footfall.property.id}/forms${id && `/${id}`}`
    const create = (body: object) => footfall.call('POST', path(), { body })
    const change = (id: string, body: unknown) => footfall.call('POST', path(id), { body })
    const newForm = async (body: object = {}) =>
      ok(await create({ name: 'Contact', kind: 'open', is_published: true, ...body })).form
    const init = async (form: { id: string; key: string }, body?: object) => (await flow.init(form, body)).json

    before(async () => {
      const url = await databaseUrl()
      footfall = await startFootfall(
        { after: (close) => closers.push(close) },
        { now: NOW, env: url ? { DATABASE_URL: url } : {} },
      )
      flow = flowOf(footfall)
      other = await footfall.addProperty()
    })

    after(async () => {
      for (const close of closers) await close()
    })

    test('a form is made with what was sent and defaults for the rest, and read back the same', async () => {
      const form = ok(await create({ name: ' Contact ', kind: 'open' })).form
      assert.match(form.id, /^fm_[0-9A-Za-z]{20}$/)
      assert.match(form.key, /^fk_[0-9A-Za-z]{20}$/)
      assert.deepEqual(form, {
        id: form.id,
        key: form.key,
        name: 'Contact',
        kind: 'open',
        domains: [],
        fields: [],
        validation: {},
        ...defaultPresentation,
        success_html: '',
        redirect_url: null,
        is_plain_on: false,
        language: 'auto',
        creates_contacts: false,
        contact_fields: {},
        is_published: false,
        is_archived: false,
        branding: true,
        retention_days: null,
        is_ip_kept: false,
        ip_retention_days: 30,
        stored_ips_until_ts: null,
        fullness: null,
        tried: 0,
        revision: 1,
        created_ts: form.created_ts,
        updated_ts: form.created_ts,
      })
      assert.equal(form.created_ts, Math.floor(footfall.clock.now() / 1000))
      assert.deepEqual(ok(await footfall.call('GET', path(form.id))).form, form)
    })

    test('a managed form keeps its fields, rules and looks, and init hands them to the page', async () => {
      const { form } = ok(await create(managed))
      assert.deepEqual(form.domains, ['shop.example', 'xn--bcher-kva.example'])
      assert.deepEqual(form.fields[1], {
        name: 'topics[]',
        type: 'checkbox',
        label: 'topics[]',
        placeholder: null,
        help: null,
        value: null,
        options: [
          { value: 'news', label: 'news' },
          { value: 'offers', label: 'Our offers' },
        ],
        autocomplete: null,
        rows: null,
        width: 'full',
      })
      assert.deepEqual(form.theme, { accent: '#0a66c2', radius_px: 0, font: 'inherit', density: 'compact' })
      assert.equal(form.success_html, '<p>Thanks, %email%</p>')
      assert.deepEqual(ok(await footfall.call('GET', path(form.id))).form, form)

      const opened = await init(form, { fields: { stranger: 'text' }, validation: 'nonsense' })
      assert.equal(opened.error_type, false, JSON.stringify(opened))
      const { form_blueprint: blueprint } = opened
      assert.deepEqual(Object.keys(blueprint), [
        'fields',
        'button',
        'header',
        'footer',
        'theme',
        'form_type',
        'website_theme',
      ])
      assert.deepEqual(
        blueprint.fields.map((field: { name: string; required: boolean; rules: object }) => [
          field.name,
          field.required,
          field.rules,
        ]),
        [
          ['email', true, { email: null, required: 'We need it.' }],
          ['topics[]', false, {}],
          ['note', false, { 'max_length[100]': null }],
        ],
      )
      assert.deepEqual(blueprint.button, { label: 'Join', busy_label: 'Sending…' })
      assert.deepEqual(blueprint.header, { title: 'Stay in touch', text: null })
      assert.equal(opened.branding, false)
      assert.deepEqual([opened.branding_link, opened.ty], [null, '<p>Thanks, %email%</p>'])
      const data = { email: 'no', 'topics[]': ['news', 'other'] }
      const { json } = await flow.validate(opened.token, { map: { email: 'email', 'topics[]': 'checkbox' }, data })
      assert.deepEqual(json.errors, {
        email: ['Your e-mail must be an email address.'],
        'topics[]': ['topics[] must be one of the given choices.'],
      })
    })

    test('a step begins with the field that has its title; older forms have none', async () => {
      const fields = [
        { name: 'a', step: null },
        { name: 'b', step: ' Your order ' },
        { name: 'c', step: '' },
      ]
      const { form } = ok(await create({ name: 'Steps', kind: 'managed', fields, is_published: true }))
      const titles = (shown: readonly object[]) => shown.map((field) => ('step' in field ? field.step : undefined))
      assert.deepEqual(titles(form.fields), [undefined, 'Your order', undefined])
      assert.deepEqual(titles((await init(form, {})).form_blueprint.fields), [undefined, 'Your order', undefined])
      assertRefused(await change(form.id, { fields: [{ name: 'a', step: 'x'.repeat(256) }] }), 'fields.0.step')
      assertRefused(await change(form.id, { fields: [{ name: 'a', step: 7 }] }), 'fields.0.step')
    })

    test('every field type is taken', async () => {
      const fields = fieldTypes.map((type, index) => ({
        name: `f${index}`,
        type,
        ...(/select|radio|checkbox/.test(type) && { options: ['a'] }),
      }))
      const { form } = ok(await create({ name: 'All', kind: 'managed', fields }))
      assert.deepEqual(
        form.fields.map(({ type }: { type: string }) => type),
        [...fieldTypes],
      )
    })

    test('what breaks a rule is refused and named, at creation and at a change alike, and nothing of it is kept', async () => {
      footfall.clock.advance(60_000)
      const before = ok(await footfall.call('GET', path())).total
      const { form } = ok(await create({ name: 'Rules', kind: 'managed' }))
      for (const [index, [body, field]] of refused.entries()) {
        if (index % 200 === 0) footfall.clock.advance(60_000)
        assertRefused(await create({ name: 'Rules', kind: 'managed', ...body }), field)
        assertRefused(await change(form.id, body), field)
      }
      assertRefused(await create({ kind: 'open' }), 'name')
      assertRefused(await create({ name: 'x' }), 'kind')
      for (const body of ['[]', '"x"', 'null', '{', ''])
        assert.equal((await footfall.call('POST', path(), { body })).status, 422, body)
      assert.deepEqual(ok(await footfall.call('GET', path(form.id))).form, form)
      assert.equal(ok(await footfall.call('GET', path())).total, before + 1)
    })

    test('an open form has no fields of its own, and no form changes its kind', async () => {
      const form = await newForm()
      assertRefused(await change(form.id, { fields: [{ name: 'a' }] }), 'fields')
      assertRefused(await change(form.id, { validation: { a: { required: null } } }), 'validation.a')
      assertRefused(await change(form.id, { kind: 'managed' }), 'kind')
      ok(await change(form.id, { fields: [], validation: {}, kind: 'open' }))
    })

    test('only what is sent is changed, and each member as a whole', async () => {
      const { form } = ok(await create(managed))
      footfall.clock.advance(5000)
      const renamed = ok(await change(form.id, { name: 'Renamed' })).form
      assert.deepEqual(renamed, { ...form, name: 'Renamed', revision: 2, updated_ts: form.updated_ts + 5 })
      const changed = ok(
        await change(form.id, { theme: {}, header: null, success_html: null, retention_days: null, button: {} }),
      ).form
      assert.deepEqual(changed, {
        ...renamed,
        theme: defaultPresentation.theme,
        button: defaultPresentation.button,
        header: null,
        success_html: '',
        retention_days: null,
        revision: 3,
      })
      assertRefused(await change(form.id, { fields: [{ name: 'other' }] }), 'validation.email')
      ok(await change(form.id, { fields: [{ name: 'other' }], validation: {} }))
      assert.deepEqual(ok(await change(form.id, {})).form.validation, {})
    })

    test('two changes at once: each keeps what it alone sent', async () => {
      const form = await newForm()
      const bodies = [
        { name: 'One' },
        { retention_days: 7 },
        { branding: false },
        { domains: ['a.example'] },
        { form_type: 'popup' },
      ]
      for (const reply of await Promise.all(bodies.map((body) => change(form.id, body)))) ok(reply)
      const { name, retention_days, branding, domains, form_type } = ok(await footfall.call('GET', path(form.id))).form
      assert.deepEqual([name, retention_days, branding, domains, form_type], ['One', 7, false, ['a.example'], 'popup'])
    })

    test('init says what an owner did a moment ago: published, archived, restored, deleted', async () => {
      const form = await newForm({ is_published: false })
      const said = async () => {
        const { error_type, message } = await init(form)
        return [error_type, message]
      }
      assert.deepEqual(await said(), [2, 'The form is not published.'])
      ok(await change(form.id, { is_published: true }))
      assert.deepEqual(await said(), [false, null])
      const archived = ok(await change(form.id, { is_archived: true })).form
      assert.equal(archived.is_published, false)
      assert.match((await said())[1], /archived/)
      assertRefused(await change(form.id, { is_published: true }), 'is_published')
      assert.equal(ok(await change(form.id, { is_archived: false })).form.is_published, false)
      assert.deepEqual(await said(), [2, 'The form is not published.'])
      ok(await change(form.id, { is_published: true }))
      ok(await change(form.id, { domains: [] }))
      const elsewhere = { headers: { origin: 'https://shop.example' } }
      assert.equal((await flow.init(form, contactFields, elsewhere)).json.error_type, 2)
      ok(await change(form.id, { domains: ['shop.example'] }))
      assert.equal((await flow.init(form, contactFields, elsewhere)).json.error_type, false)
      assert.deepEqual(ok(await footfall.call('DELETE', path(form.id))), { deleted: true })
      assert.deepEqual(await said(), [1, 'Form not found'])
    })

    test('a change never reaches a form session under way', async () => {
      const { form } = ok(await create({ ...managed, domains: [] }))
      const opened = await init(form, {})
      ok(await change(form.id, { fields: [{ name: 'phone', type: 'tel' }], validation: { phone: { required: null } } }))
      const sent = { map: { email: 'email' }, data: { email: 'a@example.com', [opened.hp]: '' } }
      const { json } = await flow.process(opened.token, { ...sent, map: { ...sent.map, [opened.hp]: 'text' } })
      assert.equal(json.validated, true, JSON.stringify(json))
    })

    test('a form is deleted with what was sent through it, and once', async () => {
      const form = await newForm()
      const opened = await flow.open(form)
      assert.equal((await flow.send(opened, { name: 'Ann', email: 'ann@example.com' })).json.validated, true)
      const open = await flow.open(form)
      assert.deepEqual(ok(await footfall.call('DELETE', path(form.id))), { deleted: true })
      for (const table of ['submissions', 'form_sessions'] as const) {
        const rows = await footfall.context.records
          .selectFrom(table)
          .select('form_id')
          .where('form_id', '=', form.id)
          .execute()
        assert.deepEqual(rows, [], table)
      }
      assert.equal((await flow.send(open, { name: 'Ann', email: 'ann@example.com' })).status, 419)
      for (const method of ['GET', 'POST', 'DELETE'])
        assert.equal((await footfall.call(method, path(form.id), method === 'POST' ? { body: {} } : {})).status, 404)
    })

    test('a form of another property does not exist, nor one of a made-up id', async () => {
      footfall.clock.advance(60_000)
      const foreign = await flow.create(other.id)
      for (const id of [foreign.id, ...hostileIds])
        for (const method of ['GET', 'POST', 'DELETE']) {
          const reply = await footfall.call(method, path(id), method === 'POST' ? { body: { name: 'Mine' } } : {})
          assert.deepEqual([reply.status, reply.json.error_code], [404, 'not_found'], `${method} ${id}`)
        }
      assert.equal((await footfall.call('GET', '/manage/properties/pr_00000000000000000000/forms')).status, 404)
      assert.equal((await init(foreign)).error_type, false, 'and is as it was')
    })

    test('only the administrator may ask', async () => {
      const form = await newForm()
      for (const [method, url] of [
        ['GET', path()],
        ['POST', path()],
        ['GET', path(form.id)],
        ['POST', path(form.id)],
        ['DELETE', path(form.id)],
      ] as const)
        for (const token of [null, footfall.token])
          assert.equal(
            (await footfall.call(method, url, { token, ...(method === 'POST' && { body: {} }) })).status,
            401,
            `${method} ${url}`,
          )
    })

    test('the list is newest first, in pages, with how often each was shown and sent', async () => {
      const property = await footfall.addProperty()
      const made = []
      for (const name of ['a', 'b', 'c']) made.push(await flow.create(property.id, { name }))
      const opened = await flow.open(made[1]!)
      await flow.open(made[1]!)
      assert.equal((await flow.send(opened, { name: 'Ann', email: 'ann@example.com' })).json.validated, true)
      const list = `/manage/properties/${property.id}/forms`
      const page = ok(await footfall.call('GET', list))
      assert.deepEqual(
        page.data.map(({ name, views, submitted }: Record<string, unknown>) => [name, views, submitted]),
        [
          ['c', 0, 0],
          ['b', 2, 1],
          ['a', 0, 0],
        ],
      )
      const second = ok(await footfall.call('GET', list, { query: { page: 2, per_page: 2 } }))
      assert.deepEqual([second.total, second.last_page, second.data.length, second.data[0].name], [3, 2, 1, 'a'])
      assert.deepEqual(ok(await footfall.call('GET', list, { query: { page: 9 } })).data, [])
      for (const query of [{ page: '0' }, { per_page: '101' }, { page: 'x' }])
        assert.equal((await footfall.call('GET', list, { query })).status, 422)
    })

    test('forms are searched by words of name and key, whatever their capitals', async () => {
      const property = await footfall.addProperty()
      const made = []
      for (const name of ['Ärger melden', 'Newsletter 100%', 'Newsletter'])
        made.push(await flow.create(property.id, { name }))
      const found = async (search: string, more = {}) => {
        const query = { search, ...more }
        const page = ok(await footfall.call('GET', `/manage/properties/${property.id}/forms`, { query }))
        return [page.total, page.data.map(({ name }: { name: string }) => name)]
      }
      assert.deepEqual(await found('newsLETTER'), [2, ['Newsletter', 'Newsletter 100%']])
      assert.deepEqual(await found('letter', { page: 2, per_page: 1 }), [2, ['Newsletter 100%']])
      assert.deepEqual(await found('100% news'), [1, ['Newsletter 100%']])
      assert.deepEqual(await found('ÄRGER'), [1, ['Ärger melden']])
      assert.deepEqual(await found(made[0]!.key.toLowerCase()), [1, ['Ärger melden']])
      for (const nothing of ['news_', 'nobody', 'news\0']) assert.deepEqual(await found(nothing), [0, []])
      assert.equal((await found(' '))[0], 3)
      const url = `/manage/properties/${property.id}/forms`
      assert.equal((await footfall.call('GET', url, { query: { search: 'x'.repeat(256) } })).status, 422)
    })

    test('a property has a most of forms', async () => {
      const property = await footfall.addProperty()
      const first = await flow.create(property.id)
      const { context } = footfall
      const form = await context.forms.byKey(first.key)
      const more = Array.from({ length: MAX_FORMS - 1 }, (_, index): Form => ({
        ...form!,
        id: `${form!.id}${index}`,
        key: `fk_${index}_${form!.id}`,
      }))
      await context.records.transaction().execute(async (tx) => {
        for (const each of more) await insertForm(tx, each)
      })
      const full = await footfall.call('POST', `/manage/properties/${property.id}/forms`, {
        body: { name: 'x', kind: 'open' },
      })
      assertRefused(full, 'name')
      ok(await footfall.call('DELETE', `/manage/properties/${property.id}/forms/${first.id}`))
      await flow.create(property.id)
    })
  })
}

promises('sqlite', async () => undefined)
if (postgres) promises('postgres', () => postgres.freshUrl())
