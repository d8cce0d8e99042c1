// Writes the people behind the demo's visits: contacts, links and identify events, as the service itself would have. A session that has
// its contact already is left alone, so that another run changes nothing: no edit of the owner, and nobody who was deleted.
import { identifyRow } from '../contacts/facts.ts'
import { checkIdentification, newContactId, upsertContact } from '../contacts/identify.ts'
import { findLink, insertLink, markNoted, type SessionLink } from '../contacts/links.ts'
import { countSession } from '../contacts/records.ts'
import { type Context } from '../context.ts'
import { dayText } from '../kernel/days.ts'
import { Problem } from '../kernel/problem.ts'
import { type Tx } from '../stores/records.ts'
import { type DemoIdentification } from './people.ts'
import { type DemoVisit } from './traffic.ts'

type Deps = Pick<Context, 'records' | 'facts' | 'randomBytes'>

interface Named extends DemoIdentification {
  readonly visit: DemoVisit
}

interface Noting {
  readonly link: SessionLink
  readonly atMs: number
}

/** Visits of one transaction: one wait for the disk, and short enough for others who want to write. */
const BATCH = 250
/** Somebody else made or changed the same contact at that moment, this many times in a row. */
const MAX_TRIES = 5

/** @returns the link that is to be noted in the facts; null when there is nothing left to do; undefined when the visit is to be tried again. */
async function linkVisit(
  deps: Deps,
  tx: Tx,
  propertyId: string,
  named: Named,
): Promise<SessionLink | null | undefined> {
  const { visit, identification, by, atMs } = named
  const key = { day: dayText(visit.day), session: visit.hash }
  const known = await findLink(tx, propertyId, key)
  if (known) return known.is_noted ? null : known
  const draft = checkIdentification(identification, by)
  const upserted = await upsertContact(tx, propertyId, draft, by, { nowMs: atMs, id: newContactId(deps) })
  if (!upserted) return undefined
  const { contact } = upserted
  const entryTs = Math.floor(visit.views[0]!.atMs / 1000)
  if (!(await insertLink(tx, propertyId, key, contact.id, entryTs))) return undefined
  await countSession(tx, contact, entryTs)
  return { property_id: propertyId, key, contact_id: contact.id, is_noted: false }
}

/** As many of the visits as nobody comes in between of. */
async function linkVisits(
  deps: Deps,
  propertyId: string,
  visits: readonly Named[],
): Promise<{ done: number; notings: Noting[] }> {
  return deps.records.transaction().execute(async (tx) => {
    const notings: Noting[] = []
    for (const [done, named] of visits.entries()) {
      const link = await linkVisit(deps, tx, propertyId, named)
      if (link === undefined) return { done, notings }
      if (link) notings.push({ link, atMs: named.atMs })
    }
    return { done: visits.length, notings }
  })
}

/** First the facts, then the mark, as with every link. */
async function note({ records, facts }: Deps, notings: readonly Noting[]): Promise<void> {
  if (notings.length === 0) return
  const rows = notings.map(({ link, atMs }) => identifyRow(link.property_id, link.key, link.contact_id, atMs))
  await facts.appendAll('events', rows)
  await records.transaction().execute(async (tx) => {
    for (const { link } of notings) await markNoted(tx, link)
  })
}

async function write(deps: Deps, propertyId: string, visits: readonly Named[]): Promise<void> {
  let tries = 0
  for (let at = 0; at < visits.length;) {
    const { done, notings } = await linkVisits(deps, propertyId, visits.slice(at))
    await note(deps, notings)
    tries = done > 0 ? 0 : tries + 1
    if (tries === MAX_TRIES)
      throw new Problem('unavailable', 'Somebody else writes the same contacts.', { retryAfterSeconds: 1 })
    at += done
  }
}

/** Visits that say who they are, gathered into batches. */
export function openContactWriter(deps: Deps, propertyId: string) {
  let waiting: Named[] = []
  const flush = async (): Promise<void> => {
    const visits = waiting.toSorted((a, b) => a.atMs - b.atMs)
    waiting = []
    await write(deps, propertyId, visits)
  }
  return {
    async add(visit: DemoVisit, identification: DemoIdentification): Promise<void> {
      waiting.push({ ...identification, visit })
      if (waiting.length >= BATCH) await flush()
    },
    close: flush,
  }
}
