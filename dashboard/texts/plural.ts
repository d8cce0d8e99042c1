// Words that change with a number. Each language has the `plural` of its own rules (texts/en/plural.ts).

/** A language with more forms than two names them all. */
type Forms = { readonly one: string; readonly other: string } & Partial<Record<Intl.LDMLPluralRule, string>>

/** `plural(2, {one: 'session', other: 'sessions'})`; the number itself is the caller's to write. */
export function pluralOf(language: string): (count: number, forms: Forms) => string {
  const rules = new Intl.PluralRules(language)
  return (count, forms) => forms[rules.select(count)] ?? forms.other
}
