// What records of an older version hold of submissions when they are brought up to date; on both databases.
import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { openHomes, openNode, testOnEach } from '../../test/support/records.ts'
import { plansOf } from '../../test/support/plans.ts'
import { listRecordMigrations, migrateRecords } from '../stores/migrations/records.ts'
import type { Records } from '../stores/records.ts'
import { findIpNotice, listRowsWithIp } from '../submissions/ip-records.ts'
import { noticeWords } from '../submissions/ip-retention.ts'
import { listSubmissionRows } from '../submissions/list-records.ts'
import { fillSearch } from '../submissions/search-filling.ts'
import { listUnsearchedRows } from '../submissions/search-records.ts'

const { homes } = await openHomes()

const before = (await listRecordMigrations()).filter(({ name }) => name < '015')

async function addProperty(records: Records, id: string, isSample: number): Promise<void> {
  await sql`insert into properties (id, key, name, domains, plan, created_ts, is_sample)
    values (${id}, ${id}, 'n', '[]', 'paid', 0, ${isSample})`.execute(records)
}

async function addForm(records: Records, id: string, propertyId: string): Promise<void> {
  await sql`insert into forms (id, property_id, key, name, kind, domains, fields, validation, presentation, success_html, is_published, is_archived, branding, created_ts, updated_ts)
    values (${id}, ${propertyId}, ${id}, 'n', 'open', '[]', '[]', '{}', '{}', '', 1, 0, 1, 0, 0)`.execute(records)
}

async function addSubmission(
  records: Records,
  id: string,
  formId: string,
  ip: string,
  value = 'MÜLLER',
): Promise<void> {
  const fields = JSON.stringify([{ type: 'textarea', name: 'who', label: 'Your name', value }])
  await sql`insert into submissions (id, property_id, form_id, fact_id, verdict, reasons, fields, ip, country, country_code, region, city, browser, os, device, language, bot_name, bot_reason, source, lib, score, is_bot, is_noted, submitted_ms)
    values (${id}, (select property_id from forms where id = ${formId}), ${formId}, '1', 'clean', '[]', ${fields}, ${ip}, '', '', '', '', '', '', '', '', '', '', '', '', 0, 0, 1, 0)`.execute(
    records,
  )
}

testOnEach(
  homes,
  'owners have 30 days to keep addresses that were stored before; no submission is touched',
  async (t, home) => {
    const records = await openNode(t, await home.fresh(t))
    await migrateRecords(records, before)
    await addProperty(records, 'pr', 0)
    await addProperty(records, 'pr_sample', 1)
    for (const id of ['fm_with', 'fm_without', 'fm_empty']) await addForm(records, id, 'pr')
    await addForm(records, 'fm_sample', 'pr_sample')
    await addSubmission(records, 'sb_1', 'fm_with', '203.0.113.7')
    await addSubmission(records, 'sb_2', 'fm_without', '')
    await addSubmission(records, 'sb_3', 'fm_sample', '203.0.113.8')
    const startTs = Math.floor(Date.now() / 1000)
    const run = await migrateRecords(records)
    assert.deepEqual(
      run.filter((name) => name < '017'),
      ['015_submission_ips', '016_submission_search'],
    )
    const forms = await records
      .selectFrom('forms')
      .select(['id', 'is_ip_kept', 'ip_retention_days', 'stored_ips_until_ts'])
      .orderBy('seq')
      .execute()
    assert.deepEqual(
      forms.map(({ id, is_ip_kept, ip_retention_days, stored_ips_until_ts }) => [
        id,
        is_ip_kept,
        ip_retention_days,
        stored_ips_until_ts !== null,
      ]),
      [
        ['fm_with', 0, 30, true],
        ['fm_without', 0, 30, false],
        ['fm_empty', 0, 30, false],
        ['fm_sample', 0, 30, false],
      ],
    )
    const notice = await findIpNotice(records)
    assert.equal(notice?.forms, 1)
    const days = (notice.until_ts - startTs) / 86_400
    assert.ok(days >= 29.9 && days <= 30.1, String(days))
    assert.match(noticeWords(notice), /One form has IP addresses.*is_ip_kept/)
    assert.equal((await listRowsWithIp(records, 'fm_with', 1, 10))[0]?.ip, '203.0.113.7')
  },
)

testOnEach(
  homes,
  'submissions from before can be searched at once, and rightly as soon as each has its text',
  async (t, home) => {
    const records = await openNode(t, await home.fresh(t))
    await migrateRecords(records, before)
    await addProperty(records, 'pr', 0)
    await addForm(records, 'fm', 'pr')
    for (let n = 0; n < 120; n++)
      await addSubmission(records, `sb_${n}`, 'fm', '', n === 7 ? 'MÜLLER Émile' : `Ada ${n}`)
    await migrateRecords(records)
    const found = async (search: string) => {
      const scope = { propertyId: 'pr', formId: 'fm' }
      return (await listSubmissionRows(records, scope, { show: 'all', search }, { page: 1, perPage: 1 })).total
    }
    assert.deepEqual([await found('ada'), await found('ada 119')], [119, 1])
    assert.equal(await fillSearch({ records }), 120)
    assert.deepEqual([await found('müller émile'), await found('MÜLLER'), await found('your NAME')], [1, 1, 120])
    for (const word of ['textarea', 'label', 'value', 'type']) assert.equal(await found(word), 0, word)
    assert.equal(await fillSearch({ records }), 0)
  },
)

for (const home of homes.filter(({ kind }) => kind === 'sqlite'))
  testOnEach([home], 'what is still to be done is found without reading the table through', async (t) => {
    const records = await openNode(t, await home.migrated(t))
    const plans = await plansOf(records, async (tx) => {
      await listUnsearchedRows(tx, 10)
      await listRowsWithIp(tx, 'fm', 1, 10)
    })
    assert.match(plans.join('\n'), /submissions_unsearched/)
    assert.match(plans.join('\n'), /submissions_with_ip/)
  })
