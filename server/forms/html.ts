// HTML that an owner or a page wrote for other people's browsers: what is left of it can format and link, and never run, load or pretend to be anything.
import sanitize from 'sanitize-html'
import type { Answers } from './form.ts'

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

/** How the answer of a field is written behind what stands before it; undefined for a name that no field has. */
type Write = (name: string, before: string) => string | undefined

const letters = new Map(Object.entries(entities).map(([letter, entity]) => [entity, letter]))

/** What stands in sanitised HTML for a text: quotes are written out in attributes alone, `<`, `>` and `&` everywhere. */
const textIn = (html: string): string => html.replaceAll(/&(?:amp|lt|gt|quot);/g, (entity) => letters.get(entity)!)

/** Names may hold blanks, and a template may speak of 100 %: each `%` is looked at as the beginning of a name. */
function fill(template: string, write: Write): string {
  const [first = '', ...rest] = template.split('%')
  let filled = first
  for (let at = 0; at < rest.length; at++) {
    const value = at + 1 < rest.length ? write(rest[at]!, filled) : undefined
    if (value === undefined) {
      filled += `%${rest[at]!}`
      continue
    }
    filled += value + rest[at + 1]!
    at++
  }
  return filled
}

/** In the path of a URL: it may have several parts, and begins no query. */
const inPath = (value: string): string => encodeURI(value).replaceAll('?', '%3F').replaceAll('#', '%23')

/** At its very beginning the answer is the URL itself. In the query nothing of it is taken for a sign between parameters. */
function inUrl(value: string, before: string): string {
  if (before.trim() === '') return value
  return /[?#]/.test(before) ? encodeURIComponent(value) : inPath(value)
}

/** What stands between the quotes of an attribute that holds a URL. In sanitised HTML `>` only ends a tag, and `"` only a value. */
const urls = /(?<=<[^>]*\s(?:href|src)=")([^"]*)/

/**
 * `%field%` replaced by the escaped answer (several joined by commas), unknown names left as they are.
 * @param template sanitised. The whole is so once more: an answer that stands in an attribute cannot become a script.
 */
export function fillHtml(template: string, answers: Answers): string {
  const values = new Map(
    Object.entries(answers).map(([name, value]) => [name, [value].flat().join(', ').toWellFormed()]),
  )
  let left = MAX_FILLED
  const writing =
    (write: (value: string, before: string) => string): Write =>
    (name, before) => {
      const value = values.get(name)
      if (value === undefined || left < 0) return value && ''
      const written = write(value, before)
      left -= written.length
      return left < 0 ? '' : written
    }
  const writeText = writing(escaped)
  const writeUrl = writing(inUrl)
  const parts = template.split(urls)
  const filled = parts.map((part, at) =>
    at % 2 === 0
      ? fill(part, (name, before) => writeText(textIn(name), before))
      : escaped(fill(textIn(part), writeUrl)),
  )
  return sanitiseHtml(filled.join(''))
}
