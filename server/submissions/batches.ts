// How many rows a statement may read at once: by what is in them, since one may hold a name or several pages.

/** A place in the order of the list, and what is read with it. */
export interface SizedPlace {
  readonly seq: number
  readonly bytes: number
}

/** Of such places, both included. */
export interface Places {
  readonly first: number
  readonly last: number
}

/** Read, taken apart and written out in some milliseconds. The largest submission has about half of it. */
export const BATCH_BYTES = 262_144

function endsOf(places: readonly SizedPlace[]): Places {
  const ends = [places[0]!.seq, places.at(-1)!.seq]
  return { first: Math.min(...ends), last: Math.max(...ends) }
}

/**
 * Cut before the place that would be too much; one alone is never too large. @param places ascending or
 * descending.
 */
export function* batchesOf(places: readonly SizedPlace[]): Generator<Places> {
  let batch: SizedPlace[] = []
  let bytes = 0
  for (const place of places) {
    if (batch.length > 0 && bytes + place.bytes > BATCH_BYTES) {
      yield endsOf(batch)
      batch = []
      bytes = 0
    }
    batch.push(place)
    bytes += place.bytes
  }
  if (batch.length > 0) yield endsOf(batch)
}
