// Which sessions of a contact are marked as invalid, so that its counts leave them out; and how far a marking
// is with telling so.
import { sql } from 'kysely'
import type { RecordMigration } from '../records.ts'

export const markedContacts: RecordMigration = {
  name: '031_marked_contacts',
  up: async (tx) => {
    await tx.schema
      .alterTable('contact_sessions')
      .addColumn('mark', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute()
    await tx.schema.alterTable('session_marks').addColumn('contact_cursor', 'text').execute()
    await tx.schema
      .alterTable('session_marks')
      .addColumn('is_listed', 'integer', (column) => column.notNull().defaultTo(1))
      .execute()
    // Contacts learn of what was marked before: one pass over the links of each property that has any.
    await sql`insert into session_marks (id, property_id, network, host, from_ms, to_ms, state, sessions, done, cursor_day,
      claimed_until_ms, created_ms, finished_ms, contact_cursor, is_listed)
      select 'contacts_' || id, id, '', '', 0, 4102444800000, 'marking', 0, 0, '1970-01-01', 0, 0, null, '1970-01-01', 0
      from properties where exists (select 1 from contact_sessions where property_id = properties.id)`.execute(tx)
  },
}
