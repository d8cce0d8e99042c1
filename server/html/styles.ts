// Which styles the wide policy keeps: those that change the looks and size of an element and leave it in its
// place. Something that covers the page could impersonate it, so a block neither covers what is above and
// below it nor has a layer of its own. Horizontally there is no such promise: wide content may overlap its
// neighbour, as a large image does without any style.
import { readStyles } from './removed.ts'

const words = (text: string): string[] => text.split(' ')
const oneOf = (keywords: string): RegExp => new RegExp(`^(?:${keywords.replaceAll(' ', '|')})$`)

const length = String.raw`(?:\d+(?:\.\d+)?|\.\d+)(?:[a-z]{2,4}|%)?`
const lengths = new RegExp(`^${length}(?: ${length}){0,3}$`)
const margins = new RegExp(`^(?:${length}|auto)(?: (?:${length}|auto)){0,3}$`)
const plainWords = /^[a-z][a-z -]*$/
/** A colour, a border, a font family: functions are checked separately. */
const anything = /^/
/** The value of a function or variable is unknown in advance, so widths are plain lengths. */
const width = /^(?:[1-9]\d+(?:\.\d+)?(?:px|pt|%|vw|ch)|[1-9]\d*(?:\.\d+)?r?em|auto|none|(?:min|max|fit)-content)$/

/**
 * The allowed values of each property. A length is never negative, whatever its source: `inherit` may bring
 * one of the page.
 */
const values: Readonly<Record<string, RegExp>> = {
  color: anything,
  'background-color': anything,
  'text-align': plainWords,
  'text-decoration': plainWords, // as thick as a length says, a line is a wall
  'text-transform': plainWords,
  // A bare number is multiplied by each element's font size: for a length, large text would inherit a small
  // line height and overlap the lines around it.
  'line-height': /^(?:normal|[1-9]\d?(?:\.\d+)?)$/,
  'letter-spacing': lengths,
  'white-space': plainWords,
  'vertical-align': plainWords,
  'font-family': anything,
  'font-size': new RegExp(`^(?:${length}|(?:xx?-|xxx-)?(?:small|large)|medium|smaller|larger)$`),
  'font-style': plainWords,
  'font-weight': /^(?:[a-z]+|\d{1,4})$/,
  'list-style-type': plainWords,
  width,
  'max-width': width,
  'min-width': lengths,
  height: new RegExp(`^(?:${length}|auto)$`),
  'max-height': new RegExp(`^(?:${length}|none)$`),
  'min-height': lengths,
  'aspect-ratio': /^(?:auto|[\d.]+(?: ?\/ ?[\d.]+)?)$/,
  'object-fit': plainWords,
  margin: margins,
  'margin-top': margins,
  'margin-right': margins,
  'margin-bottom': margins,
  'margin-left': margins,
  padding: lengths,
  'padding-top': lengths,
  'padding-right': lengths,
  'padding-bottom': lengths,
  'padding-left': lengths,
  border: anything,
  'border-top': anything,
  'border-right': anything,
  'border-bottom': anything,
  'border-left': anything,
  'border-color': anything,
  'border-style': anything,
  'border-width': anything,
  'border-radius': anything,
  'border-collapse': plainWords,
  'box-sizing': plainWords,
  display: oneOf('block inline inline-block flex inline-flex grid inline-grid none'),
  gap: lengths,
  'flex-wrap': oneOf('wrap nowrap'),
  'align-items': oneOf('start flex-start center end flex-end stretch baseline'),
  // Centred or right-aligned content that is too wide would overflow at the start of the line.
  'justify-content': /^(?:start|flex-start|normal|space-between|safe (?:center|end|flex-end))$/,
  'grid-template-columns': anything,
}

/** The properties, as listed for authors of HTML. */
export const styleNames: readonly string[] = Object.keys(values)

/** An element lower than its content lets it overflow; these clip it or make it fit. */
const cutting = new Set(words('img video iframe audio input textarea select'))
const heights = new Set(words('height max-height aspect-ratio'))

/** Within a line of text, box decorations take no room from the neighbouring lines and would overlap them. */
const inRoom = /^(?:padding|border(?!-(?:radius|color|collapse)))/
const boxTags = new Set(
  words(
    'p div h1 h2 h3 h4 h5 h6 hgroup hr pre blockquote ul ol li menu dl dt dd section article aside main nav search address header footer figure ' +
      'figcaption table caption thead tbody tfoot tr th td details summary form iframe video audio input textarea select button',
  ),
)

/**
 * Words, numbers, percentages: neither a URL nor an escape that could become one, nor the start of a comment.
 */
const styleValue = /^(?!.*(?:\/\*|\*\/))[\w#%.,+*/ ()-]{1,200}$/
const functionName = /[\w-]+(?=\()/g
const goodFunctions = new Set(words('rgb rgba hsl hsla calc min max clamp minmax repeat var'))

/** An unclosed one would swallow the declarations after it. */
function isBalanced(value: string): boolean {
  let open = 0
  for (const sign of value) {
    if (sign === '(') open++
    if (sign === ')' && --open < 0) return false
  }
  return open === 0
}

interface Style {
  readonly name: string
  readonly value: string
}

const bare = (value: string): string => value.toLowerCase().replace(/\s*!\s*important$/, '')

function isGoodValue({ name, value }: Style): boolean {
  const written = bare(value)
  if (!Object.hasOwn(values, name) || !values[name]?.test(written)) return false
  if (!styleValue.test(written) || !isBalanced(written)) return false
  return (written.match(functionName) ?? []).every((called) => goodFunctions.has(called))
}

function isBox(tag: string, styles: readonly Style[]): boolean {
  const displays = styles.filter(({ name }) => name === 'display')
  return displays.length === 0 ? boxTags.has(tag) : displays.every(({ value }) => bare(value) !== 'inline')
}

/** @returns '' when nothing stays. */
export function keptStyles(tag: string, style: string): string {
  const good = readStyles(style).filter(isGoodValue)
  const hasRoom = isBox(tag, good)
  const kept = good.filter(({ name }) => (heights.has(name) ? cutting.has(tag) : hasRoom || !inRoom.test(name)))
  return kept.map(({ name, value }) => `${name}: ${value}`).join('; ')
}
