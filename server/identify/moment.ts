// Identifications of one moment, together: who visitors with an external id are is looked up with one
// statement, and where that leaves nothing to decide, what follows is stored in one transaction. Whatever
// needs more than that, or finds that something came in between, goes its own way (identify.ts).
import { Problem } from '../kernel/problem.ts'
import { gatherOf } from '../queues/gather.ts'
import { keyText } from '../sessions/sessions.ts'
import { recordsKind, type Records } from '../stores/records.ts'
import type { ContactRow } from '../contacts/records.ts'
import type { IdentificationDraft } from './draft.ts'
import { listNamed, type Named, type Sighted, storeSighted, type Stored } from './moment-records.ts'

const nameText = ({ propertyId, externalId }: Named): string => `${propertyId} ${externalId}`

const askNamed = gatherOf<Records, Named, ContactRow>((records) => ({
  groupOf: () => '',
  keyOf: nameText,
  load: async (asked) => {
    const rows = await listNamed(records, asked)
    return new Map(rows.map((row) => [nameText({ propertyId: row.property_id, externalId: row.external_id! }), row]))
  },
}))

/** Who a draft names by an external id, as they were after the call began. */
export interface Found {
  /** Undefined: nobody has the id. */
  readonly row: ContactRow | undefined
}

/** Undefined when a draft has no external id, and where callers do not gain by being taken together. */
export async function findNamed(
  records: Records,
  propertyId: string,
  { external_id: externalId }: IdentificationDraft,
): Promise<Found | undefined> {
  if (externalId === null || recordsKind(records) !== 'sqlite') return undefined
  return { row: await askNamed(records, { propertyId, externalId }) }
}

/** The first of each person and session: of two that are about the same, the other one follows it. */
function apart(people: readonly Sighted[]): Sighted[] {
  const taken = new Set<string>()
  return people.filter(({ row, session }) => {
    const names = [`person ${nameText({ propertyId: row.property_id, externalId: row.external_id! })}`]
    if (session) names.push(`session ${row.property_id} ${keyText(session.key)}`)
    const isFirst = names.every((name) => !taken.has(name))
    if (isFirst) for (const name of names) taken.add(name)
    return isFirst
  })
}

/** The id is that of the call where the contact is new. */
const sightedText = ({ row, session }: Sighted): string => `${row.id} ${session ? keyText(session.key) : ''}`

async function storeApart(records: Records, people: readonly Sighted[]): Promise<Map<string, Stored>> {
  const some = apart(people)
  const stored = await storeSighted(records, some)
  return new Map(
    some.flatMap((sighted) => {
      const found = stored.get(sighted.row.id)
      return found ? [[sightedText(sighted), found] as const] : []
    }),
  )
}

const askStore = gatherOf<Records, Sighted, Stored>((records) => ({
  groupOf: () => '',
  keyOf: sightedText,
  load: async (people) =>
    storeApart(records, people).catch((error: unknown) => {
      if (error instanceof Problem) throw error
      // One of them cannot be stored: each goes its own way, and is told what is wrong with it.
      return new Map<string, Stored>()
    }),
}))

/**
 * Stored with those of the same moment. Undefined when nothing was: something came in between, or one of the
 * others cannot be stored.
 * @throws Problem('unavailable') when too many wait.
 */
export async function storeWithOthers(records: Records, sighted: Sighted): Promise<Stored | undefined> {
  return askStore(records, sighted)
}
