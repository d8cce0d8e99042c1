// The orders in which contacts can be listed, each with an index: a million of them are too many to be put in
// order for one page.
import { type RawBuilder, sql } from 'kysely'
import type { RecordMigration } from '../records.ts'
import type { Tx } from '../../records.ts'

type Kind = Parameters<RecordMigration['up']>[1]

/**
 * What somebody is called by, in lower case as far as ASCII goes, and after all others who has no name: by
 * bytes, so that both databases agree.
 */
function shownName(kind: Kind): RawBuilder<unknown> {
  const nobody = sql.lit('\u{10ffff}')
  const name = sql`coalesce(first_name || ' ' || last_name, first_name, last_name, email, external_id, ${nobody})`
  const byBytes = kind === 'sqlite' ? name : sql`${name} collate "C"`
  return sql`(case when state = 'deleted' then ${nobody} else lower(${byBytes}) end)`
}

export const contactOrders: RecordMigration = {
  name: '014_contact_orders',
  up: async (tx: Tx, kind) => {
    await sql`create index contacts_by_last_seen on contacts (property_id, last_seen_ms, seq)`.execute(tx)
    await sql`create index contacts_by_first_seen on contacts (property_id, first_seen_ts, seq)`.execute(tx)
    await sql`create index contacts_by_sessions on contacts (property_id, session_count, seq)`.execute(tx)
    await sql`create index contacts_by_name on contacts (property_id, ${shownName(kind)}, seq)`.execute(tx)
  },
}
