// What a contact has sent through forms, for its page: with its address, or from one of its sessions, as an
// erasure would find it.
import { contactNotFound, findContact, readContactKeys } from '../contacts/contacts.ts'
import { listSessionsOf } from '../identify/identify.ts'
import type { Deps } from '../kernel/deps.ts'
import { listPersonSubmissions } from './person-records.ts'
import { filesBySubmission, type ShownSubmission, shownSubmission } from './submissions.ts'

/** Answers may be long: a page of the newest. */
const MOST_SUBMISSIONS = 20
/** The latest ones; each is a look into the index. */
const MOST_SESSIONS = 200

/** Newest first. @throws Problem('not_found') for a contact that is not of the property. */
export async function listContactSubmissions(
  { records, keys }: Pick<Deps, 'records' | 'keys'>,
  propertyId: string,
  contactId: string,
  most = MOST_SUBMISSIONS,
): Promise<ShownSubmission[]> {
  const contact = await findContact(records, propertyId, contactId)
  if (!contact) throw contactNotFound()
  const sender = {
    ...(await readContactKeys(records, propertyId, contact)),
    sessions: await listSessionsOf(records, propertyId, contact.id, MOST_SESSIONS),
  }
  const found = await listPersonSubmissions(records, propertyId, sender, most)
  const submissions = found.map(({ submission }) => submission)
  const files = await filesBySubmission(records, submissions)
  return found.map(({ form, submission }) => shownSubmission(keys, form, submission, files.get(submission.id)))
}
