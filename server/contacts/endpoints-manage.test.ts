// Contacts from a file over HTTP: nothing is written before every row of a part is good, and a trial writes
// nothing at all.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Footfall, startFootfall } from '../../test/support/server.ts'
import { MAX_PART_ROWS } from './contact-model.ts'

let footfall: Footfall
const closers: (() => Promise<void>)[] = []

before(async () => {
  footfall = await startFootfall({ after: (close) => closers.push(close) })
})

after(async () => {
  for (const close of closers) await close()
})

const send = (body: unknown, propertyId = footfall.property.id) =>
  footfall.call('POST', `/manage/properties/${propertyId}/contacts/import`, { body })

const addresses = async (): Promise<string[]> => {
  const { json } = await footfall.call('GET', '/v2/property/contacts')
  return json.data.data.map(({ email }: { email: string }) => email).toSorted()
}

test('a trial says what would be and writes nothing; the same file then does it', async () => {
  const csv =
    'email;first_name;meta.plan\r\nada@x.example;Ada;pro\r\ngrace@x.example;Grace;\r\nada@x.example;Augusta;\r\n'
  const trial = await send({ csv, is_trial: true })
  assert.equal(trial.status, 200, trial.text)
  const { rows, bad_rows, created, updated, is_written } = trial.json.data
  assert.deepEqual([rows, bad_rows, created, updated, is_written], [3, 0, 2, 1, false])
  assert.deepEqual(await addresses(), [])

  const done = (await send({ csv })).json.data
  assert.deepEqual([done.created, done.updated, done.is_written], [2, 1, true])
  assert.deepEqual(await addresses(), ['ada@x.example', 'grace@x.example'])
  const again = (await send({ csv })).json.data
  assert.deepEqual([again.created, again.updated], [0, 3])
})

test('one bad row, and nothing of its part is written; it is named by line and reason, never by its content', async () => {
  const { status, json } = await send({ csv: 'email,first_name\nnew@x.example,A\nzqx-secret,B\n' })
  assert.equal(status, 200)
  const { bad_rows, created, is_written, faults } = json.data
  assert.deepEqual([bad_rows, created, is_written], [1, 0, false])
  assert.deepEqual(faults, [{ line: 3, field: 'email', reason: 'is not an email address' }])
  assert.ok(!(await addresses()).includes('new@x.example'))
})

test('what is no table of contacts, or too large a part of one, is refused with a sentence', async () => {
  const many = `email\n${Array.from({ length: MAX_PART_ROWS + 1 }, (_, n) => `p${n}@x.example`).join('\n')}`
  const refused: readonly (readonly [string, RegExp])[] = [
    ['', /file is empty/],
    ['name\nAda\n', /[Uu]nknown column/],
    [many, /more than 5000 rows/],
  ]
  for (const [csv, sentence] of refused) {
    const { status, json } = await send({ csv })
    assert.equal(status, 422)
    assert.match(json.message, sentence)
  }
  assert.equal((await send({})).status, 422)
  assert.equal((await send({ csv: 'email\n' }, 'pr_none')).status, 404)
})

test('a person is erased with a receipt that says what went and never what it was; once more says that nothing was left', async () => {
  await send({ csv: 'email,first_name,meta.plan\nzqxwv@x.example,Zqxwv,pro\n' })
  const { json } = await footfall.call('GET', '/v2/property/contacts', { query: { search: 'zqxwv' } })
  const { id } = json.data.data[0]
  const erase = (contact: string, propertyId = footfall.property.id) =>
    footfall.call('POST', `/manage/properties/${propertyId}/contacts/${contact}/erase`, { body: {} })
  const { id: other } = await footfall.addProperty()
  assert.equal((await erase(id, other)).status, 404)
  const { status, text, json: answer } = await erase(id)
  assert.equal(status, 200, text)
  const { receipt } = answer.data
  assert.deepEqual(
    [receipt.contact_id, receipt.was_deleted, receipt.fields, receipt.meta_entries, receipt.submissions],
    [id, false, ['email', 'first_name'], 1, 0],
  )
  assert.doesNotMatch(text, /zqxwv|pro"/i)
  const shown = await footfall.call('GET', `/v2/property/contacts/${id}`)
  assert.equal(shown.json.data.contact.state, 'deleted')
  assert.equal((await erase(id)).json.data.receipt.was_deleted, true)
  assert.equal((await erase('a%00b')).status, 404)
})
