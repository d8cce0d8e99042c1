// Files of forms through the front door: what is taken, what it becomes, who gets it, and when it goes.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { after, before, beforeEach, describe, test } from 'node:test'
import { flowOf, type Form, type FormFlow, type Opened, PAGE, signature } from '../../test/support/form-flow.ts'
import { CHROME, type Footfall, startFootfall } from '../../test/support/server.ts'
import { untilEqual } from '../../test/support/until.ts'
import { sweepUploads } from './sweep.ts'

const closers: (() => Promise<void>)[] = []
let footfall: Footfall
let flow: FormFlow
let form: Form

const MB = 1024 * 1024
const PDF = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(5000, 'x')])
const PNG = Buffer.concat([Buffer.from('\x89PNG\r\n\x1A\n', 'latin1'), Buffer.alloc(5000, 'y')])

const fields = [
  { name: 'name', type: 'text', label: 'Name' },
  { name: 'cv', type: 'file', label: 'CV', file: { max_bytes: MB, types: ['application/pdf', 'image/png'] } },
  { name: 'photos', type: 'file', label: 'Photos', file: { max_bytes: MB, max_count: 3 } },
]

before(async () => {
  footfall = await startFootfall(
    { after: (close) => closers.push(close) },
    { now: Date.UTC(2026, 10, 18, 12), env: { UPLOADS_MB: '4' } },
  )
  flow = flowOf(footfall)
  form = await flow.create(footfall.property.id, {
    kind: 'managed',
    is_plain_on: true,
    fields,
    validation: { name: { required: null } },
  })
})

after(async () => {
  for (const close of closers) await close()
})

beforeEach(async () => {
  footfall.clock.advance(3_700_000)
  await footfall.context.records.deleteFrom('submissions').execute()
  await sweepUploads(footfall.context)
})

type Part = readonly [field: string, name: string, content: Buffer]

function multipart(parts: readonly Part[], texts: Readonly<Record<string, string>> = {}): FormData {
  const body = new FormData()
  for (const [name, value] of Object.entries(texts)) body.append(name, value)
  for (const [field, name, content] of parts)
    body.append(field, new File([new Uint8Array(content)], name, { type: 'image/png' }))
  return body
}

const headersOf = (token: string) => ({
  'x-forwarded-for': '203.0.113.7',
  'user-agent': CHROME,
  origin: PAGE,
  'x-svc-session': signature(token, footfall.clock.now()),
})

async function upload(token: string, parts: readonly Part[], headers = headersOf(token)) {
  const reply = await fetch(`${footfall.url}/v2/form/${token}/upload`, {
    method: 'POST',
    headers,
    body: multipart(parts),
  })
  // oxlint-disable-next-line typescript/no-explicit-any -- answers of several shapes
  return { status: reply.status, json: (await reply.json()) as any }
}

const open = (): Promise<Opened> => flow.open(form, {})
const stored = (): string[] => {
  try {
    return readdirSync(footfall.context.uploads.storage.name)
  } catch {
    return []
  }
}
const drafts = (): string[] => readdirSync(footfall.context.uploads.drafts)
const rows = () => footfall.context.records.selectFrom('uploads').selectAll().execute()
const base = () => `/manage/properties/${footfall.property.id}/forms/${form.id}/submissions`

async function sendWith(parts: readonly Part[]) {
  const opened = await open()
  const { json } = await upload(opened.token, parts)
  assert.equal(json.validated, true, JSON.stringify(json))
  const sent = await flow.send(opened, { name: 'Ann', ...json.files })
  assert.equal(sent.json?.validated, true, sent.text)
  const row = await footfall.context.records.selectFrom('submissions').selectAll().executeTakeFirstOrThrow()
  return {
    id: row.id,
    files: json.files as Record<string, string[]>,
    fields: JSON.parse(row.fields) as { name: string; value: unknown }[],
  }
}

describe('a scripted form', () => {
  test('sends its files before it is sent; they are stored with it, byte for byte, and shown by name', async () => {
    const {
      id,
      files,
      fields: answers,
    } = await sendWith([
      ['cv', 'Größe 🎈.pdf', PDF],
      ['photos', 'a.png', PNG],
      ['photos', 'b.png', PNG],
    ])
    const byName = Object.fromEntries(answers.map(({ name, value }) => [name, value]))
    assert.equal(byName['cv'], 'Größe 🎈.pdf (application/pdf, 4.9 KB)')
    assert.deepEqual(byName['photos'], ['a.png (image/png, 4.9 KB)', 'b.png (image/png, 4.9 KB)'])
    const { json } = await footfall.call('GET', `${base()}/${id}`)
    const shown = json.data.submission.files as {
      id: string
      field: string
      name: string
      type: string
      bytes: number
    }[]
    assert.deepEqual(
      shown.map(({ field, name, type, bytes }) => [field, name, type, bytes]),
      [
        ['cv', 'Größe 🎈.pdf', 'application/pdf', PDF.length],
        ['photos', 'a.png', 'image/png', PNG.length],
        ['photos', 'b.png', 'image/png', PNG.length],
      ],
    )
    const reply = await fetch(`${footfall.url}${base()}/${id}/files/${files['cv']![0]}`, {
      headers: { authorization: `Bearer ${footfall.admin}` },
    })
    assert.equal(reply.status, 200)
    assert.ok(Buffer.from(await reply.arrayBuffer()).equals(PDF))
    assert.match(
      reply.headers.get('content-disposition')!,
      /^attachment; filename="Gr__e __\.pdf"; filename\*=UTF-8''Gr%C3%B6/,
    )
    assert.equal(reply.headers.get('x-content-type-options'), 'nosniff')
    assert.match(reply.headers.get('content-security-policy')!, /^sandbox;/)
    assert.deepEqual(drafts(), [], 'nothing is left where files arrive')
  })

  test('hears from a field whose file lies about its type, is too large or one too many, and nothing stays', async () => {
    const cases: readonly (readonly [readonly Part[], string, RegExp])[] = [
      [
        [['cv', 'cv.pdf', Buffer.from('<html><script>alert(1)</script>')]],
        'cv',
        /only files of these formats: pdf, png/,
      ],
      [[['cv', 'cv.png', Buffer.from('GIF89a')]], 'cv', /only files/],
      [[['cv', 'cv.pdf', Buffer.alloc(0)]], 'cv', /only files/],
      [[['cv', 'cv.pdf', Buffer.concat([PDF, Buffer.alloc(MB)])]], 'cv', /at most 1 MB/],
      [
        [
          ['cv', '1.pdf', PDF],
          ['cv', '2.pdf', PDF],
        ],
        'cv',
        /at most 1 files/,
      ],
    ]
    for (const [parts, field, sentence] of cases) {
      const { token } = await open()
      const { status, json } = await upload(token, parts)
      assert.equal(status, 200)
      assert.equal(json.validated, false)
      assert.match(json.errors[field][0], sentence)
    }
    assert.deepEqual([await rows(), stored(), drafts()], [[], [], []])
  })

  test('takes names as text alone: no path, no NUL, nothing that turns the direction of writing', async () => {
    const { id } = await sendWith([
      ['photos', '../../etc/passwd.png', PNG],
      ['photos', 'C:\\a\\..\\b\u202egpj.exe', PNG],
    ])
    const { json } = await footfall.call('GET', `${base()}/${id}`)
    const files = json.data.submission.files as { id: string; name: string }[]
    assert.deepEqual(files.map(({ name }) => name).toSorted(), ['bgpj.exe', 'passwd.png'])
    const exe = files.find(({ name }) => name === 'bgpj.exe')!
    const { headers } = await footfall.call('GET', `${base()}/${id}/files/${exe.id}`)
    assert.match(headers.get('content-disposition')!, /filename="bgpj\.exe\.png"/, 'it is saved as what it is')
    assert.deepEqual(stored().toSorted(), files.map((file) => file.id).toSorted())
  })

  test('can use a file for its own field and session alone, once, and within the hour', async () => {
    const first = await open()
    const { json } = await upload(first.token, [['cv', 'cv.pdf', PDF]])
    const ids = json.files.cv as string[]
    const wrong = async (opened: Opened, data: object) => {
      const reply = await flow.send(opened, { name: 'Ann', ...data })
      assert.equal(reply.json.validated, false, reply.text)
      return Object.keys(reply.json.errors)
    }
    const other = await open()
    assert.deepEqual(await wrong(other, { cv: ids }), ['cv'], 'another session')
    assert.deepEqual(await wrong(first, { photos: ids }), ['photos'], 'another field')
    for (const strange of ['up_\0', 'x', `${ids[0]}'`, 'up_00000000000000000000'])
      assert.deepEqual(await wrong(other, { cv: strange }), ['cv'])
    const both = await Promise.all([
      flow.send(first, { name: 'Ann', cv: ids }),
      flow.send(first, { name: 'Ann', cv: ids }),
    ])
    assert.deepEqual(
      both.map(({ status }) => status).toSorted((one, other) => one - other),
      [200, 419],
    )
    const again = await open()
    assert.deepEqual(await wrong(again, { cv: ids }), ['cv'], 'used')
  })

  test('is refused without the signature, from another address, and where it takes no files', async () => {
    const { token } = await open()
    assert.equal((await upload(token, [], { ...headersOf(token), 'x-svc-session': '1' })).status, 403)
    const foreign = { ...headersOf(token), 'x-forwarded-for': '203.0.113.99' }
    assert.equal((await upload(token, [['cv', 'cv.pdf', PDF]], foreign)).status, 419)
    const bare = await flow.create(footfall.property.id)
    const opened = await flow.open(bare)
    assert.equal((await upload(opened.token, [['cv', 'cv.pdf', PDF]])).status, 422)
    assert.equal((await flow.init(bare, { fields: { cv: 'file' } })).json.error_type, 2, 'a page allows no files')
    assert.deepEqual(await rows(), [])
  })

  test('gets a clear refusal when the property has no room, and no upload is kept', async () => {
    for (let at = 0; at < 2; at++)
      await upload((await open()).token, [['cv', 'a.pdf', Buffer.concat([PDF, Buffer.alloc(MB - 6000)])]])
    await upload((await open()).token, [['cv', 'a.pdf', Buffer.concat([PDF, Buffer.alloc(MB - 6000)])]])
    const { token } = await open()
    const ok = await upload(token, [['cv', 'a.pdf', PDF]])
    assert.equal(ok.status, 200, 'the fourth megabyte')
    const { status, json } = await upload((await open()).token, [['cv', 'a.pdf', PDF]])
    assert.equal(status, 507)
    assert.equal(json.error_code, 'no_room')
    assert.equal((await rows()).length, 4)
    assert.equal(stored().length, 4)
  })

  test('of one moment passes no limit together with others, and fills the room', async () => {
    const opened: Opened[] = []
    for (let at = 0; at < 10; at++) opened.push(await open())
    const large = Buffer.concat([PDF, Buffer.alloc(MB - 6000)])
    const replies = await Promise.all(opened.map(({ token }) => upload(token, [['cv', 'a.pdf', large]])))
    const statuses = replies.map(({ status }) => status).toSorted((one, other) => one - other)
    assert.deepEqual(statuses, [200, 200, 200, 200, 507, 507, 507, 507, 507, 507])
    assert.deepEqual([(await rows()).length, stored().length], [4, 4])
  })

  test('gets a clear refusal on a full disk, and is sent without the file', async (t) => {
    const { storage } = footfall.context.uploads
    t.mock.method(storage, 'putFile', async () => {
      throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
    })
    const opened = await open()
    const { status, json } = await upload(opened.token, [['cv', 'a.pdf', PDF]])
    assert.deepEqual([status, json.error_code], [507, 'no_room'])
    assert.deepEqual([await rows(), stored(), drafts()], [[], [], []])
    assert.equal((await flow.send(opened, { name: 'Ann' })).json.validated, true)
  })

  test('leaves nothing when it breaks off', async () => {
    const { token } = await open()
    const abort = new AbortController()
    const body = new ReadableStream({
      start(controller) {
        const head = '--b\r\nContent-Disposition: form-data; name="cv"; filename="a.pdf"\r\n\r\n'
        controller.enqueue(Buffer.concat([Buffer.from(head), PDF]))
      },
    })
    const headers = { ...headersOf(token), 'content-type': 'multipart/form-data; boundary=b' }
    const init = { method: 'POST', headers, body, duplex: 'half', signal: abort.signal } as RequestInit
    const sending = fetch(`${footfall.url}/v2/form/${token}/upload`, init)
    await untilEqual(async () => (await rows()).length, 1)
    abort.abort()
    await assert.rejects(sending)
    await untilEqual(async () => (await rows()).length, 0)
    assert.deepEqual([stored(), drafts()], [[], []])
  })
})

describe('files go', () => {
  test('with their submission, however it is deleted, also when nobody sent the form', async () => {
    const { id, files } = await sendWith([['cv', 'cv.pdf', PDF]])
    const path = `${base()}/${id}/files/${files['cv']![0]}`
    assert.equal((await footfall.call('GET', path)).status, 200)
    await sweepUploads(footfall.context)
    footfall.clock.advance(2 * 3_600_000)
    await sweepUploads(footfall.context)
    assert.equal(stored().length, 1, 'kept as long as the submission')
    assert.equal((await footfall.call('DELETE', `${base()}/${id}`)).status, 200)
    assert.equal((await footfall.call('GET', path)).status, 404)
    await sweepUploads(footfall.context)
    assert.deepEqual([await rows(), stored()], [[], []])
    const { token } = await open()
    await upload(token, [['cv', 'cv.pdf', PDF]])
    await sweepUploads(footfall.context)
    assert.equal(stored().length, 1)
    footfall.clock.advance(3_700_000)
    await sweepUploads(footfall.context)
    assert.deepEqual([await rows(), stored()], [[], []])
  })
})

describe('a plain form', () => {
  const post = (texts: Readonly<Record<string, string>>, parts: readonly Part[]) =>
    fetch(`${footfall.url}/f/${form.key}`, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'x-forwarded-for': '203.0.113.7',
        'user-agent': CHROME,
        origin: PAGE,
        referer: `${PAGE}/`,
        'accept-language': 'en',
      },
      body: multipart(parts, texts),
    })

  test('brings its files along, with its answers or not at all', async () => {
    const sent = await post({ name: 'Ann' }, [
      ['cv', 'cv.pdf', PDF],
      ['other', 'x.pdf', PDF],
      ['photos', '', Buffer.alloc(0)],
    ])
    assert.equal(sent.status, 200, await sent.text())
    const row = await footfall.context.records.selectFrom('submissions').selectAll().executeTakeFirstOrThrow()
    assert.match(row.fields, /cv\.pdf \(application\/pdf, 4\.9 KB\)/)
    assert.equal(stored().length, 1)
    const missing = await post({}, [['cv', 'cv.pdf', PDF]])
    assert.equal(missing.status, 422)
    const page = await missing.text()
    assert.match(page, /<form method="post" enctype="multipart\/form-data"/)
    assert.match(page, /<input type="file" id="f1" name="cv" accept="application\/pdf,image\/png">/)
    const lying = await post({ name: 'Ann' }, [['cv', 'cv.pdf', Buffer.from('MZ')]])
    assert.equal(lying.status, 422)
    assert.match(await lying.text(), /only files of these formats/)
    assert.equal(stored().length, 1, 'nothing of what came back')
  })

  test('may leave a required file out no more than any other answer', async () => {
    const strict = await flow.create(footfall.property.id, {
      kind: 'managed',
      is_plain_on: true,
      fields,
      validation: { cv: { required: null } },
    })
    const opened = await flow.open(strict, {})
    const { json } = await flow.send(opened, { name: 'Ann' })
    assert.deepEqual(json.errors, { cv: ['CV is required.'] })
  })
})
