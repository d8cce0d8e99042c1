// Plain HTML forms through the front door: what a browser without scripts posts, where it is sent, what it is
// shown, and what is stored.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { flowOf, type Form, type FormFlow } from '../../test/support/form-flow.ts'
import { CHROME, startFootfall, type Footfall } from '../../test/support/server.ts'
import { eventually } from '../../test/support/site.ts'

const closers: (() => Promise<void>)[] = []
let footfall: Footfall
let flow: FormFlow
let open: Form
let managed: Form

const fields = [
  { name: 'name', type: 'text', label: 'Name' },
  { name: 'email', type: 'email', label: 'Email', help: 'Where may we answer?' },
  { name: 'topic', type: 'select', label: 'Topic', options: ['Sales', 'Support'], step: 'You & <us>' },
  { name: 'days', type: 'checkbox', label: 'Days', options: ['Mon', 'Tue', 'Wed'] },
  { name: 'terms', type: 'checkbox', label: 'Terms' },
]
const validation = { name: { required: null }, terms: { accepted: null } }

before(async () => {
  footfall = await startFootfall({ after: (close) => closers.push(close) }, { now: Date.UTC(2026, 10, 18, 12) })
  flow = flowOf(footfall)
  open = await flow.create(footfall.property.id, { is_plain_on: true })
  managed = await flow.create(footfall.property.id, { kind: 'managed', is_plain_on: true, fields, validation })
})

after(async () => {
  for (const close of closers) await close()
})

beforeEach(() => {
  footfall.clock.advance(3_600_000)
})

type Fields = readonly (readonly [string, string])[]

interface From {
  readonly headers?: Readonly<Record<string, string>>
  readonly type?: string
}

const PAGE_URL = 'https://www.example.com/contact/'

async function post(
  { key }: { readonly key: string },
  sent: Fields | string | Buffer,
  { headers = {}, type }: From = {},
) {
  const body =
    typeof sent === 'string' || Buffer.isBuffer(sent)
      ? sent
      : new URLSearchParams(sent.map(([name, value]): [string, string] => [name, value])).toString()
  const reply = await footfall.app.inject({
    method: 'POST',
    url: `/f/${key}`,
    payload: body,
    headers: {
      'content-type': type ?? 'application/x-www-form-urlencoded',
      'x-forwarded-for': '203.0.113.7',
      'user-agent': CHROME,
      'accept-language': 'en-GB,en;q=0.9',
      origin: 'https://www.example.com',
      referer: PAGE_URL,
      ...headers,
    },
  })
  return { status: reply.statusCode, text: reply.body, headers: reply.headers }
}

const submissionsOf = (form: Form) =>
  footfall.context.records.selectFrom('submissions').selectAll().where('form_id', '=', form.id).orderBy('seq').execute()
const lastOf = async (form: Form) => (await submissionsOf(form)).at(-1)!
const answersOf = async (form: Form) =>
  Object.fromEntries(
    (JSON.parse((await lastOf(form)).fields) as { name: string; value: unknown }[]).map(({ name, value }) => [
      name,
      value,
    ]),
  )

const good: Fields = [
  ['name', 'Ada'],
  ['email', 'ada@example.com'],
  ['topic', 'Support'],
  ['days', 'Mon'],
  ['days', 'Wed'],
  ['terms', 'on'],
]

describe('what is sent', () => {
  test('is stored with its type, in order, by an open form, and thanked for on a page', async () => {
    const { status, text, headers } = await post(open, [
      ['name', 'Ada'],
      ['email', 'ada@example.com'],
      ['message', 'Hello\r\nthere'],
    ])
    assert.equal(status, 200)
    assert.match(String(headers['content-type']), /^text\/html/)
    assert.match(text, /<h1>Thank you<\/h1>.*Thank you\. Your message has been sent\./)
    assert.match(text, /href="https:\/\/www\.example\.com\/contact\/">Back to the website/)
    const row = await eventually(
      () => lastOf(open),
      ({ is_noted }) => is_noted === 1,
    )
    assert.deepEqual(JSON.parse(row.fields), [
      { type: 'text', name: 'name', label: 'name', value: 'Ada' },
      { type: 'email', name: 'email', label: 'email', value: 'ada@example.com' },
      { type: 'textarea', name: 'message', label: 'message', value: 'Hello\r\nthere' },
    ])
    assert.deepEqual([row.verdict, row.lib, row.is_noted], ['clean', 'html', 1])
  })

  test('is held to the rules of a managed form; several boxes are a list, and what it does not know is left out', async () => {
    assert.equal((await post(managed, [...good, ['submit', 'Send'], ['is_admin', '1']])).status, 200)
    assert.deepEqual(await answersOf(managed), {
      name: 'Ada',
      email: 'ada@example.com',
      topic: 'Support',
      days: ['Mon', 'Wed'],
      terms: 'on',
    })
  })

  test('may be multipart; its files are left out', async () => {
    const form = new FormData()
    form.append('name', 'Grüße 🎈')
    form.append('file', new Blob(['%PDF-1.7']), 'cv.pdf')
    const request = new Request('http://x', { method: 'POST', body: form })
    const body = Buffer.from(await request.arrayBuffer())
    assert.equal((await post(open, body, { type: request.headers.get('content-type')! })).status, 200)
    assert.deepEqual(await answersOf(open), { name: 'Grüße 🎈' })
  })

  test('counts as one form that was shown, begun and sent', async () => {
    await post(managed, good)
    const { fact_id } = await lastOf(managed)
    const kinds = await footfall.context.facts.query<{ kind: string }>(
      'test',
      'SELECT kind FROM form_events FINAL WHERE id = {id:UInt64} ORDER BY kind',
      { id: fact_id },
    )
    assert.deepEqual(kinds.map(({ kind }) => kind).toSorted(), ['open', 'submit', 'view'])
  })

  test('from a browser is not suspicious for what only a script could tell, and is for what a plain post tells', async () => {
    await post(open, [
      ['name', 'Grace'],
      ['message', 'Do you have a table for two?'],
    ])
    assert.deepEqual(JSON.parse((await lastOf(open)).reasons), [])
    await post(
      open,
      [
        ['name', 'x'],
        ['message', '<a href="http://a.example">a</a> http://b.example http://c.example'],
      ],
      { headers: { 'user-agent': 'python-requests/2.31', referer: '', origin: 'null' } },
    )
    const row = await lastOf(open)
    assert.deepEqual(
      (JSON.parse(row.reasons) as { reason: string }[]).map(({ reason }) => reason),
      ['bot_agent', 'no_origin', 'link_markup', 'many_links'],
    )
    assert.equal(row.verdict, 'flagged')
  })
})

describe('where the visitor goes', () => {
  let leading: Form
  before(async () => {
    leading = await flow.create(footfall.property.id, {
      is_plain_on: true,
      redirect_url: 'https://example.com/thanks?a=b',
      domains: ['shop.example'],
    })
  })
  const goTo = async (next: string) => {
    const { status, headers } = await post(leading, [
      ['name', 'Ada'],
      ['_next', next],
    ])
    assert.equal(status, 303)
    return headers.location
  }

  test('is the page of the form, or that of _next on a domain of the owner', async () => {
    const { status, headers, text } = await post(leading, [['name', 'Ada']])
    assert.deepEqual(
      [status, headers.location, headers['cache-control'], text],
      [303, 'https://example.com/thanks?a=b', 'no-store', ''],
    )
    assert.equal(await goTo('https://de.shop.example/danke'), 'https://de.shop.example/danke')
    assert.equal(await goTo('/danke'), 'https://www.example.com/danke')
    assert.equal(await goTo('../done#x'), 'https://www.example.com/done#x')
    assert.deepEqual(await answersOf(leading), { name: 'Ada' })
  })

  test('is never a page of somebody else', async () => {
    const foreign = [
      'https://evil.example',
      '//evil.example',
      'https://example.com.evil.example',
      'https://example.com@evil.example',
      'https://evilexample.com',
      'javascript:alert(1)',
      String.raw`\\evil.example`,
      'data:text/html,x',
      'https://user:pass@example.com/',
      `https://example.com/${'x'.repeat(3000)}`,
    ]
    for (const next of foreign) {
      const location = String(await goTo(next))
      assert.equal(new URL(location).hostname.replace('www.', ''), 'example.com', next)
      assert.doesNotMatch(location, /evil\.example\/?$|user|xxxxx/, next)
    }
  })

  test('cannot be a page of somebody else by the setting, and is none any more once its domain is taken away', async () => {
    const path = `/manage/properties/${footfall.property.id}/forms/${leading.id}`
    for (const redirect_url of [
      'https://evil.example/',
      'javascript:alert(1)',
      '/thanks',
      'https://a:b@example.com/',
      7,
    ]) {
      const { status, json } = await footfall.call('POST', path, { body: { redirect_url } })
      assert.deepEqual([status, Object.keys(json.errors)], [422, ['redirect_url']], String(redirect_url))
    }
    const moved = await flow.create(footfall.property.id, {
      is_plain_on: true,
      redirect_url: 'https://shop.example/thanks',
      domains: ['shop.example'],
    })
    const ofMoved = `/manage/properties/${footfall.property.id}/forms/${moved.id}`
    assert.equal((await footfall.call('POST', ofMoved, { body: { domains: [] } })).status, 422)
    await footfall.context.records.updateTable('forms').set({ domains: '[]' }).where('id', '=', moved.id).execute()
    footfall.context.forms.forget(moved.id)
    assert.equal((await post(moved, [['name', 'Ada']])).status, 200)
  })

  test('is told to a library, too, and only then', async () => {
    const sent = await flow.send(await flow.open(leading), { name: 'Ada', email: 'ada@example.com' })
    assert.equal(sent.json.redirect_url, 'https://example.com/thanks?a=b')
    const stays = await flow.create(footfall.property.id)
    assert.deepEqual(
      Object.keys((await flow.send(await flow.open(stays), { name: 'Ada', email: 'ada@example.com' })).json),
      ['validated', 'ty', 'original'],
    )
  })
})

describe('a form that has to be corrected', () => {
  test('comes back with what was written and the messages at their fields, and stores nothing', async () => {
    const before = await submissionsOf(managed)
    const { status, text } = await post(managed, [
      ['name', ' '],
      ['email', '"><script>alert(1)</script>'],
      ['topic', 'Support'],
      ['days', 'Tue'],
      ['_next', '/danke'],
      ['_source', 'footer'],
    ])
    assert.equal(status, 422)
    assert.match(text, /Please check your answers/)
    assert.match(
      text,
      /<input type="email" id="f1" name="email" aria-invalid="true" aria-describedby="f1-help f1-bad" value="&quot;&gt;&lt;script&gt;alert\(1\)&lt;\/script&gt;"><p class="help" id="f1-help">Where may we answer\?<\/p><p class="bad" id="f1-bad">Email must be an email address\.<\/p>/,
    )
    assert.match(text, /<option value="Support" selected>/)
    assert.match(text, /value="Tue" checked/)
    assert.match(text, /Name is required\./)
    assert.match(text, /Terms must be accepted\./)
    assert.match(
      text,
      /<input type="hidden" name="_next" value="\/danke"><input type="hidden" name="_source" value="footer"><input type="hidden" name="_page" value="https:\/\/www\.example\.com\/contact\/">/,
    )
    assert.doesNotMatch(text, /<script/)
    assert.equal((await submissionsOf(managed)).length, before.length)
  })

  test('can be sent from our own page, and still leads back to the page of the owner', async () => {
    const home = { origin: 'http://footfall.test', referer: `http://footfall.test/f/${managed.key}` }
    const { status, headers } = await post(managed, [...good, ['_page', PAGE_URL], ['_next', '/danke']], {
      headers: home,
    })
    assert.deepEqual([status, headers.location], [303, 'https://www.example.com/danke'])
  })

  test('comes back when its trap was filled in, which is remembered; without it it is taken', async () => {
    const { status, text } = await post(managed, [...good, ['_gotcha', 'x']])
    assert.equal(status, 422)
    assert.match(text, /Please send it again/)
    assert.doesNotMatch(text, /_gotcha/)
    assert.equal((await post(managed, good)).status, 200)
    const { reasons } = await lastOf(managed)
    assert.deepEqual(
      (JSON.parse(reasons) as { reason: string }[]).map(({ reason }) => reason),
      ['trap_before'],
    )
  })

  test('speaks the language of the form, or of the browser; scripted forms do, too', async () => {
    const german = await post(managed, [['email', 'x']], { headers: { 'accept-language': 'de-CH' } })
    assert.match(
      german.text,
      /<html lang="de">[^]*Bitte füllen Sie „Name“ aus\.[^]*„Email“ muss eine E-Mail-Adresse sein\./,
    )
    const polish = await flow.create(footfall.property.id, { language: 'pl', is_plain_on: true })
    assert.match((await post(polish, [['name', 'Ada']])).text, /Dziękujemy/)
    const opened = await flow.open(polish)
    const { json } = await flow.validate(opened.token, { data: { name: 'Ada', email: 'x' } })
    assert.deepEqual(json.errors, { email: ['Pole „email” musi zawierać adres e-mail.'] })
    assert.equal((await flow.init(polish)).json.ty, '<p>Dziękujemy. Wiadomość została wysłana.</p>')
  })
})

describe('a page of its own', () => {
  const show = (key: string) =>
    footfall.app.inject({ method: 'GET', url: `/f/${key}`, headers: { 'accept-language': 'fr' } })

  test('shows a managed form, without scripts and with room to be sent elsewhere afterwards', async () => {
    const { statusCode, body, headers } = await show(managed.key)
    assert.equal(statusCode, 200)
    assert.match(
      body,
      /<html lang="fr">[^]*<h1>example\.com<\/h1>[^]*<label for="f0">Name <span class="need">\(obligatoire\)/,
    )
    assert.match(body, /<h2>You &amp; &lt;us&gt;<\/h2><div><label for="f2">Topic/)
    assert.doesNotMatch(body, /role="alert"|<script/)
    assert.match(
      String(headers['content-security-policy']),
      /default-src 'none'.*form-action https: http:; frame-ancestors 'none'/,
    )
  })

  test('is not there for an open form', async () => {
    assert.equal((await show(open.key)).statusCode, 404)
  })
})

describe('what cannot be sent', () => {
  const unavailable = /This form is not available/

  test('is a page with its reason: no such form, not switched on, not published, archived, another domain', async () => {
    const off = await flow.create(footfall.property.id)
    const draft = await flow.create(footfall.property.id, { is_plain_on: true, is_published: false })
    const cases: readonly (readonly [Form, number, RegExp, Record<string, string>?])[] = [
      [{ id: '', key: 'fk_00000000000000000000' }, 404, /Form not found/],
      [{ id: '', key: '%00' }, 404, /Form not found/],
      [off, 422, /does not take plain HTML/],
      [draft, 422, /not published/],
      [open, 422, /registered neither/, { origin: 'https://evil.example', referer: '' }],
    ]
    for (const [form, expected, words, headers] of cases) {
      const { status, text } = await post(form, [['name', 'Ada']], { headers: headers ?? {} })
      assert.equal(status, expected, String(words))
      assert.match(text, unavailable)
      assert.match(text, words)
    }
    const shown = await footfall.call('GET', `/manage/properties/${footfall.property.id}/forms/${draft.id}`)
    assert.equal(shown.json.data.form.tried, 1, 'who sends a draft has tried it')
  })

  test('is a page for bodies that cannot be read, are too large or hold too much', async () => {
    const many = Array.from({ length: 101 }, (_, at) => [`f${at}`, 'x'] as const)
    const multipart = (text: string) => post(open, text, { type: 'multipart/form-data; boundary=x' })
    const cases: readonly (readonly [string, Promise<{ status: number; text: string }>, number])[] = [
      ['too large', post(open, [['name', 'x'.repeat(70_000)]]), 413],
      ['json', post(open, '{}', { type: 'application/json' }), 415],
      ['text', post(open, 'name=Ada', { type: 'text/plain' }), 415],
      ['no boundary', post(open, 'x', { type: 'multipart/form-data' }), 422],
      ['cut', multipart('--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nb'), 422],
      ['too many fields', post(open, many), 422],
      ['too many pairs', post(open, 'a=1&'.repeat(5000)), 422],
      ['poison', post(open, [['__proto__', 'x']]), 422],
      ['nothing', post(open, []), 422],
    ]
    for (const [what, reply, expected] of cases) {
      const { status, text } = await reply
      assert.equal(status, expected, what)
      assert.match(text, /^<!doctype html>/, what)
    }
  })

  test('is a page once an address has sent too much', async () => {
    const limited = await startFootfall({ after: (close) => closers.push(close) }, { env: { PUBLIC_RATE_LIMIT: '2' } })
    const reply = () =>
      limited.app.inject({
        method: 'POST',
        url: '/f/fk_00000000000000000000',
        payload: 'a=b',
        headers: { 'content-type': 'application/x-www-form-urlencoded', 'accept-language': 'es' },
      })
    await reply()
    await reply()
    const { statusCode, body, headers } = await reply()
    assert.equal(statusCode, 429)
    assert.match(body, /Espere un momento/)
    assert.ok(headers['retry-after'])
  })
})
