// HTML that an owner or a page wrote for other people's browsers: what is left of it can format and link, and never run, load or pretend to be anything.
import sanitize from 'sanitize-html'
import { type Pay, unpaid } from '../kernel/pay.ts'
import type { Answers } from '../forms/form-model.ts'

const formatting = 'b i u s em strong small mark del ins sub sup code kbd samp var q cite abbr time wbr br'.split(' ')
const blocks = 'p div span h1 h2 h3 h4 h5 h6 hr pre blockquote ul ol li dl dt dd a img figure figcaption'.split(' ')
const tables = 'table caption colgroup col thead tbody tfoot tr th td'.split(' ')

/** Their content is no text to read; without these it would be shown as such. */
const withoutContent =
  'script style textarea option select button noscript noembed noframes iframe frame frameset object embed applet template svg math title xmp plaintext head'

/** Nothing names an element (id, name): a page must not find one of ours where it looks for its own. */
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

/** What of the HTML may be shown on anybody's page. Once more over its own result, it changes nothing. */
export const sanitiseHtml = (html: string): string => sanitize(html.replaceAll('\0', '').toWellFormed(), policy)

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (letter) => entities[letter]!)

/** Of all values that are filled in together: a template may name one of them thousands of times. What comes later is left empty. */
const MAX_FILLED = 50_000

/** Tags and characters that a millisecond of the thread sanitises once more; what was sanitised before is the cheaper kind. */
const TAGS_A_MS = 400
const CHARACTERS_A_MS = 25_000

const letters = new Map(Object.entries(entities).map(([letter, entity]) => [entity, letter]))

/** What stands in sanitised HTML for a text: quotes are written out in attributes alone, `<`, `>` and `&` everywhere. */
const textIn = (html: string): string => html.replaceAll(/&(?:amp|lt|gt|quot);/g, (entity) => letters.get(entity)!)

/** What becomes of a stretch of a template, in its order: what stands in it, and the answers that it names. */
interface Writer {
  readonly keep: (text: string) => string
  /** Undefined for a name that no field has. */
  readonly answer: (name: string) => string | undefined
}

/** Names may hold blanks, and a template may speak of 100 %: each `%` is looked at as the beginning of a name. */
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

/** In the path of a URL: it may have several parts, and begins no query. */
const inPath = (value: string): string => encodeURI(value).replaceAll('?', '%3F').replaceAll('#', '%23')

/** What an answer is written as before its length counts; undefined for a name that no field has. */
type Written = (name: string, write: (value: string) => string) => string | undefined

/** As text, or between the quotes of an attribute that holds no URL. */
const textWriter = (written: Written, write: (value: string) => string): Writer => ({
  keep: (text) => text,
  answer: (name) => written(textIn(name), write),
})

/** At its very beginning the answer is the URL itself. In the query nothing of it is taken for a sign between parameters. */
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

/** In sanitised HTML `<` only begins a tag, `>` only ends one, and `"` in a tag only begins and ends a value. */
const tags = /(<[^>]*>)/
const urls = /(?<=\s(?:href|src)=")([^"]*)/

const fillTag = (tag: string, written: Written): string =>
  tag
    .split(urls)
    .map((part, at) =>
      at % 2 === 0 ? fill(part, textWriter(written, escaped)) : escaped(fill(textIn(part), urlWriter(written))),
    )
    .join('')

/** As the sanitiser writes a text, which has no quotes to escape. */
const asText = (value: string): string => value.replaceAll(/[&<>]/g, (letter) => entities[letter]!)

/** The answers as texts; all that are written have MAX_FILLED characters between them. */
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
 * `%field%` replaced by the escaped answer (several joined by commas), unknown names left as they are.
 * @param template sanitised. With an answer in one of its tags the whole is so once more, so that none becomes a script; a text cannot.
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
