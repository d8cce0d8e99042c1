// Elements that have been taken care of: a page may well have a script twice.

const mark = Symbol.for('footfall')

/** @returns whether some copy of the script has it already; from now on one has. */
export function isMarked(given: Element): boolean {
  const element: Element & { [mark]?: boolean } = given
  return mark in element || !(element[mark] = true)
}
