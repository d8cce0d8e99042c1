// The statements about what forms mail, and about submissions that are still to be told of. The tables of
// submissions and forms belong to the same family.
import { sql } from 'kysely'
import type { Answer, Form, Verdict } from '../forms/form-model.ts'
import type { Records, Tx } from '../stores/records.ts'
import { changedBy } from '../stores/steps.ts'
import { type Confirmation, noConfirmation, TOLD_AN_HOUR } from './form-mail-model.ts'

const columnsOf = ({ is_on, subject, text, reply_to }: Confirmation) => ({
  confirms: Number(is_on),
  confirm_subject: subject,
  confirm_text: text,
  confirm_reply_to: reply_to,
})

export async function findConfirmation(records: Records | Tx, formId: string): Promise<Confirmation> {
  const row = await records.selectFrom('form_mails').selectAll().where('form_id', '=', formId).executeTakeFirst()
  if (!row) return noConfirmation
  const { confirms, confirm_subject: subject, confirm_text: text, confirm_reply_to: reply_to } = row
  return { is_on: confirms === 1, subject, text, reply_to }
}

export async function updateConfirmation(tx: Tx, formId: string, confirmation: Confirmation): Promise<void> {
  await tx.updateTable('form_mails').set(columnsOf(confirmation)).where('form_id', '=', formId).execute()
}

export async function findMostAnHour(records: Records, formId: string): Promise<number> {
  const of = records.selectFrom('form_mails').select('most_an_hour').where('form_id', '=', formId)
  return (await of.executeTakeFirst())?.most_an_hour ?? TOLD_AN_HOUR
}

export async function updateMostAnHour(tx: Tx, formId: string, most: number): Promise<void> {
  await tx.updateTable('form_mails').set({ most_an_hour: most }).where('form_id', '=', formId).execute()
}

/** Counts one more in the hour. @returns how many there are with it. */
export async function countConfirmed(tx: Tx, formId: string, hour: number): Promise<number> {
  const row = await tx
    .updateTable('form_mails')
    .set({
      confirmed: sql<number>`case when confirmed_hour = ${hour} then confirmed + 1 else 1 end`,
      confirmed_hour: hour,
    })
    .where('form_id', '=', formId)
    .returning('confirmed')
    .executeTakeFirst()
  return row?.confirmed ?? 0
}

/** @throws a foreign key violation when the form is gone. */
export async function upsertFormMail(
  tx: Tx,
  { id, property_id }: Pick<Form, 'id' | 'property_id'>,
  isOn: boolean,
): Promise<void> {
  await tx
    .insertInto('form_mails')
    .values({ form_id: id, property_id, is_on: Number(isOn), told_hour: 0, told: 0 })
    .onConflict((of) => of.column('form_id').doUpdateSet({ is_on: Number(isOn) }))
    .execute()
}

/**
 * Counts one more in the hour. @returns how it is told: by itself, or with the others of the hour; undefined:
 * the form mails nothing.
 */
export async function countTold(tx: Tx, formId: string, hour: number): Promise<'alone' | 'digest' | undefined> {
  const row = await tx
    .updateTable('form_mails')
    .set({ told: sql<number>`case when told_hour = ${hour} then told + 1 else 1 end`, told_hour: hour })
    .where('form_id', '=', formId)
    .where('is_on', '=', 1)
    .returning(['told', 'most_an_hour'])
    .executeTakeFirst()
  return row && (row.told > row.most_an_hour ? 'digest' : 'alone')
}

export interface ToldSubmission {
  readonly id: string
  readonly property_id: string
  readonly form_id: string
  readonly submitted_ms: number
  readonly verdict: Verdict
  /** `en-GB`; '' when it is not known. */
  readonly language: string
  readonly answers: readonly Answer[]
}

/** Those that are to be told, oldest first. */
export async function listToTell(records: Records, limit: number): Promise<ToldSubmission[]> {
  const rows = await records
    .selectFrom('submissions')
    .select(['id', 'property_id', 'form_id', 'submitted_ms', 'verdict', 'language', 'fields'])
    .where('notice', '=', 'due')
    .orderBy('seq')
    .limit(limit)
    .execute()
  return rows.map(({ fields, ...row }) => ({ ...row, answers: JSON.parse(fields) as Answer[] }))
}

/** False when another process was first, or it is gone. */
export async function settleNotice(tx: Tx, id: string): Promise<boolean> {
  const settle = tx.updateTable('submissions').set({ notice: 'done' }).where('id', '=', id).where('notice', '=', 'due')
  return (await changedBy(settle)) > 0
}

export async function postponeNotice(tx: Tx, id: string): Promise<void> {
  await tx.updateTable('submissions').set({ notice: 'digest' }).where('id', '=', id).execute()
}

interface Waiting {
  readonly property_id: string
  readonly form_id: string
  readonly first_ms: number
}

/** Forms of which some wait that were sent before the moment. */
export const listWaiting = (records: Records, beforeMs: number): Promise<Waiting[]> =>
  records
    .selectFrom('submissions')
    .select(['property_id', 'form_id', (of) => of.fn.min<number>('submitted_ms').as('first_ms')])
    .where('notice', '=', 'digest')
    .where('submitted_ms', '<', beforeMs)
    .groupBy(['property_id', 'form_id'])
    .execute()

/** @returns how many there were; 0 when another process was first. */
export const settleWaiting = (tx: Tx, formId: string, beforeMs: number): Promise<number> =>
  changedBy(
    tx
      .updateTable('submissions')
      .set({ notice: 'done' })
      .where('notice', '=', 'digest')
      .where('form_id', '=', formId)
      .where('submitted_ms', '<', beforeMs),
  )

/** Nobody is told later of what came while no mail was sent. */
export async function dropNotices(records: Records): Promise<void> {
  await records.updateTable('submissions').set({ notice: 'none' }).where('notice', 'in', ['due', 'digest']).execute()
}
