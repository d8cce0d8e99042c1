// Files of forms where they are kept: in S3-compatible storage too; by signed links; and gone with the
// person, the form, or the process that was killed.
import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { flowOf, PAGE, signature } from '../../test/support/form-flow.ts'
import { startS3 } from '../../test/support/s3.ts'
import { CHROME, type Footfall, startFootfall } from '../../test/support/server.ts'
import { untilEqual } from '../../test/support/until.ts'
import { fileLink } from './links.ts'
import { sweepUploads } from './sweep.ts'

const PDF = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(300_000, 'x')])
const fields = [
  { name: 'email', type: 'email', label: 'Email' },
  { name: 'cv', type: 'file', label: 'CV' },
]

async function open(t: TestContext, env: Readonly<Record<string, string>> = {}) {
  const footfall = await startFootfall(t, { now: Date.UTC(2026, 10, 18, 12), env })
  const flow = flowOf(footfall)
  const form = await flow.create(footfall.property.id, { kind: 'managed', fields, creates_contacts: true })
  /** @returns the path of the file. */
  const send = async (email: string): Promise<{ path: string; id: string; submission: string }> => {
    const { token, hp } = await flow.open(form, {})
    const body = new FormData()
    body.append('cv', new File([PDF], 'cv.pdf'))
    const headers = {
      'x-forwarded-for': '203.0.113.7',
      'user-agent': CHROME,
      origin: PAGE,
      'x-svc-session': signature(token, footfall.clock.now()),
    }
    const reply = await fetch(`${footfall.url}/v2/form/${token}/upload`, { method: 'POST', headers, body })
    const { files } = (await reply.json()) as { files: { cv: string[] } }
    const sent = await flow.send({ token, hp }, { email, ...files })
    assert.equal(sent.json.validated, true, sent.text)
    const { submission_id } = await footfall.context.records
      .selectFrom('submission_files')
      .selectAll()
      .where('id', '=', files.cv[0]!)
      .executeTakeFirstOrThrow()
    const base = `/manage/properties/${footfall.property.id}/forms/${form.id}`
    const submission = `${base}/submissions/${submission_id}`
    return { path: `${submission}/files/${files.cv[0]}`, id: files.cv[0]!, submission }
  }
  return { footfall, form, send }
}

async function download(footfall: Footfall, path: string, token: string | null = footfall.admin) {
  const reply = await fetch(
    footfall.url + path,
    token === null ? {} : { headers: { authorization: `Bearer ${token}` } },
  )
  return { status: reply.status, bytes: Buffer.from(await reply.arrayBuffer()), headers: reply.headers }
}

test('files are kept in S3-compatible storage as in a folder, also when it fails now and then', async (t) => {
  const s3 = await startS3(t)
  const env = Object.fromEntries(
    Object.entries(s3.env).map(([name, value]) => [name.replace('BACKUP', 'UPLOADS'), value]),
  )
  const { footfall, send } = await open(t, { ...env, UPLOADS_TO: 's3://bucket/files' })
  const { path, id, submission } = await send('ann@example.com')
  assert.ok(s3.objects.get(`bucket/files/${id}`)?.equals(PDF))
  for (let time = 0; time < 5; time++) assert.ok((await download(footfall, path)).bytes.equals(PDF))
  assert.ok(s3.failed() > 0 && s3.refused() === 0)
  await footfall.call('DELETE', submission)
  await sweepUploads(footfall.context)
  assert.equal(s3.objects.size, 0)
})

test('a signed link gives its file to anybody for a week, and never another one', async (t) => {
  const { footfall, send } = await open(t)
  const { id } = await send('ann@example.com')
  const other = await send('bob@example.com')
  const { keys } = footfall.context
  const link = fileLink('', keys, id, footfall.clock.now())
  const { status, bytes, headers } = await download(footfall, link, null)
  assert.equal(status, 200)
  assert.ok(bytes.equals(PDF))
  assert.match(headers.get('content-disposition')!, /^attachment;/)
  assert.match(headers.get('content-security-policy')!, /^sandbox;/)
  for (const wrong of [link.replace(id, other.id), `${link}0`, link.slice(0, -1), '/uploads/%00', `/uploads/${id}`])
    assert.equal((await download(footfall, wrong, null)).status, 404, wrong)
  footfall.clock.advance(7 * 86_400_000 - 1000)
  assert.equal((await download(footfall, link, null)).status, 200)
  footfall.clock.advance(2000)
  assert.equal((await download(footfall, link, null)).status, 404)
})

test('a file is for who may see its submission, and for no other property', async (t) => {
  const { footfall, send } = await open(t)
  const { path } = await send('ann@example.com')
  assert.equal((await download(footfall, path, null)).status, 401)
  const stranger = await footfall.addProperty()
  assert.equal((await download(footfall, path.replace(footfall.property.id, stranger.id))).status, 404)
  const second = await send('bob@example.com')
  assert.equal((await download(footfall, `${second.submission}/files/${path.split('/').at(-1)}`)).status, 404)
  assert.equal((await download(footfall, `${second.submission}/files/up_%00`)).status, 404)
})

test('a person who is erased takes their files along, a form those of all', async (t) => {
  const { footfall, form, send } = await open(t)
  const { path } = await send('ann@example.com')
  await send('bob@example.com')
  const { records } = footfall.context
  const contactOf = () =>
    records.selectFrom('contacts').select('id').where('email_key', '=', 'ann@example.com').executeTakeFirst()
  await untilEqual(async () => (await contactOf()) !== undefined, true)
  const contact = (await contactOf())!.id
  const erased = await footfall.call('DELETE', `/v2/property/contacts/${contact}`)
  assert.equal(erased.status, 200, erased.text)
  assert.equal((await download(footfall, path)).status, 404)
  const { storage } = footfall.context.uploads
  await sweepUploads(footfall.context)
  assert.equal(readdirSync(storage.name).length, 1)
  await footfall.call('DELETE', `/manage/properties/${footfall.property.id}/forms/${form.id}`)
  await sweepUploads(footfall.context)
  assert.deepEqual(readdirSync(storage.name), [])
  assert.deepEqual(await records.selectFrom('uploads').select('id').execute(), [])
})

test('what a process leaves that is killed while a file arrives is deleted within the hour', async (t) => {
  const { footfall } = await open(t)
  const { records, uploads } = footfall.context
  const nowMs = footfall.clock.now()
  const id = 'up_00000000000000000000'
  await records
    .insertInto('uploads')
    .values({
      id,
      property_id: footfall.property.id,
      bytes: 10,
      expires_ms: nowMs + 3_600_000,
      attached_id: null,
      address_mac: 'a',
      session_hash: 'b',
      field: 'cv',
      name: 'cv.pdf',
      type: '',
      sha256: '',
    })
    .execute()
  for (const folder of [uploads.drafts, uploads.storage.name]) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, id), 'half')
    utimesSync(join(folder, id), nowMs / 1000, nowMs / 1000)
  }
  await sweepUploads(footfall.context)
  assert.deepEqual([readdirSync(uploads.drafts), readdirSync(uploads.storage.name)], [[id], [id]])
  footfall.clock.advance(3_700_000)
  await sweepUploads(footfall.context)
  assert.deepEqual([readdirSync(uploads.drafts), readdirSync(uploads.storage.name)], [[], []])
})
