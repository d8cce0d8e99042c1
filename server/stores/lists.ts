// What lists have in common: words that are looked for in texts, and pages that are read from the end that is
// nearer.
import { type RawBuilder, sql } from 'kysely'
import { likeText } from '../kernel/words.ts'

/** @param text a column or an expression, in lower case like the word. */
export const contains = (text: RawBuilder<unknown>, word: string): RawBuilder<boolean> =>
  sql<boolean>`${text} like ${likeText(word)} escape '\\'`

/** Rows of a list that one reads past, and those that one wants of it. */
export interface Span {
  readonly offset: number
  readonly limit: number
}

/**
 * A page of a list whose total is known, read from the end that is nearer: nobody walks past more than half
 * of it.
 * @param read the rows of a span, in the order of the list or, turned, from its end.
 */
export async function fromNearerEnd<Row>(
  total: number,
  { offset, limit }: Span,
  read: (span: Span, isTurned: boolean) => Promise<Row[]>,
): Promise<Row[]> {
  const count = Math.min(limit, total - offset)
  if (count <= 0) return []
  const after = total - offset - count
  if (offset <= after) return read({ offset, limit: count }, false)
  return (await read({ offset: after, limit: count }, true)).toReversed()
}
