// Clicks as the API answers them (docs/api/links.md): their ids, their fields, the list and a single click.
import { dayFromText, dayText, LAST_DAY } from '../kernel/days.ts'
import type { Deps } from '../kernel/deps.ts'
import { daysOfPage, type Listed, offsetOf, type PageQuery } from '../kernel/page.ts'
import { Problem } from '../kernel/problem.ts'
import {
  type ClickFilter,
  type ClickKey,
  countClickDays,
  findStoredClick,
  listClicks,
  type StoredClick,
} from './facts.ts'

export { type Counts, readLinkCounts, readTopLinks, type TopLink, type TopLinksQuery } from './top-facts.ts'
export { readSessionClicks } from './session-facts.ts'
export { type Click, type Clicked, clickRow } from './click-model.ts'

/** `ck_`, then day and number in base 36: a click is found without an index of ids. */
const idShape = /^ck_([0-9a-z]{1,4})_([0-9a-z]{1,13})$/
const LARGEST_ID = 2n ** 64n - 1n

export function clickId({ day, id }: ClickKey): string {
  return `ck_${dayFromText(day).toString(36)}_${BigInt(id).toString(36)}`
}

function fromBase36(text: string): bigint {
  let value = 0n
  for (const digit of text) value = value * 36n + BigInt(Number.parseInt(digit, 36))
  return value
}

/** Undefined for a text that clickId never makes: each click has exactly one spelling. */
export function readClickId(text: string): ClickKey | undefined {
  const [, dayDigits, idDigits] = idShape.exec(text) ?? []
  if (dayDigits === undefined || idDigits === undefined) return undefined
  const [day, id] = [Number.parseInt(dayDigits, 36), fromBase36(idDigits)]
  if (day > LAST_DAY || id > LARGEST_ID) return undefined
  const key = { day: dayText(day), id: id.toString() }
  return clickId(key) === text ? key : undefined
}

const known = (text: string): string | null => text || null

/** Further fields: why a click is taken for a bot's, how many clicks a flood had, and the destination. */
export function clickJson(click: StoredClick) {
  const isBot = click.is_bot === 1
  return {
    id: clickId(click),
    short_link_id: click.link,
    short_link_group_id: click.link_group,
    click_ts: Math.floor(Number(click.at_ms) / 1000),
    type: isBot ? ('bot' as const) : ('user' as const),
    referrer_domain: known(click.referrer_domain),
    referrer_url: known(click.referrer_url),
    country: known(click.country),
    country_code: known(click.country_code),
    region: known(click.region),
    city: known(click.city),
    device: known(click.device),
    browser: known(click.browser),
    os: known(click.os),
    is_bot: isBot,
    bot_name: known(click.bot_name),
    bot_reason: known(click.bot_reason),
    count: click.count,
    rule_id: known(click.rule),
    is_scan: click.is_scan === 1,
    destination_url: click.destination,
  }
}

export type ShownClick = ReturnType<typeof clickJson>

/** Newest first. Includes clicks on deleted links and groups. */
export async function listShownClicks(
  { facts }: Pick<Deps, 'facts'>,
  propertyId: string,
  filter: ClickFilter,
  query: PageQuery,
): Promise<Listed<ShownClick>> {
  const counted = await countClickDays(facts, propertyId, filter)
  const { days, offset } = daysOfPage(counted, offsetOf(query), query.perPage)
  const clicks = await listClicks(facts, propertyId, filter, { days, offset, limit: query.perPage })
  return { rows: clicks.map(clickJson), total: counted.reduce((total, { count }) => total + count, 0) }
}

/** @throws Problem('not_found') for an id that is no click of the property. */
export async function getShownClick(
  { facts }: Pick<Deps, 'facts'>,
  propertyId: string,
  id: string,
): Promise<ShownClick> {
  const key = readClickId(id)
  const click = key && (await findStoredClick(facts, propertyId, key))
  if (!click) throw new Problem('not_found', 'The click is not in this property.')
  return clickJson(click)
}
