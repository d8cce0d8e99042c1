// The visitor at a form, as far as the request tells: place, browser, bot or not. Computed alike for its
// first step and its last.
import type { Agent, BotVerdict, Enrich, Place } from '../enrich/enrich.ts'
import { hintsIn, type Visitor } from '../tracker/tracker.ts'
import type { Headers } from './form-sessions.ts'

export interface Sender {
  readonly visitor: Visitor
  readonly place: Place
  readonly agent: Agent
  readonly bot: BotVerdict
  /** `en-GB`; '' when it is not known. */
  readonly language: string
}

export function readSender(enrich: Enrich, headers: Headers, visitor: Visitor): Sender {
  const place = enrich.place(visitor.address)
  const hints = hintsIn(headers)
  return {
    visitor,
    place,
    agent: enrich.agent(visitor.agent, hints),
    bot: enrich.bot({ userAgent: visitor.agent, place, brands: hints?.brands }),
    language: enrich.language(visitor.language),
  }
}
