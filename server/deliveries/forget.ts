// Whoever takes something away that webhooks or mail have told of makes them forget it in the same
// transaction, and is handed how from here.
import { eraseSubmissions, type ForgetSubmissions, listSubmissionsOf, type Sender } from '../submissions/submissions.ts'
import { eraseMails } from '../mail/mail.ts'
import type { Deps } from '../kernel/deps.ts'
import { removeReader } from '../subscriptions/subscriptions.ts'
import type { Records, Tx } from '../stores/records.ts'
import { eraseAhead, eraseDeliveries, type Subject } from './erasure-records.ts'

export interface Forgetting {
  /**
   * Most of it, a little at a time, before the transaction of erasePerson: that nobody waits for however much
   * there is.
   */
  erasePersonAhead(records: Records, propertyId: string, person: Sender): Promise<void>
  /** All that there is of a person beside the contact. @returns how many submissions that were. */
  erasePerson(tx: Tx, propertyId: string, person: Sender): Promise<number>
  readonly forgetSubmissions: ForgetSubmissions
}

async function subjectOf(tx: Tx, propertyId: string, person: Sender): Promise<Subject> {
  const submissionIds = await listSubmissionsOf(tx, propertyId, person)
  return { sessions: person.sessions, contactIds: person.contact_ids, submissionIds }
}

export function openForgetting({ now }: Pick<Deps, 'now'>): Forgetting {
  return {
    erasePersonAhead: async (records, propertyId, person) => {
      const subject = await records.transaction().execute((tx) => subjectOf(tx, propertyId, person))
      await eraseAhead(records, propertyId, subject, now())
    },
    // Deliveries are found by submissions, so they go first.
    erasePerson: async (tx, propertyId, person) => {
      const subject = await subjectOf(tx, propertyId, person)
      await eraseDeliveries(tx, propertyId, subject, now())
      await eraseMails(tx, propertyId, { emailKeys: person.email_keys, submissionIds: subject.submissionIds }, now())
      for (const key of person.email_keys) await removeReader(tx, propertyId, key)
      return eraseSubmissions(tx, propertyId, person)
    },
    forgetSubmissions: async (tx, propertyId, submissionIds) => {
      await eraseDeliveries(tx, propertyId, { sessions: [], contactIds: [], submissionIds }, now())
      await eraseMails(tx, propertyId, { emailKeys: [], submissionIds }, now())
    },
  }
}
