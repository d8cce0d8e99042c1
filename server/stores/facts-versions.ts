// Numbers that grow with every change of a property's facts by this process: equal numbers mean that nothing was written in between.
import { randomUUID } from 'node:crypto'

export interface Versions {
  of(propertyId: string): string
  /** To be called when rows may have been stored, also by an insert that failed, and before anybody is told so. */
  raise(propertyIds: Iterable<string>): void
  raiseAll(): void
}

export function openVersions(): Versions {
  /** One a property that was written to since the start. */
  const ofProperty = new Map<string, number>()
  const start = randomUUID()
  let all = 0
  return {
    of: (propertyId) => `${start}.${all}.${ofProperty.get(propertyId) ?? 0}`,
    raise: (propertyIds) => {
      for (const id of propertyIds) ofProperty.set(id, (ofProperty.get(id) ?? 0) + 1)
    },
    raiseAll: () => {
      all++
    },
  }
}
