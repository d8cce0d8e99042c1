// docs/webhooks.md says what is sent: its tables are compared with the bodies both ways, its example is run,
// its first vector is true.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { envelopeBody, legacyFormBody, type Run } from '../server/deliveries/envelope.ts'
import { signatureOf } from '../server/webhooks/signature.ts'

const file = (name: string): string => new URL(`../docs/${name}`, import.meta.url).pathname
const page = readFileSync(file('webhooks.md'), 'utf8')

const raw = [{ type: 'text', name: 'name', label: 'Name', value: 'Ada' }]
/** With nothing left out. */
const run: Run = {
  id: '01KDVDNR00E5J0V3Q7ZC9XW8TB',
  occurredMs: 1_767_225_600_000,
  propertyId: 'p',
  automation: { id: 'au_1', name: null, event_type: 'form_submit', event_value: null },
  isTest: true,
  event: {
    type: 'form_submit',
    name: null,
    value: null,
    meta: [{ key: 'a', value: 'b' }],
    page_path: '/',
    page_url: 'https://site.example/',
    form_id: 'fm_1',
    form_submit_id: 'sb_1',
    created_ts: 1,
    id: '1',
  },
  session: {
    id: 's',
    url: 'https://dash.example/',
    entry_ts: 1,
    entry_path: '/',
    channel_category: 'direct',
    channel_name: 'Direct',
    contact_id: null,
    country: null,
    acquisition_value_cents: 0,
    acquisition_currency_code: null,
  },
  conversion: { id: 'cv_1', name: 'Lead' },
  submission: {
    id: 'sb_1',
    form: { id: 'fm_1', name: 'Contact' },
    fields: { Name: 'Ada' },
    country: null,
    city: null,
    ip: '192.0.2.1',
    geo: { lat: null, lon: null },
    is_bot: false,
    is_flagged: false,
    raw_fields: raw,
    submitted_ts: 1,
  },
}

/** Objects whose keys are a form's own. */
const open = new Set(['data.form_submit.fields', 'data'])

/**
 * Dotted names of the keys, in their order; those of an object with keys of its own are not told, but for the
 * envelope's `data`.
 */
function keysOf(value: unknown, isOpen: (name: string) => boolean, prefix = ''): string[] {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    const name = `${prefix}${key}`
    return [name, ...(isOpen(name) ? [] : keysOf(inner, isOpen, `${name}.`))]
  })
}

/** First column of the table under a heading. */
function written(heading: string): string[] {
  const section = page.split(`${heading}\n`)[1] ?? assert.fail(`no ${heading}`)
  const rows = section
    .split(/\n#/)[0]!
    .split('\n')
    .filter((line) => line.startsWith('| `'))
  return rows.map((row) => row.split('`')[1] ?? '')
}

test('the page has every key of the envelope, in its order, and none that is not sent', () => {
  const sent = keysOf(JSON.parse(envelopeBody(run)), (name) => name !== 'data' && open.has(name))
  // Containers that hold nothing but what follows have no row of their own.
  const containers = new Set(['automation', 'trigger', 'data', 'data.form_submit.form', 'data.form_submit.geo'])
  assert.deepEqual(
    written('## The envelope, version 1'),
    sent.filter((name) => !containers.has(name)),
  )
})

test('the page has every key of the legacy payload, in its order, and none that is not sent', () => {
  const sent = keysOf(JSON.parse(legacyFormBody(run)), (name) => open.has(name))
  assert.deepEqual(
    written('### The legacy form payload'),
    sent.filter((name) => name !== 'geo'),
  )
})

test('the vector on the page is the first of the file', () => {
  const [first] = JSON.parse(readFileSync(file('webhooks/vectors.json'), 'utf8')) as Record<string, string>[]
  assert.ok(first)
  for (const name of ['secret', 'body', 'header']) assert.ok(page.includes(`| ${name} | \`${first[name]}\` |`), name)
})

/** The example beside the verifier, as a receiver would have it, on a port that is free. */
async function startExample(t: TestContext, secret: string): Promise<string> {
  const code = /```ts\n([^]*?)```/.exec(page)?.[1] ?? assert.fail('no example')
  const folder = mkdtempSync(join(tmpdir(), 'webhook-example-'))
  copyFileSync(file('webhooks/verify.ts'), join(folder, 'verify.ts'))
  const onFreePort = code.replace(
    '.listen(3000)',
    ".listen(0, '127.0.0.1', function () { console.log(this.address().port) })",
  )
  assert.notEqual(onFreePort, code)
  writeFileSync(join(folder, 'example.mts'), onFreePort)
  const child = spawn(process.execPath, [join(folder, 'example.mts')], {
    env: { ...process.env, WEBHOOK_SECRET: secret },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => {
    child.kill('SIGKILL')
    rmSync(folder, { recursive: true })
  })
  const [port] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string]
  return `http://127.0.0.1:${port.trim()}/`
}

test('the example on the page takes what is signed and nothing else', async (t) => {
  const secret = `whsec_${'x'.repeat(40)}`
  const url = await startExample(t, secret)
  const body = envelopeBody(run)
  const header = signatureOf([`whsec_${'y'.repeat(40)}`, secret], body, Math.floor(Date.now() / 1000))
  const statusOf = async (headers: Record<string, string>, text: string) =>
    (await fetch(url, { method: 'POST', headers, body: text })).status
  assert.equal(await statusOf({ 'X-Service-Signature': header }, body), 202)
  assert.equal(await statusOf({ 'X-Service-Signature': header }, `${body} `), 400)
  assert.equal(await statusOf({}, body), 400)
})
