// The rules of a link as a form holds them: lists as texts, moments as the property's clock has them.
import type { LinkRules, LinkRulesChange } from '../../api/links.ts'
import { fieldsOfTs, tsOfFields } from '../../format.ts'
import { withScheme } from './destination.ts'

export interface RuleValues {
  readonly id: string | null
  /** '' for any. */
  readonly device: string
  readonly os: string
  readonly country: string
  readonly language: string
  readonly from: string
  readonly until: string
  readonly destination_url: string
}

export interface VariantValues {
  readonly id: string | null
  readonly destination_url: string
  readonly weight: number | null
}

export interface RulesValues {
  readonly starts: string
  readonly ends: string
  readonly max_clicks: number | null
  /** There is one already. */
  readonly hadPassword: boolean
  readonly asksPassword: boolean
  /** '' to keep the one that is there. */
  readonly password: string
  readonly expired_url: string
  readonly rules: readonly RuleValues[]
  readonly split: readonly VariantValues[]
}

export const emptyRule: RuleValues = {
  id: null,
  device: '',
  os: '',
  country: '',
  language: '',
  from: '',
  until: '',
  destination_url: '',
}

/** As `datetime-local` has it, by the clock of the property; '' for none. */
export function localOf(ts: number | null | undefined): string {
  if (ts === null || ts === undefined) return ''
  const { date, time } = fieldsOfTs(ts)
  return `${date}T${time.slice(0, 5)}`
}

/** Null for '' and for what is no moment. */
export const tsOf = (local: string): number | null => tsOfFields(local) ?? null

/** “FR, be” → `FR`, `be` */
const listOf = (typed: string): string[] => typed.split(/[\s,;]+/).filter(Boolean)

/** Names of systems may have blanks: Chrome OS. */
const namesOf = (typed: string): string[] =>
  typed
    .split(/[,;]/)
    .map((name) => name.trim())
    .filter(Boolean)

export const valuesOf = (stored: LinkRules): RulesValues => ({
  ...limitsOf(stored),
  ...ledOf(stored),
})

const limitsOf = ({ starts_ts, ends_ts, max_clicks, has_password }: LinkRules) => ({
  starts: localOf(starts_ts),
  ends: localOf(ends_ts),
  max_clicks,
  hadPassword: has_password,
  asksPassword: has_password,
  password: '',
})

const ledOf = ({ expired_url, rules, split }: LinkRules) => ({
  expired_url: expired_url ?? '',
  rules: rules.map(({ id, when, destination_url }) => ({
    id,
    device: (when.device ?? []).join(', '),
    os: (when.os ?? []).join(', '),
    country: (when.country ?? []).join(', '),
    language: (when.language ?? []).join(', '),
    from: localOf(when.from_ts),
    until: localOf(when.until_ts),
    destination_url,
  })),
  split: split.map(({ id, destination_url, weight }) => ({ id, destination_url, weight })),
})

/** Nothing is said to keep the one that is there; a new one that is empty is refused by the service. */
function passwordOf({ asksPassword, hadPassword, password }: RulesValues): { password?: string | null } {
  if (!asksPassword) return { password: null }
  return hadPassword && password === '' ? {} : { password }
}

export const changeOf = (values: RulesValues): LinkRulesChange => ({
  starts_ts: tsOf(values.starts),
  ends_ts: tsOf(values.ends),
  max_clicks: values.max_clicks,
  ...passwordOf(values),
  ...ledChangeOf(values),
})

const ledChangeOf = ({ expired_url, rules, split }: RulesValues) => ({
  expired_url: withScheme(expired_url),
  rules: rules.map(({ id, destination_url, ...when }) => ({
    id,
    destination_url: withScheme(destination_url),
    when: {
      device: listOf(when.device) as [],
      os: namesOf(when.os),
      country: listOf(when.country).map((code) => code.toUpperCase()),
      language: listOf(when.language),
      from_ts: tsOf(when.from),
      until_ts: tsOf(when.until),
    },
  })),
  split: split.map(({ id, destination_url, weight }) => ({
    id,
    destination_url: withScheme(destination_url),
    weight: weight ?? 0,
  })),
})
