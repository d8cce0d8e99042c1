// Which HTML a content block may contain, as the owner can read it, and the sanitiser that applies it. No
// policy allows scripts.
import sanitize from 'sanitize-html'
import type { ContentPolicy } from '../properties/properties.ts'
import { countElement, countFrameText, type Counts, takenOut } from './removed.ts'
import { keptSrcset } from './srcset.ts'
import { keptStyles, styleNames } from './styles.ts'

const words = (text: string): string[] => text.split(' ')

const formatting =
  'b i u s em strong small mark del ins sub sup code kbd samp var q cite abbr dfn time bdi bdo ruby rt rp wbr br'
const sections =
  'p div span h1 h2 h3 h4 h5 h6 hgroup hr pre blockquote ul ol li menu dl dt dd section article aside main nav search address header footer'
const media = 'a img picture source figure figcaption'
const tables = 'table caption colgroup col thead tbody tfoot tr th td'
const wider = 'details summary iframe video audio track form input textarea select option optgroup button label'

/** In terms that people who write HTML can read. */
export interface HtmlPolicy {
  readonly tags: readonly string[]
  /** By tag; `*` for all. */
  readonly attributes: Readonly<Record<string, readonly string[]>>
  /** Schemes of links; paths on the own site are allowed too. */
  readonly schemes: readonly string[]
  /** Properties of `style` that are kept where they leave the element in its place: see html/styles.ts. */
  readonly styles: readonly string[]
}

/**
 * No attribute names an element (id, name): page code that looks for its own elements must not find one of
 * ours. `data-cta` and `data-element` label clicks; other data attributes may be commands to a library of the
 * page.
 */
const standardAttributes: Readonly<Record<string, readonly string[]>> = {
  '*': words('class title lang dir role aria-label aria-hidden data-cta data-element'),
  a: words('href target rel download'),
  img: words('src srcset sizes alt width height loading decoding'),
  source: words('src srcset sizes type media width height'),
  ol: words('start reversed'),
  time: ['datetime'],
  col: ['span'],
  colgroup: ['span'],
  th: words('colspan rowspan scope'),
  td: words('colspan rowspan'),
}

const wideAttributes: Readonly<Record<string, readonly string[]>> = {
  ...standardAttributes,
  '*': [...standardAttributes['*']!, 'style'],
  details: ['open'],
  iframe: words('src width height loading allowfullscreen sandbox referrerpolicy'),
  video: words('src poster width height controls muted loop playsinline preload autoplay'),
  audio: words('src controls muted loop preload'),
  track: words('src kind srclang label default'),
  form: words('action method target autocomplete'),
  input: words('type name value placeholder required checked disabled readonly min max step maxlength autocomplete'),
  textarea: words('name placeholder required disabled readonly rows cols maxlength autocomplete'),
  select: words('name required disabled multiple size autocomplete'),
  option: words('value label selected disabled'),
  optgroup: words('label disabled'),
  button: words('type name value disabled'),
}

// ---------------------------------------------------------------- the policies

const schemes = words('http https mailto tel')

export const htmlPolicies: Readonly<Record<ContentPolicy, HtmlPolicy>> = {
  standard: {
    tags: words([formatting, sections, media, tables].join(' ')),
    attributes: standardAttributes,
    schemes,
    styles: [],
  },
  wide: {
    tags: words([formatting, sections, media, tables, wider].join(' ')),
    attributes: wideAttributes,
    schemes,
    styles: styleNames,
  },
}

/** No passwords and no files: content blocks must not ask for them. */
const inputTypes = words(
  'text email tel url number search date time month week checkbox radio range color hidden submit reset button',
)

/** Removed with their content, which is no text and would be shown as such. */
const withoutContent = words(
  'script style textarea option select button noscript noembed noframes iframe frame frameset object embed applet template svg math title xmp plaintext head',
)

/** Of a frame: nothing inside it can navigate the page itself. */
const sandbox = words('allow-scripts allow-same-origin allow-popups allow-forms allow-presentation')
const rels = words('nofollow noopener noreferrer sponsored ugc external')

type Attributes = Readonly<Record<string, string>>

function linkAttributes({ target, rel = '', ...attributes }: Attributes): sanitize.Attributes {
  const isBlank = target?.toLowerCase() === '_blank'
  const given = rels.filter((word) => rel.toLowerCase().split(/\s+/).includes(word))
  const kept = isBlank && !given.includes('noopener') ? [...given, 'noopener'] : given
  return { ...attributes, ...(isBlank && { target: '_blank' }), ...(kept.length > 0 && { rel: kept.join(' ') }) }
}

function pictureAttributes(attributes: Attributes): sanitize.Attributes {
  const { srcset, ...others } = attributes
  const kept = srcset === undefined ? '' : keptSrcset(srcset)
  return kept === '' ? others : { ...attributes, srcset: kept }
}

function frameAttributes(attributes: Attributes): sanitize.Attributes {
  const asked = attributes.sandbox?.toLowerCase().split(/\s+/)
  const kept = asked ? sandbox.filter((word) => asked.includes(word)) : sandbox
  // An empty sandbox is the strictest, and the sanitiser drops empty attributes.
  return { ...attributes, sandbox: kept.length > 0 ? kept.join(' ') : 'allow-presentation' }
}

function formAttributes({ target, method, ...attributes }: Attributes): sanitize.Attributes {
  return {
    ...attributes,
    ...(target?.toLowerCase() === '_blank' && { target: '_blank' }),
    ...(method?.toLowerCase() === 'post' && { method: 'post' }),
  }
}

function inputAttributes({ type, ...attributes }: Attributes): sanitize.Attributes {
  const kept = type?.toLowerCase()
  return kept !== undefined && inputTypes.includes(kept) ? { type: kept, ...attributes } : attributes
}

const transformed =
  (change: (attributes: Attributes, tag: string) => sanitize.Attributes): sanitize.Transformer =>
  (tagName, attribs) => ({ tagName, attribs: change(attribs, tagName) })

function styleAttributes({ style, ...attributes }: Attributes, tag: string): sanitize.Attributes {
  const kept = style === undefined ? '' : keptStyles(tag, style)
  return kept === '' ? attributes : { ...attributes, style: kept }
}

const optionsOf = ({ tags, attributes }: HtmlPolicy): sanitize.IOptions => ({
  allowedTags: [...tags],
  allowedAttributes: Object.fromEntries(Object.entries(attributes).map(([tag, names]) => [tag, [...names]])),
  parseStyleAttributes: false, // done here: their parser takes more than is good
  allowedSchemes: [...schemes],
  allowedSchemesByTag: {
    img: ['http', 'https'],
    source: ['http', 'https'],
    video: ['http', 'https'],
    audio: ['http', 'https'],
    track: ['http', 'https'],
    iframe: ['https'],
    form: ['https'],
  },
  allowedSchemesAppliedToAttributes: ['href', 'src', 'action', 'poster'],
  allowProtocolRelative: false,
  allowIframeRelativeUrls: false,
  disallowedTagsMode: 'discard',
  nonTextTags: withoutContent,
  nestingLimit: 50,
  // Browsers do not show the content of a frame, and it would not survive being written out again.
  textFilter: (text, tag) => (tag === 'iframe' ? '' : text),
  exclusiveFilter: ({ tag, attribs }) => tag === 'iframe' && !attribs.src,
  transformTags: {
    a: transformed(linkAttributes),
    img: transformed(pictureAttributes),
    source: transformed(pictureAttributes),
    iframe: transformed(frameAttributes),
    form: transformed(formAttributes),
    input: transformed(inputAttributes),
    '*': transformed(styleAttributes),
  },
})

const options = { standard: optionsOf(htmlPolicies.standard), wide: optionsOf(htmlPolicies.wide) }

// ---------------------------------------------------------------- sanitising

/**
 * The first pass nearly always suffices; a second repairs nesting where a removed element was in between:
 * `<p><x><p>`.
 */
const MAX_PASSES = 10

/** Repeated until it is stable, so that stored HTML can be saved again; HTML that never is gets refused. */
function settle(html: string, pass: (html: string) => string): string {
  let before = html
  for (let passes = 0; passes < MAX_PASSES; passes++) {
    const after = pass(before)
    if (after === before) return after
    before = after
  }
  return ''
}

const clean = (html: string): string => html.replaceAll('\0', '').toWellFormed()

/**
 * The HTML that a policy allows. Idempotent; and HTML allowed by `standard` is unchanged under `wide`. So
 * only HTML that was saved under `wide` must be sanitised again when the property is back on `standard`.
 */
export const sanitiseHtml = (html: string, policy: ContentPolicy): string =>
  settle(clean(html), (each) => sanitize(each, options[policy]))

/** What it contained, counted on the way. */
function countsIn(html: string, policy: ContentPolicy): Counts {
  const counts: Counts = new Map()
  const onOpenTag = (name: string, attributes: Attributes) => countElement(counts, name, attributes)
  const textFilter = (text: string, tag: string) => {
    if (tag === 'iframe') countFrameText(counts, text)
    return ''
  }
  sanitize(html, { ...options[policy], onOpenTag, textFilter })
  return counts
}

/** The same with what was removed, in words and bounded: `<script>`, `onclick of <a>`. */
export function sanitiseContent(html: string, policy: ContentPolicy): { html: string; removed: string[] } {
  const kept = sanitiseHtml(html, policy)
  return { html: kept, removed: takenOut(countsIn(clean(html), policy), countsIn(kept, policy)) }
}
