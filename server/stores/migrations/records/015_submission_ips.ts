// Whether a form stores the IP addresses of those who send it, and for how long; the network that an address
// belongs to; and, of forms that have addresses from before anybody was asked, until when these stay
// (docs/decisions/0024-ip-addresses.md). No submission is rewritten here: submissions/ip-retention.ts does
// that later, a few at a time.
import { type RawBuilder, sql } from 'kysely'
import type { RecordMigration } from '../records.ts'
import type { Tx } from '../../records.ts'

type Kind = Parameters<RecordMigration['up']>[1]

/** For owners to be told, and to decide otherwise. */
const NOTICE_SECONDS = 30 * 86_400

const nowTs = (kind: Kind): RawBuilder<number> =>
  kind === 'sqlite' ? sql`unixepoch()` : sql`cast(extract(epoch from now()) as bigint)`

async function addColumns(tx: Tx): Promise<void> {
  await tx.schema
    .alterTable('forms')
    .addColumn('is_ip_kept', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await tx.schema
    .alterTable('forms')
    .addColumn('ip_retention_days', 'integer', (column) => column.notNull().defaultTo(30))
    .execute()
  await tx.schema.alterTable('forms').addColumn('stored_ips_until_ts', 'bigint').execute()
  await tx.schema
    .alterTable('submissions')
    .addColumn('network', 'text', (column) => column.notNull().defaultTo(''))
    .execute()
}

export const submissionIps: RecordMigration = {
  name: '015_submission_ips',
  up: async (tx, kind) => {
    await addColumns(tx)
    await sql`create index submissions_with_ip on submissions (form_id, submitted_ms) where ip <> ''`.execute(tx)
    // Of sample data the addresses are made up: nobody has to be told.
    await sql`update forms set stored_ips_until_ts = ${nowTs(kind)} + ${sql.lit(NOTICE_SECONDS)}
      where exists (select 1 from submissions where form_id = forms.id and ip <> '')
      and property_id in (select id from properties where is_sample = 0)`.execute(tx)
  },
}
