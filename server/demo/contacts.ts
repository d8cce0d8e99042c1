// Writes the people behind the demo's visits: contacts and links as the service would store them, and the
// rows of their identify events. A session that already has its contact is left alone, so that another run
// undoes no edit of the owner and restores nobody who was deleted. Its row in the facts is written again,
// like all rows of the demo: that completes a run that was interrupted.
import {
  identifyRow,
  checkIdentification,
  newContactId,
  upsertContact,
  findLink,
  insertLink,
  markNoted,
} from '../identify/identify.ts'
import { countSession } from '../contacts/contacts.ts'
import type { Parts } from '../context.ts'
import { dayText } from '../kernel/days.ts'
import { Problem } from '../kernel/problem.ts'
import type { Tx } from '../stores/records.ts'
import type { EventRow } from '../stores/tables.ts'
import type { DemoIdentification } from './people.ts'
import type { DemoVisit } from './traffic.ts'

type Deps = Pick<Parts, 'records' | 'randomBytes'>

interface Named extends DemoIdentification {
  readonly visit: DemoVisit
}

/** How often in a row a batch is tried again when somebody else changed one of its contacts. */
const MAX_TRIES = 5

/**
 * The link is marked as recorded at once, or a server beside the demo would record it with today's time.
 * @returns the id of the session's contact; undefined when the visit must be tried again.
 */
async function linkVisit(deps: Deps, tx: Tx, propertyId: string, named: Named): Promise<string | undefined> {
  const { visit, identification, by, atMs } = named
  const key = { day: dayText(visit.day), session: visit.hash }
  const known = await findLink(tx, propertyId, key)
  if (known) return known.contact_id
  const draft = checkIdentification(identification, by)
  const upserted = await upsertContact(tx, propertyId, draft, { by, nowMs: atMs, id: newContactId(deps) })
  if (!upserted) return undefined
  const { contact } = upserted
  const entryTs = Math.floor(visit.views[0]!.atMs / 1000)
  const link = { property_id: propertyId, key, contact_id: contact.id, entry_ts: entryTs }
  if (!(await insertLink(tx, link))) return undefined
  await countSession(tx, contact, entryTs)
  await markNoted(tx, [{ property_id: propertyId, key, moves: 0 }])
  return contact.id
}

/** Stores visits until a conflict, and returns their identify events. */
async function linkVisits(deps: Deps, propertyId: string, visits: readonly Named[]): Promise<EventRow[]> {
  return deps.records.transaction().execute(async (tx) => {
    const rows: EventRow[] = []
    for (const named of visits) {
      const contactId = await linkVisit(deps, tx, propertyId, named)
      if (contactId === undefined) break
      const key = { day: dayText(named.visit.day), session: named.visit.hash }
      rows.push(identifyRow({ property_id: propertyId, key, contact_id: contactId, moves: 0 }, named.atMs))
    }
    return rows
  })
}

async function write(deps: Deps, propertyId: string, visits: readonly Named[]): Promise<EventRow[]> {
  const rows: EventRow[] = []
  for (let tries = 0; rows.length < visits.length;) {
    const made = await linkVisits(deps, propertyId, visits.slice(rows.length))
    rows.push(...made)
    tries = made.length > 0 ? 0 : tries + 1
    if (tries === MAX_TRIES)
      throw new Problem('unavailable', 'Another request is changing the same contacts. Try again.', {
        retryAfterSeconds: 1,
      })
  }
  return rows
}

/**
 * Collects visits with an identification into batches.
 * @param batch visits per transaction: one wait for the disk, and short enough for other writers.
 * @param addRows takes the identify events of a batch, to be inserted with other rows of the facts: separate
 * inserts would be small and expensive.
 */
export function openContactWriter(
  deps: Deps,
  propertyId: string,
  addRows: (rows: readonly EventRow[]) => void,
  batch: number,
) {
  let waiting: Named[] = []
  const flush = async (): Promise<void> => {
    const visits = waiting.toSorted((a, b) => a.atMs - b.atMs)
    waiting = []
    addRows(await write(deps, propertyId, visits))
  }
  return {
    async add(visit: DemoVisit, identification: DemoIdentification): Promise<void> {
      waiting.push({ ...identification, visit })
      if (waiting.length >= batch) await flush()
    },
    close: flush,
  }
}
