// What the bodies of deliveries ask of the facts. Deliveries set out in bursts, and each body needs a few rows: those of one property are
// read together.
import type { Context } from '../context.ts'
import type { SessionRef } from '../kernel/ids.ts'
import { keyText, sessionKey } from '../sessions/facts.ts'
import type { Conversion } from '../automations/automation-model.ts'
import { findConverted } from '../conversions/facts.ts'
import { findPages, findSessions, pageKey, type FoundSession, type Page } from './envelope-facts.ts'
import { openGather } from '../queues/gather.ts'

/** All of them throw Problem('unavailable') while the facts are away. */
export interface RunFacts {
  /** Undefined when nothing of it is stored, as after RETENTION_DAYS. */
  session(propertyId: string, session: SessionRef): Promise<FoundSession | undefined>
  /** Where the visitor was at that time: the page of the last view until then. */
  page(propertyId: string, session: SessionRef, atMs: number): Promise<Page | undefined>
  /** Whether the session has met it by now. */
  hasConverted(propertyId: string, session: SessionRef, conversion: Conversion): Promise<boolean>
}

type RunFactsDeps = Pick<Context, 'facts' | 'rates'>

interface OfSession {
  readonly propertyId: string
  readonly session: SessionRef
}

const textOf = ({ session }: OfSession): string => keyText(sessionKey(session))
const ofOne = ([first]: readonly OfSession[]): string => first?.propertyId ?? ''

const openSessions = (deps: RunFactsDeps) =>
  openGather<OfSession, FoundSession>({
    groupOf: ({ propertyId }) => propertyId,
    keyOf: textOf,
    load: (asks) =>
      findSessions(
        deps,
        ofOne(asks),
        asks.map(({ session }) => sessionKey(session)),
      ),
  })

const openPages = ({ facts }: RunFactsDeps) =>
  openGather<OfSession & { readonly atMs: number }, Page>({
    groupOf: ({ propertyId }) => propertyId,
    keyOf: ({ session, atMs }) => pageKey({ ...sessionKey(session), atMs }),
    load: (asks) =>
      findPages(
        facts,
        ofOne(asks),
        asks.map(({ session, atMs }) => ({ ...sessionKey(session), atMs })),
      ),
  })

const openConverted = ({ facts }: RunFactsDeps) =>
  openGather<OfSession & { readonly conversion: Conversion }, true>({
    // As it is now: it may have been changed under its id.
    groupOf: ({ propertyId, conversion: { event_type, event_value } }) =>
      JSON.stringify([propertyId, event_type, event_value]),
    keyOf: textOf,
    load: async (asks) => {
      const keys = asks.map(({ session }) => sessionKey(session))
      const found = await findConverted(facts, ofOne(asks), keys, asks[0]!.conversion)
      return new Map([...found].map((key) => [key, true]))
    },
  })

export function openRunFacts(deps: RunFactsDeps): RunFacts {
  const [sessions, pages, converted] = [openSessions(deps), openPages(deps), openConverted(deps)]
  return {
    session: (propertyId, session) => sessions({ propertyId, session }),
    page: (propertyId, session, atMs) => pages({ propertyId, session, atMs }),
    hasConverted: async (propertyId, session, conversion) =>
      (await converted({ propertyId, session, conversion })) === true,
  }
}
