// Contacts on the command line as a shell sees it: files in and out, erasing, and that nothing is half done
// whatever happens.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test, type TestContext } from 'node:test'
import { ask, type Environment, run, runAll, start, tell, untilWriting } from '../test/support/cli.ts'
import { newDataDir } from '../test/support/records.ts'
import { traitFields } from '../server/contacts/contact-model.ts'
import { createProperty } from '../server/properties/properties.ts'
import { migrateRecords } from '../server/stores/migrations/records.ts'
import { openRecords } from '../server/stores/records.ts'
import { startFootfall } from '../test/support/server.ts'

interface Site {
  readonly env: Environment
  readonly dataDir: string
  /** A folder for files of the test. */
  readonly folder: string
  /** Where the commands put temporary files. */
  readonly temporary: string
}

function newSite(t: Pick<TestContext, 'after'>, dataDir = newDataDir(t)): Site {
  const folder = newDataDir(t)
  const temporary = join(folder, 'tmp')
  mkdirSync(temporary)
  return { env: { DATA_DIR: dataDir, TMPDIR: temporary }, dataDir, folder, temporary }
}

/** With two properties; which one is meant has to be said then. */
async function openSite(t: TestContext): Promise<Site & { readonly ids: readonly [string, string] }> {
  const site = newSite(t)
  const records = await openRecords({ databaseUrl: null, dataDir: site.dataDir })
  await migrateRecords(records)
  const add = (name: string) =>
    createProperty({ records, now: Date.now, randomBytes }, { name, domains: [], default_period: null, plan: 'paid' })
  const [one, other] = [await add('One'), await add('Other')]
  await records.destroy()
  return { ...site, ids: [one.id, other.id] }
}

function file(site: Site, name: string, text: string): string {
  const path = join(site.folder, name)
  writeFileSync(path, text)
  return path
}

/** Cells of an export, which has no quotes in these tests. */
async function exported(site: Site, propertyId: string): Promise<string[][]> {
  const { code, out } = await tell(['contacts', 'export', '--property', propertyId], site.env)
  assert.equal(code, 0)
  const [, ...lines] = out.trimEnd().split('\r\n')
  return lines.map((line) => line.split(','))
}

const imported = (site: Site, propertyId: string, text: string) =>
  ask(['contacts', 'import', '-', '--property', propertyId], site.env, text)

/** Too long to be in an id by chance. */
const TRACE = 'zqxlou'

const footfall = await startFootfall({ after })
const beside = newSite({ after: (work) => after(work as () => void) }, footfall.context.config.dataDir)

// ---------------------------------------------------------------- in and out

test('a file comes in beside a running server, which shows its people at once, and goes out again', async () => {
  const path = file(beside, 'in.csv', 'E-Mail;x\n')
  const args = ['--property', footfall.property.id]
  const refused = await tell(['contacts', 'import', path, ...args], beside.env)
  assert.deepEqual([refused.code, refused.out], [1, ''])
  assert.match(refused.err, /Unknown columns: "E-Mail", "x"\. There are: external_id, email/)

  writeFileSync(path, '\ufeffemail;first name;phone;META.plan\r\nada@x.example;Ada;+49 30 1;pro\r\n')
  const done = await run(['contacts', 'import', path, ...args], beside.env)
  assert.equal(done.code, 0, done.err)
  assert.match(done.out, /^Created 1 contact and updated 0, in \d+\.\d s \([\d,]+ rows? a second\)\.\n$/)
  const listed = await footfall.call('GET', '/v2/property/contacts', { query: { search: 'ada' } })
  const [ada] = listed.json.data.data
  assert.deepEqual([ada.email, ada.first_name, ada.phone], ['ada@x.example', 'Ada', '+49 30 1'])
  assert.deepEqual(ada.meta, [{ key: 'plan', value: 'pro' }])

  const { code, out, err } = await run(['contacts', 'export', ...args], beside.env)
  assert.deepEqual([code, err], [0, ''])
  const noMore = ','.repeat(traitFields.length - traitFields.indexOf('phone') - 1)
  assert.ok(out.includes(`\r\n,ada@x.example,Ada,,'+49 30 1${noMore},user,active,"{""plan"":""pro""}",`), out)
})

test('a pipe from an export to an import of another property carries everyone', async (t) => {
  const site = await openSite(t)
  const [one, other] = site.ids
  await imported(site, one, 'external_id,email,state\na,a@x.example,unsubscribed\n,b@x.example,\n')
  const out = (await tell(['contacts', 'export', '--property', one], site.env)).out
  const done = await imported(site, other, out)
  assert.deepEqual([done.created, done.updated, done.written], [2, 0, true])
  assert.deepEqual(done.ignored_columns, ['first_seen_ts', 'identified_ts', 'last_seen_ts', 'session_count', 'id'])
  const again = await tell(['contacts', 'export', '--property', other], site.env)
  const known = (text: string) => text.split('\r\n').map((line) => line.split(',', 13).join(','))
  assert.deepEqual(known(again.out), known(out))
})

test('a file of contacts is for its owner alone, and is there when it is whole', async (t) => {
  const site = await openSite(t)
  const [id] = site.ids
  await imported(site, id, 'email\na@x.example\n')
  const path = file(site, 'out.csv', 'what stood there before')
  const args = ['contacts', 'export', '--property', id, '--file']
  assert.deepEqual(await ask([...args, path], site.env), { contacts: 1, file: path })
  assert.equal(statSync(path).mode & 0o777, 0o600)
  assert.match(readFileSync(path, 'utf8'), /^external_id,.*\r\n,a@x\.example,.*\r\n$/)
  assert.deepEqual(readdirSync(site.folder).sort(), ['out.csv', 'tmp'])
  const refused = await tell([...args, join(site.folder, 'none', 'x.csv')], site.env)
  assert.deepEqual([refused.code, refused.out], [1, ''])
})

test('who reads an export may stop early', async (t) => {
  const site = await openSite(t)
  const [id] = site.ids
  const rows = Array.from({ length: 3_000 }, (_, n) => `person${n}@x.example,${'x'.repeat(100)}`).join('\n')
  await imported(site, id, `email,company\n${rows}\n`)
  const exporting = start(['contacts', 'export', '--property', id], site.env)
  exporting.child.stdout.once('data', () => exporting.child.stdout.destroy())
  const { code, err } = await exporting.ended
  assert.deepEqual([code, err], [0, ''])
})

// ---------------------------------------------------------------- all or nothing

test('bad rows are named by line and reason, and nothing is written', async (t) => {
  const site = await openSite(t)
  const [id] = site.ids
  const text = 'email,external_id,first_name\na@x.example,,\nnope,,\n,undefined,\n,a,b,zqx-secret\n'
  const args = ['contacts', 'import', file(site, 'bad.csv', text), '--property', id]
  const people = await tell(args, site.env)
  assert.deepEqual([people.code, people.out], [1, ''])
  assert.deepEqual(people.err.split('\n').slice(1), [
    'line 3: email: is not an email address',
    'line 4: external_id: names nobody: it looks like a placeholder or a missing value',
    'line 5: row: must have as many cells as the header: 3 and not 4',
    'footfall: 3 rows of 4 cannot be imported; nothing was written',
    '',
  ])
  const programs = await tell([...args, '--json'], site.env)
  assert.deepEqual([programs.code, programs.err], [1, ''])
  const { written, rows, bad_rows, faults } = JSON.parse(programs.out)
  assert.deepEqual([written, rows, bad_rows, faults.length], [false, 4, 3, 3])
  assert.deepEqual(faults[0], { line: 3, field: 'email', reason: 'is not an email address' })
  assert.deepEqual(await exported(site, id), [])
})

test('a dry run says what would be done and does nothing', async (t) => {
  const site = await openSite(t)
  const [id] = site.ids
  const path = file(site, 'in.csv', 'external_id\na\nb\na\n')
  const args = ['contacts', 'import', path, '--dry-run', '--property', id]
  const { code, out } = await tell(args, site.env)
  assert.deepEqual([code, out], [0, 'Would create 2 contacts and update 1. Nothing was written.\n'])
  assert.equal((await ask(args, site.env)).written, false)
  assert.deepEqual(await exported(site, id), [])
})

test('an import that is killed in the middle leaves nothing behind: no contact and no file', async (t) => {
  const site = await openSite(t)
  const [id] = site.ids
  const rows = Array.from({ length: 20_000 }, (_, n) => `${TRACE}${n}@x.example,First${n},${'y'.repeat(60)}${n}`).join(
    '\n',
  )
  const path = file(site, 'in.csv', `email,first_name,company\n${rows}\n`)
  const importing = start(['contacts', 'import', path, '--property', id], site.env)
  t.after(() => importing.child.kill('SIGKILL'))
  await untilWriting(site.dataDir, importing)
  importing.child.kill('SIGKILL')
  assert.equal((await importing.ended).code, null)
  assert.deepEqual(await exported(site, id), [])
  assert.deepEqual(readdirSync(site.temporary), [])
  for (const name of readdirSync(site.dataDir)) {
    assert.ok(!readFileSync(join(site.dataDir, name)).includes(TRACE), name)
  }
})

test('what a killed import wrote is gone from the files when the records are opened next, also beside a server', async (t) => {
  const rows = Array.from({ length: 20_000 }, (_, n) => `${TRACE}${n}@x.example,${'y'.repeat(60)}${n}`).join('\n')
  const path = file(beside, 'killed.csv', `email,company\n${rows}\n`)
  const args = ['--property', footfall.property.id]
  const importing = start(['contacts', 'import', path, ...args], beside.env)
  t.after(() => importing.child.kill('SIGKILL'))
  await untilWriting(beside.dataDir, importing)
  importing.child.kill('SIGKILL')
  await importing.ended
  const log = () => readFileSync(join(beside.dataDir, 'records.sqlite-wal'))
  assert.ok(log().includes(TRACE))
  await ask(['property', 'list'], beside.env)
  assert.ok(!log().includes(TRACE))
})

test('while others write, what only reads goes on', async (t) => {
  const site = await openSite(t)
  const [id] = site.ids
  await imported(site, id, 'external_id\na\n')
  const writer = new DatabaseSync(join(site.dataDir, 'records.sqlite'))
  t.after(() => writer.close())
  writer.exec('begin immediate')
  assert.equal((await ask(['property', 'list'], site.env)).total, 2)
  assert.deepEqual((await exported(site, id)).length, 1)
  const refused = await tell(['contacts', 'import', '-', '--property', id], site.env, 'external_id\nb\n')
  assert.deepEqual([refused.code, refused.out], [1, ''])
  assert.match(refused.err, /cannot be read or written at the moment/)
})

// ---------------------------------------------------------------- erasing

test('a person is erased by address, with a receipt that does not say who it was', async () => {
  const args = ['--property', footfall.property.id, '--yes']
  const { json } = await footfall.call('POST', '/v2/property/contacts/identify', {
    body: {
      external_id: `${TRACE}-1`,
      email: `${TRACE.toUpperCase()}@x.example`,
      traits: { first_name: `${TRACE}a`, meta: [{ key: `${TRACE}k`, value: `${TRACE}v` }] },
    },
  })
  const { id } = json.data.contact
  const receipt = await tell(['contact', 'erase', '--email', `${TRACE}@X.example`, ...args], beside.env)
  assert.deepEqual([receipt.code, receipt.err], [0, ''])
  const says = `^Erased ${id} at 2\\d{3}-.*Z\\.\n  removed  external_id, email, first_name, 1 custom field\n  stays    .*0 sessions`
  assert.match(receipt.out, new RegExp(says))
  assert.doesNotMatch(receipt.out, new RegExp(TRACE, 'i'))
  const { contact } = (await footfall.call('GET', `/v2/property/contacts/${id}`)).json.data
  assert.deepEqual([contact.state, contact.external_id, contact.first_name, contact.meta], ['deleted', null, null, []])

  const again = await tell(['contact', 'erase', id, ...args], beside.env)
  assert.deepEqual([again.code, again.out], [0, `${id} was erased already; there was nothing left to remove.\n`])
  const { erasures } = await ask(['contact', 'erase', id, ...args], beside.env)
  assert.deepEqual([erasures[0].contact_id, erasures[0].was_deleted, erasures[0].fields], [id, true, []])
  const unknown = await tell(['contact', 'erase', '--email', `${TRACE}@X.example`, ...args], beside.env)
  assert.deepEqual(unknown, { code: 1, out: '', err: 'footfall: There is no such contact in this property.\n' })
})

test('every contact with the address is erased, and nobody else', async (t) => {
  const site = await openSite(t)
  const [one, other] = site.ids
  await imported(site, one, 'external_id,email\na,x@x.example\nb,X@x.example\nc,y@x.example\n')
  await imported(site, other, 'external_id,email\nd,x@x.example\n')
  const erase = ['contact', 'erase', '--yes', '--property', one]
  const { erasures } = await ask([...erase, '--email', 'x@x.example'], site.env)
  assert.equal(erasures.length, 2)
  const names = async (id: string) => (await exported(site, id)).map(([externalId]) => externalId)
  assert.deepEqual([await names(one), await names(other)], [['c'], ['d']])
  const { erasures: last } = await ask([...erase, '--external-id', 'c'], site.env)
  assert.deepEqual([last.length, last[0].fields], [1, ['external_id', 'email']])
  assert.deepEqual(await names(one), [])
})

test('a contact of another property is not found', async (t) => {
  const site = await openSite(t)
  const [one, other] = site.ids
  await imported(site, one, 'external_id\na\n')
  const id = (await exported(site, one))[0]!.at(-1)!
  for (const way of [[id], ['--external-id', 'a']]) {
    const { code, err } = await tell(['contact', 'erase', ...way, '--property', other, '--yes'], site.env)
    assert.deepEqual([code, err], [1, 'footfall: There is no such contact in this property.\n'])
  }
})

// ---------------------------------------------------------------- mistakes

/** ONE stands for the id of a property. */
const mistakes: readonly (readonly [args: readonly string[], code: number, says: RegExp])[] = [
  [['contacts'], 2, /export, import FILE/],
  [['contacts', 'constructor'], 2, /export, import FILE/],
  [['contacts', 'import'], 2, /the FILE is missing/],
  [['contacts', 'import', '/nonexistent/x.csv'], 2, /there is no file/],
  [['contacts', 'import', '/'], 2, /there is no file/],
  [['contacts', 'import', 'a', 'b'], 2, /export, import FILE/],
  [['contacts', 'import', '/dev/null'], 2, /several properties/],
  [['contacts', 'import', '/dev/null', '--property', 'ONE'], 1, /file is empty/],
  [['contacts', 'import', '/dev/null', '--property', 'pr_none'], 1, /Property not found/],
  [['contacts', 'export', '--json'], 2, /--file/],
  [['contact'], 2, /erase CONTACT_ID/],
  [['contact', 'erase'], 2, /CONTACT_ID, --email, --external-id/],
  [['contact', 'erase', 'a', '--email', 'b@c.example'], 2, /by one of/],
  [['contact', 'erase', 'ct_a'], 2, /add --yes/],
  [['contact', 'erase', 'ct_a', '--yes', '--property', 'ONE'], 1, /no such contact/],
  [['contact', 'erase', '--email', 'zqx', '--yes', '--property', 'ONE'], 1, /not an email address/],
  [['contact', 'erase', '--external-id', ' ', '--yes', '--property', 'ONE'], 1, /no such contact/],
]

test('a mistake ends with its code and says why on stderr, without a stack', async (t) => {
  const { env, ids } = await openSite(t)
  const ends = await runAll(
    mistakes.map(([args]) => ({ args: args.map((word) => (word === 'ONE' ? ids[0] : word)), env })),
  )
  for (const [index, [args, code, says]] of mistakes.entries()) {
    const ended = ends[index]!
    assert.deepEqual([ended.code, ended.out], [code, ''], args.join(' '))
    assert.match(ended.err, says)
    assert.doesNotMatch(ended.err, /\n\s+at |zqx/)
  }
})
