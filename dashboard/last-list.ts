// The rows of the table that was shown last, by where they lead: the page of a record offers the one before
// and the one after.
let shown: readonly string[] = []

const pathOf = (href: string): string => href.split(/[?#]/, 1)[0] ?? ''

export function noteList(hrefs: readonly string[]): void {
  shown = hrefs
}

export interface Neighbours {
  readonly previous: string | undefined
  readonly next: string | undefined
}

/** @param path of a record. Both are undefined when it was in no table, or alone in it. */
export function neighboursOf(path: string): Neighbours {
  const at = shown.findIndex((href) => pathOf(href) === path)
  return at < 0 ? { previous: undefined, next: undefined } : { previous: shown[at - 1], next: shown[at + 1] }
}
