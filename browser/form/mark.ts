// Marks handled elements: a page may include the script twice.

const mark = Symbol.for('footfall')

/** @returns whether a copy of the script has handled it already; marks it. */
export function isMarked(given: Element): boolean {
  const element: Element & { [mark]?: boolean } = given
  return mark in element || !(element[mark] = true)
}
