// The statements about tries of drafts: how many people a day, by form.
import { sql } from 'kysely'
import type { Records } from '../stores/records.ts'
import type { RecordTables } from '../stores/tables.ts'

export type TriesRow = RecordTables['draft_tries']

/** Adds to the stored count; dropped when the form is deleted, or no draft any more. */
export async function addTries(records: Records, { form_id, day, people }: TriesRow): Promise<void> {
  await records
    .insertInto('draft_tries')
    .columns(['form_id', 'day', 'people'])
    .expression((of) =>
      of
        .selectFrom('forms')
        .select([
          'id',
          sql<number>`cast(${day} as integer)`.as('day'),
          sql<number>`cast(${people} as integer)`.as('people'),
        ])
        .where('id', '=', form_id)
        .where('is_published', '=', 0)
        .where('is_archived', '=', 0),
    )
    .onConflict((conflict) =>
      conflict.columns(['form_id', 'day']).doUpdateSet({ people: sql<number>`draft_tries.people + excluded.people` }),
    )
    .execute()
}

export async function deleteTriesBefore(records: Records, day: number): Promise<void> {
  await records.deleteFrom('draft_tries').where('day', '<', day).execute()
}

/** When the form is published. */
export async function deleteTriesOf(records: Records, formId: string): Promise<void> {
  await records.deleteFrom('draft_tries').where('form_id', '=', formId).execute()
}

/** By form; without those that nobody tried. */
export async function sumTries(
  records: Records,
  formIds: readonly string[],
  sinceDay: number,
): Promise<Map<string, number>> {
  if (formIds.length === 0) return new Map()
  const rows = await records
    .selectFrom('draft_tries')
    .select((of) => ['form_id', of.fn.sum<number | string>('people').as('people')])
    .where('form_id', 'in', formIds)
    .where('day', '>=', sinceDay)
    .groupBy('form_id')
    .execute()
  return new Map(rows.map(({ form_id, people }) => [form_id, Number(people)]))
}
