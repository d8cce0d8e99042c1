// The contract of the records store: the same promises on SQLite and on PostgreSQL.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test, type TestContext } from 'node:test'
import { type Selectable, sql } from 'kysely'
import { type TextField, textFields } from '../server/kernel/contact-fields.ts'
import { Problem } from '../server/kernel/problem.ts'
import {
  isForeignKeyViolation,
  isUniqueViolation,
  openRecords,
  type Records,
  type RecordsOptions,
  scrubDeleted,
  withMigrationLock,
} from '../server/stores/records.ts'
import { dueRecordMigrations, migrateRecords, type RecordMigration } from '../server/stores/migrations/records.ts'
import type { RecordTables } from '../server/stores/tables.ts'
import { newDataDir, openHomes, openMigrated, openNode, testOnEach } from './support/records.ts'
import { untilEqual } from './support/until.ts'

const { homes, postgres } = await openHomes()
const onEach = (promise: string, check: Parameters<typeof testOnEach>[2]) => testOnEach(homes, promise, check)

/** Every second one is null. */
const contactTexts = Object.fromEntries(
  textFields.map((field, n) => [field, n % 2 === 0 ? `${field} Größe 🎈` : null]),
) as Record<TextField, string | null>

const confirmation = {
  confirms: 1,
  confirm_subject: 'Größe 🎈',
  confirm_text: 'Dear %name%,\n\n🎈',
  confirm_reply_to: '',
  confirmed_hour: 495_666,
  confirmed: 59,
}

/** Of tables whose rows point at others, or whose texts mean something to the database. */
const samples = {
  properties: {
    id: 'pr_1',
    key: 'ff_1',
    name: 'Größe 🎈',
    domains: '["example.com"]',
    default_period: null,
    timezone: 'UTC',
    week_start: 'monday',
    currency: '',
    client: '',
    plan: 'paid',
    proxy_key_hash: null,
    content_policy: 'standard',
    excluded_addresses: '["203.0.113.7"]',
    excluded_paths: '["/admin/**"]',
    is_token_only: 1,
    is_listed_only: 0,
    browser_max_usd: 1_000_000,
    kept_days: 400,
    dead_link_url: 'https://größe.example/🎈',
    search: 'größe 🎈',
    is_sample: 0,
    people_erased: 3,
    sample_run: '',
    created_ts: 4_102_444_800,
  },
  tokens: { id: 'tk_1', property_id: 'pr_1', name: 'n', hash: 'h', scopes: '[]', created_by: 'us_1', created_ts: 1 },
  session_marks: {
    id: 'mk_1',
    property_id: 'pr_1',
    network: 'Größe AS 🎈',
    host: '',
    from_ms: 4_102_444_800_123,
    to_ms: 4_102_444_900_123,
    state: 'marking',
    sessions: 5_000_000_000,
    done: 1,
    cursor_day: '2026-11-22',
    claimed_until_ms: 4_102_444_800_123,
    created_ms: 4_102_444_800_123,
    finished_ms: null,
    contact_cursor: null,
    is_listed: 1,
  },
  salts: { day: 20_000, salt: 'ab' },
  contacts: {
    seq: 1,
    id: 'ct_1',
    property_id: 'pr_1',
    email_key: 'ann@example.com',
    email_by: 'token',
    claimed_email: 'ann@example.com',
    ...contactTexts,
    lifecycle_stage: 'user',
    state: 'active',
    meta: '[]',
    first_seen_ts: 4_102_444_800,
    identified_ts: 4_102_444_800,
    last_seen_ms: 4_102_444_800_123,
    session_count: 1,
    search: 'ann@example.com',
  },
  contact_consents: {
    property_id: 'pr_1',
    contact_id: 'ct_1',
    submission_id: 'sb_1',
    form_id: 'fm_1',
    form_name: 'Größe 🎈',
    words: 'Ja, gern. 🎈',
    given_ms: 4_102_444_800_123,
  },
  contact_labels: {
    property_id: 'pr_1',
    contact_id: 'ct_1',
    kind: 'list',
    label_key: 'größe 🎈',
    label: 'Größe 🎈',
    added_ms: 4_102_444_800_123,
  },
  contact_notes: {
    id: 'cn_1',
    property_id: 'pr_1',
    contact_id: 'ct_1',
    text: 'Größe 🎈',
    noted_ms: 4_102_444_800_123,
    edited_by: 'us_1',
  },
  contact_sessions: {
    property_id: 'pr_1',
    day: 20_000,
    session: '18446744073709551615',
    contact_id: 'ct_1',
    entry_ts: 4_102_444_800,
    is_noted: 0,
    mark: 4_102_444_800_123,
    moves: 2,
  },
  contact_aliases: {
    property_id: 'pr_1',
    contact_id: 'ct_1',
    kind: 'email',
    alias: 'ann@example.com',
    shown: 'Ann@Example.com',
    given_by: null,
    merge_id: 'cm_1',
  },
  contact_merges: {
    id: 'cm_1',
    property_id: 'pr_1',
    kept_id: 'ct_1',
    other_id: 'ct_2',
    merged_ms: 4_102_444_800_123,
    edited_by: 'us_1',
    snapshot: null,
  },
  contact_searches: {
    id: 'cq_1',
    property_id: 'pr_1',
    user_id: null,
    name: 'Größe 🎈',
    query: '{}',
    created_ms: 4_102_444_800_123,
  },
  list_rules: { property_id: 'pr_1', list_key: 'größe 🎈', name: 'Größe 🎈', is_confirmed: 1 },
  list_memberships: {
    id: 'lm_1',
    confirm_id: 'lc_1',
    property_id: 'pr_1',
    contact_id: 'ct_1',
    list_key: 'größe 🎈',
    name: 'Größe 🎈',
    email: 'Ann@Example.com',
    email_key: 'ann@example.com',
    language: 'de',
    state: 'pending',
    form_id: null,
    requested_ms: 4_102_444_800_123,
    confirmed_ms: null,
    unsubscribed_ms: null,
    mailed_ms: null,
    mails: 1,
  },
  contact_merge_moves: { merge_id: 'cm_1', kind: 'session', day: 20_000, key: '18446744073709551615' },
  link_groups: {
    seq: 1,
    id: 'lg_1',
    property_id: 'pr_1',
    name: 'Spring',
    description: null,
    purpose: 'campaign',
    state: 'active',
    track_clicks: 1,
    utm_template: null,
    created_ts: 4_102_444_800,
    change_no: 9_007_199_254_740_991,
  },
  links: {
    seq: 1,
    id: 'ln_1',
    property_id: 'pr_1',
    group_id: 'lg_1',
    name: null,
    domain: 'link-a',
    code: 'aBc2345',
    destination_url: 'https://example.com/ü?a=1#b',
    utm: '{}',
    search: null,
    slot: null,
    rules: null,
    uses: 3,
    tags: '["Größe"]',
    notes: 'Für später',
    is_archived: 1,
    past_groups: '["lg_2"]',
    password_hash: '$argon2id$v=19$',
    is_active: 1,
    is_deleted: 0,
    created_ts: 4_102_444_800,
    change_no: 1,
  },
  link_domains: {
    host: 'go.example.com',
    property_id: 'pr_1',
    domain: 'link-a',
    token: 'dv_1',
    state: 'verified',
    fault: null,
    checked_ts: 4_102_444_800,
    verified_ts: 4_102_444_800,
    created_ts: 4_102_444_800,
    change_no: 9_007_199_254_740_991,
  },
  counters: { name: 'other', value: 4_102_444_800 },
  forms: {
    seq: 1,
    id: 'fm_1',
    property_id: 'pr_1',
    key: 'fk_1',
    name: 'Größe 🎈',
    kind: 'managed',
    domains: '[]',
    fields: '[]',
    validation: '{}',
    presentation: '{}',
    success_html: '',
    redirect_url: 'https://example.com/danke',
    is_plain_on: 1,
    creates_contacts: 1,
    contact_fields: '{}',
    language: 'de',
    is_published: 1,
    is_archived: 0,
    branding: 1,
    retention_days: null,
    is_ip_kept: 1,
    ip_retention_days: 30,
    stored_ips_until_ts: 4_102_444_800,
    revision: 2,
    created_ts: 4_102_444_800,
    updated_ts: 4_102_444_800,
  },
  list_forms: { property_id: 'pr_1', list_key: 'größe 🎈', form_id: 'fm_1' },
  form_edits: {
    seq: 1,
    id: 'fe_1',
    property_id: 'pr_1',
    form_id: 'fm_1',
    edited_ms: 4_102_444_800_123,
    edited_by: 'us_1',
    kind: 'update',
    before: '{}',
    after: '{"name":"Größe 🎈"}',
  },
  form_evictions: {
    form_id: 'fm_1',
    spam: 3,
    flagged: 2,
    clean: 1,
    last_ms: 4_102_444_800_123,
    stored: 450_000,
    claimed_until_ms: 4_102_444_860_123,
  },
  draft_tries: { form_id: 'fm_1', day: 20_783, people: 3 },
  form_sessions: {
    token_hash: 'ab',
    property_id: 'pr_1',
    form_id: 'fm_1',
    fact_id: '18446744073709551615',
    address_mac: 'ab',
    agent_mac: 'ab',
    opened_ms: 4_102_444_800_123,
    expires_ms: 4_102_444_800_123,
    consumed_ms: null,
    is_started: 0,
    traps: 0,
    honeypot: 'extra_a',
    fields: '[]',
    validation: '{}',
    source: '',
    success_html: null,
    frozen_bytes: 4,
    has_origin: 1,
    session_day: 20_000,
    session: '18446744073709551615',
  },
  form_mails: {
    form_id: 'fm_1',
    property_id: 'pr_1',
    is_on: 1,
    told_hour: 495_666,
    told: 11,
    most_an_hour: 7,
    ...confirmation,
  },
  alerts: {
    property_id: 'pr_1',
    live_visitors: 100,
    has_sessions: 1,
    has_conversions: 0,
    told_day: '2026-11-24',
    told: 2,
    judged_ms: 4_102_444_800_123,
    above_ms: 4_102_444_800_123,
  },
  subscriptions: {
    id: 'sn_1',
    property_id: 'pr_1',
    form_id: 'fm_1',
    list: 'submissions:fm_1',
    email: 'Ann@example.com',
    email_key: 'ann@example.com',
    created_ms: 4_102_444_800_123,
    unsubscribed_ms: null,
  },
  submissions: {
    seq: 1,
    id: 'sb_1',
    property_id: 'pr_1',
    form_id: 'fm_1',
    fact_id: '18446744073709551615',
    submitted_ms: 4_102_444_800_123,
    verdict: 'flagged',
    mark: null,
    score: 55,
    reasons: '[]',
    fields: '[]',
    ip: '192.0.2.1',
    network: 'Größe 🎈',
    country: '',
    country_code: '',
    region: '',
    city: '',
    lat: 52.52,
    lon: null,
    browser: '',
    os: '',
    device: '',
    language: '',
    is_bot: 0,
    bot_name: '',
    bot_reason: '',
    source: '',
    lib: '',
    session_day: null,
    session: null,
    lead: 'done',
    contact_id: 'ct_1',
    notice: 'digest',
    body_mac: null,
    signals_mac: null,
    search: 'größe 🎈',
    is_read: 0,
    is_noted: 1,
  },
  submission_files: {
    id: 'up_1',
    property_id: 'pr_1',
    submission_id: 'sb_1',
    field: 'größe 🎈',
    place: 0,
    name: 'Größe 🎈.pdf',
    type: 'application/pdf',
    bytes: 5_000_000_000,
    sha256: 'ab',
  },
  uploads: {
    id: 'up_1',
    property_id: 'pr_1',
    bytes: 5_000_000_000,
    expires_ms: 4_102_444_800_123,
    attached_id: 'up_1',
    address_mac: '',
    session_hash: '',
    field: '',
    name: '',
    type: 'application/pdf',
    sha256: '',
  },
  submission_keys: { property_id: 'pr_1', email_key: 'ann@example.com', submission_id: 'sb_1' },
  conversions: {
    seq: 1,
    id: 'cv_1',
    property_id: 'pr_1',
    name: 'Order',
    event_type: 'acquisition',
    event_value: null,
    created_ts: 4_102_444_800,
  },
  automations: {
    seq: 1,
    id: 'au_1',
    property_id: 'pr_1',
    name: null,
    event_type: 'event',
    event_value: 'signup',
    conversion_id: null,
    actions: '[]',
    is_active: 1,
    disabled_reason: null,
    disabled_ts: null,
    failures: 0,
    secret: 'ab',
    previous_secret: null,
    previous_until_ts: 4_102_444_800,
    created_ts: 4_102_444_800,
    updated_ts: 4_102_444_800,
  },
  deliveries: {
    seq: 1,
    id: '01JD',
    property_id: 'pr_1',
    automation_id: 'au_1',
    action_id: 'wa_1',
    url: 'https://example.com/hook',
    lane: 'ab',
    payload: 'envelope',
    priority: 0,
    event_type: 'event',
    event_value: 'signup',
    event: '{}',
    event_id: '18446744073709551615',
    conversion_id: null,
    session_day: 20_000,
    session: '18446744073709551615',
    submission_id: null,
    contact_id: null,
    is_test: 0,
    state: 'pending',
    attempts: 0,
    max_attempts: 3,
    next_attempt_ms: 4_102_444_800_123,
    claim: null,
    created_ms: 4_102_444_800_123,
    finished_ms: null,
    body: 'Größe 🎈',
  },
  delivery_attempts: {
    seq: 1,
    delivery_id: '01JD',
    property_id: 'pr_1',
    number: 1,
    is_manual: 0,
    started_ms: 4_102_444_800_123,
    duration_ms: 12,
    status: 200,
    error: null,
    request_headers: '{}',
    response_headers: '{}',
    response_body: '',
  },
  told_submissions: { submission_id: 'sb_1', automation_id: 'au_1' },
  content_blocks: {
    seq: 1,
    id: 'cb_1',
    property_id: 'pr_1',
    key: 'ck_1',
    name: 'Größe 🎈',
    salt: 'ab',
    goal: '{"type":"click","value":null}',
    is_archived: 0,
    phase: 1,
    created_ts: 4_102_444_800,
    updated_ts: 4_102_444_800,
  },
  content_versions: {
    seq: 1,
    id: 'vr_1',
    property_id: 'pr_1',
    block_id: 'cb_1',
    label: 'A',
    html: '<p>Größe 🎈</p>',
    ctas: '[]',
    weight: 1,
    is_active: 1,
    is_deleted: 0,
    created_ts: 4_102_444_800,
    updated_ts: 4_102_444_800,
  },
  content_phases: {
    property_id: 'pr_1',
    block_id: 'cb_1',
    number: 1,
    started_ms: 4_102_444_800_123,
    ended_ms: null,
    setup: '[]',
  },
  content_edits: {
    seq: 1,
    id: 'ce_1',
    property_id: 'pr_1',
    block_id: 'cb_1',
    version_id: null,
    edited_ms: 4_102_444_800_123,
    kind: 'create',
    before: null,
    after: '{}',
    edited_by: 'us_1',
  },
  users: {
    seq: 1,
    id: 'us_1',
    email: 'Ann@Example.com',
    email_key: 'ann@example.com',
    name: 'Größe 🎈',
    password_hash: null,
    is_owner: 1,
    is_active: 1,
    totp_secret: null,
    totp_pending: 'ab',
    totp_last_step: 136_748_160,
    created_ts: 4_102_444_800,
  },
  user_sessions: {
    seq: 1,
    id: 'se_1',
    user_id: 'us_1',
    hash: 'ab',
    created_ts: 4_102_444_800,
    last_seen_ts: 4_102_444_800,
    browser: 'Chrome',
    os: '',
  },
  sign_ins: {
    seq: 1,
    user_id: null,
    ts: 4_102_444_800,
    outcome: 'wrong_password',
    browser: '',
    os: '',
    country: '',
    address: '',
    client: '',
  },
  qr_looks: { property_id: 'pr_1', look: '{}', logo: null },
  segments: {
    id: 'sg_1',
    property_id: 'pr_1',
    user_id: 'us_1',
    name: 'Größe 🎈',
    clauses: '[]',
    created_ts: 4_102_444_800,
    updated_ts: 4_102_444_800,
  },
  recovery_codes: { user_id: 'us_1', hash: 'ab' },
  members: { property_id: 'pr_1', user_id: 'us_1', role: 'viewer', created_ts: 4_102_444_800 },
  invitations: {
    seq: 1,
    id: 'iv_1',
    kind: 'member',
    hash: 'ab',
    property_id: 'pr_1',
    role: 'admin',
    email: 'bob@example.com',
    email_key: 'bob@example.com',
    user_id: null,
    drops_totp: 0,
    created_ts: 4_102_444_800,
    expires_ts: 4_102_444_800,
  },
  shares: {
    seq: 1,
    id: 'sh_1',
    property_id: 'pr_1',
    name: 'Größe 🎈',
    hash: 'ab',
    password_hash: null,
    segment_id: 'sg_1',
    origins: '[]',
    badge_key: null,
    created_by: null,
    created_ts: 4_102_444_800,
  },
  account_setup: { name: 'owner', nonce: 'ab', used_ts: null },
} satisfies { readonly [T in keyof RecordTables]?: Selectable<RecordTables[T]> }

type Row = Readonly<Record<string, unknown>>

/** Of all other tables: what a column of this type is made for. */
const cells: Readonly<Record<string, unknown>> = {
  text: 'Größe 🎈',
  integer: 1,
  int4: 1,
  bigint: 4_102_444_800_123,
  int8: 4_102_444_800_123,
  'double precision': 0.9123,
  float8: 0.9123,
}

/** The ledger of migrations, and the tables of SQLite's search index. */
const notOurs = /^(record_migrations|contacts_search.*)$/

/** A row for each table that there is. */
async function everySample(records: Records): Promise<ReadonlyMap<keyof RecordTables, Row>> {
  const rows = new Map<string, Row>(Object.entries(samples))
  for (const { name, columns } of await records.introspection.getTables()) {
    if (rows.has(name) || notOurs.test(name)) continue
    const row = columns.map((column) => [column.name, cells[column.dataType.toLowerCase()]])
    const own = Object.fromEntries(row) as Row
    rows.set(name, 'property_id' in own ? { ...own, property_id: samples.properties.id } : own)
  }
  return rows as ReadonlyMap<string, Row> as ReadonlyMap<keyof RecordTables, Row>
}

async function insertSamples(records: Records): Promise<ReadonlyMap<keyof RecordTables, Row>> {
  await records.deleteFrom('account_setup').execute() // its one row comes with the table
  const rows = await everySample(records)
  for (const [table, row] of rows) await records.insertInto(table).values(row).execute()
  return rows
}

/** A process of its own on the same records; it prints lines, and lives until it is killed or has ended. */
function startNode(t: TestContext, options: RecordsOptions, work: string) {
  const root = new URL('../server/stores/', import.meta.url)
  const code = `
    import { openRecords, withMigrationLock } from '${new URL('records.ts', root).href}'
    import { migrateRecords } from '${new URL('migrations/records.ts', root).href}'
    const records = await openRecords(${JSON.stringify(options)})
    ${work}`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => child.kill('SIGKILL'))
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  return { child, said: () => said, ended: once(child, 'exit') }
}

const until = (condition: () => boolean) => untilEqual(condition, true)

// ---------------------------------------------------------------- migrations

onEach('every column of every table is stored and read back as it was', async (t, home) => {
  const { records } = await openMigrated(t, home)
  const rows = await insertSamples(records)
  assert.ok(rows.has('annotations'), 'tables without a sample of their own are among them')
  for (const [table, row] of rows) assert.deepEqual(await records.selectFrom(table).selectAll().execute(), [row])
})

onEach('nodes that migrate at the same time do so once', async (t, home) => {
  const options = await home.fresh(t)
  const nodes = await Promise.all([1, 2, 3].map(() => openNode(t, options)))
  const due = await dueRecordMigrations(nodes[0]!)
  const runs = await Promise.all(nodes.map((records) => migrateRecords(records)))
  assert.ok(due.length > 0)
  assert.deepEqual(runs.flat(), due)
  assert.deepEqual(await dueRecordMigrations(nodes[1]!), [])
})

onEach('processes that start at the same time migrate once', async (t, home) => {
  const options = await home.fresh(t)
  const work = `
    const names = await withMigrationLock(records, () => migrateRecords(records))
    for (const name of names) console.log(name)
    await records.destroy()`
  const nodes = [1, 2, 3].map(() => startNode(t, options, work))
  for (const node of nodes) assert.deepEqual(await node.ended, [0, null])
  const run = nodes.flatMap((node) => node.said().split('\n').filter(Boolean))
  assert.equal(new Set(run).size, run.length, 'a migration ran twice')
  assert.ok(run.length > 0)
})

const createThing: RecordMigration = {
  name: '900_thing',
  up: (tx) => tx.schema.createTable('thing').addColumn('id', 'text').execute(),
}

onEach('a migration that fails leaves nothing of itself, nor of those before it in the same run', async (t, home) => {
  const records = await openNode(t, await home.fresh(t))
  const failing: RecordMigration = {
    name: '901_failing',
    up: async (tx) => {
      await tx.schema.createTable('half').addColumn('id', 'text').execute()
      throw new Error('cannot')
    },
  }
  await assert.rejects(migrateRecords(records, [createThing, failing]), /cannot/)
  assert.deepEqual(await records.introspection.getTables(), [])
  assert.deepEqual(await migrateRecords(records, [createThing]), ['900_thing'])
})

onEach('records migrated by a newer version are refused by name and not touched', async (t, home) => {
  const { records } = await openMigrated(t, home)
  await sql`insert into record_migrations (name) values ('999_of_the_future')`.execute(records)
  await assert.rejects(migrateRecords(records), /newer version of Footfall \(999_of_the_future\)/)
  await assert.rejects(dueRecordMigrations(records), /newer version/)
})

onEach(
  'the migration lock lets one node work at a time, and the next one when the work has failed',
  async (t, home) => {
    const options = await home.fresh(t)
    const nodes = await Promise.all([1, 2, 3].map(() => openNode(t, options)))
    let inside = 0
    let most = 0
    const work = async () => {
      most = Math.max(most, ++inside)
      await new Promise((resolve) => setTimeout(resolve, 20))
      inside--
      throw new Error('work failed')
    }
    const ends = await Promise.allSettled(nodes.map((records) => withMigrationLock(records, work)))
    assert.deepEqual(
      ends.map((end) => (end.status === 'rejected' ? String(end.reason) : 'fine')),
      Array(3).fill('Error: work failed'),
    )
    assert.equal(most, 1)
  },
)

onEach('a node that is killed while it migrates does not keep the others out', async (t, home) => {
  const options = await home.fresh(t)
  const records = await openNode(t, options)
  const holder = startNode(
    t,
    options,
    `await withMigrationLock(records, () => { console.log('held'); return new Promise((resolve) => setTimeout(resolve, 600_000)) })`,
  )
  await until(() => holder.said().includes('held'))
  let got = false
  const waiting = withMigrationLock(records, async () => void (got = true))
  await new Promise((resolve) => setTimeout(resolve, 150))
  assert.equal(got, false, 'two nodes were inside at once')
  holder.child.kill('SIGKILL')
  await waiting
  assert.equal(got, true)
})

// ---------------------------------------------------------------- reading and writing

onEach('of many racing inserts of one key exactly one wins, and the others know why', async (t, home) => {
  const { records, options } = await openMigrated(t, home)
  const nodes = [records, await openNode(t, options)]
  const inserts = Array.from({ length: 20 }, (_, i) =>
    nodes[i % 2]!.insertInto('salts')
      .values({ day: 7, salt: String(i) })
      .execute(),
  )
  const ends = await Promise.allSettled(inserts)
  const lost = ends.filter((end) => end.status === 'rejected')
  assert.equal(lost.length, 19)
  for (const end of lost) assert.ok(isUniqueViolation(end.reason), String(end.reason))
  assert.equal((await records.selectFrom('salts').selectAll().execute()).length, 1)
})

onEach('a unique violation is told from a missing owner', async (t, home) => {
  const { records } = await openMigrated(t, home)
  const orphan = records
    .insertInto('tokens')
    .values({ ...samples.tokens, property_id: 'pr_none' })
    .execute()
  await assert.rejects(orphan, (error) => isForeignKeyViolation(error) && !isUniqueViolation(error))
  await insertSamples(records)
  const twin = records
    .insertInto('tokens')
    .values({ ...samples.tokens, id: 'tk_2' })
    .execute()
  await assert.rejects(twin, (error) => isUniqueViolation(error) && !isForeignKeyViolation(error))
  assert.ok(!isUniqueViolation(new Error('anything else')) && !isUniqueViolation(undefined))
})

onEach('the tokens of a property go with it', async (t, home) => {
  const { records } = await openMigrated(t, home)
  await insertSamples(records)
  await records.deleteFrom('properties').where('id', '=', 'pr_1').execute()
  assert.deepEqual(await records.selectFrom('tokens').selectAll().execute(), [])
})

onEach('a transaction that fails leaves nothing, and nobody sees into one that is open', async (t, home) => {
  const { records } = await openMigrated(t, home)
  let seen: Promise<unknown[]> | undefined
  const work = records.transaction().execute(async (tx) => {
    await tx.insertInto('salts').values(samples.salts).execute()
    seen = records.selectFrom('salts').selectAll().execute()
    await new Promise((resolve) => setTimeout(resolve, 20))
    throw new Error('changed my mind')
  })
  await assert.rejects(work, /changed my mind/)
  assert.deepEqual(await seen, [])
  assert.deepEqual(await records.selectFrom('salts').selectAll().execute(), [])
})

onEach('transactions that read and then write do not lose each other’s work', async (t, home) => {
  const { records, options } = await openMigrated(t, home)
  const nodes = [records, await openNode(t, options)]
  await records.insertInto('salts').values({ day: 1, salt: '0' }).execute()
  const increment = (node: Records) =>
    node.transaction().execute(async (tx) => {
      const rows = tx.selectFrom('salts').select('salt').where('day', '=', 1)
      const { salt } = await (home.kind === 'postgres' ? rows.forUpdate() : rows).executeTakeFirstOrThrow()
      await tx
        .updateTable('salts')
        .set({ salt: String(Number(salt) + 1) })
        .where('day', '=', 1)
        .execute()
    })
  await Promise.all(Array.from({ length: 10 }, (_, i) => increment(nodes[i % 2]!)))
  const row = await records.selectFrom('salts').select('salt').executeTakeFirstOrThrow()
  assert.equal(row.salt, '10')
})

onEach('counts and sums are numbers', async (t, home) => {
  const { records } = await openMigrated(t, home)
  await insertSamples(records)
  const row = await records
    .selectFrom('properties')
    .select((of) => [of.fn.countAll<number>().as('count'), of.fn.sum<number>('created_ts').as('sum')])
    .executeTakeFirstOrThrow()
  assert.deepEqual(row, { count: 1, sum: 4_102_444_800 })
})

test('sqlite: whole numbers arrive whole, as the full-text index wants its row numbers, and fractions as fractions', async (t) => {
  const [sqlite] = homes
  const { records } = await openMigrated(t, sqlite!)
  const values = [7, -4_102_444_800_000, true, 0.5, 2 ** 60]
  const kinds = await Promise.all(
    values.map(
      async (value) => (await sql<{ kind: string }>`select typeof(${value}) as kind`.execute(records)).rows[0],
    ),
  )
  assert.deepEqual(
    kinds.map((row) => row?.kind),
    ['integer', 'integer', 'integer', 'real', 'real'],
  )
})

onEach('changed and deleted rows are counted, returned rows come back', async (t, home) => {
  const { records } = await openMigrated(t, home)
  await insertSamples(records)
  const update = records.updateTable('salts').set({ salt: 'cd' }).where('day', '=', 20_000)
  assert.deepEqual(await update.returningAll().execute(), [{ day: 20_000, salt: 'cd' }])
  assert.equal((await update.executeTakeFirst()).numUpdatedRows, 1n)
  assert.equal((await records.deleteFrom('salts').executeTakeFirst()).numDeletedRows, 1n)
  assert.equal((await records.deleteFrom('salts').executeTakeFirst()).numDeletedRows, 0n)
})

onEach('a committed write survives kill -9 of its process', async (t, home) => {
  const { records, options } = await openMigrated(t, home)
  const writer = startNode(
    t,
    options,
    `for (let day = 0; ; day++) {
      await records.insertInto('salts').values({ day, salt: 's' }).execute()
      console.log(day)
    }`,
  )
  await until(() => writer.said().split('\n').length > 30)
  writer.child.kill('SIGKILL')
  await writer.ended
  const acknowledged = writer.said().split('\n').slice(0, -1).map(Number)
  const rows = await records.selectFrom('salts').select('day').execute()
  const stored = new Set(rows.map((row) => row.day))
  assert.deepEqual(
    acknowledged.filter((day) => !stored.has(day)),
    [],
  )
})

// ---------------------------------------------------------------- what only one of them has

test('sqlite: the file is its owner’s alone, syncs every commit and overwrites what is deleted', async (t) => {
  const { records, options } = await openMigrated(t, homes[0]!)
  const pragma = async (name: string) =>
    Object.values((await sql.raw<object>(`pragma ${name}`).execute(records)).rows[0]!)[0]
  assert.equal(await pragma('journal_mode'), 'wal')
  assert.equal(await pragma('synchronous'), 2)
  assert.equal(await pragma('foreign_keys'), 1)
  assert.equal(await pragma('secure_delete'), 1)
  for (const file of readdirSync(options.dataDir).filter((name) => name.startsWith('records.sqlite')))
    assert.equal(statSync(join(options.dataDir, file)).mode & 0o077, 0, file)
})

/** The files of the records in which a text can be read. */
const tracesIn = (dataDir: string, text: string) =>
  readdirSync(dataDir).filter((file) => readFileSync(join(dataDir, file)).includes(text))

test('sqlite: a deleted salt cannot be found in any file after the scrub', async (t) => {
  const { records, options } = await openMigrated(t, homes[0]!)
  const salt = '5a17'.repeat(8)
  const traces = () => tracesIn(options.dataDir, salt)
  await records.insertInto('salts').values({ day: 1, salt }).execute()
  assert.notDeepEqual(traces(), [])
  await records.deleteFrom('salts').execute()
  await scrubDeleted(records)
  assert.deepEqual(traces(), [])
})

test('sqlite: what another process keeps from being scrubbed is scrubbed when it lets go', async (t) => {
  const { records, options } = await openMigrated(t, homes[0]!)
  const salt = '5a17'.repeat(8)
  await records.insertInto('salts').values({ day: 1, salt }).execute()
  const other = new DatabaseSync(join(options.dataDir, 'records.sqlite'))
  t.after(() => other.close())
  other.exec('begin')
  other.prepare('select count(*) from salts').get()
  await records.deleteFrom('salts').execute()
  await scrubDeleted(records)
  assert.notDeepEqual(tracesIn(options.dataDir, salt), [], 'the other one still reads it')
  other.exec('rollback')
  await until(() => tracesIn(options.dataDir, salt).length === 0)
})

test('sqlite: what a killed process left unscrubbed is scrubbed when the records are opened again', async (t) => {
  const { records, options } = await openMigrated(t, homes[0]!)
  const salt = '5a17'.repeat(8)
  const work = `
    await records.insertInto('salts').values({ day: 1, salt: '${salt}' }).execute()
    await records.deleteFrom('salts').execute()
    process.kill(process.pid, 'SIGKILL')`
  await startNode(t, options, work).ended
  assert.notDeepEqual(tracesIn(options.dataDir, salt), [], 'it is there to be scrubbed')
  await openNode(t, options)
  assert.deepEqual(tracesIn(options.dataDir, salt), [])
  assert.deepEqual(await records.selectFrom('salts').selectAll().execute(), [])
})

test('sqlite: writes that another process keeps waiting give up together, not one after the other', async (t) => {
  const { records, options } = await openMigrated(t, homes[0]!)
  const other = new DatabaseSync(join(options.dataDir, 'records.sqlite'))
  t.after(() => other.close())
  other.exec('begin immediate')
  const salt = (day: number) => records.insertInto('salts').values({ day, salt: 's' })
  const ended: number[] = []
  const writes = [0, 1, 2, 3, 4, 5].map(async (day) => {
    const write =
      day % 2 === 0 ? salt(day).execute() : records.transaction().execute((tx) => tx.deleteFrom('salts').execute())
    await assert.rejects(write, (error) => error instanceof Problem && error.kind === 'unavailable')
    ended.push(day)
  })
  await writes[0]
  // The others have waited as long by now: each is tried once more. Seconds of its own for each would be half
  // a minute.
  await until(() => ended.length === writes.length)
  await Promise.all(writes)
})

test('sqlite: a select written by hand is a read like any other', async (t) => {
  const { records, options } = await openMigrated(t, homes[0]!)
  const other = new DatabaseSync(join(options.dataDir, 'records.sqlite'))
  t.after(() => other.close())
  other.exec('begin immediate')
  let isWritten = false
  const write = records.insertInto('salts').values({ day: 1, salt: 's' }).execute()
  const written = write.then(() => (isWritten = true))
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from salts`.execute(records)
  assert.deepEqual([rows[0]?.count, isWritten], [0, false])
  other.exec('rollback')
  await written
})

test('sqlite: while another process holds the write lock a write waits, and the process goes on', async (t) => {
  const { records, options } = await openMigrated(t, homes[0]!)
  const other = new DatabaseSync(join(options.dataDir, 'records.sqlite'))
  t.after(() => other.close())
  other.exec('begin immediate')
  let isWritten = false
  const write = records
    .insertInto('salts')
    .values({ day: 1, salt: 's' })
    .execute()
    .then(() => (isWritten = true))
  await new Promise((resolve) => setTimeout(resolve, 100))
  assert.equal(isWritten, false)
  other.exec('rollback')
  await write
})

test('sqlite: reads answer while writes wait for another process, and the writes then come in order', async (t) => {
  const [sqlite] = homes
  const { records, options } = await openMigrated(t, sqlite!)
  const other = new DatabaseSync(join(options.dataDir, 'records.sqlite'))
  t.after(() => other.close())
  other.exec('begin immediate')
  const done: string[] = []
  const note = (what: string) => () => void done.push(what)
  const work = records.transaction().execute((tx) => tx.insertInto('salts').values({ day: 1, salt: 'a' }).execute())
  const writes = [
    work.then(note('transaction')),
    records.updateTable('salts').set({ salt: 'b' }).execute().then(note('statement')),
  ]
  assert.deepEqual(await records.selectFrom('salts').selectAll().execute(), [])
  assert.deepEqual(done, [])
  other.exec('rollback')
  await Promise.all(writes)
  assert.deepEqual(done, ['transaction', 'statement'])
  assert.deepEqual(await records.selectFrom('salts').selectAll().execute(), [{ day: 1, salt: 'b' }])
})

test('sqlite: a transaction that could not begin lets the next one through', async (t) => {
  const [sqlite] = homes
  const { records } = await openMigrated(t, sqlite!)
  const failing = records.transaction().execute(async (tx) => {
    await sql`commit`.execute(tx)
  })
  await assert.rejects(failing)
  await records.insertInto('salts').values({ day: 1, salt: 'a' }).execute()
  await records.transaction().execute((tx) => tx.deleteFrom('salts').execute())
  assert.deepEqual(await records.selectFrom('salts').selectAll().execute(), [])
})

test('sqlite: a full disk is "unavailable", and nothing of the write is there', async (t) => {
  const { records } = await openMigrated(t, homes[0]!)
  await sql`pragma max_page_count = 1`.execute(records)
  const values = Array.from({ length: 300 }, (_, day) => ({ day, salt: 'x'.repeat(100) }))
  const full = (error: unknown) => error instanceof Problem && error.kind === 'unavailable' && error.status === 503
  await assert.rejects(records.insertInto('salts').values(values).execute(), full)
  await sql`pragma max_page_count = 100000`.execute(records)
  assert.deepEqual(await records.selectFrom('salts').selectAll().execute(), [])
})

test('sqlite: a disk that fills up in the middle of a transaction is "unavailable", however it goes on', async (t) => {
  const { records } = await openMigrated(t, homes[0]!)
  const salt = (day: number) => ({ day, salt: 'x'.repeat(5_000) })
  const fillUp = async (write: (day: number) => Promise<unknown>): Promise<void> => {
    for (let day = 1; day < 1_000; day++) await write(day)
  }
  await sql`pragma max_page_count = 1`.execute(records)
  const isUnavailable = (error: unknown): boolean => error instanceof Problem && error.kind === 'unavailable'
  const failing = records
    .transaction()
    .execute((tx) => fillUp((day) => tx.insertInto('salts').values(salt(day)).execute()))
  await assert.rejects(failing, isUnavailable)
  // Who takes no notice of it writes nothing more, and is told so.
  const careless = records.transaction().execute(async (tx) => {
    await fillUp((day) => tx.insertInto('salts').values(salt(day)).execute()).catch(() => undefined)
    await tx.deleteFrom('salts').execute()
  })
  await assert.rejects(careless, isUnavailable)
  const ignorant = records.transaction().execute(async (tx) => {
    await fillUp((day) => tx.insertInto('salts').values(salt(day)).execute()).catch(() => undefined)
  })
  await assert.rejects(ignorant, isUnavailable)
  await sql`pragma max_page_count = 100000`.execute(records)
  assert.deepEqual(await records.selectFrom('salts').select('day').execute(), [])
  await records.transaction().execute((tx) => tx.insertInto('salts').values(salt(1)).execute())
})

test('sqlite: what a transaction failed by is thrown, also when nothing is left to be rolled back', async (t) => {
  const { records } = await openMigrated(t, homes[0]!)
  const failing = records.transaction().execute(async (tx) => {
    await sql`rollback`.execute(tx)
    throw new Error('the cause')
  })
  await assert.rejects(failing, { message: 'the cause' })
})

test('sqlite: a folder that cannot be used is named', async () => {
  await assert.rejects(
    openRecords({ databaseUrl: null, dataDir: '/dev/null/nowhere' }),
    /records file \/dev\/null\/nowhere\/records\.sqlite/,
  )
})

test('sqlite: a file that is no database is refused and left as it is', async (t) => {
  const dataDir = newDataDir(t)
  writeFileSync(join(dataDir, 'records.sqlite'), 'not a database, but long enough to be taken for one '.repeat(40))
  await assert.rejects(openRecords({ databaseUrl: null, dataDir }), /cannot be opened/)
  assert.match(readFileSync(join(dataDir, 'records.sqlite'), 'utf8'), /^not a database/)
})

test('postgres: an address that cannot be reached is refused without a word of its password', async () => {
  for (const databaseUrl of [
    'postgres://me:s3cret@127.0.0.1:1/db',
    'postgres://me:s3cret@[::1',
    'postgres://me:s3cret%zz@localhost/db',
  ]) {
    await assert.rejects(openRecords({ databaseUrl, dataDir: '/nonexistent' }), (error: Error) => {
      assert.match(error.message, /the database of DATABASE_URL cannot be opened/)
      assert.ok(!`${error.message}${error.stack}${JSON.stringify(error)}${String(error.cause)}`.includes('s3cret'))
      return true
    })
  }
})

if (postgres) {
  test('postgres: while the server is away every question is "unavailable"; when it is back, answers are', async (t) => {
    const { records } = await openMigrated(t, homes[1]!)
    await postgres.stop()
    const unavailable = (error: unknown) =>
      error instanceof Problem && error.kind === 'unavailable' && error.retryAfterSeconds === 5
    for (let i = 0; i < 3; i++) await assert.rejects(records.selectFrom('salts').selectAll().execute(), unavailable)
    await assert.rejects(
      records.transaction().execute(async () => 1),
      unavailable,
    )
    await postgres.start()
    assert.deepEqual(await records.selectFrom('salts').selectAll().execute(), [])
  })
}
