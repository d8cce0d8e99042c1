// Removes secrets that the text of a failure names: `password: x`, `"token":"x"`, `Authorization: Bearer x`,
// in any spelling. It walks the text once, so that its time is proportional to the length. In doubt it
// removes too much.

/** Names whose value, after a colon or an equals sign, is a secret. */
const ASSIGNED = /pass|pwd|secret|token|key|auth|sess|cookie|credential|jwt|(?:^|[_.\s-])(?:sid|otp|cvv|cvc|pin)$/iu
const ASSIGNED_HUMP = /[a-z\d](?:Sid|Otp|Pin)$/u
/** Names of failures: a description follows. */
const FAILURE = /(?:Error|Exception|Warning)$/u

const WORDS = 'pass(?:wor[dt]|wd|phrase|code)?|pwd|secret|token|api[ _-]?key|sid|j?session(?:[_-]?id)?|phpsessid|cookie'
/** Names whose value may follow without such a sign: the whole name, or its last part. */
const NAMED = new RegExp(`(?:^|[_.\\s-])(?:${WORDS}|authorization|bearer)$`, 'iu')
const NAMED_HUMP = /[a-z\d](?:Password|Passwd|Pwd|Secret|Token|ApiKey|Sid|Session|SessionId|Cookie|Authorization)$/u
/** Names with several values. */
const OF_MANY = /(?:cookie|authorization)$/iu

const NAME = /(?:\bapi )?[\w-]+(?:\.[\w-]+)*/giu
/** Anything between a name and its value, also as written in URLs, in HTML and in escapes. */
const BETWEEN =
  /(?:[\s:="'`<>(){}[\]|]|\\u00[237][\dabd]|\\|%(?:20|22|27|28|3a|3d|5b|7b)|&(?:quot|apos|#3[49]|#x2[27]);)*/iuy
const SIGN = /[:=]|%3[ad]|\\u003[ad]/iu
/** Belongs to the name, or tells the kind of the value. */
const FILLER =
  /(?:is|was|id|word|key|value|header|string|bearer|basic|digest|token|negotiate|ntlm|dpop|jwt|hmac|apikey)(?![\w.-])/iuy
const MOST_FILLERS = 4

/** Words that follow such a name in ordinary sentences, and words of browsers about code. */
const kept = new Set(
  `a an and are as at be because been but by can cannot could did do does expected expired failed fails field for from function
  given has have identifier if in invalid is it like may missing mismatch must no not null of on or out prop property refresh rejected
  required should so storage string than that the there this to too true false type undefined unexpected unknown was were when while with without
  wrong export import const let var class else catch return number eof end`.split(/\s+/u),
)
const NOTHING = /^(?:undefined|null|true|false|nan)$/iu

const WORD = /[\p{L}\p{N}]+/uy
const LISTED = /\S+(?:(?<=[;,])\s+\S+)*/uy
const QUOTE = /["'`]/u
const closers: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '<': '>' }

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? ''
}

/** @returns where the value begins, after signs and words that belong to the name. */
function skipBetween(text: string, from: number): number {
  let at = from
  for (let fillers = 0; fillers <= MOST_FILLERS; fillers++) {
    const between = matchAt(BETWEEN, text, at)
    if (between === '') return at
    at += between.length
    const filler = matchAt(FILLER, text, at)
    if (filler === '') return at
    at += filler.length
  }
  return at
}

/** The last quote that is open before the value, except the one that closes the name. */
function openQuote(
  between: string,
  before: string,
): { readonly quote: string; readonly isEscaped: boolean } | undefined {
  const rest = QUOTE.test(before) ? between.replace(/^\\?["'`]/u, '') : between
  const at = Math.max(rest.lastIndexOf('"'), rest.lastIndexOf("'"), rest.lastIndexOf('`'))
  return at === -1 ? undefined : { quote: rest.charAt(at), isEscaped: rest[at - 1] === '\\' }
}

function endOfQuoted(text: string, from: number, { quote, isEscaped }: { quote: string; isEscaped: boolean }): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === quote) return at
    if (text[at] !== '\\') continue
    if (isEscaped && text[at + 1] === quote) return at
    at++
  }
  return text.length
}

function endOfBracketed(text: string, from: number, opener: string): number {
  let depth = 1
  for (let at = from; at < text.length; at++) {
    if (text[at] === opener) depth++
    else if (text[at] === closers[opener] && --depth === 0) return at
  }
  return text.length
}

const isLetter = (char: string | undefined): boolean => char !== undefined && /[\p{L}\p{N}]/u.test(char)

/**
 * To the next blank, or to a quote at the edge of a word; brackets and full stops after it belong to the
 * sentence.
 */
function endOfWord(text: string, from: number): number {
  let end = from
  for (; end < text.length && text[end] !== ' '; end++)
    if (QUOTE.test(text.charAt(end)) && !(isLetter(text[end - 1]) && isLetter(text[end + 1]))) break
  while (end > from && /[)\]}>,;.]/u.test(text.charAt(end - 1))) end--
  return end
}

/** A name in a text, and its value if it has one. */
interface Named {
  readonly name: string
  /** The character before the name; '' at the beginning of the text. */
  readonly before: string
  /** What stands between the name and its value. */
  readonly between: string
  /** Where the value begins. */
  readonly at: number
}

function endOfValue(text: string, { name, before, between, at }: Named): number {
  const opener = /(?:[:=]|%3[ad])\s*([([{<])/iu.exec(between)?.[1]
  if (opener !== undefined) return endOfBracketed(text, at, opener)
  const quoted = openQuote(between, before)
  if (quoted) return endOfQuoted(text, at, quoted)
  return OF_MANY.test(name) ? at + matchAt(LISTED, text, at).length : endOfWord(text, at)
}

/** Line and column of a position in the code. */
const isPlace = (name: string, value: string): boolean =>
  /^\d{1,6}:\d{1,6}$/u.test(value) || (name.includes('.') && /^\d{1,6}$/u.test(value))

/** A frame of a stack: a function with such a name, and its file. */
const isFrame = (value: string): boolean => /^[a-z][a-z\d+.-]{0,30}:\/\//iu.test(value) || /:\d+$/u.test(value)

function isSecret(text: string, { name, between, at }: Named): boolean {
  const isAssigned = SIGN.test(between)
  if (!isAssigned && !(NAMED.test(name) || NAMED_HUMP.test(name))) return false
  const value = text.slice(at, endOfWord(text, at))
  if (isAssigned) return !(value === '' || NOTHING.test(value) || (/^\s*:$/u.test(between) && isPlace(name, value)))
  const word = matchAt(WORD, text, at)
  if (value.length <= 1 || isFrame(value)) return false
  return !(word === value && kept.has(word.toLowerCase()))
}

const couldBe = (name: string): boolean =>
  !FAILURE.test(name) && (ASSIGNED.test(name) || ASSIGNED_HUMP.test(name) || NAMED.test(name))

/** @param text one line with single blanks. @param blank replaces each value. */
export function blankSecrets(text: string, blank: string): string {
  let read = ''
  let done = 0
  NAME.lastIndex = 0
  for (let found = NAME.exec(text); found; found = NAME.exec(text)) {
    const [name] = found
    const from = found.index + name.length
    if (!couldBe(name)) continue
    const at = skipBetween(text, from)
    const named = { name, before: text.charAt(found.index - 1), between: text.slice(from, at), at }
    if (named.between === '' || at >= text.length || !isSecret(text, named)) continue
    read += text.slice(done, at) + blank
    done = endOfValue(text, named)
    NAME.lastIndex = done
  }
  return read + text.slice(done)
}
