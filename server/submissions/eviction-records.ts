// The statements about forms that are full: which submissions go next, and what is written down of those that
// went.
import { type RawBuilder, sql } from 'kysely'
import { scanning } from '../stores/records/scans.ts'
import type { Records, Tx } from '../stores/records.ts'
import { MAX_KEPT } from '../forms/form-model.ts'

/** Deleted by kind. */
export interface Evicted {
  readonly spam: number
  readonly flagged: number
  readonly clean: number
}

/**
 * Kinds of submissions in the order in which they go. What the owner called no spam is a lead, whatever the
 * score said.
 */
export const tiers = ['dropped', 'marked', 'flagged', 'clean'] as const
export type Tier = (typeof tiers)[number]

/** What the owner is told they were. */
export const kinds: Readonly<Record<Tier, keyof Evicted>> = {
  dropped: 'spam',
  marked: 'spam',
  flagged: 'flagged',
  clean: 'clean',
}

/** Asked in this order, so that each is what the ones before are not. */
const conditions: Readonly<Record<Tier, RawBuilder<boolean>>> = {
  dropped: sql`verdict = 'dropped' and (mark is null or mark = 'spam')`,
  marked: sql`mark = 'spam'`,
  flagged: sql`verdict = 'flagged' and mark is null`,
  clean: sql`1 = 1`,
}

const nothing = { spam: 0, flagged: 0, clean: 0, last_ms: null, stored: null } as const

/** @returns false while another node removes submissions of the form. */
export async function claimForm(records: Records, formId: string, nowMs: number, untilMs: number): Promise<boolean> {
  const claimed = await records
    .insertInto('form_evictions')
    .values({ ...nothing, form_id: formId, claimed_until_ms: untilMs })
    .onConflict((conflict) =>
      conflict
        .column('form_id')
        .doUpdateSet({ claimed_until_ms: untilMs })
        .where((of) =>
          of.or([
            of('form_evictions.claimed_until_ms', 'is', null),
            of('form_evictions.claimed_until_ms', '<=', nowMs),
          ]),
        ),
    )
    .returning('form_id')
    .executeTakeFirst()
  return claimed !== undefined
}

/** By the node that has it. */
export async function releaseForm(records: Records, formId: string): Promise<void> {
  const row = records.updateTable('form_evictions').set({ claimed_until_ms: null })
  await row.where('form_id', '=', formId).execute()
}

/** By the node that has the form, which keeps it for so much longer. */
export async function noteEvicted(
  tx: Tx,
  formId: string,
  kind: keyof Evicted,
  { count, atMs, untilMs }: { count: number; atMs: number; untilMs: number },
) {
  await tx
    .updateTable('form_evictions')
    .set((of) => ({ [kind]: of(kind, '+', count), last_ms: atMs, claimed_until_ms: untilMs }))
    .where('form_id', '=', formId)
    .execute()
}

/** @param stored null: there is room. */
export async function noteStored(records: Records, formId: string, stored: number | null): Promise<void> {
  if (stored === null) {
    const rows = records.updateTable('form_evictions').set({ stored }).where('form_id', '=', formId)
    await rows.where('stored', 'is not', null).execute()
    return
  }
  await records
    .insertInto('form_evictions')
    .values({ ...nothing, form_id: formId, claimed_until_ms: null, stored })
    .onConflict((conflict) => conflict.column('form_id').doUpdateSet({ stored }))
    .execute()
}

export interface Fullness extends Evicted {
  /** Unix seconds; null: nothing was ever evicted. */
  readonly last_ts: number | null
  /** Submissions at the last look, an hour ago at most; null while there is room. */
  readonly stored: number | null
  readonly most: number
}

/** What the owner is told; null while there is nothing to tell. */
export async function findFullness(records: Records, formId: string): Promise<Fullness | null> {
  const row = await records.selectFrom('form_evictions').selectAll().where('form_id', '=', formId).executeTakeFirst()
  if (!row || (row.last_ms === null && row.stored === null)) return null
  const { form_id: _form, claimed_until_ms: _claim, last_ms, ...counts } = row
  return { ...counts, last_ts: last_ms === null ? null : Math.floor(last_ms / 1000), most: MAX_KEPT }
}

// ---------------------------------------------------------------- what goes next

export interface EvictedPlaces {
  readonly after: number
  /** The last place that goes. */
  readonly upTo: number
  readonly limit: number
}

/** The oldest behind a place. */
export const listNextEvicted = (records: Records, formId: string, tier: Tier, { after, upTo, limit }: EvictedPlaces) =>
  scanning(records)
    .selectFrom('submissions')
    .select(['seq', 'id'])
    .where('form_id', '=', formId)
    .where('seq', '>', after)
    .where('seq', '<=', upTo)
    .where(conditions[tier])
    .orderBy('seq')
    .limit(limit)
    .execute()
