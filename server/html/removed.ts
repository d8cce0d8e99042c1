// What a policy removed from HTML, for its author: kinds of things, counted before and after.

/** The count of each kind of thing. */
export type Counts = Map<string, number>

/** Kinds that are listed; a whole page that was pasted has hundreds. */
const MAX_REMOVED = 20
/** Characters of an arbitrary name. */
const MAX_WORD = 40
/** Declarations read in one `style`. */
const MAX_STYLES = 100

/** The declarations of a `style` attribute: names in small letters, values trimmed. */
export function readStyles(style: string): { name: string; value: string }[] {
  return style.split(';', MAX_STYLES).flatMap((declaration) => {
    const colon = declaration.indexOf(':')
    if (colon < 1) return []
    return [{ name: declaration.slice(0, colon).trim().toLowerCase(), value: declaration.slice(colon + 1).trim() }]
  })
}

const word = (text: string): string =>
  [...text.replaceAll(/[^\x21-\x7e]/g, '?')].slice(0, MAX_WORD).join('') + (text.length > MAX_WORD ? '…' : '')

/** A tag, each of its attributes, and each property of its style. */
export function countElement(counts: Counts, tag: string, attributes: Readonly<Record<string, string>>): void {
  const add = (kind: string) => counts.set(kind, (counts.get(kind) ?? 0) + 1)
  add(`<${word(tag)}>`)
  for (const [name, value] of Object.entries(attributes)) {
    const styles = name === 'style' ? readStyles(value) : []
    for (const style of styles) add(`style ${word(style.name)} of <${word(tag)}>`)
    if (styles.length === 0) add(`${word(name)} of <${word(tag)}>`)
  }
}

/** The content of a frame, for browsers without frames: one thing, however many pieces it has. */
export function countFrameText(counts: Counts, text: string): void {
  if (text.trim() !== '') counts.set('text in <iframe>', 1)
}

/** The kinds with fewer occurrences than before, in order of appearance. */
export function takenOut(before: Counts, after: Counts): string[] {
  const kinds = [...before].flatMap(([kind, count]) => {
    const gone = count - (after.get(kind) ?? 0)
    return gone < 1 ? [] : [gone === 1 ? kind : `${kind} (${gone} times)`]
  })
  const more = kinds.length - MAX_REMOVED
  return more > 0 ? [...kinds.slice(0, MAX_REMOVED), `and ${more} more kinds of things`] : kinds
}
