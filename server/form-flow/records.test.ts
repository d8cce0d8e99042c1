// On both databases: a token is found by its hash, begun once, and of many that use it at once, on two nodes,
// one does.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test, type TestContext } from 'node:test'
import { pino } from 'pino'
import { createProperty } from '../properties/properties.ts'
import type { Records } from '../stores/records.ts'
import { plansOf } from '../../test/support/plans.ts'
import { openHomes, openMigrated, openNode, testOnEach, type Home } from '../../test/support/records.ts'
import { noteSubmissions } from './note.ts'
import {
  consumeFormSession,
  countTrap,
  findFormSession,
  type FormSession,
  insertFormSession,
  letSomeSessionsGo,
  startFormSession,
  weighHeldSessions,
} from './records.ts'
import { newHoneypot } from './form-sessions.ts'
import { insertSubmission, type NewSubmission } from '../submissions/records.ts'

const { homes } = await openHomes()

const formSession = (propertyId: string, name: string): FormSession => ({
  token_hash: name,
  property_id: propertyId,
  form_id: 'fm_1',
  fact_id: '18446744073709551615',
  address_mac: 'aa',
  agent_mac: 'bb',
  opened_ms: 1_000,
  expires_ms: 601_000,
  consumed_ms: null,
  is_started: 0,
  traps: 0,
  honeypot: 'extra_abcdefgh',
  frozen: { fields: [{ name: 'a', type: 'text', label: 'a' }], validation: { a: { required: null } } },
  source: '',
  success_html: null,
  has_origin: 1,
  session: { day: 20_000, hash: 18_446_744_073_709_551_615n },
})

const submission = (propertyId: string, id: string, verdict: NewSubmission['verdict'] = 'clean'): NewSubmission => ({
  id,
  property_id: propertyId,
  form_id: 'fm_1',
  fact_id: id.replaceAll(/\D/g, ''),
  submitted_ms: 2_000,
  verdict,
  score: 0,
  reasons: [],
  answers: [{ type: 'text', name: 'a', label: 'a', value: ['x', 'y'] }],
  ip: '203.0.113.7',
  network: '',
  country: 'Ireland',
  country_code: 'IE',
  region: '',
  city: '',
  lat: 53.3,
  lon: -6.2,
  browser: '',
  os: '',
  device: 'desktop',
  language: '',
  is_bot: 0,
  bot_name: '',
  bot_reason: '',
  source: 'Footer',
  lib: '',
  session_day: 20_000,
  session: '18446744073709551615',
  body_mac: null,
  signals_mac: null,
})

interface World {
  readonly records: Records
  readonly another: Records
  readonly propertyId: string
}

async function openWorld(t: TestContext, home: Home): Promise<World> {
  const { records, options } = await openMigrated(t, home)
  const deps = { records, randomBytes, now: () => 0, log: pino({ level: 'silent' }) }
  const { id } = await createProperty(deps, { name: 'Site', domains: [], default_period: null, plan: 'paid' })
  const none = { domains: '[]', fields: '[]', validation: '{}', presentation: '{}', success_html: '<p>x</p>' }
  const form = { id: 'fm_1', property_id: id, key: 'fk_1', name: 'Contact', kind: 'open', ...none } as const
  await records
    .insertInto('forms')
    .values({
      ...form,
      redirect_url: null,
      is_plain_on: 0,
      language: 'en',
      is_published: 1,
      is_archived: 0,
      branding: 1,
      retention_days: null,
      is_ip_kept: 0,
      ip_retention_days: 30,
      stored_ips_until_ts: null,
      revision: 1,
      created_ts: 0,
      updated_ts: 0,
    })
    .execute()
  return { records, another: await openNode(t, options), propertyId: id }
}

testOnEach(homes, 'a form session comes back as it was kept, with its form as it is now', async (t, home) => {
  const { records, another, propertyId } = await openWorld(t, home)
  const kept = formSession(propertyId, 'hash')
  await insertFormSession(records, kept)
  await insertFormSession(records, { ...kept, token_hash: 'other', session: undefined })
  assert.deepEqual(await findFormSession(another, 'hash'), {
    ...kept,
    form: {
      name: 'Contact',
      success_html: '<p>x</p>',
      redirect_url: null,
      domains: [],
      language: 'en',
      creates_contacts: false,
      is_ip_kept: false,
    },
  })
  assert.equal((await findFormSession(another, 'other'))?.session, undefined)
  assert.equal(await findFormSession(another, 'nothing'), undefined)
})

testOnEach(homes, 'it begins once, and its honeypot is counted each time', async (t, home) => {
  const { records, another, propertyId } = await openWorld(t, home)
  await insertFormSession(records, formSession(propertyId, 'hash'))
  const begun = await Promise.all([records, another, records, another].map((one) => startFormSession(one, 'hash')))
  assert.deepEqual(begun.filter(Boolean), [true])
  await Promise.all([countTrap(records, 'hash'), countTrap(another, 'hash')])
  const found = await findFormSession(records, 'hash')
  assert.deepEqual([found?.is_started, found?.traps], [1, 2])
})

testOnEach(
  homes,
  'of many that use one token at once, on two nodes, one does; a submission that fails gives it back',
  async (t, home) => {
    const { records, another, propertyId } = await openWorld(t, home)
    await insertFormSession(records, formSession(propertyId, 'hash'))
    const use = (on: Records, id: string, formId = 'fm_1') =>
      on.transaction().execute(async (tx) => {
        if (!(await consumeFormSession(tx, 'hash', 2_000))) return false
        await insertSubmission(tx, { ...submission(propertyId, id), form_id: formId })
        return true
      })
    await assert.rejects(use(records, 'sb_0', 'fm_gone'))
    assert.equal((await findFormSession(records, 'hash'))?.consumed_ms, null)
    const used = await Promise.all(Array.from({ length: 12 }, (_, i) => use(i % 2 ? records : another, `sb_${i + 1}`)))
    assert.deepEqual(used.filter(Boolean), [true])
    assert.equal((await records.selectFrom('submissions').select('id').execute()).length, 1)
  },
)

testOnEach(homes, 'what an address holds is weighed: of that form, not used, not over', async (t, home) => {
  const { records, propertyId } = await openWorld(t, home)
  const kept = formSession(propertyId, 'a')
  assert.deepEqual({ ...(await weighHeldSessions(records, kept)) }, { count: 0, bytes: 0 })
  const add = (token_hash: string, change: Partial<FormSession> = {}) =>
    insertFormSession(records, { ...kept, token_hash, ...change })
  await add('a')
  await add('b', { success_html: 'ü' })
  await add('used')
  await records.transaction().execute(async (tx) => consumeFormSession(tx, 'used', 2_000))
  await add('over', { expires_ms: 999 })
  await add('last', { expires_ms: 1_000 })
  await add('theirs', { address_mac: 'cc' })
  const each = Buffer.byteLength(JSON.stringify(kept.frozen.fields) + JSON.stringify(kept.frozen.validation))
  assert.deepEqual({ ...(await weighHeldSessions(records, kept)) }, { count: 3, bytes: 3 * each + 2 })
  assert.deepEqual({ ...(await weighHeldSessions(records, { ...kept, form_id: 'fm_2' })) }, { count: 0, bytes: 0 })
})

for (const home of homes.filter(({ kind }) => kind === 'sqlite'))
  testOnEach([home], 'weighing them reads one index alone, and letting go reads those that are over', async (t) => {
    const { records, propertyId } = await openWorld(t, home)
    const kept = formSession(propertyId, 'a')
    const plans = await plansOf(records, async (tx) => {
      await weighHeldSessions(tx, kept)
      await letSomeSessionsGo(tx, 5_000, 10)
    })
    assert.match(
      plans[0] ?? '',
      /COVERING INDEX form_sessions_held \(form_id=\? AND address_mac=\? AND expires_ms>\?\)/,
    )
    assert.ok(
      plans.some((plan) => /INDEX form_sessions_by_end \(expires_ms<\?\)/.test(plan)),
      plans.join('\n'),
    )
    assert.ok(!plans.some((plan) => /^SCAN|TEMP B-TREE/.test(plan)), plans.join('\n'))
  })

interface Told {
  readonly kind: string
  readonly submission: string
  readonly is_flagged: number
}

testOnEach(
  homes,
  'what is not noted is noted once, by what the owner says of it; nothing is marked that the facts did not take',
  async (t, home) => {
    const { records, propertyId } = await openWorld(t, home)
    await records.transaction().execute(async (tx) => {
      for (const [id, verdict] of [
        ['sb_1', 'clean'],
        ['sb_2', 'flagged'],
        ['sb_3', 'dropped'],
        ['sb_4', 'dropped'],
        ['sb_5', 'clean'],
      ] as const)
        await insertSubmission(tx, submission(propertyId, id, verdict))
    })
    await records.updateTable('submissions').set({ mark: 'not_spam' }).where('id', '=', 'sb_4').execute()
    await records.updateTable('submissions').set({ mark: 'spam' }).where('id', '=', 'sb_5').execute()
    const told: Told[] = []
    const broken = { appendAll: () => Promise.reject(new Error('away')) }
    const working = { appendAll: async (_table: string, rows: readonly Told[]) => void told.push(...rows) }
    const note = (facts: object) =>
      noteSubmissions({ records, facts } as unknown as Parameters<typeof noteSubmissions>[0])
    await assert.rejects(note(broken), /away/)
    assert.equal(await note(working), 5)
    assert.equal(await note(working), 0)
    assert.deepEqual(
      told.map(({ kind, submission: id, is_flagged }) => [id, kind, is_flagged]),
      [
        ['sb_1', 'submit', 0],
        ['sb_2', 'submit', 1],
        ['sb_3', 'drop', 0],
        ['sb_4', 'submit', 0],
        ['sb_5', 'submit', 0],
      ],
    )
    assert.doesNotMatch(JSON.stringify(told), /203\.0\.113/)
  },
)

test('a honeypot is called like no field of the form', () => {
  let drawn = 0
  const bytes = [0, 0, 1]
  const random = { randomBytes: (length: number) => Buffer.alloc(length, bytes[drawn++]) }
  assert.equal(newHoneypot(random, [{ name: 'extra_aaaaaaaa' }]), 'extra_bbbbbbbb')
})
