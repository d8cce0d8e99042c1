// The contacts of the bench: generated, the same on every run, with words that few, many and all of them
// share.
import { searchText } from '../server/contacts/search.ts'
import { type TextField, textFields } from '../server/kernel/contact-fields.ts'
import { dayText, DAY_MS } from '../server/kernel/days.ts'
import type { RecordTables, ViewRow } from '../server/stores/tables.ts'

export const PROPERTY_ID = 'pr_BenchOfContacts00000'
export const PROPERTY_KEY = 'ff_BenchOfContacts00000'
/** Many, used in turn: each has a rate limit. */
export const TOKENS = Array.from({ length: 64 }, (_, index) => `fft_${`BenchOfContacts${index}x`.padEnd(40, '0')}`)

/** A shared company domain: one contact in fifty has it. */
export const SHARED_DOMAIN = 'harbour-union.example'
/** One contact in this many, so that two words together name a few hundred of a million. */
const FIRST_NAMES =
  'amara ben chidi dalia emeka farah goran hana ines jonas kaito lena mateo nadia oskar priya quentin rosa sven tala umar vera wanda xenia yusuf zofia anouk bram celia david esther felix'.split(
    ' ',
  )
const BEGINNINGS =
  'ald bar cor dun elm fair gold holm inver kirk lang mor nor oak pen quar rav sil thorn underw val wester yar zell'.split(
    ' ',
  )
const ENDINGS =
  'by combe dale ester ford grove hurst ingham kin ley mont ness over pool quist ridge sted ton ville worth'.split(' ')
const COUNTRIES = 'Austria Brazil Canada Denmark Estonia France Germany Hungary Ireland Japan'.split(' ')
const YEAR_MS = 365 * DAY_MS

/**
 * Spreads neighbours apart (Knuth's multiplicative hash): a contact's words must not follow its position in
 * the table.
 */
const mixed = (number: number, salt: number): number => {
  const word = Math.imul(number + 1, 2_654_435_761) ^ Math.imul(salt, 0x9e3779b9)
  return (Math.imul(word ^ (word >>> 15), 0x2c1b3c6d) ^ (word >>> 12)) >>> 0
}

const pick = (words: readonly string[], number: number, salt: number): string =>
  words[mixed(number, salt) % words.length]!

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

export interface Person {
  readonly id: string
  readonly external_id: string
  readonly email: string
  readonly first_name: string
  readonly last_name: string
  readonly company: string
}

/** Nearly five thousand companies, each with a few hundred contacts of a million. */
const companyOf = (number: number): string =>
  `${capital(pick(BEGINNINGS, number, 3))}${pick(ENDINGS, number, 4)} ${capital(pick(BEGINNINGS, number, 5))} Works`

export function personOf(number: number): Person {
  const first = pick(FIRST_NAMES, number, 1)
  const last = pick(BEGINNINGS, number, 2) + pick(ENDINGS, number, 6)
  const domain = mixed(number, 7) % 50 === 0 ? SHARED_DOMAIN : `mail${mixed(number, 8) % 900}.example`
  return {
    id: `ct_${mixed(number, 9).toString(36).padStart(7, '0')}${number.toString(36).padStart(13, '0')}`,
    external_id: `cust-${number.toString().padStart(9, '0')}`,
    email: `${first}.${last}.${number.toString(36)}@${domain}`,
    first_name: capital(first),
    last_name: capital(last),
    company: companyOf(number),
  }
}

type ContactRow = Omit<RecordTables['contacts'], 'seq'>
type Stage = 'lead' | 'subscriber' | 'user' | 'customer'

const stageOf = (number: number): Stage => {
  const draw = mixed(number, 10) % 100
  return draw < 60 ? 'lead' : draw < 85 ? 'subscriber' : draw < 95 ? 'user' : 'customer'
}

/** The oldest has number 0; they came over a year, evenly. */
const createdMs = (number: number, count: number, nowMs: number): number =>
  Math.floor(nowMs - YEAR_MS + (number / count) * (YEAR_MS - DAY_MS / 2))

const noTexts = Object.fromEntries(textFields.map((field) => [field, null])) as Record<TextField, null>

export function contactRow(number: number, count: number, nowMs: number): ContactRow {
  const person = personOf(number)
  const atMs = createdMs(number, count, nowMs)
  const row = {
    ...noTexts,
    ...person,
    property_id: PROPERTY_ID,
    email_key: person.email,
    email_by: 'token',
    claimed_email: null,
    phone: `+49 30 ${(mixed(number, 11) % 9_000_000) + 1_000_000}`,
    country: pick(COUNTRIES, number, 12),
    lifecycle_stage: stageOf(number),
    state: mixed(number, 13) % 50 === 0 ? 'unsubscribed' : 'active',
    first_seen_ts: Math.floor(atMs / 1000),
    identified_ts: Math.floor(atMs / 1000),
    last_seen_ms: atMs,
    session_count: 1,
  } as const
  return { ...row, meta: '[{"key":"plan","value":"basic"}]', search: searchText({ ...row, meta: [] }) }
}

const sessionOf = (number: number): string => ((BigInt(mixed(number, 14)) << 32n) | BigInt(number)).toString()

/** The one session of each contact. */
export function linkRow(
  number: number,
  count: number,
  nowMs: number,
): Omit<RecordTables['contact_sessions'], 'mark' | 'moves'> {
  const atMs = createdMs(number, count, nowMs)
  return {
    property_id: PROPERTY_ID,
    day: Math.floor(atMs / DAY_MS),
    session: sessionOf(number),
    contact_id: personOf(number).id,
    entry_ts: Math.floor(atMs / 1000),
    is_noted: 1,
  }
}

export function viewRow(number: number, count: number, nowMs: number): Partial<ViewRow> {
  const at = createdMs(number, count, nowMs)
  const day = dayText(Math.floor(at / DAY_MS))
  const url = 'https://bench.example/account'
  return {
    property: PROPERTY_ID,
    day,
    session: sessionOf(number),
    view: 1,
    at,
    seen: at,
    url,
    hostname: 'bench.example',
  }
}
