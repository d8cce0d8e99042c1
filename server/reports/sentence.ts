// The sentence at the head of a report, by a fixed rule (docs/definitions.md#reports): how sessions changed,
// and from which source most of the change came.
import { counted } from './words.ts'

/** Less of a change than one of both is no news. */
const LEAST_SHARE = 0.1
const LEAST_SESSIONS = 20

export interface Side {
  readonly sessions: number
  /** The largest sources, by name. */
  readonly sources: ReadonlyMap<string, number>
}

interface Mover {
  readonly name: string
  readonly by: number
}

/** The source that changed the most in the same direction. */
function moverOf(current: Side, previous: Side, isUp: boolean): Mover | undefined {
  const names = [...new Set([...current.sources.keys(), ...previous.sources.keys()])]
  const movers = names.map((name) => ({
    name,
    by: ((current.sources.get(name) ?? 0) - (previous.sources.get(name) ?? 0)) * (isUp ? 1 : -1),
  }))
  return movers.filter(({ by }) => by > 0).toSorted((a, b) => b.by - a.by || (a.name < b.name ? -1 : 1))[0]
}

/** @param before `the week before`. */
export function sentenceOf(current: Side, previous: Side, before: string): string {
  const total = counted(current.sessions)
  if (current.sessions + previous.sessions === 0) return 'There were no sessions.'
  if (current.sessions === 0) return `There were no sessions; ${before} had ${counted(previous.sessions)}.`
  if (previous.sessions === 0) return `There were ${total} sessions; ${before} had none.`
  const difference = current.sessions - previous.sessions
  const share = Math.abs(difference) / previous.sessions
  if (share < LEAST_SHARE || Math.abs(difference) < LEAST_SESSIONS)
    return `Sessions stayed about the same: ${total}, after ${counted(previous.sessions)} ${before}.`
  const isUp = difference > 0
  const how = `Sessions ${isUp ? 'rose' : 'fell'} by ${counted(Math.round(share * 100))}% to ${total}`
  const mover = moverOf(current, previous, isUp)
  if (!mover) return `${how}.`
  return `${how}; ${mover.name} ${isUp ? 'brought' : 'lost'} the most, ${counted(mover.by)} ${isUp ? 'more' : 'fewer'} than ${before}.`
}
