// Cleans the text of a failure in a browser library for storage: short, on one line, without personal data
// and secrets. It works word by word, so that its time is proportional to the length of the text.
import { isIP } from 'node:net'
import { cleanText } from '../kernel/text.ts'
import { blankSecrets } from './lib-error-secrets.ts'

/** Characters that are kept. */
export const MAX_LIB_ERROR = 1000
/** Characters that are read: where much is removed, the rest moves up. */
const MAX_READ = 4 * MAX_LIB_ERROR

/** Replaces what was removed. */
const BLANK = '…'

/** Line ends and other control characters, invisible ones, and those that change the direction of writing. */
const UNSEEN = /[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu
/** Between words; kept as it is. */
const BETWEEN = /([\s"'`<>(){}[\]|]+)/u

const SCHEME = /^[a-z][a-z0-9+.-]{0,30}:\/\//iu
/** URLs that contain a whole document rather than its location. */
const CONTENT_SCHEME = /^(?:data|blob|javascript|mailto|tel):/iu

/**
 * Longest run of letters and digits that is not taken for a key: names in code may be long, but rarely
 * contain digits.
 */
const MOST_MIXED = 19
const MOST_LETTERS = 47
const MOST_HEX = 11
const RUN = /[\w+=%~-]+/gu
const ADDRESS = /[\da-f.:]{3,}/giu
/** Seven digits and more, including the separators that people write in telephone and card numbers. */
const NUMBER = /\+?\d(?:[ ./()·•_-]{0,3}\d){6,40}\d*/gu
/** Dashes and minus signs of all kinds. */
const DASH = /[\p{Pd}\u2212]/gu
const OTHER_DIGIT = /(?!\d)\p{Nd}/gu

function isKey(run: string): boolean {
  const hasDigit = /\d/u.test(run)
  if (run.length > MOST_LETTERS || (hasDigit && run.length > MOST_MIXED)) return true
  return hasDigit && run.length > MOST_HEX && /^[\da-f-]+$/iu.test(run)
}

/** A full stop or colon after a URL belongs to the sentence. */
const isAddress = (text: string): boolean => isIP(text.replace(/[.:]+$/u, '')) !== 0

function readPart(part: string): string {
  if (/[^@]@|%40/u.test(part)) return BLANK
  const read = part.replace(ADDRESS, (found) => (isAddress(found) ? BLANK : found))
  return read.replace(RUN, (run) => (isKey(run) ? BLANK : run))
}

/** Only path and host; a question mark without a value ends a sentence. */
function withoutQuery(text: string, isAddressed: boolean): { place: string; rest: string } {
  const at = text.search(/[?#]/u)
  if (at === -1 || !(isAddressed || text.includes('=', at))) return { place: text, rest: '' }
  return { place: text.slice(0, at), rest: `?${BLANK}` }
}

function readAddressed(word: string): string {
  const [scheme = ''] = SCHEME.exec(word) ?? []
  const { place, rest } = withoutQuery(word.slice(scheme.length), true)
  const [host = '', ...path] = place.split('/')
  // Name and password stand before the host.
  return [scheme + readPart(host.slice(host.lastIndexOf('@') + 1)), ...path.map(readPart)].join('/') + rest
}

function readWord(word: string): string {
  // Stacks of Firefox and Safari: function@address.
  const frame = word.indexOf('@')
  if (frame > 0 && SCHEME.test(word.slice(frame + 1))) {
    const name = word.slice(0, frame)
    if (!SCHEME.test(name)) return `${readPart(name)}@${readAddressed(word.slice(frame + 1))}`
  }
  if (SCHEME.test(word)) return readAddressed(word)
  const [content] = CONTENT_SCHEME.exec(word) ?? []
  if (content !== undefined) return content + BLANK
  const { place, rest } = withoutQuery(word, false)
  return place.split('/').map(readPart).join('/') + rest
}

/** The last word may be half of something private that would not be recognised. */
function cutAtWord(text: string): string {
  return text.length <= MAX_READ ? text : text.slice(0, Math.max(text.lastIndexOf(' ', MAX_READ), 0))
}

/** The digits of a script are consecutive, zero first. */
function plainDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  let value = 0
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++
  return String(value)
}

/** Normalises look-alikes: full-width letters, digits of other scripts, dashes. */
function plain(line: string): string {
  const composed = line.normalize('NFKC').replace(UNSEEN, ' ')
  return composed.replace(DASH, '-').replace(OTHER_DIGIT, plainDigit).trim()
}

/** '' for a text without visible characters. */
export function readLibError(text: string): string {
  const whole = text.toWellFormed().replace(UNSEEN, ' ').trim()
  if (whole === '') return ''
  // Cut first: normalising is slow for very many combining marks.
  const line = blankSecrets(plain(cutAtWord(whole)), BLANK) || BLANK
  const read = line.split(BETWEEN).map(readWord).join('').replace(NUMBER, BLANK)
  return cleanText(read, MAX_LIB_ERROR).trim()
}
