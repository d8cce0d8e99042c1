// External ids that name nobody: what a template, a missing variable or a default leaves in the place of an id.
// As ids they would make one contact of many people, and such a merge cannot be undone.

export const JUNK_SENTENCE = 'external_id names nobody: it looks like a placeholder or a missing value.'

/** As canonical() spells them. */
const words = new Set(
  (
    'null undefined none nil nan void empty inf infinity true false anonymous guest unknown id userid distinctid uid uuid guid ' +
    'externalid contactid customerid visitorid anonymousid youruserid notset notavailable notapplicable notauthenticated ' +
    'unauthenticated noid nouser object objectobject'
  ).split(' '),
)

/** Missing values that string building puts together, as in `undefined-null` or `0_NaN`. */
const missing = new Set(['null', 'undefined', 'none', 'nil', 'nan'])

/** Nothing but zeros and signs: an empty UUID, `0.0`, `-`, `0x0`. */
const zeros = /^(?:0x)?[0\s\p{P}\p{C}$+<=>^`|~]*$/iu
/** -1 is what many programs answer for "no such row"; n/a would lose its slash below. */
const whole = /^(?:[-−]1(?:\.0+)?|n\/a|\[object [\w$]+\])$/iu
/** {{user.id}}, ${userId}, #{id}, <%= id %>, %USER_ID%, *|ID|*, [[id]], __USER_ID__. */
const template = /\{\{|\}\}|[$#]\{|<%|%>|^%[\w.-]+%$|^\*\|.*\|\*$|^\[\[.*\]\]$|^__[A-Z_]+__$/s

const quotes = /^[\s"'`]+|[\s"'`]+$/g
const outerSigns = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu

/** Lower case, without signs around it and without blanks, hyphens and underscores inside. */
function canonical(text: string): string {
  return text
    .toLowerCase()
    .replace(outerSigns, '')
    .replace(/[\s_-]+/g, '')
}

function isMissing(text: string): boolean {
  const parts = text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part !== '')
  return parts.length > 0 && parts.every((part) => missing.has(part) || /^0+$/.test(part))
}

/** Whatever blanks, quotes, brackets and capitals it is written with. An empty text is no id at all, and no junk. */
export function isJunkId(text: string): boolean {
  // Compatibility forms (full-width letters and the like) are other spellings of the same word.
  const plain = text.normalize('NFKC').replace(quotes, '')
  if (text.trim() === '') return false
  return (
    zeros.test(plain) || whole.test(plain) || template.test(plain) || words.has(canonical(plain)) || isMissing(plain)
  )
}
