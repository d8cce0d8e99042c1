// Parses a `srcset`: URLs, each with a width or a density (HTML, 4.8.4.2.1). Done before the sanitiser, which
// writes what it cannot parse to the console with its line breaks: anybody who may preview HTML could forge
// lines of the log.

/** At most one descriptor of each kind, as browsers accept them; none means `1x`. */
const descriptors = /^(?:[1-9]\d*w(?: [1-9]\d*h)?|\d+(?:\.\d+)?x)?$/

const separators = /[\s,]*/y
const url = /\S+/y
/** Up to the next comma outside brackets. */
const behindUrl = /(?:\([^)]*\)?|[^,(])*/y

function take(pattern: RegExp, text: string, from: number): { found: string; end: number } {
  pattern.lastIndex = from
  const found = pattern.exec(text)?.[0] ?? ''
  return { found, end: from + found.length }
}

/** The candidates that can be parsed, in their order; '' when there is none. */
export function keptSrcset(text: string): string {
  const kept: string[] = []
  let at = take(separators, text, 0).end
  while (at < text.length) {
    const { found, end } = take(url, text, at)
    const address = found.replace(/,+$/, '')
    // A trailing comma ends the candidate.
    const rest = address === found ? take(behindUrl, text, end) : { found: '', end }
    const described = rest.found.trim().replaceAll(/\s+/g, ' ')
    if (descriptors.test(described)) kept.push(described === '' ? address : `${address} ${described}`)
    at = take(separators, text, rest.end).end
  }
  return kept.join(', ')
}
