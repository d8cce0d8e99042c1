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

/** Values by field name, as they stand in HTML. */
function writtenValues(answers: Answers): Map<string, string> {
  const entries = Object.entries(answers)
  return new Map(entries.map(([name, value]) => [name, escaped([value].flat().join(', '))]))
}

const letters = new Map(Object.entries(entities).map(([letter, entity]) => [entity, letter]))

/** What stands in sanitised HTML for a name: quotes are written out in attributes alone, `<`, `>` and `&` everywhere. */
const nameIn = (html: string): string => html.replaceAll(/&(?:amp|lt|gt|quot);/g, (entity) => letters.get(entity)!)

/** Names may hold blanks, and a template may speak of 100 %: each `%` is looked at as the beginning of a name. */
function fill(template: string, values: ReadonlyMap<string, string>): string {
  const [first = '', ...rest] = template.split('%')
  let html = first
  let left = MAX_FILLED
  for (let at = 0; at < rest.length; at++) {
    const value = at + 1 < rest.length ? values.get(nameIn(rest[at]!)) : undefined
    if (value === undefined) {
      html += `%${rest[at]!}`
      continue
    }
    left -= value.length
    html += (left < 0 ? '' : value) + rest[at + 1]!
    at++
  }
  return html
}

/**
 * `%field%` replaced by the escaped answer (several joined by commas), unknown names left as they are.
 * @param template sanitised. The whole is so once more: an answer that stands in an attribute cannot become a script.
 */
export const fillHtml = (template: string, answers: Answers): string =>
  sanitiseHtml(fill(template, writtenValues(answers)))
