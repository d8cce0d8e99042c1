// Compares a form's values with the stored ones: what was changed here, and what to show when the stored
// values change.

export const same = (one: unknown, other: unknown): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other)

/** The fields that differ from what was stored: nothing else needs to be sent. */
export function changedOf<Values extends object>(values: Values, base: Values): Partial<Values> {
  const names = Object.keys(values) as (keyof Values)[]
  return Object.fromEntries(
    names.filter((name) => !same(values[name], base[name])).map((name) => [name, values[name]]),
  ) as Partial<Values>
}

export interface Held<Values> {
  /** As they are shown. */
  readonly values: Values
  /** As they are stored. */
  readonly base: Values
}

/**
 * Of each field that is stored as something else now, the new one is what it is compared with; and what is
 * shown, unless somebody has changed it here.
 */
export function following<Values extends object>(
  { values, base }: Held<Values>,
  before: Values,
  now: Values,
): Held<Values> {
  const changed = changedOf(now, before)
  const untouched = (Object.keys(changed) as (keyof Values)[]).filter((name) => same(values[name], base[name]))
  return {
    values: { ...values, ...Object.fromEntries(untouched.map((name) => [name, now[name]])) },
    base: { ...base, ...changed },
  }
}
