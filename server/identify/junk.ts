// External ids that name nobody: what a template, a missing variable or a default leaves in the place of an
// id. As ids they would make one contact of many people, and such a merge cannot be undone.

/** As canonical() spells them. */
const words = new Set(
  (
    'null undefined none nil nan void empty inf infinity true false anonymous guest unknown id userid distinctid uid uuid guid ' +
    'externalid contactid customerid visitorid anonymousid youruserid notset notavailable notapplicable notauthenticated ' +
    'unauthenticated noid nouser object objectobject guestuser userguest anonymoususer useranonymous unknownuser notloggedin ' +
    'loggedout notsignedin signedout'
  ).split(' '),
)

/** Missing values that string building puts together, as in `undefined-null` or `0_NaN`. */
const missing = new Set(['null', 'undefined', 'none', 'nil', 'nan'])
const booleans = new Set(['true', 'false'])
/** What string building puts beside a missing value, as in `user_null` or `{"id":null}`. */
const names = new Set(
  'user users usr id uid uuid guid customer contact client member account visitor external distinct'.split(' '),
)

/** Nothing but zeros and signs: an empty UUID, `0.0`, `-`, `0x0`. */
const zeros = /^(?:0x)?[0\s\p{P}\p{C}$+<=>^`|~]*$/iu

/** Each is a whole id. */
const wholes: readonly RegExp[] = [
  // What many programs answer for "no such row".
  /^[-−]\s*1(?:\.0+)?$/,
  /^[-+]?0+(?:\.0+)?e[-+]?0+$/i,
  /^n[./]a\.?$/i,
  // Of spreadsheets.
  /^#(?:n\/a|ref|null|name|value|num|div\/0)[!?]?$/i,
  /^(?:\[object[ +][\w$]+\][\s,;|]*)+$/i,
  /^(?:void\s+0|void\(0\)|symbol\([^)]*\))$/i,
  /^function\b[^(]*\([^)]*\)\s*\{.*\}?$/is,
  // The largest UUID, which stands for the end of all of them.
  /^f{8}-?f{4}-?f{4}-?f{4}-?f{12}$/i,
  // The beginning of unix time.
  /^1970-01-01(?:[t ]00:00(?::00(?:\.0+)?)?(?:z|[+-]00:?00)?)?$/i,
  // A variable's name instead of what it holds: user.id, $user->id, this.user?.id.
  /^\$?(?:(?:this|window|current_?user|user|customer|contact|client|member|account|visitor)(?:\?\.|\.|->))+(?:id|uid|uuid|user_?id)$/i,
]

/** {{user.id}}, ${userId}, #{id}, <%= id %>, %USER_ID%, *|ID|*, [[id]], __USER_ID__. */
const template = /\{\{|\}\}|[$#]\{|<%|%>|^%[\w.-]+%$|^\*\|.*\|\*$|^\[\[.*\]\]$|^__[A-Z_]+__$/s
/** Stands for characters that were lost on the way: ids of different people may have become one. */
const LOST = '\ufffd'

const quotes = /^[\s"'`]+|[\s"'`]+$/g
const outerSigns = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu

/** Lower case, without signs around it and without blanks, hyphens and underscores inside. */
function canonical(text: string): string {
  return text
    .toLowerCase()
    .replace(outerSigns, '')
    .replace(/[\s_-]+/g, '')
}

/** Digits of a script stand in a row, from zero to nine. */
function isZero(digit: string): boolean {
  const place = digit.codePointAt(0)!
  let before = 0
  while (/^\p{Nd}$/u.test(String.fromCodePoint(place - before - 1))) before++
  return before % 10 === 0
}

const withPlainZeros = (text: string) => text.replace(/(?![0-9])\p{Nd}/gu, (digit) => (isZero(digit) ? '0' : digit))

/** null1: something was added to nothing. */
const isMissingWord = (part: string) => missing.has(part) || /^(?:null|undefined)\d+$/.test(part)

function isMissing(text: string): boolean {
  const parts = text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part !== '' && !/^0+$/.test(part))
  if (parts.some(isMissingWord))
    return parts.every((part) => isMissingWord(part) || booleans.has(part) || names.has(part))
  return parts.length > 0 && parts.every((part) => booleans.has(part))
}

/**
 * As somebody wrote it who put it into an address: %7B%7Buser.id%7D%7D. Most signs of per cent are no such
 * thing.
 */
function decoded(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function isJunk(text: string): boolean {
  // Compatibility forms (full-width letters and the like) are other spellings of the same word.
  const plain = withPlainZeros(text.normalize('NFKC')).replace(quotes, '')
  if (zeros.test(plain) || template.test(plain) || plain.includes(LOST)) return true
  return wholes.some((whole) => whole.test(plain)) || words.has(canonical(plain)) || isMissing(plain)
}

/**
 * Whatever blanks, quotes, brackets and capitals it is written with. An empty text is no id at all, and no
 * junk.
 */
export function isJunkId(text: string): boolean {
  if (text.trim() === '') return false
  return isJunk(text) || isJunk(decoded(text))
}
