// Every address that is the whole of an answer leads to the submission, and goes with it; on both databases.
import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { sql } from 'kysely'
import { type ContactWorld, openContacts } from '../../test/support/contact-nodes.ts'
import { plansOf } from '../../test/support/plans.ts'
import { openHomes, openNode, testOnEach } from '../../test/support/records.ts'
import { addForm, addSubmissions, SENT_MS, submissionIds } from '../../test/support/submissions.ts'
import { propertiesTokensSaltsRates } from '../stores/migrations/records/001_properties_tokens_salts_rates.ts'
import { contacts } from '../stores/migrations/records/002_contacts.ts'
import { links } from '../stores/migrations/records/003_links.ts'
import { forms } from '../stores/migrations/records/004_forms.ts'
import { automations } from '../stores/migrations/records/005_automations.ts'
import { submissionKeys } from '../stores/migrations/records/006_submission_keys.ts'
import { migrateRecords } from '../stores/migrations/records.ts'
import type { Records } from '../stores/records.ts'
import { emailKeysOf } from './email-keys.ts'
import { deleteSubmissions, eraseSubmissions, listSubmissionsOf } from './erase.ts'
import { removeForm } from '../forms/remove.ts'
import { removeOldForms } from './retention.ts'
import { insertSubmission } from './records.ts'
import { removeSubmission } from './submissions.ts'

const { homes } = await openHomes()
const onEach = (promise: string, check: (t: TestContext, world: ContactWorld) => Promise<void>) =>
  testOnEach(homes, promise, async (t, home) => check(t, await openContacts(t, home)))

const keysOf = async (records: Records): Promise<string[]> =>
  (await records.selectFrom('submission_keys').select('email_key').orderBy('email_key').execute()).map(
    ({ email_key }) => email_key,
  )

test('an answer is a key when it is an address as a whole, whatever its field is called; also one of several, each once', () => {
  const values = [
    ' Ann@Example.com\n',
    'write to bob@example.com, please',
    ['cy@example.com', 'no', 'ANN@example.com', ' dee@bücher.example '],
    '',
    'eve@localhost',
    [],
  ]
  assert.deepEqual(emailKeysOf(values.map((value) => ({ value }))), [
    'ann@example.com',
    'cy@example.com',
    'dee@xn--bcher-kva.example',
  ])
})

onEach('a submission is kept with thousands of addresses, and found by the last of them', async (_t, world) => {
  const { node, propertyId } = world
  const form = await addForm(node.records, propertyId)
  const [id = ''] = await addSubmissions(node.records, propertyId, form, [{}])
  const row = await node.records.selectFrom('submissions').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const { seq: _seq, fields: _fields, mark: _mark, is_noted: _isNoted, lead: _lead, ...others } = row
  const { contact_id: _contact, ...kept } = others
  const value = Array.from({ length: 6_000 }, (_, n) => `a${n}@b.cc`)
  const answers = [{ type: 'text', name: 'who', label: 'who', value }]
  await node.records
    .transaction()
    .execute(async (tx) => insertSubmission(tx, { ...kept, id: 'sb_many', fact_id: '7', reasons: [], answers }))
  assert.equal((await keysOf(node.records)).length, 6_000)
  const erased = await node.records
    .transaction()
    .execute(async (tx) =>
      eraseSubmissions(tx, propertyId, { contact_ids: ['ct_1'], email_keys: ['a5999@b.cc'], sessions: [] }),
    )
  assert.equal(erased, 1)
  assert.deepEqual(await submissionIds(node.records, form), [id])
  assert.deepEqual(await keysOf(node.records), [])
})

onEach('a person who is in hundreds of submissions leaves none of them', async (_t, world) => {
  const { node, propertyId } = world
  const form = await addForm(node.records, propertyId)
  const email_keys = ['ann@example.com', 'bob@example.com']
  const sent = await addSubmissions(node.records, propertyId, form, [
    ...Array.from({ length: 230 }, () => ({ email_keys })),
    { email_keys: ['bob@example.com'] },
  ])
  const ann = { contact_ids: ['ct_1'], email_keys: ['ann@example.com'], sessions: [] }
  await node.records.transaction().execute(async (tx) => {
    assert.deepEqual((await listSubmissionsOf(tx, propertyId, ann)).toSorted(), sent.slice(0, 230).toSorted())
    assert.equal(await eraseSubmissions(tx, propertyId, ann), 230)
  })
  assert.deepEqual(await submissionIds(node.records, form), sent.slice(230))
  assert.deepEqual(await keysOf(node.records), ['bob@example.com'])
})

onEach('the keys go with the submission, however it goes', async (_t, world) => {
  const { node, propertyId, clock } = world
  const { records } = node
  clock.ms = SENT_MS
  const short = await addForm(records, propertyId, { retention_days: 1 })
  const other = await world.addProperty()
  const [form, last] = [await addForm(records, propertyId), await addForm(records, other)]
  await addSubmissions(records, propertyId, short, [{ email_keys: ['old@example.com'], submitted_ms: SENT_MS - 2e8 }])
  const [one = ''] = await addSubmissions(records, propertyId, form, [
    { email_keys: ['one@example.com'] },
    { email_keys: ['two@example.com'] },
    { email_keys: ['three@example.com'] },
  ])
  await addSubmissions(records, other, last, [{ email_keys: ['x@example.com', 'y@example.com'] }])
  await removeOldForms(node)
  assert.deepEqual(await keysOf(records), [
    'one@example.com',
    'three@example.com',
    'two@example.com',
    'x@example.com',
    'y@example.com',
  ])
  await removeSubmission(node, { propertyId, formId: form }, one)
  const two = await records.selectFrom('submissions').select(['seq', 'id']).where('form_id', '=', form).execute()
  await deleteSubmissions(node, propertyId, two.slice(0, 1))
  assert.deepEqual(await keysOf(records), ['three@example.com', 'x@example.com', 'y@example.com'])
  await removeForm(node, propertyId, form)
  assert.deepEqual(await keysOf(records), ['x@example.com', 'y@example.com'])
  await records.deleteFrom('properties').where('id', '=', other).execute()
  assert.deepEqual(await keysOf(records), [])
})

testOnEach(homes, 'what was stored before there were keys is found by the address it had', async (t, home) => {
  const records = await openNode(t, await home.fresh(t))
  const before = [propertiesTokensSaltsRates, contacts, links, forms, automations]
  await migrateRecords(records, before)
  await sql`insert into properties (id, key, name, domains, plan, created_ts) values ('pr', 'ff', 'n', '[]', 'paid', 0)`.execute(
    records,
  )
  await sql`insert into forms (id, property_id, key, name, kind, domains, fields, validation, presentation, success_html, is_published, is_archived, branding, created_ts, updated_ts)
    values ('fm', 'pr', 'fk', 'n', 'open', '[]', '[]', '{}', '{}', '', 1, 0, 1, 0, 0)`.execute(records)
  for (const [id, key] of [
    ['sb_1', 'ann@example.com'],
    ['sb_2', null],
  ] as const)
    await sql`insert into submissions (id, property_id, form_id, email_key, fact_id, verdict, reasons, fields, ip, country, country_code, region, city, browser, os, device, language, bot_name, bot_reason, source, lib, score, is_bot, is_noted, submitted_ms)
      values (${id}, 'pr', 'fm', ${key}, '1', 'clean', '[]', '[]', '', '', '', '', '', '', '', '', '', '', '', '', '', 0, 0, 1, 0)`.execute(
      records,
    )
  await sql`insert into form_sessions (token_hash, property_id, form_id, fact_id, address_mac, agent_mac, honeypot, fields, validation, source, is_started, traps, has_origin, opened_ms, expires_ms, success_html)
    values ('h', 'pr', 'fm', '1', 'a', 'b', 'c', '["é"]', '{}', '', 0, 0, 0, 0, 0, '<b>')`.execute(records)
  assert.deepEqual(await migrateRecords(records, [...before, submissionKeys]), ['006_submission_keys'])
  assert.deepEqual(await records.selectFrom('submission_keys').selectAll().execute(), [
    { property_id: 'pr', email_key: 'ann@example.com', submission_id: 'sb_1' },
  ])
  assert.deepEqual(await submissionIds(records, 'fm'), ['sb_1', 'sb_2'])
  const [session] = await records.selectFrom('form_sessions').select('frozen_bytes').execute()
  assert.equal(session?.frozen_bytes, Buffer.byteLength('["é"]{}<b>'))
})

for (const home of homes.filter(({ kind }) => kind === 'sqlite'))
  testOnEach([home], 'an erasure looks into indexes and reads no table through', async (t) => {
    const { node, propertyId } = await openContacts(t, home)
    const form = await addForm(node.records, propertyId)
    const person = { contact_ids: ['ct_1'], email_keys: ['ann@example.com'], sessions: [{ day: 20_000, session: '7' }] }
    await addSubmissions(node.records, propertyId, form, [{ email_keys: ['ann@example.com'] }])
    const plans = await plansOf(node.records, async (tx) => {
      assert.equal((await listSubmissionsOf(tx, propertyId, person)).length, 1)
      assert.equal(await eraseSubmissions(tx, propertyId, person), 1)
      // As it is done for each submission that goes.
      await tx.deleteFrom('submission_keys').where('submission_id', '=', 'sb_1').execute()
    })
    assert.ok(plans.length >= 5, plans.join('\n'))
    for (const plan of plans)
      assert.match(plan, /^(SEARCH .* USING .*INDEX|SEARCH .* USING PRIMARY KEY|MULTI-INDEX OR|INDEX \d+)/)
    assert.match(plans.join('\n'), /email_key=\?/)
  })
