// What people are told by an update before it takes anything away.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { start, tell } from '../test/support/cli.ts'
import { newDataDir } from '../test/support/records.ts'
import { listRecordMigrations, migrateRecords } from '../server/stores/migrations/records.ts'
import { openRecords } from '../server/stores/records.ts'

/** Records of a version that stored each address, with one. */
async function makeOldRecords(dataDir: string): Promise<void> {
  const records = await openRecords({ databaseUrl: null, dataDir })
  const before = (await listRecordMigrations()).filter(({ name }) => name < '015')
  await migrateRecords(records, before)
  await sql`insert into properties (id, key, name, domains, plan, created_ts) values ('pr', 'ff', 'n', '[]', 'paid', 0)`.execute(
    records,
  )
  await sql`insert into forms (id, property_id, key, name, kind, domains, fields, validation, presentation, success_html, is_published, is_archived, branding, created_ts, updated_ts)
    values ('fm', 'pr', 'fk', 'n', 'open', '[]', '[]', '{}', '{}', '', 1, 0, 1, 0, 0)`.execute(records)
  await sql`insert into submissions (id, property_id, form_id, fact_id, verdict, reasons, fields, ip, country, country_code, region, city, browser, os, device, language, bot_name, bot_reason, source, lib, score, is_bot, is_noted, submitted_ms)
    values ('sb', 'pr', 'fm', '1', 'clean', '[]', '[]', '203.0.113.7', '', '', '', '', '', '', '', '', '', '', '', '', 0, 0, 1, 0)`.execute(
    records,
  )
  await records.destroy()
}

async function ipsOf(dataDir: string): Promise<string[]> {
  const records = await openRecords({ databaseUrl: null, dataDir })
  const rows = await records.selectFrom('submissions').select('ip').execute()
  await records.destroy()
  return rows.map(({ ip }) => ip)
}

test('migrate and every start say which IP addresses will be deleted, when, and how to keep them; until then they stay', async (t) => {
  const dataDir = newDataDir(t)
  await makeOldRecords(dataDir)
  const words = /One form has IP addresses of senders.*removed from \d{4}-\d\d-\d\d on.*"is_ip_kept": true/
  const { code, out } = await tell(['migrate'], { DATA_DIR: dataDir })
  assert.equal(code, 0)
  assert.match(out, words)
  assert.deepEqual(await ipsOf(dataDir), ['203.0.113.7'])

  const { child, said, ended } = start(['serve'], { DATA_DIR: dataDir, PORT: '0' })
  t.after(() => child.kill('SIGKILL'))
  const told = Promise.withResolvers<void>()
  // To whoever looks on, and in the log, in whatever order the two arrive.
  const isLogged = (line: string) =>
    line.startsWith('{') && line.includes('"level":"warn"') && line.includes('"forms":1')
  child.stdout.on('data', () => {
    const lines = said.out.split('\n')
    if (lines.some(isLogged) && lines.some((line) => !line.startsWith('{') && words.test(line))) told.resolve()
  })
  await Promise.race([told.promise, ended.then(() => assert.fail(`${said.out}${said.err}`))])
  child.kill('SIGTERM')
  await ended
  assert.deepEqual(await ipsOf(dataDir), ['203.0.113.7'])
})
