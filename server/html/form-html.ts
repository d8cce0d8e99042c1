// Sanitises HTML of an owner or a page for other people's browsers: it can format and link, and never run,
// load or impersonate anything.
import sanitize from 'sanitize-html'
import { type Pay, unpaid } from '../kernel/pay.ts'
import type { Answers } from '../forms/forms.ts'

const formatting = 'b i u s em strong small mark del ins sub sup code kbd samp var q cite abbr time wbr br'.split(' ')
const blocks = 'p div span h1 h2 h3 h4 h5 h6 hr pre blockquote ul ol li dl dt dd a img figure figcaption'.split(' ')
const tables = 'table caption colgroup col thead tbody tfoot tr th td'.split(' ')

/** Removed with their content, which is no text and would be shown as such. */
const withoutContent =
  'script style textarea option select button noscript noembed noframes iframe frame frameset object embed applet template svg math title xmp plaintext head'

/**
 * No attribute names an element (id, name): page code that looks for its own elements must not find one of
 * ours.
 */
const policy: sanitize.IOptions = {
  allowedTags: [...formatting, ...blocks, ...tables],
  allowedAttributes: {
    '*': ['class', 'title', 'lang', 'dir'],
    a: ['href', 'target', 'rel'],
    img: ['src', 'alt', 'width', 'height'],
    ol: ['start', 'reversed'],
    time: ['datetime'],
    col: ['span'],
    colgroup: ['span'],
    th: ['colspan', 'rowspan', 'scope'],
    td: ['colspan', 'rowspan'],
  },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowedSchemesByTag: { img: ['http', 'https'] },
  allowedSchemesAppliedToAttributes: ['href', 'src'],
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  nonTextTags: withoutContent.split(' '),
  nestingLimit: 50,
  transformTags: {
    a: (tagName, { target, ...attribs }) => ({
      tagName,
      attribs: {
        ...attribs,
        ...(target === '_blank' && { target }),
        rel: 'noopener noreferrer nofollow',
      },
    }),
  },
}

/** The HTML that may be shown on anybody's page. Idempotent. */
export const sanitiseHtml = (html: string): string => sanitize(html.replaceAll('\0', '').toWellFormed(), policy)

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export const escapedHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (letter) => entities[letter]!)

/**
 * Characters of all inserted values together: a template may name one of them thousands of times. Later ones
 * are left empty.
 */
const MAX_FILLED = 50_000

/** Tags and characters that can be sanitised in a millisecond; HTML that was sanitised before is cheaper. */
const TAGS_A_MS = 400
const CHARACTERS_A_MS = 25_000

const letters = new Map(Object.entries(entities).map(([letter, entity]) => [entity, letter]))

/** How sanitised HTML escapes a text: quotes in attributes only, `<`, `>` and `&` everywhere. */
const textIn = (html: string): string => html.replaceAll(/&(?:amp|lt|gt|quot);/g, (entity) => letters.get(entity)!)

/** The parts of a template in order: its own text, and the answers that it names. */
interface Writer {
  readonly keep: (text: string) => string
  /** Undefined for a name that no field has. */
  readonly answer: (name: string) => string | undefined
}

/** Names may contain blanks, and a template may say "100 %": each `%` may be the beginning of a name. */
function fill(template: string, { keep, answer }: Writer): string {
  const [first = '', ...rest] = template.split('%')
  const filled = [keep(first)]
  for (let at = 0; at < rest.length; at++) {
    const value = at + 1 < rest.length ? answer(rest[at]!) : undefined
    if (value === undefined) filled.push(keep(`%${rest[at]!}`))
    else filled.push(value, keep(rest[++at]!))
  }
  return filled.join('')
}

/** In the path of a URL: it may have several segments, and does not begin a query. */
const inPath = (value: string): string => encodeURI(value).replaceAll('?', '%3F').replaceAll('#', '%23')

/** An answer, escaped for its position; undefined for a name that no field has. */
type Written = (name: string, write: (value: string) => string) => string | undefined

/** As text, or in an attribute that holds no URL. */
const textWriter = (written: Written, write: (value: string) => string): Writer => ({
  keep: (text) => text,
  answer: (name) => written(textIn(name), write),
})

/** At the very beginning the answer is the URL itself. In the query, its characters are escaped. */
function urlWriter(written: Written): Writer {
  let isBegun = false
  let isInQuery = false
  const keep = (text: string): string => {
    isBegun ||= text.trim() !== ''
    isInQuery ||= /[?#]/.test(text)
    return text
  }
  const write = (value: string): string => {
    if (!isBegun) return value
    return isInQuery ? encodeURIComponent(value) : inPath(value)
  }
  return {
    keep,
    answer: (name) => {
      const value = written(name, write)
      return value === undefined ? undefined : keep(value)
    },
  }
}

/** In sanitised HTML `<` only begins a tag, `>` only ends one, and `"` in a tag only delimits values. */
const tags = /(<[^>]*>)/
const urls = /(?<=\s(?:href|src)=")([^"]*)/

const fillTag = (tag: string, written: Written): string =>
  tag
    .split(urls)
    .map((part, at) =>
      at % 2 === 0 ? fill(part, textWriter(written, escapedHtml)) : escapedHtml(fill(textIn(part), urlWriter(written))),
    )
    .join('')

/** As the sanitiser writes a text: it escapes no quotes. */
const asText = (value: string): string => value.replaceAll(/[&<>]/g, (letter) => entities[letter]!)

/** The answers as texts, with MAX_FILLED characters in all. */
function openAnswers(answers: Answers): Written {
  const values = new Map(
    Object.entries(answers).map(([name, value]) => [
      name,
      [value].flat().join(', ').replaceAll('\0', '').toWellFormed(),
    ]),
  )
  let left = MAX_FILLED
  return (name, write) => {
    const value = values.get(name)
    if (value === undefined || left < 0) return value && ''
    const text = write(value)
    left -= text.length
    return left < 0 ? '' : text
  }
}

/**
 * Replaces `%field%` by the escaped answer (several joined by commas); unknown names stay.
 * @param template sanitised. If an answer ends up inside a tag, the result is sanitised again, so that none
 * becomes a script; as text none can.
 * @throws Problem('rate_limited') from `pay`.
 */
export function fillHtml(template: string, answers: Answers, pay: Pay = unpaid): string {
  const written = openAnswers(answers)
  const parts = template.split(tags)
  const filled = parts.map((part, at) =>
    at % 2 === 0 ? fill(part, textWriter(written, asText)) : fillTag(part, written),
  )
  const html = filled.join('')
  if (filled.every((part, at) => at % 2 === 0 || part === parts[at])) return html
  pay(parts.length / 2 / TAGS_A_MS + html.length / CHARACTERS_A_MS)
  return sanitiseHtml(html)
}
