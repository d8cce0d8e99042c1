// Two people at one form: what one of them has changed, put on top of what the other one saved meanwhile.
import { same } from '../../parts/form-values.ts'
import { type Definition, type FieldDraft, type FormDraft, writeDraft } from './draft.ts'

/** The members of the form that differ: nothing else is sent. */
export function changedMembers(before: FormDraft, after: FormDraft): Partial<Definition> {
  const [left, right] = [writeDraft(before), writeDraft(after)]
  const names = (Object.keys(right) as (keyof Definition)[]).filter((name) => !same(left[name], right[name]))
  return Object.fromEntries(names.map((name) => [name, right[name]]))
}

export interface Versions<Of> {
  /** What both began with. */
  readonly base: Of
  readonly mine: Of
  readonly theirs: Of
}

type Fields = readonly FieldDraft[]

const uidsOf = (fields: Fields): string[] => fields.map(({ uid }) => uid)
const fieldIn = (fields: Fields, uid: string): FieldDraft | undefined => fields.find((field) => field.uid === uid)

/** Those that are missing, each after the one that it stands behind in its own list. */
function withMissing(uids: readonly string[], others: readonly string[]): string[] {
  const all = [...uids]
  for (const [index, uid] of others.entries()) {
    if (all.includes(uid)) continue
    const before = others.slice(0, index).findLast((other) => all.includes(other))
    all.splice(before === undefined ? 0 : all.indexOf(before) + 1, 0, uid)
  }
  return all
}

const isReordered = (one: Fields, other: Fields): boolean =>
  !same(
    uidsOf(one).filter((uid) => fieldIn(other, uid)),
    uidsOf(other).filter((uid) => fieldIn(one, uid)),
  )

/** A field that one person changed has their value; if both changed it, the person who saves now wins. */
function chosenField({ base, mine, theirs }: Versions<Fields>, uid: string): FieldDraft | undefined {
  const [before, own, other] = [fieldIn(base, uid), fieldIn(mine, uid), fieldIn(theirs, uid)]
  if (!before) return own ?? other
  return same(own, before) ? other : own
}

function mergedFields(versions: Versions<Fields>): FieldDraft[] {
  const { base, mine, theirs } = versions
  const order = isReordered(base, mine)
    ? withMissing(uidsOf(mine), uidsOf(theirs))
    : withMissing(uidsOf(theirs), uidsOf(mine))
  return order.flatMap((uid) => chosenField(versions, uid) ?? [])
}

const keysOf = (draft: FormDraft) => Object.keys(draft) as (keyof FormDraft)[]

/** What nobody else touched is as it is here, and what is untouched here as it is there. */
export function merged({ base, mine, theirs }: Versions<FormDraft>): FormDraft {
  const untouched = keysOf(mine).filter((key) => same(mine[key], base[key]))
  return {
    ...mine,
    ...Object.fromEntries(untouched.map((key) => [key, theirs[key]])),
    fields: mergedFields({ base: base.fields, mine: mine.fields, theirs: theirs.fields }),
  }
}

const isTouchedTwice = <Of>({ base, mine, theirs }: Versions<Of>): boolean =>
  !same(mine, base) && !same(theirs, base) && !same(mine, theirs)

export interface Twice {
  readonly keys: readonly (keyof FormDraft)[]
  readonly fields: Fields
}

/** What both changed, each in another way: of these the own ones win. */
export function touchedTwice({ base, mine, theirs }: Versions<FormDraft>): Twice {
  const of = <Key extends keyof FormDraft>(key: Key) => ({ base: base[key], mine: mine[key], theirs: theirs[key] })
  const field = ({ uid }: FieldDraft) => ({
    base: fieldIn(base.fields, uid),
    mine: fieldIn(mine.fields, uid),
    theirs: fieldIn(theirs.fields, uid),
  })
  return {
    keys: keysOf(base).filter((key) => key !== 'fields' && isTouchedTwice(of(key))),
    fields: base.fields.filter((one) => isTouchedTwice(field(one))),
  }
}
