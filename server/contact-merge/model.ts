// What a merge changes of the contact that is kept, and what is remembered so that it can be undone.
import { DAY_MS } from '../kernel/days.ts'
import { invalid } from '../kernel/problem.ts'
import { MAX_META_ENTRIES, type MetaEntry, textFields } from '../contacts/contact-model.ts'
import type { LabelRow } from '../contacts/label-records.ts'
import type { ContactRow } from '../contacts/records.ts'

/** How long a merge can be undone. */
export const UNDO_MS = 30 * DAY_MS

/** What a merge sets, or what stood there before. */
export type Values = Partial<ContactRow>

export interface MergeSnapshot {
  /** As it was, with its place in the list. */
  readonly other: ContactRow & { readonly seq: number }
  readonly otherLabels: readonly LabelRow[]
  /** Of the one that was kept: what the merge changed, as it stood before and after. */
  readonly before: Values
  readonly after: Values
  /** Labels that only the other one had. */
  readonly addedLabels: readonly LabelRow[]
}

/** Fields of which one has to win. */
const choosable = [...textFields, 'lifecycle_stage'] as const
const META = 'meta:'

/** @throws Problem('validation_failed') for a name that is no field of either. */
function checkTake(kept: ContactRow, other: ContactRow, take: readonly string[]): void {
  const names = new Set<string>([...choosable, ...[...kept.meta, ...other.meta].map(({ key }) => META + key)])
  const at = take.findIndex((name) => !names.has(name))
  if (at !== -1) throw invalid(`take.${at}`, `take.${at} is no field of these contacts.`)
}

function mergedMeta(kept: ContactRow, other: ContactRow, take: readonly string[]): MetaEntry[] {
  const values = new Map(kept.meta.map(({ key, value }) => [key, value]))
  for (const { key, value } of other.meta) if (!values.has(key) || take.includes(META + key)) values.set(key, value)
  if (values.size > MAX_META_ENTRIES)
    throw invalid('other', `Together they have more than ${MAX_META_ENTRIES} custom fields: delete some first.`)
  return [...values].map(([key, value]) => ({ key, value }))
}

/** Who gave an email, and whether new contacts of it are made, goes with it. */
const withEmail = ({ email, email_key, email_by, claimed_email }: ContactRow): Values => ({
  email,
  email_key,
  email_by,
  claimed_email,
})

/**
 * The values by which the two differ are those of the one that is kept, unless they are taken from the other.
 */
function merged(kept: ContactRow, other: ContactRow, take: readonly string[]): Values {
  const winner = (field: (typeof choosable)[number]) =>
    kept[field] === null || (take.includes(field) && other[field] !== null) ? other : kept
  const texts = Object.fromEntries(choosable.map((field) => [field, winner(field)[field]])) as Values
  const isUnsubscribed = [kept, other].some(({ state }) => state === 'unsubscribed')
  return {
    ...texts,
    ...withEmail(winner('email')),
    // Who does not want to be written to is not written to, whoever of the two said so.
    state: isUnsubscribed ? 'unsubscribed' : 'active',
    meta: mergedMeta(kept, other, take),
    first_seen_ts: Math.min(kept.first_seen_ts, other.first_seen_ts),
    identified_ts: Math.min(kept.identified_ts, other.identified_ts),
    last_seen_ms: Math.max(kept.last_seen_ms, other.last_seen_ms),
  }
}

type Field = keyof ContactRow

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

const onlyOf = (values: Values, fields: readonly Field[]): Values =>
  Object.fromEntries(fields.map((field) => [field, values[field]]))

/**
 * Only what changes. @param take names of fields, and `meta:<key>`, whose value is that of the other.
 * @throws Problem('validation_failed')
 */
export function mergedValues(
  kept: ContactRow,
  other: ContactRow,
  take: readonly string[],
): Pick<MergeSnapshot, 'before' | 'after'> {
  checkTake(kept, other, take)
  const values = merged(kept, other, take)
  const fields = (Object.keys(values) as Field[]).filter((field) => !isSame(values[field], kept[field]))
  return { before: onlyOf(kept, fields), after: onlyOf(values, fields) }
}

/** An email goes back with who gave it, or not at all. */
const together: ReadonlySet<Field> = new Set<Field>(['email', 'email_key', 'email_by', 'claimed_email'])

/** What the merge set and nobody has changed since is as it was; what was changed since stays. */
export function undoneValues(kept: ContactRow, { before, after }: Pick<MergeSnapshot, 'before' | 'after'>): Values {
  const isEmailKept = isSame(kept.email, 'email' in after ? after.email : kept.email)
  const fields = (Object.keys(after) as Field[]).filter((field) =>
    together.has(field) ? isEmailKept : isSame(kept[field], after[field]),
  )
  return {
    ...onlyOf(before, fields),
    ...(fields.includes('meta') || !after.meta ? {} : metaUndone(kept, before, after)),
  }
}

/** Custom fields one by one: those that somebody has changed since stay. */
function metaUndone(kept: ContactRow, before: Values, after: Values): Values {
  const [was, became] = [before, after].map(({ meta = [] }) => new Map(meta.map(({ key, value }) => [key, value])))
  const meta = kept.meta.flatMap((entry): MetaEntry[] => {
    const isUntouched = became!.has(entry.key) && became!.get(entry.key) === entry.value
    if (!isUntouched) return [entry]
    return was!.has(entry.key) ? [{ key: entry.key, value: was!.get(entry.key)! }] : []
  })
  return { meta }
}
