// At which buckets of the graph there are notes.
import type { Annotation } from '../../api/overview.ts'
import { placeOf, type Spanned } from '../../charts/geometry.ts'

interface Noted {
  /** Where in the bucket the first of them is. */
  readonly part: number
  readonly all: readonly Annotation[]
}

export function notesByBucket(buckets: readonly Spanned[], notes: readonly Annotation[]): ReadonlyMap<number, Noted> {
  const found = new Map<number, Noted>()
  for (const note of notes) {
    const place = placeOf(buckets, note.ts)
    if (!place) continue
    const { part, all } = found.get(place.index) ?? { part: place.part, all: [] }
    found.set(place.index, { part, all: [...all, note] })
  }
  return found
}
