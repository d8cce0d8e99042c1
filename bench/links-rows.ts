// The short links of the bench: made up, the same on every run.
import type { Insertable } from 'kysely'
import { CODE_ALPHABET, CODE_LENGTH } from '../server/links/codes.ts'
import type { RecordTables } from '../server/stores/tables.ts'

export const PROPERTY_ID = 'pr_BenchOfLinks00000000'
export const GROUPS = 1_000

/**
 * Spreads neighbours apart, as random codes are: a prime, so that no two links have one code. Exact up to six
 * million links.
 */
const STEP = 1_500_450_271

export function codeOf(number: number): string {
  let rest = (number * STEP) % CODE_ALPHABET.length ** CODE_LENGTH
  let code = ''
  for (let place = 0; place < CODE_LENGTH; place++) {
    code += CODE_ALPHABET[rest % CODE_ALPHABET.length]!
    rest = Math.floor(rest / CODE_ALPHABET.length)
  }
  return code
}

const padded = (number: number): string => `${number}`.padStart(20, '0')

export const groupIdOf = (number: number): string => `lg_${padded(number)}`

/** Under the path of link-a; every code of the bench is on that domain. */
export const pathOf = (number: number): string => `/a/${codeOf(number)}`

export const destinationOf = (number: number): string =>
  `https://www.bench.example/catalogue/articles/${number % 9_973}/an-article-with-a-name?item=${number}`

/** One link in so many has rules. */
const RULED = 10

/** Two rules and a split, as a link of an app or of several countries has. */
const rulesOf = (number: number): string =>
  JSON.stringify({
    starts_ts: null,
    ends_ts: 4_000_000_000,
    expired_url: null,
    rules: [
      {
        id: 'aaaaaa',
        when: { os: ['iOS'], country: ['FR', 'BE'] },
        destination_url: `https://bench.example/app/${number}`,
      },
      { id: 'bbbbbb', when: { language: ['de'] }, destination_url: `https://bench.example/de/${number}` },
    ],
    split: [
      { id: 'cccccc', destination_url: `https://bench.example/one/${number}`, weight: 1 },
      { id: 'dddddd', destination_url: `https://bench.example/two/${number}`, weight: 1 },
    ],
  })

export function linkRow(number: number): Insertable<RecordTables['links']> {
  const utm = { utm_source: 'letter', utm_medium: 'email', utm_campaign: `campaign-${number % GROUPS}` }
  return {
    id: `ln_${padded(number)}`,
    property_id: PROPERTY_ID,
    group_id: groupIdOf(number % GROUPS),
    name: `Article ${number}`,
    domain: 'link-a',
    code: codeOf(number),
    destination_url: destinationOf(number),
    utm: JSON.stringify(utm),
    search: null,
    rules: number % RULED === 0 ? rulesOf(number) : null,
    is_active: 1,
    is_deleted: 0,
    created_ts: 1_790_000_000 + number,
    change_no: 1 + Math.floor(number / 200),
  }
}
