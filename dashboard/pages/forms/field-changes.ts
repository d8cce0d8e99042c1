// The fields of a form while they are edited: new ones, changed ones, and their order.
import { type FieldDraft, isSingleBox, newUid, withNeededName } from './draft.ts'

/** Letters and digits of a label, as a name that no other field has. */
export function nameFor(label: string, taken: ReadonlySet<string>): string {
  const plain = label
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, 60)
  const base = plain === '' ? 'field' : plain
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? base : `${base}_${count}`
    if (!taken.has(name)) return name
  }
}

export function newField(type: FieldDraft['type'], label: string, fields: readonly FieldDraft[]): FieldDraft {
  return {
    uid: newUid(),
    type,
    label,
    name: nameFor(label, new Set(fields.map(({ name }) => name))),
    hasOwnName: false,
    placeholder: '',
    help: '',
    value: '',
    options: [],
    autocomplete: '',
    rows: null,
    isHalf: false,
    rules: [],
    hasNoRules: false,
  }
}

/** A name with a blank: no field has one. */
export function newStep(title: string): FieldDraft {
  const step = newField('step', title, [])
  return { ...step, name: `step ${step.uid}`, hasOwnName: true }
}

/** One field changed; its name follows its label until it has one of its own. */
export function withField(fields: readonly FieldDraft[], uid: string, patch: Partial<FieldDraft>): FieldDraft[] {
  const taken = new Set(fields.filter((field) => field.uid !== uid).map(({ name }) => name))
  return fields.map((field) => {
    if (field.uid !== uid) return field
    const changed = { ...field, ...patch }
    const next = isSingleBox(changed) === isSingleBox(field) ? changed : withNeededName(changed)
    return patch.label !== undefined && !next.hasOwnName ? { ...next, name: nameFor(next.label, taken) } : next
  })
}

/** The field at another place; places outside of the list are its ends. */
export function moved(fields: readonly FieldDraft[], uid: string, to: number): FieldDraft[] {
  const field = fields.find((one) => one.uid === uid)
  if (!field) return [...fields]
  const rest = fields.filter((one) => one !== field)
  return rest.toSpliced(Math.max(0, Math.min(to, rest.length)), 0, field)
}
