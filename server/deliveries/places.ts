// How many deliveries a node holds at once, and of whom: endpoints that do not answer leave room for those that do, endpoints that nobody
// has called yet find room beside them, and no property takes all of it.

/** What is known of an endpoint: it answered; nothing yet; the last time it did not answer, or took long to say no. */
export type Standing = 'trusted' | 'new' | 'failing'

type Kind = 'held' | 'unproven' | 'failing'

interface Most {
  readonly all: number
  readonly ofProperty: number
}

export const places: Readonly<Record<Kind, Most>> = {
  /** Also those whose bodies are being made: each holds its body. */
  held: { all: 256, ofProperty: 192 },
  /** Of them those to endpoints that are not known to answer: each may last ten seconds. */
  unproven: { all: 96, ofProperty: 32 },
  /** Of those the ones to endpoints that failed the last time. */
  failing: { all: 64, ofProperty: 24 },
}

const kindsOf: Readonly<Record<Standing, readonly Kind[]>> = {
  trusted: ['held'],
  new: ['held', 'unproven'],
  failing: ['held', 'unproven', 'failing'],
}

export interface Places {
  hasRoom(standing: Standing, propertyId: string): boolean
  take(standing: Standing, propertyId: string): void
  give(standing: Standing, propertyId: string): void
  /** Of any kind, in all properties together. */
  left(): number
  /** To plan with: what is taken there is not taken here. */
  copy(): Places
}

interface Counter {
  readonly name: string
  readonly most: number
}

const countersOf = (standing: Standing, propertyId: string): Counter[] =>
  kindsOf[standing].flatMap((kind) => [
    { name: kind, most: places[kind].all },
    { name: `${kind} ${propertyId}`, most: places[kind].ofProperty },
  ])

/** @param taken how many are in use, by the name of the counter. */
export function openPlaces(taken: ReadonlyMap<string, number> = new Map()): Places {
  const counts = new Map(taken)
  const countOf = (name: string): number => counts.get(name) ?? 0
  const change = (name: string, by: number): void => {
    const count = countOf(name) + by
    if (count === 0) counts.delete(name)
    else counts.set(name, count)
  }
  return {
    hasRoom: (standing, propertyId) => countersOf(standing, propertyId).every(({ name, most }) => countOf(name) < most),
    take(standing, propertyId) {
      for (const { name } of countersOf(standing, propertyId)) change(name, 1)
    },
    give(standing, propertyId) {
      for (const { name } of countersOf(standing, propertyId)) change(name, -1)
    },
    left: () => places.held.all - countOf('held'),
    copy: () => openPlaces(counts),
  }
}
