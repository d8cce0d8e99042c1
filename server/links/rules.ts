// The rules of a link as owners write them: read, checked, stored, and tried out before anybody follows them.
import { isDeepStrictEqual } from 'node:util'
import { hashPassword, type PasswordCost } from '../accounts/accounts.ts'
import { currentTs, type Deps } from '../kernel/deps.ts'
import { invalid } from '../kernel/problem.ts'
import type { Property } from '../properties/properties.ts'
import { randomCode } from './codes.ts'
import { destinationAt, type ShortUrls } from './destination.ts'
import { isLinkId, linkNotFound, shortUrls } from './draft.ts'
import { changeLinks, type LinkDeps } from './groups.ts'
import type { Utm } from './link-model.ts'
import { findLink, findLinkRules, updateLinkRules } from './records.ts'
import {
  type Asker,
  compiledRules,
  type Condition,
  decide,
  isNoRules,
  type LinkRules,
  MIN_LINK_PASSWORD,
  parseRules,
  type Rule,
  type Variant,
  variantAt,
} from './rules-model.ts'
import type { RulesInput, RulesJson, VisitorInput } from './rules-schema.ts'
import { withUtm } from './utm.ts'

const ID_LENGTH = 6
const idShape = /^[0-9A-Za-z]{6}$/
const languageShape = /^[a-z]{2,3}(?:-[a-z\d]{2,8}){0,3}$/i

type Led = { readonly id?: string | null; readonly destination_url: string }

/** Ids stay, so that clicks of before keep their rule; one that is new, or there twice, gets another. */
function openIds({ randomBytes }: Pick<Deps, 'randomBytes'>): (written: string | null | undefined) => string {
  const used = new Set<string>()
  return (written) => {
    const isGood = written !== null && written !== undefined && idShape.test(written) && !used.has(written)
    const id = isGood ? written : randomCode(randomBytes).slice(0, ID_LENGTH)
    used.add(id)
    return id
  }
}

function readCondition(path: string, when: RulesInput['rules'][number]['when']): Condition {
  const lists = Object.entries(when).filter(([, value]) => !Array.isArray(value) || value.length > 0)
  const condition = Object.fromEntries(lists.filter(([, value]) => value !== null)) as Condition
  if (Object.keys(condition).length === 0) throw invalid(path, `${path} needs a condition.`)
  for (const language of condition.language ?? [])
    if (!languageShape.test(language)) throw invalid(path, `${path}.language has an entry that is no language code.`)
  for (const country of condition.country ?? [])
    if (!/^[a-z]{2}$/i.test(country)) throw invalid(path, `${path}.country has an entry that is no country code.`)
  const { from_ts, until_ts } = condition
  if (from_ts !== undefined && until_ts !== undefined && from_ts >= until_ts)
    throw invalid(path, `${path}.until_ts must be later than from_ts.`)
  return condition
}

interface Reading extends Pick<Deps, 'randomBytes'> {
  readonly short: ShortUrls
}

/** @throws Problem('validation_failed') */
export function readRules(deps: Reading, utm: Utm, input: RulesInput): LinkRules {
  const { starts_ts = null, ends_ts = null, max_clicks = null, expired_url = null } = input
  if (starts_ts !== null && ends_ts !== null && starts_ts >= ends_ts)
    throw invalid('ends_ts', 'ends_ts must be later than starts_ts.')
  if (input.split.length === 1) throw invalid('split', 'split needs at least two destinations.')
  const idOf = openIds(deps)
  const led = ({ id, destination_url }: Led, path: string) => ({
    id: idOf(id),
    destination_url: destinationAt(`${path}.destination_url`, destination_url, deps.short, utm),
  })
  return {
    starts_ts,
    ends_ts,
    max_clicks,
    expired_url: expired_url ? destinationAt('expired_url', expired_url, deps.short, utm) : null,
    rules: input.rules.map((rule, index) => ({
      ...led(rule, `rules.${index}`),
      when: readCondition(`rules.${index}.when`, rule.when),
    })),
    split: input.split.map((variant, index) => ({ ...led(variant, `split.${index}`), weight: variant.weight })),
  }
}

export type RulesDeps = LinkDeps & { readonly passwordCost: PasswordCost }

type StoredRules = NonNullable<Awaited<ReturnType<typeof findLinkRules>>>

/** As owners see them: the password is known to those who have it. */
const shownRules = ({ rules, uses, password_hash }: StoredRules): RulesJson => {
  const { split_ms: _, card: __, ...parsed } = parseRules(rules)
  return {
    ...parsed,
    used_clicks: parsed.max_clicks === null ? 0 : uses,
    has_password: password_hash !== null,
  }
}

/** @throws Problem('not_found') */
export async function getStored(records: Deps['records'], propertyId: string, id: string): Promise<StoredRules> {
  const found = isLinkId(id) ? await findLinkRules(records, propertyId, id) : undefined
  if (!found) throw linkNotFound()
  return found
}

/** @throws Problem('not_found') */
export async function getRules({ records }: Pick<Deps, 'records'>, propertyId: string, id: string): Promise<RulesJson> {
  return shownRules(await getStored(records, propertyId, id))
}

export interface Split {
  readonly variants: readonly Variant[]
  /** Undefined where nobody noted it. */
  readonly sinceMs: number | undefined
}

/** @throws Problem('not_found') */
export async function getSplit({ records }: Pick<Deps, 'records'>, propertyId: string, id: string): Promise<Split> {
  const { split, split_ms } = parseRules((await getStored(records, propertyId, id)).rules)
  return { variants: split, sinceMs: split_ms }
}

/** A split that is changed starts anew: clicks of before followed other weights, or led elsewhere. */
function withSplitTime({ now }: Pick<Deps, 'now'>, before: LinkRules, rules: LinkRules): LinkRules {
  if (rules.split.length === 0) return rules
  if (!isDeepStrictEqual(before.split, rules.split)) return { ...rules, split_ms: now() }
  return before.split_ms === undefined ? rules : { ...rules, split_ms: before.split_ms }
}

/** @returns undefined where it stays as it is. @throws Problem('validation_failed') */
async function readPassword(deps: RulesDeps, written: string | null | undefined): Promise<string | null | undefined> {
  if (written === undefined || written === null) return written
  if ([...written].length < MIN_LINK_PASSWORD)
    throw invalid('password', `password must have at least ${MIN_LINK_PASSWORD} characters.`)
  return hashPassword(deps, written)
}

/** @throws Problem: not_found; validation_failed */
export async function setRules(deps: RulesDeps, propertyId: string, id: string, input: RulesInput): Promise<RulesJson> {
  if (!isLinkId(id)) throw linkNotFound()
  // Before the transaction, which others wait for: a hash takes its time.
  const password = await readPassword(deps, input.password)
  const short = await shortUrls(deps)
  return changeLinks(deps, async (tx, changeNo) => {
    const link = await findLink(tx, propertyId, id)
    const before = await getStored(tx, propertyId, id)
    if (!link) throw linkNotFound()
    const earlier = parseRules(before.rules)
    const read = withSplitTime(deps, earlier, readRules({ ...deps, short }, link.utm, input))
    const rules = earlier.card ? { ...read, card: earlier.card } : read
    // Counted anew from the moment at which a link without a limit gets one.
    const isFirst = earlier.max_clicks === null
    const row = {
      rules: isNoRules(rules) ? null : JSON.stringify(rules),
      ...(isFirst && { uses: 0 as const }),
      ...(password !== undefined && { password_hash: password }),
    }
    await updateLinkRules(tx, propertyId, { id, changeNo, row })
    return shownRules({ ...before, ...row })
  })
}

export interface Outcome {
  readonly outcome: 'redirect' | 'expired' | 'not_started'
  /** Null for a page. */
  readonly destination_url: string | null
  readonly rule_id: string | null
  /** Which of the rules, counted from 1; null where none decides. */
  readonly rule_number: number | null
  /** Other destinations that the split has for such a visitor. */
  readonly others: readonly string[]
}

const asker = (visitor: VisitorInput, nowTs: number): Asker => ({
  nowTs: visitor.at_ts ?? nowTs,
  device: () => visitor.device ?? '',
  os: () => visitor.os ?? '',
  country: () => visitor.country ?? '',
  language: () => visitor.language ?? '',
})

const isRule = (decision: ReturnType<typeof decide>): decision is Rule => typeof decision === 'object'

/** A limit that the link does not have yet counts from nothing. */
const isUsedUp = ({ rules: stored, uses }: StoredRules, { max_clicks: most }: LinkRules): boolean =>
  most !== null && parseRules(stored).max_clicks !== null && uses >= most

/**
 * Where a visitor would be sent, by the code that sends them. @param input rules that are not stored yet.
 * @throws Problem: not_found; validation_failed
 */
export async function tryRules(
  deps: Pick<LinkDeps, 'config' | 'records' | 'randomBytes' | 'now'>,
  { id: propertyId, dead_link_url }: Pick<Property, 'id' | 'dead_link_url'>,
  id: string,
  { input, visitor }: { readonly input: RulesInput | undefined; readonly visitor: VisitorInput },
): Promise<Outcome> {
  const link = isLinkId(id) ? await findLink(deps.records, propertyId, id) : undefined
  if (!link) throw linkNotFound()
  const stored = await getStored(deps.records, propertyId, id)
  const written = input
    ? readRules({ ...deps, short: await shortUrls(deps) }, link.utm, input)
    : parseRules(stored.rules)
  const rules = compiledRules(written, link.utm)
  const decision = decide(rules, asker(visitor, currentTs(deps)))
  const to = (url: string | null, rule: string | null, others: readonly string[] = []) =>
    ({ outcome: 'redirect', destination_url: url, rule_id: rule, rule_number: null, others }) as const
  const dead = dead_link_url === null ? null : withUtm(dead_link_url, {})
  if (decision === 'early') return { ...to(dead, null), outcome: 'not_started' }
  if (decision === 'over' || isUsedUp(stored, rules))
    return { ...to(rules.expired_url ?? dead, null), outcome: 'expired' }
  if (isRule(decision))
    return { ...to(decision.destination_url, decision.id), rule_number: rules.rules.indexOf(decision) + 1 }
  const first = variantAt(rules.split, 0)
  if (!first) return to(withUtm(link.destination_url, link.utm), null)
  return to(
    first.destination_url,
    first.id,
    rules.split.filter(({ id: other }) => other !== first.id).map((one) => one.destination_url),
  )
}
