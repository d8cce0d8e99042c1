// What the service asks of the facts, as tests watch it.
import type { Facts } from '../../server/stores/facts.ts'

export interface Watched {
  /** Of the statements, in the order in which they are asked. */
  readonly names: string[]
  /** Thrown instead of each answer, once it is set. */
  failure: Error | undefined
}

export function watchQuestions(facts: Facts): Watched {
  const watched: Watched = { names: [], failure: undefined }
  const ask = facts.query.bind(facts)
  const query: Facts['query'] = async (name, ...rest) => {
    watched.names.push(name)
    if (watched.failure) throw watched.failure
    return ask(name, ...rest)
  }
  Object.assign(facts, { query })
  return watched
}
