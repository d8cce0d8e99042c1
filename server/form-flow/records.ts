// The statements about form sessions. A token is looked up by its hash, and of two calls that use it at once
// one succeeds.
import type { SessionRef } from '../kernel/ids.ts'
import type { FormSessionTable } from '../stores/tables/form-tables.ts'
import { type Records, type Tx, writeAll, writeWhile } from '../stores/records.ts'
import { builtOnce } from '../stores/built-once.ts'
import type { LanguageSetting } from '../visitor-texts/visitor-texts.ts'
import type { Frozen, FrozenField, Validation } from '../forms/form-model.ts'

type Packed = 'fields' | 'validation' | 'frozen_bytes' | 'session_day' | 'session'

export interface FormSession extends Readonly<Omit<FormSessionTable, Packed>> {
  readonly frozen: Frozen
  /** The visitor's session; undefined when none is known. */
  readonly session: SessionRef | undefined
}

/** The current state of its form that a form session needs: everything else was frozen. */
export interface FormOfSession {
  readonly name: string
  readonly success_html: string
  readonly redirect_url: string | null
  readonly domains: readonly string[]
  readonly language: LanguageSetting
  readonly creates_contacts: boolean
  readonly is_ip_kept: boolean
}

export interface FoundFormSession extends FormSession {
  readonly form: FormOfSession
}

/** @throws a foreign key violation when the form is gone. */
export async function insertFormSession(records: Records, { frozen, session, ...row }: FormSession): Promise<void> {
  const fields = JSON.stringify(frozen.fields)
  const validation = JSON.stringify(frozen.validation)
  const insert = records.insertInto('form_sessions').values({
    ...row,
    fields,
    validation,
    frozen_bytes: Buffer.byteLength(fields + validation + (row.success_html ?? '')),
    session_day: session?.day ?? null,
    session: session?.hash.toString() ?? null,
  })
  await writeAll(records, [insert])
}

const byToken = builtOnce((records, { tokenHash }: { readonly tokenHash: string }) =>
  records
    .selectFrom('form_sessions')
    .innerJoin('forms', 'forms.id', 'form_sessions.form_id')
    .selectAll('form_sessions')
    .select(['forms.name as form_name', 'forms.success_html as form_html', 'forms.is_ip_kept'])
    .select(['forms.redirect_url', 'forms.domains', 'forms.language', 'forms.creates_contacts'])
    .where('form_sessions.token_hash', '=', tokenHash),
)

/** Also an expired one: the caller checks the times. */
export async function findFormSession(records: Records, tokenHash: string): Promise<FoundFormSession | undefined> {
  const { rows } = await records.executeQuery(byToken(records, { tokenHash }))
  const found = rows[0]
  if (!found) return undefined
  const { fields, validation, frozen_bytes: _bytes, session_day, session, ...rest } = found
  const { form_name, form_html, is_ip_kept, redirect_url, domains, language, creates_contacts, ...row } = rest
  return {
    ...row,
    frozen: { fields: JSON.parse(fields) as FrozenField[], validation: JSON.parse(validation) as Validation },
    session: session_day === null || session === null ? undefined : { day: session_day, hash: BigInt(session) },
    form: {
      name: form_name,
      success_html: form_html,
      redirect_url,
      domains: JSON.parse(domains) as string[],
      language,
      creates_contacts: creates_contacts === 1,
      is_ip_kept: is_ip_kept === 1,
    },
  }
}

/** False when it had begun before: of two concurrent first calls one gets true. */
export async function startFormSession(records: Records, tokenHash: string): Promise<boolean> {
  const start = records
    .updateTable('form_sessions')
    .set({ is_started: 1 })
    .where('token_hash', '=', tokenHash)
    .where('is_started', '=', 0)
  return writeWhile(records, [start])
}

export async function countTrap(records: Records, tokenHash: string): Promise<void> {
  await records
    .updateTable('form_sessions')
    .set((of) => ({ traps: of('traps', '+', 1) }))
    .where('token_hash', '=', tokenHash)
    .execute()
}

/** Cleared from an expired form session: it can be as long as the longest body. */
const letGo = { fields: '[]', validation: '{}', success_html: null, frozen_bytes: 0 } as const

interface Consuming {
  readonly tokenHash: string
  readonly nowMs: number
}

/**
 * Uses the token up, unless it was used already or is gone: what was sent had been begun. Also clears what
 * was frozen: the caller read it before.
 */
export const consuming = builtOnce((records, { tokenHash, nowMs }: Consuming) =>
  records
    .updateTable('form_sessions')
    .set({ ...letGo, is_started: 1, consumed_ms: nowMs })
    .where('token_hash', '=', tokenHash)
    .where('consumed_ms', 'is', null),
)

/** False when the token was used already, or is gone. */
export async function consumeFormSession(tx: Tx, tokenHash: string, nowMs: number): Promise<boolean> {
  const { numAffectedRows = 0n } = await tx.executeQuery(consuming(tx, { tokenHash, nowMs }))
  return numAffectedRows > 0n
}

export interface HeldSessions {
  readonly count: number
  /** The size of what they have frozen. */
  readonly bytes: number
}

/**
 * The form sessions of a form that an address has opened, not used, and can still use. Read from an index
 * that holds only those.
 */
export async function weighHeldSessions(
  records: Records,
  { form_id, address_mac, opened_ms }: Pick<FormSession, 'form_id' | 'address_mac' | 'opened_ms'>,
): Promise<HeldSessions> {
  return records
    .selectFrom('form_sessions')
    .select((of) => [
      of.fn.countAll<number>().as('count'),
      of.fn.coalesce(of.fn.sum<number>('frozen_bytes'), of.lit(0)).as('bytes'),
    ])
    .where('form_id', '=', form_id)
    .where('address_mac', '=', address_mac)
    .where('expires_ms', '>=', opened_ms)
    .where('frozen_bytes', '>', (of) => of.lit(0))
    .executeTakeFirstOrThrow()
}

/** Form sessions whose time ended before then. @returns how many were deleted, `limit` at most. */
export async function letSomeSessionsGo(records: Records, beforeMs: number, limit: number): Promise<number> {
  const { numUpdatedRows } = await records
    .updateTable('form_sessions')
    .set(letGo)
    .where('token_hash', 'in', (of) =>
      of
        .selectFrom('form_sessions')
        .select('token_hash')
        .where('expires_ms', '<', beforeMs)
        .where('frozen_bytes', '>', of.lit(0))
        .orderBy('expires_ms')
        .limit(limit),
    )
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}
