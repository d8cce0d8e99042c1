// Words that change with a number. A language with more forms than two names them all.
const rules = new Intl.PluralRules('en')

/** `plural(2, {one: 'session', other: 'sessions'})`; the number itself is the caller's to write. */
export function plural(
  count: number,
  forms: { one: string; other: string } & Partial<Record<Intl.LDMLPluralRule, string>>,
): string {
  return forms[rules.select(count)] ?? forms.other
}
